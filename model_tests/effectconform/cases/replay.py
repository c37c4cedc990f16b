"""G-6, G-7, G-8: when the record answers, and that it answers with what was recorded."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from effectconform.facts import delivered, outputs_told
from effectcrash.case import Case, expect
from effectcrash.facts import (
    COMPLETED,
    NEEDS_ATTENTION,
    admission,
    effects,
    ending,
    found_by,
    output,
    refused_by,
    sent,
    states,
    terminals,
)
from effectcrash.telling import (
    FIRST,
    GET,
    NODE,
    OPAQUE,
    SECOND,
    THIRD,
    A,
    B,
    Steps,
    X,
    calls,
    job,
    killed_at,
    node,
    paying,
    payment,
    resumed,
    start,
)
from effectspec.admission import Admission
from effectspec.attention import ExitCode
from effectspec.json_value import Json
from effectspec.lifecycle import State
from effectspec.points import Place, Point
from effectspec.scenario import (
    BeginNode,
    Call,
    Gate,
    Job,
    Kill,
    Prepare,
    Scenario,
    Settle,
    TakeOver,
)
from effectspec.settlement import Outcome

ROOMY: Final = 1_000_000
"""Bytes of retention, and of a bound, that every result of these cases fits in."""

LONG: Final = "x" * 10_000
"""Longer than the model is shown of a result."""

REORDERED: Final[Mapping[str, tuple[Call, ...]]] = {
    "other-call-first": (B, A),
    "read-first": (GET, A),
    "only-another": (B,),
}
"""What the model asks for when the node that paid A runs again (reading 5)."""


def cases() -> Iterator[Case]:
    """Other arguments and another mapping refuse; what is delivered is not worked out again."""
    yield _other_arguments()
    yield _other_mapping()
    for name, called in REORDERED.items():
        yield _reordered(name, called)
    yield _prepared_anew("same-call", A, Admission.REPLAY, "")
    yield _prepared_anew("other-arguments", X, Admission.REFUSE, "G-8")
    yield _truncated_whatever_the_bound_is_now()
    yield _merged_output()
    yield _recorded_delivery()


# ── when ─────────────────────────────────────────────────────────────────────────────────────────


def _other_arguments() -> Case:
    """One checkpoint, resumed with different answers of the model."""
    return Case(
        "G-6/other-arguments",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A), calls(X), calls(A)),
            steps=(*killed_at(Place.SETTLED), *resumed(SECOND, play=1), *resumed(THIRD, play=2)),
        ),
        (
            expect("G-6", ending(SECOND), ExitCode.EFFECT_ATTENTION),
            expect("G-8", states(found_by(THIRD)), (State.COMMITTED,)),
            expect("G-8", effects(found_by(THIRD)), ("A",)),
            expect("G-2", ending(THIRD), ExitCode.COMPLETED),
            expect("G-2", sent(), 1),
            expect("A-1", terminals(), (NEEDS_ATTENTION, COMPLETED)),
        ),
    )


def _other_mapping() -> Case:
    """The workflow was edited while the process was down, and is then put back."""
    edited = job(payment(OPAQUE), node(calls(A), mapping={"effect": "/path"}))
    return Case(
        "G-6/other-mapping",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(*killed_at(Place.SETTLED), *resumed(SECOND), *resumed(THIRD)),
        ),
        (
            expect("G-6", ending(SECOND), ExitCode.EFFECT_ATTENTION),
            expect("G-6", sent(found_by(THIRD)), 1),
            expect("G-2", ending(THIRD), ExitCode.COMPLETED),
            expect("G-2", sent(), 1),
            expect("G-7", output(), {"effect": 1}),
        ),
        elsewhere={SECOND: edited},
    )


def _reordered(name: str, called: tuple[Call, ...]) -> Case:
    """The re-run puts A elsewhere; nothing new goes out before it is delivered, nor A again."""
    return Case(
        f"G-8/{name}/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=job(payment(OPAQUE), node(calls(A), calls(*called), mapping={})),
            steps=(*killed_at(Place.SETTLED), *resumed()),
        ),
        (
            expect("G-8", ending(SECOND), ExitCode.EFFECT_ATTENTION),
            expect("G-8", effects(), ("A",)),
            expect("G-8", sent(), 1),
            expect("G-8", states(), (State.COMMITTED,)),
        ),
    )


def _prepared_anew(name: str, call: Call, answer: Admission, clause: str) -> Case:
    said = () if answer is not Admission.REFUSE else (expect("G-8", refused_by(SECOND), clause),)
    return Case(
        f"G-6/prepare/{name}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(*_settled({"effect": 1}), *_another_start(SECOND, call)),
        ),
        (
            expect("G-6", admission(SECOND), answer),
            *said,
            expect("G-8", states(), (State.COMMITTED,)),
        ),
    )


def _settled(result: dict[str, Json]) -> Steps:
    """The journal's own operations: a process prepares A, settles it with a result, and dies."""
    return (
        start(FIRST),
        TakeOver(process=FIRST, owner=FIRST),
        BeginNode(process=FIRST, node=NODE),
        Prepare(process=FIRST, node=NODE, slot=0, call=A),
        Settle(process=FIRST, node=NODE, slot=0, outcome=Outcome.DONE, result=result),
        Kill(process=FIRST),
    )


def _another_start(process: str, call: Call) -> Steps:
    return (
        start(process),
        TakeOver(process=process, owner=process),
        Gate(process=process),
        BeginNode(process=process, node=NODE),
        Prepare(process=process, node=NODE, slot=0, call=call),
    )


# ── what ─────────────────────────────────────────────────────────────────────────────────────────


def _with_room(bound: int | None = None) -> Job:
    tool = payment(OPAQUE, retention=ROOMY)
    return job(
        tool if bound is None else msgspec.structs.replace(tool, bound=bound), node(calls(A))
    )


def _truncated_whatever_the_bound_is_now() -> Case:
    """The bound is no part of the call's identity, and the recorded preview stays as it was."""
    return Case(
        "G-7/other-bound",
        OPAQUE.tier,
        Scenario(
            job=_with_room(),
            steps=(*_settled({"effect": 1, "text": LONG}), *_another_start(SECOND, A)),
        ),
        (
            expect("G-7", admission(SECOND), Admission.REPLAY),
            expect("G-7", delivered(SECOND, "truncation", lambda was: was.truncated), True),
        ),
        elsewhere={SECOND: _with_room(bound=ROOMY)},
    )


def _merged_output() -> Case:
    return Case(
        "G-7/two-results",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A, B)),
            steps=(*killed_at(Point(Place.RESULT_EMITTED, 2)), *resumed()),
        ),
        (
            expect("G-7", outputs_told(), ({"effect": 1}, {"effect": 2}) * 2),
            expect("G-7", output(), {"effect": 2}),
            expect("G-2", sent(), 2),
        ),
    )


def _recorded_delivery() -> Case:
    result: dict[str, Json] = {"effect": 1, "text": LONG}
    mapped: dict[str, Json] = {"effect": 1}
    return Case(
        "G-7/delivery",
        OPAQUE.tier,
        Scenario(
            job=_with_room(),
            steps=(*_settled(result), *_another_start(SECOND, A)),
        ),
        (
            expect("G-7", delivered(SECOND, "truncation", lambda was: was.truncated), True),
            expect("G-7", delivered(SECOND, "output", lambda was: was.output), mapped),
            expect("G-7", delivered(SECOND, "being whole", lambda was: was.value == result), False),
        ),
    )
