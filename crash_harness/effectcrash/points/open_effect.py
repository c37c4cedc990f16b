"""What a resume does with one effect whose outcome nobody recorded, by its promise (C-2, C-3)."""

from effectcrash.case import Assertion, expect
from effectcrash.facts import (
    COMPLETED,
    NEEDS_ATTENTION,
    count_of,
    effects,
    ending,
    error_code,
    found_by,
    looked_up,
    looked_up_by_the_stored_reference,
    output,
    remedy_names,
    sent,
    sent_under_the_stored_key,
    states,
    terminals,
)
from effectcrash.telling import SECOND, Promise
from effectspec.attention import ErrorCode, ExitCode
from effectspec.lifecycle import State
from effectspec.tiers import Tier


def after_an_open_effect(
    promise: Promise,
    *,
    happened: bool,
    sent_before: int,
    stopped_before: bool = False,
    key_over: bool = False,
    by: str = SECOND,
) -> tuple[Assertion, ...]:
    """Process ``by`` resumed a run whose only row is open.

    ``happened``: the effect did. ``sent_before``: how often it was asked for until then.
    ``stopped_before``: the run has a needs-attention terminal already, which stays the only one
    while it is stopped (reading 18). ``key_over``: the target may have forgotten the key
    (reading 3).
    """
    earlier = (NEEDS_ATTENTION,) if stopped_before else ()
    match Tier.OPAQUE if key_over else promise.kept_as:
        case Tier.KEYED:
            return (
                *_sent_again(sent_before, by),
                expect("A-1", terminals(), (*earlier, COMPLETED)),
            )
        case Tier.QUERYABLE if happened:
            return (*_reconciled(by), expect("A-1", terminals(), (*earlier, COMPLETED)))
        case Tier.QUERYABLE:
            return _not_found(sent_before, by)
        case Tier.OPAQUE:
            return _left_to_a_person(promise, sent_before, by, happened=happened)


def _sent_again(sent_before: int, by: str) -> tuple[Assertion, ...]:
    return (
        expect("G-4", ending(by), ExitCode.COMPLETED),
        expect("T-2", effects(), ("A",)),
        expect("T-2", sent(), sent_before + 1),
        expect("I-7", sent_under_the_stored_key(found_by(by)), True),
        expect("T-2", output(), {"effect": 1}),
    )


def _reconciled(by: str) -> tuple[Assertion, ...]:
    return (
        expect("G-4", ending(by), ExitCode.COMPLETED),
        expect("T-3", effects(), ("A",)),
        expect("T-3", sent(), 1),
        expect("T-3", looked_up_by_the_stored_reference(found_by(by)), True),
        expect("T-3", output(), {"effect": 1}),
    )


def _not_found(sent_before: int, by: str) -> tuple[Assertion, ...]:
    """No receipt is no proof of absence (reading 2)."""
    return (
        expect("G-4", ending(by), ExitCode.EFFECT_ATTENTION),
        expect("T-3", effects(), ()),
        expect("T-3", sent(), sent_before),
        expect("T-3", looked_up_by_the_stored_reference(found_by(by)), True),
        expect("T-3", states(), (State.NEEDS_ATTENTION,)),
        expect("A-1", terminals(), (NEEDS_ATTENTION,)),
    )


def _left_to_a_person(
    promise: Promise, sent_before: int, by: str, *, happened: bool
) -> tuple[Assertion, ...]:
    named = f"tier {promise.tier.value}"
    if promise.tier is Tier.OPAQUE:
        never_sent_again = "T-4"
    else:
        never_sent_again = "T-2" if promise.reconciler else "T-6"
    return (
        expect("G-4", ending(by), ExitCode.EFFECT_ATTENTION),
        expect("A-1", error_code(by), ErrorCode.EFFECT_NEEDS_ATTENTION),
        expect("A-1", terminals(), (NEEDS_ATTENTION,)),
        expect("G-9", count_of("node:completed"), 0),
        expect(never_sent_again, sent(), sent_before),
        expect(never_sent_again, looked_up(), 0),
        expect(never_sent_again, effects(), ("A",) if happened else ()),
        expect("S-1", states(), (State.NEEDS_ATTENTION,)),
        expect("A-3", remedy_names(by, "target"), True),
        expect("T-6", remedy_names(by, named, named.replace(" ", "-")), True),
    )
