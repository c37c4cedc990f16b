"""G-1, G-9, G-12: which rows the gate weighs, and what holds a node open."""

from collections.abc import Iterator

from effectconform.facts import completed
from effectcrash.case import Case, expect
from effectcrash.facts import (
    NEEDS_ATTENTION,
    count_of,
    effects,
    ending,
    found_by,
    retained,
    sent,
    states,
    terminals,
)
from effectcrash.points.c9 import TOO_SMALL
from effectcrash.telling import (
    FIRST,
    KEYED,
    NODE,
    OPAQUE,
    SECOND,
    A,
    B,
    calls,
    job,
    killed_at,
    killed_by_target,
    node,
    paying,
    payment,
    resumed,
    start,
)
from effectspec.attention import ExitCode
from effectspec.lifecycle import State
from effectspec.points import Place, Point
from effectspec.scenario import BeginNode, CompleteNode, Job, Prepare, Scenario, Settle, TakeOver
from effectspec.settlement import Outcome

LATER = "later"
"""The node behind the one that pays first."""


def cases() -> Iterator[Case]:
    """A completed node's rows are past; an open row of any other blocks, and of its own holds."""
    yield _completed_nodes_are_past()
    yield _a_later_node_blocks()
    yield _no_longer_asked_for()
    for outcome in (None, Outcome.UNKNOWN):
        yield _held_open(outcome)


def _two_nodes(*, retention: int | None = None) -> Job:
    return job(payment(OPAQUE, retention=retention), node(calls(A)), node(calls(B), name=LATER))


def _completed_nodes_are_past() -> Case:
    """The first node's result was not kept, which would block a node that is not completed."""
    return Case(
        f"G-1/completed-node/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=_two_nodes(retention=TOO_SMALL),
            steps=(*killed_at(Point(Place.PREPARE_OPEN, 2)), *resumed()),
        ),
        (
            expect("G-1", retained(found_by(SECOND)), (False,)),
            expect("G-1", ending(SECOND), ExitCode.COMPLETED),
            expect("G-1", effects(), ("A", "B")),
            expect("G-1", count_of("node:completed"), 2),
        ),
    )


def _a_later_node_blocks() -> Case:
    return Case(
        f"G-1/later-node/{OPAQUE}",
        OPAQUE.tier,
        Scenario(job=_two_nodes(), steps=(*killed_by_target(request=2), *resumed())),
        (
            expect("G-1", states(found_by(SECOND)), (State.COMMITTED, State.PREPARED)),
            expect("G-1", ending(SECOND), ExitCode.EFFECT_ATTENTION),
            expect("G-1", states(), (State.COMMITTED, State.NEEDS_ATTENTION)),
            expect("G-9", count_of("node:started"), 2),
            expect("G-9", sent(), 2),
        ),
    )


def _no_longer_asked_for() -> Case:
    """The gate lets tier 1 pass to be retried, and then the model asks for nothing."""
    return Case(
        f"G-12/no-longer-asked-for/{KEYED}",
        KEYED.tier,
        Scenario(job=paying(KEYED, calls(A), calls()), steps=(*killed_by_target(), *resumed())),
        (
            expect("G-12", count_of("node:completed"), 0),
            expect("G-12", ending(SECOND), ExitCode.EFFECT_ATTENTION),
            expect("G-12", terminals(), (NEEDS_ATTENTION,)),
            expect("G-12", states(), (State.AMBIGUOUS,)),
        ),
    )


def _held_open(outcome: Outcome | None) -> Case:
    """The journal by itself: a row that is prepared, or settled without an outcome."""
    settles = (
        () if outcome is None else (Settle(process=FIRST, node=NODE, slot=0, outcome=outcome),)
    )
    return Case(
        f"G-12/{'prepared' if outcome is None else 'ambiguous'}/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(
                start(FIRST),
                TakeOver(process=FIRST, owner=FIRST),
                BeginNode(process=FIRST, node=NODE),
                Prepare(process=FIRST, node=NODE, slot=0, call=A),
                *settles,
                CompleteNode(process=FIRST, node=NODE),
            ),
        ),
        (
            expect("G-12", completed(FIRST), False),
            expect("G-12", count_of("node:completed"), 0),
        ),
    )
