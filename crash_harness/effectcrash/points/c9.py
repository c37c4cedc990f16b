"""C-9: each tier's guarantee, with and without a reconciler, whatever the target does."""

from collections.abc import Iterator
from typing import Final

from effectcrash.case import Assertion, Case, expect
from effectcrash.facts import (
    COMPLETED,
    NEEDS_ATTENTION,
    effects,
    ending,
    found_by,
    looked_up,
    may_schedule,
    output,
    retained,
    sent,
    sent_under_the_stored_key,
    states,
    terminals,
    verdicts,
    weighed,
)
from effectcrash.points.open_effect import after_an_open_effect
from effectcrash.telling import (
    FIRST,
    KEYED,
    OPAQUE,
    PROMISES,
    QUERYABLE,
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
    run_under,
    start,
    told,
)
from effectspec.attention import ExitCode
from effectspec.gate import GateVerdict
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.scenario import (
    Advance,
    Gate,
    Kill,
    Resume,
    Run,
    Scenario,
    TakeOver,
    Target,
    TargetAct,
)
from effectspec.tiers import REQUEST_TRAVEL_ALLOWANCE_S, Tier

KEY_LIFETIME_S: Final = 3600
"""How long the target of a case about key lifetimes keeps a key (reading 3)."""

SLACK_S: Final = 120
"""Seconds that a case may take before a key that must be alive is no more."""

TOO_SMALL: Final = 16
"""Bytes of retention that no recorded result fits in (G-5)."""


def cases() -> Iterator[Case]:
    """Unknown answers, late answers, lost keys, lost results, lost receipts, lost retries."""
    yield from _unknown_answers()
    yield from _rejections()
    yield from _late_requests()
    yield from _key_lifetimes()
    yield from _results_not_retained()
    yield from _retries_that_fail()
    yield from _receipts_not_shown()
    yield from _verdicts()


def _unknown_answers() -> Iterator[Case]:
    """No answer, and a 5xx: unknown, never node-retried, then each tier's answer (O-3)."""
    acts = {
        TargetAct.DROP_BEFORE: (False, TIERS),
        TargetAct.DROP_AFTER: (True, PROMISES),
        TargetAct.ERROR_AFTER: (True, TIERS),
    }
    for act, (happened, promises) in acts.items():
        for promise in promises:
            yield Case(
                f"C-9/{act.value.replace('_', '-')}/{promise}",
                promise.tier,
                Scenario(
                    job=job(payment(promise), node(calls(A), attempts=2)),
                    steps=(*run_under(act), *resumed()),
                ),
                (
                    expect("O-3", ending(FIRST), ExitCode.EFFECT_ATTENTION),
                    expect("O-3", sent(found_by(SECOND)), 1),
                    expect("O-3", states(found_by(SECOND)), (State.AMBIGUOUS,)),
                    *after_an_open_effect(
                        promise, happened=happened, sent_before=1, stopped_before=True
                    ),
                ),
            )


def _rejections() -> Iterator[Case]:
    """A 4xx says that nothing was done, and is a result like any other (reading 10)."""
    for promise in TIERS:
        yield Case(
            f"C-9/rejected/{promise}",
            promise.tier,
            Scenario(
                job=job(payment(promise), node(calls(A), mapping={})),
                steps=(
                    start(FIRST, Place.SETTLED),
                    Target(act=TargetAct.REJECT),
                    Run(process=FIRST),
                    Kill(process=FIRST),
                    *resumed(),
                ),
            ),
            (
                expect("S-1", states(found_by(SECOND)), (State.COMMITTED,)),
                expect("G-2", ending(SECOND), ExitCode.COMPLETED),
                expect("G-2", sent(), 1),
                expect("C-9", effects(), ()),
            ),
        )


