"""A-1, A-2, A-3, R-1: how a run ends, and what outlives its end."""

from collections.abc import Iterator
from typing import Final

from effectconform.facts import events_of_no_known_name
from effectcrash.case import Case, expect
from effectcrash.facts import (
    COMPLETED,
    NEEDS_ATTENTION,
    effects,
    ending,
    error_code,
    found_by,
    remedy_names,
    sent,
    states,
    terminals,
)
from effectcrash.telling import (
    FIRST,
    OPAQUE,
    SECOND,
    TIERS,
    A,
    Promise,
    calls,
    killed_by_target,
    paying,
    resumed,
    run_under,
    start,
)
from effectspec.attention import ErrorCode, ExitCode
from effectspec.lifecycle import State
from effectspec.points import Failable, Failure
from effectspec.scenario import Advance, Close, Run, Scenario, Sweep, TargetAct

TEN_YEARS_S: Final = 10 * 365 * 24 * 3600


def cases() -> Iterator[Case]:
    """Attention is an error code, a held terminal is not attention, and age settles nothing."""
    for promise in TIERS:
        yield _attention(promise)
    yield _terminal_held()
    yield _aged()


def _attention(promise: Promise) -> Case:
    """The terminal is in the log, so nothing is held; the person is sent to the target (A-3)."""
    return Case(
        f"A-2/attention-is-recorded/{promise}",
        promise.tier,
        Scenario(job=paying(promise, calls(A)), steps=run_under(TargetAct.DROP_AFTER)),
        (
            expect("A-2", ending(FIRST), ExitCode.EFFECT_ATTENTION),
            expect("A-1", error_code(FIRST), ErrorCode.EFFECT_NEEDS_ATTENTION),
            expect("A-2", terminals(), (NEEDS_ATTENTION,)),
            expect("A-1", events_of_no_known_name(), ()),
            expect("A-3", remedy_names(FIRST, "target"), True),
        ),
    )


def _terminal_held() -> Case:
    """A completed run whose terminal cannot be written: nothing is in doubt but the record."""
    return Case(
        f"A-2/terminal-held/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(
                start(FIRST, failing=(Failure(Failable.TERMINAL_WRITE),)),
                Run(process=FIRST),
                *resumed(),
            ),
        ),
        (
            expect("A-2", ending(FIRST), ExitCode.TERMINAL_HELD),
            expect("A-2", terminals(found_by(SECOND)), ()),
            expect("A-3", ending(SECOND), ExitCode.COMPLETED),
            expect("A-1", terminals(), (COMPLETED,)),
            expect("A-2", effects(), ("A",)),
            expect("A-2", sent(), 1),
        ),
    )


def _aged() -> Case:
    """Ten years later, and the run closed, the open row is still there to be resolved."""
    return Case(
        f"R-1/aged/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(
                *killed_by_target(),
                Advance(seconds=TEN_YEARS_S),
                start(SECOND),
                Close(process=SECOND),
                Sweep(process=SECOND),
            ),
        ),
        (expect("R-1", states(), (State.PREPARED,)),),
    )
