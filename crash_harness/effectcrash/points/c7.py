"""C-7: two processes that hold one fence prepare the same identity."""

from collections.abc import Iterator
from typing import Final

from effectcrash.case import Assertion, Case, expect
from effectcrash.facts import admission, refused_by, states
from effectcrash.telling import NODE, OPAQUE, TIERS, A, Promise, Steps, calls, paying, start
from effectspec.admission import Admission
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.scenario import (
    BeginNode,
    Call,
    Kill,
    Prepare,
    Release,
    Scenario,
    Settle,
    TakeOver,
)
from effectspec.settlement import Outcome

ONE: Final = "one"
OTHER: Final = "other"
WORKER: Final = "worker"
"""The one owner whose two processes these are."""


def cases() -> Iterator[Case]:
    """One prepare wins, one is refused; of a winner that dies uncommitted nothing is left."""
    for promise in TIERS:
        yield _case(
            f"C-7/at-once/{promise}",
            promise,
            (*held_open(), Release(process=ONE)),
            expect("C-7", admission(ONE), Admission.DISPATCH),
            expect("C-7", admission(OTHER), Admission.REFUSE),
            expect("I-5", refused_by(OTHER), "I-5"),
            expect("I-5", states(), (State.PREPARED,)),
        )
    yield _case(
        "C-7/winner-killed",
        OPAQUE,
        (*held_open(), Kill(process=ONE)),
        expect("C-7", admission(OTHER), Admission.DISPATCH),
        expect("I-5", states(), (State.PREPARED,)),
    )
    yield _case(
        "C-7/one-after-the-other",
        OPAQUE,
        (*both_begun(), prepare(ONE), prepare(OTHER)),
        expect("C-7", admission(ONE), Admission.DISPATCH),
        expect("C-7", admission(OTHER), Admission.REFUSE),
        expect("I-5", states(), (State.PREPARED,)),
    )
    yield _case(
        "C-7/winner-settled",
        OPAQUE,
        (
            *both_begun(),
            prepare(ONE),
            Settle(process=ONE, node=NODE, slot=0, outcome=Outcome.DONE, result={"effect": 1}),
            prepare(OTHER),
        ),
        expect("C-7", admission(OTHER), Admission.REPLAY),
        expect("I-5", states(), (State.COMMITTED,)),
    )


def both_begun(*stops: Place) -> Steps:
    """Both processes have begun the node under the fence that the owner took last."""
    return (
        start(OTHER),
        start(ONE, *stops),
        TakeOver(process=OTHER, owner=WORKER),
        TakeOver(process=ONE, owner=WORKER, declared_dead=True),
        BeginNode(process=ONE, node=NODE),
        BeginNode(process=OTHER, node=NODE),
    )


def held_open() -> Steps:
    """One stands inside its prepare's transaction, the other has asked and waits for the lock."""
    return (*both_begun(Place.PREPARE_OPEN), prepare(ONE), prepare(OTHER))


def prepare(process: str, call: Call = A) -> Prepare:
    """The process prepares the call in the node's first slot."""
    return Prepare(process=process, node=NODE, slot=0, call=call)


def _case(id_: str, promise: Promise, steps: Steps, *assertions: Assertion) -> Case:
    return Case(id_, promise.tier, Scenario(job=paying(promise, calls(A)), steps=steps), assertions)