def _late_requests() -> Iterator[Case]:
    """The sender is dead while its request still runs; it is over before the third process."""
    for act, effects_then in ((TargetAct.HOLD_BEFORE, ()), (TargetAct.HOLD_AFTER, ("A",))):
        yield Case(
            f"C-9/late-request/{act.value.removeprefix('hold_')}/{KEYED}",
            KEYED.tier,
            Scenario(job=paying(KEYED, calls(A)), steps=_overtaken(act)),
            (
                expect("T-2", effects(found_by(SECOND)), effects_then),
                expect("O-3", ending(SECOND), ExitCode.EFFECT_ATTENTION),
                expect("O-3", states(found_by(THIRD)), (State.AMBIGUOUS,)),
                expect("T-2", ending(THIRD), ExitCode.COMPLETED),
                expect("C-9", effects(), ("A",)),
                expect("T-2", sent(), 3),
                expect("I-7", sent_under_the_stored_key(found_by(SECOND)), True),
                expect("A-1", terminals(), (NEEDS_ATTENTION, COMPLETED)),
            ),
        )
    for promise, clause in ((QUERYABLE, "T-3"), (OPAQUE, "T-4")):
        yield Case(
            f"C-9/late-request/before/{promise}",
            promise.tier,
            Scenario(job=paying(promise, calls(A)), steps=_overtaken(TargetAct.HOLD_BEFORE)),
            (
                expect("G-4", ending(SECOND), ExitCode.EFFECT_ATTENTION),
                expect(clause, states(found_by(THIRD)), (State.NEEDS_ATTENTION,)),
                expect("A-4", ending(THIRD), ExitCode.EFFECT_ATTENTION),
                expect("C-9", effects(), ("A",)),
                expect(clause, sent(), 1),
                expect("A-1", terminals(), (NEEDS_ATTENTION,)),
            ),
        )


def _overtaken(act: TargetAct) -> Steps:
    return (
        *run_under(act),
        *told(TargetAct.AWAIT_HELD),
        Kill(process=FIRST),
        *resumed(SECOND),
        *told(TargetAct.RELEASE_HELD),
        *resumed(THIRD),
    )


def _key_lifetimes() -> Iterator[Case]:
    """A key binds only while the target keeps it, when the request arrives (reading 3)."""
    last_s = KEY_LIFETIME_S - REQUEST_TRAVEL_ALLOWANCE_S
    for name, age_s in (
        ("alive", last_s - SLACK_S),
        ("about-to-end", last_s),
        ("over", KEY_LIFETIME_S),
    ):
        forgets = told(TargetAct.FORGET_KEYS) if name == "over" else ()
        yield Case(
            f"C-9/key-lifetime-{name}/{KEYED}",
            KEYED.tier,
            Scenario(
                job=job(payment(KEYED, key_lifetime_s=KEY_LIFETIME_S), node(calls(A))),
                steps=(*killed_by_target(), Advance(seconds=age_s), *forgets, *resumed()),
            ),
            after_an_open_effect(KEYED, happened=True, sent_before=1, key_over=age_s >= last_s),
        )


def _results_not_retained() -> Iterator[Case]:
    """Committed is no green light without a result to deliver (G-3, G-5)."""
    for promise in PROMISES:
        yield Case(
            f"C-9/result-not-retained/{promise}",
            promise.tier,
            Scenario(
                job=job(payment(promise, retention=TOO_SMALL), node(calls(A))),
                steps=(*killed_at(Place.SETTLED), *resumed()),
            ),
            (
                expect("G-5", states(found_by(SECOND)), (State.COMMITTED,)),
                expect("G-5", retained(found_by(SECOND)), (False,)),
                *(_sent_for_its_result() if promise == KEYED else _blocks(promise)),
                expect("C-9", effects(), ("A",)),
            ),
        )


def _sent_for_its_result() -> tuple[Assertion, ...]:
    return (
        expect("G-3", ending(SECOND), ExitCode.COMPLETED),
        expect("G-3", sent(), 2),
        expect("I-7", sent_under_the_stored_key(found_by(SECOND)), True),
        expect("G-3", output(), {"effect": 1}),
    )


