"""I-5, G-2: the same effect asked for again, by whomever and however often."""

from collections.abc import Iterator
from typing import Final

from effectconform.facts import call_ids
from effectcrash.case import Case, expect
from effectcrash.facts import (
    COMPLETED,
    admission,
    effects,
    ending,
    found_by,
    refused_by,
    sent,
    states,
    terminals,
)
from effectcrash.points.c7 import ONE, OTHER, both_begun, prepare
from effectcrash.telling import (
    FIRST,
    FOURTH,
    NODE,
    OPAQUE,
    SECOND,
    THIRD,
    A,
    Steps,
    X,
    calls,
    killed_at,
    paying,
    resumed,
    start,
)
from effectspec.admission import Admission
from effectspec.attention import ExitCode
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.scenario import BeginNode, Kill, Prepare, Scenario, Settle, TakeOver
from effectspec.settlement import Outcome

SETTLED: Final = Settle(
    process=FIRST, node=NODE, slot=0, outcome=Outcome.DONE, result={"effect": 1}
)


def cases() -> Iterator[Case]:
    """Within one start, by another process with other arguments, and over three resumes."""
    for name, between in (("prepared", ()), ("settled", (SETTLED,))):
        yield _asked_again_in_one_start(name, between)
    yield _other_arguments_meanwhile()
    yield _resumed_again_and_again()


def _asked_again_in_one_start(name: str, between: Steps) -> Case:
    """A framework repeats the call within what it counts as one attempt."""
    asks = Prepare(process=FIRST, node=NODE, slot=0, call=A)
    return Case(
        f"I-5/asked-again-while-{name}/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(
                start(FIRST),
                TakeOver(process=FIRST, owner=FIRST),
                BeginNode(process=FIRST, node=NODE),
                asks,
                *between,
                asks,
            ),
        ),
        (
            expect("I-5", admission(FIRST), Admission.REFUSE),
            expect("I-5", refused_by(FIRST), "I-5"),
            expect("I-5", states(), (State.COMMITTED if between else State.PREPARED,)),
        ),
    )


def _other_arguments_meanwhile() -> Case:
    """Equal identity, another digest: refused, and the first row is as it was."""
    return Case(
        f"I-5/other-arguments/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)), steps=(*both_begun(), prepare(ONE), prepare(OTHER, X))
        ),
        (
            expect("I-5", admission(OTHER), Admission.REFUSE),
            expect("I-5", states(), (State.PREPARED,)),
            expect("I-5", call_ids(), (A.call_id,)),
        ),
    )


def _resumed_again_and_again() -> Case:
    """Every start of the node gets the one result; none of them does anything."""
    return Case(
        f"G-2/again-and-again/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(
                *killed_at(Place.RESULT_EMITTED),
                *resumed(SECOND, Place.RESULT_EMITTED),
                Kill(process=SECOND),
                *resumed(THIRD, Place.RESULT_EMITTED),
                Kill(process=THIRD),
                *resumed(FOURTH),
            ),
        ),
        (
            expect("G-2", states(found_by(FOURTH)), (State.COMMITTED,)),
            expect("G-2", ending(FOURTH), ExitCode.COMPLETED),
            expect("G-2", effects(), ("A",)),
            expect("G-2", sent(), 1),
            expect("A-1", terminals(), (COMPLETED,)),
        ),
    )
