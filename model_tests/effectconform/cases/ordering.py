"""O-1, O-6, S-2: what the crash matrix leaves open of the order of a dispatch."""

from collections.abc import Iterator

from effectcrash.case import Case, expect
from effectcrash.facts import (
    count_of,
    effects,
    ending,
    error_code,
    failed,
    found_by,
    refusal,
    retained,
    sent,
    states,
    terminals,
)
from effectcrash.points.ordering import BAD_CALLS
from effectcrash.telling import (
    FIRST,
    NODE,
    OPAQUE,
    SECOND,
    TIERS,
    A,
    Promise,
    calls,
    job,
    killed_at,
    node,
    paying,
    payment,
    start,
)
from effectspec.attention import ErrorCode, ExitCode
from effectspec.lifecycle import State
from effectspec.points import Failable, Failure, Place
from effectspec.protocol import Code
from effectspec.scenario import BeginNode, Call, Prepare, Run, Scenario, TakeOver


def cases() -> Iterator[Case]:
    """Validation by itself, a settle that is one write, a completion that fails."""
    for name, call in BAD_CALLS.items():
        yield _refused(name, call)
        yield _refused_by_prepare(name, call)
    for promise in TIERS:
        yield _settled_in_one_write(promise)
    yield _completion_fails()


def _refused(name: str, call: Call) -> Case:
    """The last attempt that the node allows is refused, and the run fails like any other."""
    return Case(
        f"O-1/{name}-to-the-end/{OPAQUE}",
        OPAQUE.tier,
        Scenario(job=paying(OPAQUE, calls(call)), steps=(start(FIRST), Run(process=FIRST))),
        (
            expect("O-1", ending(FIRST), ExitCode.FAILED),
            expect("O-1", error_code(FIRST), ErrorCode.NODE_FAILED),
            expect("O-1", states(), ()),
            expect("O-1", sent(), 0),
        ),
    )


def _refused_by_prepare(name: str, call: Call) -> Case:
    return Case(
        f"O-1/{name}-prepared/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(
                start(FIRST),
                TakeOver(process=FIRST, owner=FIRST),
                BeginNode(process=FIRST, node=NODE),
                Prepare(process=FIRST, node=NODE, slot=0, call=call),
            ),
        ),
        (
            expect("O-1", refusal(FIRST), Code.BAD_REQUEST),
            expect("O-1", states(), ()),
        ),
    )


def _settled_in_one_write(promise: Promise) -> Case:
    """State and result are there together; in two writes a kill between them loses the result."""
    return Case(
        f"S-2/one-settle/{promise}",
        promise.tier,
        Scenario(job=paying(promise, calls(A)), steps=(*killed_at(Place.SETTLED), start(SECOND))),
        (
            expect("S-2", states(found_by(SECOND)), (State.COMMITTED,)),
            expect("S-2", retained(found_by(SECOND)), (True,)),
        ),
    )


def _completion_fails() -> Case:
    """The checkpoint comes after the effect, so its failure is not retried either."""
    return Case(
        f"O-6/checkpoint-fails/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=job(payment(OPAQUE), node(calls(A), attempts=2)),
            steps=(start(FIRST, failing=(Failure(Failable.CHECKPOINT_WRITE),)), Run(process=FIRST)),
        ),
        (
            expect("O-6", ending(FIRST), ExitCode.FAILED),
            expect("O-6", count_of("node:started"), 1),
            expect("O-6", count_of("node:completed"), 0),
            expect("O-6", effects(), ("A",)),
            expect("O-6", terminals(), (failed(ErrorCode.NODE_FAILED),)),
        ),
    )
