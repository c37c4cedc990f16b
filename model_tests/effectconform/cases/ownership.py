"""F-2: a stale owner writes nothing, also when the owner after it is dead."""

from collections.abc import Iterator

from effectcrash.case import Case, expect
from effectcrash.facts import (
    NEEDS_ATTENTION,
    effects,
    ending,
    found_by,
    generation,
    late_evidence,
    sent,
    states,
    terminals,
)
from effectcrash.telling import (
    FIRST,
    OPAQUE,
    SECOND,
    THIRD,
    A,
    B,
    calls,
    paying,
    resumed,
    run_to,
    start,
)
from effectspec.attention import ExitCode
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.scenario import Kill, Release, Resume, Scenario


def cases() -> Iterator[Case]:
    """The first owner is declared dead, the second one dies, and the first one wakes up."""
    yield _successor_killed()


def _successor_killed() -> Case:
    """Nobody lives who could object: only the generation in the store keeps the first one out."""
    return Case(
        f"F-2/successor-killed/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A, B)),
            steps=(
                *run_to(Place.ANSWERED),
                start(SECOND, Place.TAKEN_OVER),
                Resume(process=SECOND, declared_dead=True),
                Kill(process=SECOND),
                Release(process=FIRST),
                *resumed(THIRD),
            ),
        ),
        (
            expect("F-2", ending(FIRST), ExitCode.OWNED_BY_ANOTHER),
            expect("F-2", states(found_by(THIRD)), (State.PREPARED,)),
            expect("F-2", late_evidence(found_by(THIRD)), (1,)),
            expect("F-2", terminals(found_by(THIRD)), ()),
            expect("F-1", generation(found_by(THIRD)), 2),
            expect("F-2", effects(), ("A",)),
            expect("T-4", sent(), 1),
            expect("A-1", terminals(), (NEEDS_ATTENTION,)),
        ),
    )
