"""C-3: killed after the effect, before the settle. The target kills, so no victim need help."""

from collections.abc import Iterator

from effectcrash.case import Case, expect
from effectcrash.facts import effects, found_by, states
from effectcrash.points.open_effect import after_an_open_effect
from effectcrash.telling import (
    PROMISES,
    SECOND,
    TIERS,
    A,
    calls,
    killed_at,
    killed_by_target,
    paying,
    resumed,
)
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.scenario import Scenario


def cases() -> Iterator[Case]:
    """A prepared row and one effect, which stays the only one."""
    kills = {f"C-3/{promise}": (promise, killed_by_target()) for promise in PROMISES}
    answered = {
        f"C-3/answered/{promise}": (promise, killed_at(Place.ANSWERED)) for promise in TIERS
    }
    for id_, (promise, killed) in {**kills, **answered}.items():
        yield Case(
            id_,
            promise.tier,
            Scenario(job=paying(promise, calls(A)), steps=(*killed, *resumed())),
            (
                expect("C-3", states(found_by(SECOND)), (State.PREPARED,)),
                expect("C-3", effects(found_by(SECOND)), ("A",)),
                *after_an_open_effect(promise, happened=True, sent_before=1),
            ),
        )
