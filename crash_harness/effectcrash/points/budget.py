"""§13: a pause of the budget must not become a second effect."""

from collections.abc import Iterator
from typing import Final

from effectcrash.case import Assertion, Case, expect
from effectcrash.facts import (
    COMPLETED,
    PAUSED,
    count_of,
    effects,
    ending,
    error_code,
    failed,
    found_by,
    last_event,
    sent,
    states,
    terminals,
)
from effectcrash.telling import (
    FIRST,
    OPAQUE,
    SECOND,
    A,
    B,
    Steps,
    calls,
    job,
    killed_at,
    node,
    payment,
    resumed,
    rounds,
    start,
)
from effectspec.attention import ErrorCode, ExitCode
from effectspec.points import Place
from effectspec.scenario import Play, Reply, Resume, Run, Scenario

BUDGET: Final = 5
CHEAP: Final = 1
DEAR: Final = 10
"""More than the budget by itself."""

TWO_ROUNDS: Final = rounds(Reply(calls=(A,), cost=CHEAP), Reply(calls=(B,), cost=DEAR))


def cases() -> Iterator[Case]:
    """The first egress pauses; a later one fails the node closed."""
    yield _case(
        "B-2/approved",
        calls(A, cost=DEAR),
        (
            start(FIRST),
            Run(process=FIRST),
            start(SECOND),
            Resume(process=SECOND, play=1, approve=DEAR),
        ),
        expect("B-2", ending(FIRST), ExitCode.PAUSED),
        expect("B-2", last_event(found_by(SECOND)), PAUSED),
        expect("B-2", terminals(found_by(SECOND)), ()),
        expect("B-2", sent(found_by(SECOND)), 0),
        expect("B-2", states(found_by(SECOND)), ()),
        expect("B-2", ending(SECOND), ExitCode.COMPLETED),
        expect("B-2", effects(), ("A",)),
        expect("A-1", terminals(), (COMPLETED,)),
    )
    yield _case(
        "B-2/not-approved",
        calls(A, cost=DEAR),
        (start(FIRST), Run(process=FIRST), *resumed()),
        expect("B-2", ending(SECOND), ExitCode.PAUSED),
        expect("B-2", effects(), ()),
        expect("B-2", terminals(), ()),
    )
    yield _case(
        "B-1/second-egress",
        TWO_ROUNDS,
        (
            start(FIRST),
            Run(process=FIRST),
            start(SECOND),
            Resume(process=SECOND, play=1, approve=DEAR),
        ),
        expect("B-1", ending(FIRST), ExitCode.FAILED),
        expect("B-1", error_code(FIRST), ErrorCode.BUDGET_EXCEEDED),
        expect("A-3", ending(SECOND), ExitCode.FAILED),
        *_failed_closed(),
    )
    yield _case(
        "B-1/second-egress-of-a-re-run",
        TWO_ROUNDS,
        (*killed_at(Place.RESULT_EMITTED), *resumed()),
        expect("B-1", ending(SECOND), ExitCode.FAILED),
        expect("B-1", error_code(SECOND), ErrorCode.BUDGET_EXCEEDED),
        *_failed_closed(),
    )


def _failed_closed() -> tuple[Assertion, ...]:
    return (
        expect("B-1", count_of(PAUSED), 0),
        expect("B-1", effects(), ("A",)),
        expect("B-1", sent(), 1),
        expect("B-1", terminals(), (failed(ErrorCode.BUDGET_EXCEEDED),)),
    )


def _case(id_: str, turn: Play, steps: Steps, *assertions: Assertion) -> Case:
    return Case(
        f"{id_}/{OPAQUE}",
        OPAQUE.tier,
        Scenario(job=job(payment(OPAQUE), node(turn, attempts=2), budget=BUDGET), steps=steps),
        assertions,
    )
