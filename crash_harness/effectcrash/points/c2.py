"""C-2: killed after the prepare, before the effect."""

from collections.abc import Iterator

from effectcrash.case import Case, expect
from effectcrash.facts import effects, found_by, sent, states
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
from effectspec.scenario import Scenario, TargetAct


def cases() -> Iterator[Case]:
    """A prepared row and no effect: tier 1 sends it, tiers 2 and 3 cannot know and ask."""
    for promise in PROMISES:
        yield Case(
            f"C-2/{promise}",
            promise.tier,
            Scenario(job=paying(promise, calls(A)), steps=(*killed_at(Place.PREPARED), *resumed())),
            (
                expect("C-2", states(found_by(SECOND)), (State.PREPARED,)),
                expect("C-2", effects(found_by(SECOND)), ()),
                expect("C-2", sent(found_by(SECOND)), 0),
                *after_an_open_effect(promise, happened=False, sent_before=0),
            ),
        )
    for promise in TIERS:
        yield Case(
            f"C-2/on-its-way/{promise}",
            promise.tier,
            Scenario(
                job=paying(promise, calls(A)),
                steps=(*killed_by_target(TargetAct.KILL_CALLER_BEFORE), *resumed()),
            ),
            (
                expect("S-2", states(found_by(SECOND)), (State.PREPARED,)),
                expect("C-2", effects(found_by(SECOND)), ()),
                *after_an_open_effect(promise, happened=False, sent_before=1),
            ),
        )
