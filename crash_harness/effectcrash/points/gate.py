"""§4 and §13: what the gate must find, deliver as it was, refuse, and let an approval meet."""

from collections.abc import Iterator
from typing import Final

from effectcrash.case import Assertion, Case, expect
from effectcrash.facts import PAUSED as RUN_PAUSED
from effectcrash.facts import (
    attempts,
    effects,
    ending,
    found_by,
    last_event,
    looked_up,
    output,
    retained,
    sent,
    unchanged,
)
from effectcrash.points.open_effect import after_an_open_effect
from effectcrash.telling import (
    FIRST,
    KEYED,
    OPAQUE,
    SECOND,
    THIRD,
    TIERS,
    A,
    Promise,
    Steps,
    calls,
    job,
    killed_at,
    killed_by_target,
    node,
    paying,
    payment,
    resumed,
    rounds,
    start,
    told,
)
from effectspec.attention import ExitCode
from effectspec.points import Failable, Failure, Place
from effectspec.scenario import (
    Advance,
    Kill,
    ProviderError,
    Resume,
    Run,
    Scenario,
    Target,
    TargetAct,
)

KEY_LIFETIME_S: Final = 3600
COST: Final = 1
"""Of a turn, and all that the budget allows: the first start spends it."""


def cases() -> Iterator[Case]:
    """Rows of a later attempt, long results, reads that fail, rows that a pause can leave."""
    yield from _rows_of_a_second_attempt()
    yield _result_beyond_the_bound()
    yield from _gate_reads_that_fail()
    yield from _approvals()


def _rows_of_a_second_attempt() -> Iterator[Case]:
    """The attempt restarts at 1 on a resume, so nothing may be looked up by it."""
    overloaded = rounds(ProviderError(message="overloaded"))
    for promise in TIERS:
        yield Case(
            f"I-2/second-attempt/{promise}",
            promise.tier,
            Scenario(
                job=job(payment(promise), node(overloaded, calls(A), attempts=2)),
                steps=(*killed_by_target(), *resumed()),
            ),
            (
                expect("I-2", attempts(found_by(SECOND)), (2,)),
                expect("I-2", effects(), ("A",)),
                *after_an_open_effect(promise, happened=True, sent_before=1),
            ),
        )


def _result_beyond_the_bound() -> Case:
    """The model is shown a preview; the output is the one that the whole result gave."""
    return Case(
        f"G-7/beyond-the-bound/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(
                start(FIRST, Place.SETTLED),
                Target(act=TargetAct.PAD),
                Run(process=FIRST),
                Kill(process=FIRST),
                *resumed(),
            ),
        ),
        (
            expect("G-7", retained(found_by(SECOND)), (True,)),
            expect("G-7", ending(SECOND), ExitCode.COMPLETED),
            expect("G-7", output(), {"effect": 1}),
            expect("G-7", sent(), 1),
        ),
    )


def _gate_reads_that_fail() -> Iterator[Case]:
    fails = (
        start(SECOND, failing=(Failure(Failable.GATE_READ),)),
        Resume(process=SECOND, play=1),
    )
    refused = (
        expect("G-10", ending(SECOND), ExitCode.FAILED),
        expect("G-10", unchanged(found_by(SECOND), until=found_by(THIRD)), True),
        expect("G-10", sent(found_by(THIRD)), 1),
        expect("G-10", looked_up(found_by(THIRD)), 0),
    )
    for promise in TIERS:
        yield Case(
            f"G-10/open-effect/{promise}",
            promise.tier,
            Scenario(
                job=paying(promise, calls(A)),
                steps=(*killed_by_target(), *fails, *resumed(THIRD)),
            ),
            (*refused, *after_an_open_effect(promise, happened=True, sent_before=1, by=THIRD)),
        )
    yield Case(
        f"G-10/recorded-effect/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A)),
            steps=(*killed_at(Place.SETTLED), *fails, *resumed(THIRD)),
        ),
        (
            *refused,
            expect("G-2", ending(THIRD), ExitCode.COMPLETED),
            expect("G-2", effects(), ("A",)),
        ),
    )


def _approvals() -> Iterator[Case]:
    """The first start spent the budget and was killed; the next one pauses until it is granted."""
    paused = (
        expect("B-2", ending(SECOND), ExitCode.PAUSED),
        expect("B-2", last_event(found_by(THIRD)), RUN_PAUSED),
        expect("B-2", sent(found_by(THIRD)), 1),
    )
    killed = {
        f"G-13/pending/{KEYED}": (KEYED, killed_by_target(), 2),
        f"G-13/recorded/{OPAQUE}": (OPAQUE, killed_at(Place.SETTLED), 1),
    }
    for id_, (promise, killed_so, requests) in killed.items():
        yield _approved(
            id_,
            promise,
            (*killed_so, *resumed(SECOND), *_approves(THIRD)),
            *paused,
            expect("G-13", ending(THIRD), ExitCode.COMPLETED),
            expect("G-13", effects(), ("A",)),
            expect("G-13", sent(), requests),
        )
    yield _approved(
        f"G-13/key-lifetime-over/{KEYED}",
        KEYED,
        (
            *killed_by_target(),
            *resumed(SECOND),
            Advance(seconds=KEY_LIFETIME_S),
            *told(TargetAct.FORGET_KEYS),
            *_approves(THIRD),
        ),
        *paused,
        expect("G-13", ending(THIRD), ExitCode.EFFECT_ATTENTION),
        expect("G-13", effects(), ("A",)),
        expect("G-13", sent(), 1),
    )
    yield _approved(
        f"G-13/open/{OPAQUE}",
        OPAQUE,
        (*killed_by_target(), *_approves(SECOND)),
        expect("G-13", ending(SECOND), ExitCode.EFFECT_ATTENTION),
        expect("G-13", effects(), ("A",)),
        expect("G-13", sent(), 1),
    )


def _approves(process: str) -> Steps:
    return (start(process), Resume(process=process, play=1, approve=COST))


def _approved(id_: str, promise: Promise, steps: Steps, *assertions: Assertion) -> Case:
    tool = payment(promise, key_lifetime_s=KEY_LIFETIME_S)
    return Case(
        id_,
        promise.tier,
        Scenario(job=job(tool, node(calls(A, cost=COST)), budget=COST), steps=steps),
        assertions,
    )
