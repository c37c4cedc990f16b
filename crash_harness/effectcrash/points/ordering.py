"""§7: what it means that a step of a dispatch fails (O-3 and O-4 are C-9's and C-8's)."""

from collections.abc import Iterator
from typing import Final

from effectcrash.case import Assertion, Case, expect
from effectcrash.facts import (
    COMPLETED,
    count_of,
    effects,
    ending,
    error_code,
    failed,
    found_by,
    sent,
    states,
    terminals,
)
from effectcrash.telling import (
    FIRST,
    GET,
    KEYED,
    OPAQUE,
    OUTPUT,
    SECOND,
    TOOL,
    A,
    Promise,
    calls,
    job,
    node,
    payment,
    rounds,
    start,
)
from effectspec.attention import ErrorCode, ExitCode
from effectspec.lifecycle import State
from effectspec.points import Failable, Failure, Place
from effectspec.scenario import Call, Play, ProviderError, Release, Reply, Run, Scenario

BEYOND_JSON: Final = 2**60
"""An integer that canonical JSON cannot hold (reading 14)."""

BAD_CALLS: Final = {
    "unknown-tool": Call(tool="nobody", arguments={}, call_id="call"),
    "wrong-arguments": Call(tool=TOOL, arguments={"method": 7}, call_id="call"),
    "not-canonical": Call(
        tool=TOOL,
        arguments={"method": "POST", "path": "/payments", "body": {"amount": BEYOND_JSON}},
        call_id="call",
    ),
}

PROVIDER_FAILS: Final = ProviderError(message="overloaded")

AFTERMATH: Final = (
    Failable.BOUNDING,
    Failable.EVENT_WRITE,
    Failable.ABORT,
    Failable.GUARD_RECEIPT,
)
"""What can be made to fail after the settle; a mapping that does not resolve fails by itself."""

NO_OUTPUT: Final = {"receipt": "/no/such/member"}


def cases() -> Iterator[Case]:
    """Failures before the prepare, of the prepare, after the settle, and later in the attempt."""
    yield from _refused_before_the_prepare()
    yield _prepare_fails()
    for promise in (KEYED, OPAQUE):
        yield _aftermath_fails("mapping", promise, mapping=NO_OUTPUT)
        for kind in AFTERMATH:
            yield _aftermath_fails(kind.value.replace("_", "-"), promise, Failure(kind))
    for promise in (KEYED, OPAQUE):
        provider = rounds(Reply(calls=(A,)), PROVIDER_FAILS)
        yield _later_fails(f"provider/{promise}", promise, provider)
        yield _later_fails(f"bad-call/{promise}", promise, calls(A, BAD_CALLS["wrong-arguments"]))
    yield _retried("O-6/nothing-prepared", "O-6", rounds(PROVIDER_FAILS))
    yield _retried("O-6/only-read", "O-6", rounds(Reply(calls=(GET,)), PROVIDER_FAILS))


def _refused_before_the_prepare() -> Iterator[Case]:
    for name, bad_call in BAD_CALLS.items():
        yield _retried(f"O-1/{name}", "O-1", calls(bad_call))


def _retried(id_: str, clause: str, first_turn: Play) -> Case:
    """Nothing was prepared, so the attempt fails ordinarily and the node's next one pays."""
    return Case(
        f"{id_}/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=job(payment(OPAQUE), node(first_turn, calls(A), attempts=2, mapping={})),
            steps=(start(FIRST), Run(process=FIRST)),
        ),
        (
            expect(clause, ending(FIRST), ExitCode.COMPLETED),
            expect(clause, count_of("node:started"), 2),
            expect(clause, effects(), ("A",)),
            expect(clause, sent(), 1),
            expect("A-1", terminals(), (COMPLETED,)),
        ),
    )


def _prepare_fails() -> Case:
    return Case(
        f"O-2/prepare-fails/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=job(payment(OPAQUE), node(calls(A), attempts=2)),
            steps=(start(FIRST, failing=(Failure(Failable.PREPARE_WRITE),)), Run(process=FIRST)),
        ),
        (*_failed_for_good("O-2"), expect("O-2", effects(), ()), expect("O-2", states(), ())),
    )


def _aftermath_fails(
    name: str, promise: Promise, *failing: Failure, mapping: dict[str, str] = OUTPUT
) -> Case:
    """The effect stands and its settle has landed; the node fails, with an attempt left."""
    return Case(
        f"O-5/{name}/{promise}",
        promise.tier,
        Scenario(
            job=job(payment(promise), node(calls(A), attempts=2, mapping=mapping)),
            steps=(
                start(FIRST, Place.TERMINAL_WRITTEN, failing=failing),
                Run(process=FIRST),
                start(SECOND),
                Release(process=FIRST),
            ),
        ),
        (
            expect("O-5", states(found_by(SECOND)), (State.COMMITTED,)),
            *_failed_for_good("O-5"),
            expect("O-5", effects(), ("A",)),
            expect("O-5", sent(), 1),
        ),
    )


def _later_fails(id_: str, promise: Promise, turn: Play) -> Case:
    """After any prepare no failure of the attempt is retried, at whatever tier."""
    return Case(
        f"O-6/{id_}",
        promise.tier,
        Scenario(
            job=job(payment(promise), node(turn, calls(A), attempts=2)),
            steps=(start(FIRST), Run(process=FIRST)),
        ),
        (*_failed_for_good("O-6"), expect("O-6", effects(), ("A",)), expect("O-6", sent(), 1)),
    )


def _failed_for_good(clause: str) -> tuple[Assertion, ...]:
    return (
        expect(clause, ending(FIRST), ExitCode.FAILED),
        expect("A-3", error_code(FIRST), ErrorCode.NODE_FAILED),
        expect(clause, count_of("node:started"), 1),
        expect("A-1", terminals(), (failed(ErrorCode.NODE_FAILED),)),
    )
