"""C-8: the settle cannot be written, because it is made to fail or because the store is locked."""

from collections.abc import Iterator
from typing import Final

from effectcrash.case import Assertion, Case, expect
from effectcrash.facts import (
    NEEDS_ATTENTION,
    effects,
    ending,
    error_code,
    found_by,
    sent,
    states,
    terminals,
)
from effectcrash.points.open_effect import after_an_open_effect
from effectcrash.telling import (
    FIRST,
    KEYED,
    OPAQUE,
    PROMISES,
    SECOND,
    A,
    B,
    calls,
    job,
    node,
    paying,
    payment,
    resumed,
    run_failing,
    start,
)
from effectspec.attention import ErrorCode, ExitCode
from effectspec.lifecycle import State
from effectspec.points import Failable, Place
from effectspec.scenario import Kill, Release, Run, Scenario

HOLDER: Final = "holder"
"""A process that works on another run of the same store and holds the store's write lock."""

OTHER_RUN: Final = job(payment(OPAQUE), node(calls(B)), run_id="other-run")


def cases() -> Iterator[Case]:
    """The row stays prepared, the run stops with needs-attention, the count is one."""
    for promise in PROMISES:
        yield Case(
            f"C-8/made-to-fail/{promise}",
            promise.tier,
            Scenario(
                job=paying(promise, calls(A)),
                steps=(*run_failing(Failable.SETTLE_WRITE), *resumed()),
            ),
            (
                *stopped(),
                expect("A-1", terminals(found_by(SECOND)), (NEEDS_ATTENTION,)),
                *after_an_open_effect(promise, happened=True, sent_before=1, stopped_before=True),
            ),
        )
    for promise in (KEYED, OPAQUE):
        yield Case(
            f"C-8/nothing-follows/{promise}",
            promise.tier,
            Scenario(
                job=paying(promise, calls(A, B)),
                steps=(*run_failing(Failable.SETTLE_WRITE), *resumed()),
            ),
            stopped(),
        )
    yield Case(
        "C-8/terminal-fails-too",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(*run_failing(Failable.SETTLE_WRITE, Failable.TERMINAL_WRITE), *resumed()),
        ),
        (
            *stopped(),
            expect("A-2", terminals(found_by(SECOND)), ()),
            *after_an_open_effect(OPAQUE, happened=True, sent_before=1),
        ),
    )
    yield Case(
        "C-8/store-locked",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(
                start(FIRST, Place.ANSWERED, Place.SETTLE_FAILED),
                Run(process=FIRST),
                start(HOLDER, Place.PREPARE_OPEN),
                Run(process=HOLDER),
                Release(process=FIRST),
                Kill(process=HOLDER),
                Release(process=FIRST),
                *resumed(),
            ),
        ),
        (
            *stopped(),
            expect("A-1", terminals(found_by(SECOND)), (NEEDS_ATTENTION,)),
            *after_an_open_effect(OPAQUE, happened=True, sent_before=1, stopped_before=True),
        ),
        elsewhere={HOLDER: OTHER_RUN},
    )


def stopped() -> tuple[Assertion, ...]:
    """The first process stopped with exit 7, and left a prepared row and one effect."""
    return (
        expect("O-4", ending(FIRST), ExitCode.EFFECT_ATTENTION),
        expect("A-1", error_code(FIRST), ErrorCode.EFFECT_NEEDS_ATTENTION),
        expect("C-8", states(found_by(SECOND)), (State.PREPARED,)),
        expect("C-8", effects(found_by(SECOND)), ("A",)),
        expect("O-4", sent(found_by(SECOND)), 1),
    )
