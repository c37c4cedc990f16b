"""B-1, B-2: what the crash matrix leaves open of the budget path."""

from collections.abc import Iterator
from typing import Final

from effectcrash.case import Assertion, Case, expect
from effectcrash.facts import PAUSED, count_of, ending, error_code, sent
from effectcrash.telling import (
    FIRST,
    GET,
    OPAQUE,
    SECOND,
    THIRD,
    A,
    Steps,
    calls,
    job,
    node,
    payment,
    rounds,
    start,
)
from effectspec.attention import ErrorCode, ExitCode
from effectspec.scenario import Play, Reply, Resume, Run, Scenario

BUDGET: Final = 10
CHEAP: Final = 4
DEAR: Final = 20
"""More than the budget by itself."""


def cases() -> Iterator[Case]:
    """Failing closed asks for no effect, and an approval covers no more than it grants."""
    yield _case(
        "B-1/nothing-done-yet",
        rounds(Reply(calls=(GET,), cost=CHEAP), Reply(calls=(A,), cost=DEAR)),
        (start(FIRST), Run(process=FIRST)),
        expect("B-1", ending(FIRST), ExitCode.FAILED),
        expect("B-1", error_code(FIRST), ErrorCode.BUDGET_EXCEEDED),
        expect("B-1", count_of(PAUSED), 0),
        expect("B-1", sent(), 0),
    )
    yield _case(
        "B-2/too-little-approved",
        calls(A, cost=DEAR),
        (
            start(FIRST),
            Run(process=FIRST),
            start(SECOND),
            Resume(process=SECOND, play=1, approve=DEAR - BUDGET - 1),
            start(THIRD),
            Resume(process=THIRD, play=1, approve=1),
        ),
        expect("B-2", ending(SECOND), ExitCode.PAUSED),
        expect("B-2", ending(THIRD), ExitCode.COMPLETED),
        expect("B-2", count_of(PAUSED), 2),
        expect("B-2", sent(), 1),
    )


def _case(id_: str, turn: Play, steps: Steps, *assertions: Assertion) -> Case:
    return Case(
        f"{id_}/{OPAQUE}",
        OPAQUE.tier,
        Scenario(job=job(payment(OPAQUE), node(turn, mapping={}), budget=BUDGET), steps=steps),
        assertions,
    )
