"""The five identities of §2, under their laws."""

import pytest

from effectspec.identity import (
    NodeKey,
    RunCorrelation,
    SessionCorrelation,
    TurnKey,
)
from effectspec.laws.identity import (
    can_prove_completion,
    carries_idempotency_key,
    carries_reference,
    correlation_key,
    slots,
)
from effectspec.tiers import Tier


def test_i2_two_attempts_of_a_node_are_looked_up_under_one_key() -> None:
    first = correlation_key(RunCorrelation("run-1", "send", 1))
    second = correlation_key(RunCorrelation("run-1", "send", 2))

    assert first == second == NodeKey("run-1", "send")


def test_i1_runs_and_nodes_are_told_apart() -> None:
    keys = {
        correlation_key(RunCorrelation(run, node, 1))
        for run in ("run-1", "run-2")
        for node in ("send", "pay")
    }

    assert len(keys) == 4


def test_i1_a_session_is_never_taken_for_a_run() -> None:
    assert correlation_key(SessionCorrelation("run-1", 1)) == TurnKey("run-1", 1)
    assert correlation_key(SessionCorrelation("run-1", 1)) != NodeKey("run-1", "1")


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        ([], []),
        ([3], [range(3)]),
        ([1, 2], [range(1), range(1, 3)]),
        ([2, 0, 1], [range(2), range(2, 2), range(2, 3)]),
    ],
)
def test_i3_slots_run_on_across_the_provider_rounds_of_a_turn(
    rounds: list[int], expected: list[range]
) -> None:
    assert slots(rounds) == expected


@pytest.mark.parametrize("placeholder", ["session", "home", "agent-run"])
def test_i9_a_legacy_wiring_placeholder_proves_no_completion(placeholder: str) -> None:
    assert not can_prove_completion(placeholder)


def test_i9_an_engine_assigned_call_id_may_prove_completion_and_an_absent_one_does_not() -> None:
    assert can_prove_completion("call-7")
    assert not can_prove_completion("")


def test_i7_only_tier_1_has_an_idempotency_key_and_only_tier_2_a_reference() -> None:
    assert [tier for tier in Tier if carries_idempotency_key(tier)] == [Tier.KEYED]
    assert [tier for tier in Tier if carries_reference(tier)] == [Tier.QUERYABLE]
