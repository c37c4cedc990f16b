"""The fence: one owner, taken over before the gate reads, and late writers that change nothing."""

from collections.abc import Iterator

from effectcrash.case import Assertion, Case, expect
from effectcrash.facts import (
    COMPLETED,
    NEEDS_ATTENTION,
    admission,
    count_of,
    effects,
    ending,
    found_by,
    generation,
    late_evidence,
    refusal,
    sent,
    settlement,
    states,
    terminals,
    unchanged,
)
from effectcrash.points.open_effect import after_an_open_effect
from effectcrash.telling import (
    FIRST,
    NODE,
    OPAQUE,
    QUERYABLE,
    SECOND,
    THIRD,
    TIERS,
    A,
    B,
    Promise,
    Steps,
    calls,
    killed_by_target,
    paying,
    resumed,
    run_to,
    start,
)
from effectspec.admission import Admission
from effectspec.attention import ExitCode
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.protocol import Code
from effectspec.scenario import (
    BeginNode,
    CompleteNode,
    Gate,
    Kill,
    Prepare,
    Release,
    Resume,
    Scenario,
    Settle,
    TakeOver,
)
from effectspec.settlement import Outcome, Settlement

DECLARED_DEAD: Steps = (start(SECOND), Resume(process=SECOND, play=1, declared_dead=True))
"""An operator says that the first process is dead; it is not."""


def cases() -> Iterator[Case]:
    """Owners that live, owners that are declared dead and wake up, and kills while taking over."""
    yield _alive()
    yield from _declared_dead()
    yield _woken_before_a_prepare()
    yield from _killed_while_taking_over()
    yield from _late_writes()
    yield _bounded_wait()


def _alive() -> Case:
    return Case(
        f"F-1/owner-alive/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(
                *run_to(Place.ANSWERED),
                *resumed(SECOND),
                start(THIRD),
                Release(process=FIRST),
            ),
        ),
        (
            expect("F-1", ending(SECOND), ExitCode.OWNED_BY_ANOTHER),
            expect("F-1", unchanged(found_by(SECOND), until=found_by(THIRD)), True),
            expect("F-1", generation(found_by(THIRD)), 1),
            expect("F-1", ending(FIRST), ExitCode.COMPLETED),
            expect("F-1", effects(), ("A",)),
            expect("F-1", sent(), 1),
        ),
    )


def _declared_dead() -> Iterator[Case]:
    """The first process has its answer and cannot settle it any more: kept as evidence."""
    steps = (*run_to(Place.ANSWERED), *DECLARED_DEAD, Release(process=FIRST))
    yield Case(
        f"F-1/declared-dead/{OPAQUE}",
        OPAQUE.tier,
        Scenario(job=paying(OPAQUE, calls(A)), steps=steps),
        (
            expect("F-1", ending(SECOND), ExitCode.EFFECT_ATTENTION),
            expect("F-2", ending(FIRST), ExitCode.OWNED_BY_ANOTHER),
            expect("F-2", states(), (State.NEEDS_ATTENTION,)),
            expect("F-2", late_evidence(), (1,)),
            expect("F-2", terminals(), (NEEDS_ATTENTION,)),
            expect("T-4", effects(), ("A",)),
            expect("T-4", sent(), 1),
        ),
    )
    for promise, requests in zip(TIERS[:2], (2, 1), strict=True):
        yield Case(
            f"F-1/declared-dead/{promise}",
            promise.tier,
            Scenario(job=paying(promise, calls(A)), steps=steps),
            (
                expect("F-1", ending(SECOND), ExitCode.COMPLETED),
                expect("F-2", ending(FIRST), ExitCode.OWNED_BY_ANOTHER),
                expect("F-2", terminals(), (COMPLETED,)),
                expect("F-2", count_of("node:completed"), 1),
                expect("F-2", effects(), ("A",)),
                expect("F-2", sent(), requests),
            ),
        )


