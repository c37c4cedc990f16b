"""What an operator may say, against §8 and readings 6 to 8."""

import pytest

from effectspec.lifecycle import Resolution, State
from effectspec.resolution import may_resolve

UNRESOLVED = ["prepared", "dispatched", "ambiguous", "needs_attention"]
SETTLED = ["committed", "resolved"]


@pytest.mark.parametrize("state", UNRESOLVED)
@pytest.mark.parametrize("landed", [False, True])
def test_a5_any_unresolved_effect_may_be_accepted(state: str, landed: bool) -> None:
    assert may_resolve(State(state), Resolution.ACCEPTED, landed=landed)


@pytest.mark.parametrize("state", UNRESOLVED)
def test_a5_an_unresolved_effect_may_be_discarded_unless_it_is_known_to_have_landed(
    state: str,
) -> None:
    assert may_resolve(State(state), Resolution.DISCARDED, landed=False)
    assert not may_resolve(State(state), Resolution.DISCARDED, landed=True)


@pytest.mark.parametrize("state", SETTLED)
@pytest.mark.parametrize("resolution", Resolution)
@pytest.mark.parametrize("landed", [False, True])
def test_a5_a_second_resolution_is_refused(
    state: str, resolution: Resolution, landed: bool
) -> None:
    assert not may_resolve(State(state), resolution, landed=landed)