def _blocks(promise: Promise) -> tuple[Assertion, ...]:
    """The receipt of tier 2 is as large as the result was, so it cannot be kept either."""
    return (
        expect("G-5", ending(SECOND), ExitCode.EFFECT_ATTENTION),
        expect("G-3", sent(), 1),
        expect("G-3", looked_up(), 1 if promise == QUERYABLE else 0),
        expect("S-3", states(), (State.COMMITTED,)),
    )


def _retries_that_fail() -> Iterator[Case]:
    """A retry whose outcome is unknown again can be retried again, by the next resume."""
    dropped = (*_resumed_under(TargetAct.DROP_AFTER),)
    killed = (
        *_resumed_under(TargetAct.KILL_CALLER_AFTER),
        Kill(process=SECOND, by_target=True),
    )
    for name, second in (("dropped", dropped), ("killed", killed)):
        yield Case(
            f"C-9/retry-{name}/{KEYED}",
            KEYED.tier,
            Scenario(
                job=paying(KEYED, calls(A)),
                steps=(*killed_by_target(), *second, *resumed(THIRD)),
            ),
            (
                expect("G-4", states(found_by(THIRD)), (State.AMBIGUOUS,)),
                expect("T-2", ending(THIRD), ExitCode.COMPLETED),
                expect("C-9", effects(), ("A",)),
                expect("T-2", sent(), 3),
                expect("I-7", sent_under_the_stored_key(found_by(SECOND)), True),
            ),
        )


def _resumed_under(act: TargetAct) -> Steps:
    return (start(SECOND), Target(act=act), Resume(process=SECOND, play=1))


def _receipts_not_shown() -> Iterator[Case]:
    """No receipt is no proof of absence, and neither is a look-up that fails (reading 2)."""
    for act in (TargetAct.HIDE_RECEIPTS, TargetAct.FAIL_LOOKUPS):
        yield Case(
            f"C-9/{act.value.replace('_', '-')}/{QUERYABLE}",
            QUERYABLE.tier,
            Scenario(
                job=paying(QUERYABLE, calls(A)),
                steps=(
                    *killed_by_target(),
                    *told(act),
                    *resumed(SECOND),
                    *told(TargetAct.SHOW_RECEIPTS),
                    *resumed(THIRD),
                ),
            ),
            (
                expect("G-4", ending(SECOND), ExitCode.EFFECT_ATTENTION),
                expect("T-3", states(found_by(THIRD)), (State.NEEDS_ATTENTION,)),
                expect("A-4", ending(THIRD), ExitCode.EFFECT_ATTENTION),
                expect("C-9", effects(), ("A",)),
                expect("T-3", sent(), 1),
            ),
        )


def _verdicts() -> Iterator[Case]:
    """The gate by itself: what it says of an open effect, and what it records."""
    told_of = {
        Tier.KEYED: (GateVerdict.RETRY, State.AMBIGUOUS),
        Tier.QUERYABLE: (GateVerdict.REDELIVER, State.COMMITTED),
        Tier.OPAQUE: (GateVerdict.ATTENTION, State.NEEDS_ATTENTION),
    }
    for promise in PROMISES:
        verdict, state = told_of[promise.kept_as]
        yield Case(
            f"C-9/gate/{promise}",
            promise.tier,
            Scenario(
                job=paying(promise, calls(A)),
                steps=(
                    *killed_by_target(),
                    start(SECOND),
                    TakeOver(process=SECOND, owner=SECOND),
                    Gate(process=SECOND),
                ),
            ),
            (
                expect("G-4", verdicts(SECOND), (verdict,)),
                expect("G-9", may_schedule(SECOND), verdict is not GateVerdict.ATTENTION),
                expect("T-6", weighed(SECOND), ((promise.tier, promise.kept_as),)),
                expect("S-1", states(), (state,)),
                expect("C-9", effects(), ("A",)),
            ),
        )