def _woken_before_a_prepare() -> Case:
    """The first process has paid A, and wakes up to pay B when another has paid it."""
    return Case(
        f"F-2/woken-before-a-prepare/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A, B)),
            steps=(*run_to(Place.RESULT_EMITTED), *DECLARED_DEAD, Release(process=FIRST)),
        ),
        (
            expect("F-1", ending(SECOND), ExitCode.COMPLETED),
            expect("F-2", ending(FIRST), ExitCode.OWNED_BY_ANOTHER),
            expect("F-2", effects(), ("A", "B")),
            expect("F-2", sent(), 2),
            expect("F-2", terminals(), (COMPLETED,)),
        ),
    )


def _killed_while_taking_over() -> Iterator[Case]:
    """Taking over is a committed write, and until the gate has judged it is the only one."""
    for place, promise in (
        (Place.TAKEN_OVER, OPAQUE),
        (Place.GATE_READ, OPAQUE),
        (Place.GATE_READ, QUERYABLE),
    ):
        yield Case(
            f"F-1/killed-at-{place.value.replace('_', '-')}/{promise}",
            promise.tier,
            Scenario(
                job=paying(promise, calls(A)),
                steps=(
                    *killed_by_target(),
                    *resumed(SECOND, place),
                    Kill(process=SECOND),
                    *resumed(THIRD),
                ),
            ),
            (
                expect("F-1", generation(found_by(SECOND)), 1),
                expect("F-1", generation(found_by(THIRD)), 2),
                expect("F-1", unchanged(found_by(SECOND), until=found_by(THIRD)), True),
                *after_an_open_effect(promise, happened=True, sent_before=1, by=THIRD),
            ),
        )


def _late_writes() -> Iterator[Case]:
    """Every write of an owner checks the fence in its own transaction."""
    prepared = (*_begun(), _prepare(slot=0))
    taken = (
        start(SECOND),
        TakeOver(process=SECOND, owner=SECOND, declared_dead=True),
    )
    settles = Settle(process=FIRST, node=NODE, slot=0, outcome=Outcome.DONE, result={"effect": 1})
    yield _late(
        "settle",
        (*prepared, *taken, settles),
        expect("F-2", settlement(FIRST), Settlement.EVIDENCE),
        expect("F-2", states(), (State.PREPARED,)),
        expect("F-2", late_evidence(), (1,)),
    )
    yield _late(
        "prepare",
        (*prepared, *taken, _prepare(slot=1)),
        expect("F-2", admission(FIRST), Admission.DISPATCH),
        expect("F-2", refusal(FIRST), Code.FENCED),
        expect("F-2", states(), (State.PREPARED,)),
    )
    yield _late(
        "completion",
        (*_begun(), *taken, CompleteNode(process=FIRST, node=NODE)),
        expect("F-2", refusal(FIRST), Code.FENCED),
        expect("F-2", count_of("node:completed"), 0),
    )
    yield _late(
        "gate",
        (*prepared, *taken, Gate(process=FIRST)),
        expect("F-2", refusal(FIRST), Code.FENCED),
        expect("F-2", states(), (State.PREPARED,)),
    )


def _bounded_wait() -> Case:
    """A wait for the store's lock ends in a refusal, never in a guess."""
    return _late(
        "lock-wait",
        (
            start(FIRST, Place.PREPARE_OPEN),
            TakeOver(process=FIRST, owner=FIRST),
            BeginNode(process=FIRST, node=NODE),
            _prepare(slot=0),
            start(SECOND),
            TakeOver(process=SECOND, owner=SECOND, declared_dead=True),
        ),
        expect("F-2", refusal(SECOND), Code.BUSY),
        expect("F-2", generation(), 1),
        expect("F-2", states(), ()),
    )


def _begun() -> Steps:
    return (
        start(FIRST),
        TakeOver(process=FIRST, owner=FIRST),
        BeginNode(process=FIRST, node=NODE),
    )


def _prepare(slot: int) -> Prepare:
    return Prepare(process=FIRST, node=NODE, slot=slot, call=(A, B)[slot])


def _late(name: str, steps: Steps, *assertions: Assertion) -> Case:
    promise: Promise = OPAQUE
    return Case(
        f"F-2/late-{name}/{promise}",
        promise.tier,
        Scenario(job=paying(promise, calls(A, B)), steps=steps),
        assertions,
    )
