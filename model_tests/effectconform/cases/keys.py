"""I-7, T-2: a key is minted once, stored, sent as it is, and holds nothing of the model's words."""

from collections.abc import Iterator
from typing import Final

from effectconform.facts import (
    different_keys,
    keys_sent,
    keys_sent_as_stored,
    rows_have_a_key,
    rows_have_a_reference,
)
from effectcrash.case import Case, expect
from effectcrash.facts import effects, ending, found_by, sent, states
from effectcrash.points.c9 import KEY_LIFETIME_S
from effectcrash.telling import (
    FIRST,
    KEYED,
    NODE,
    OPAQUE,
    QUERYABLE,
    SECOND,
    THIRD,
    A,
    Promise,
    calls,
    job,
    killed_at,
    killed_by_target,
    node,
    paying,
    payment,
    resumed,
    run_to,
    start,
    told,
)
from effectspec.attention import ExitCode
from effectspec.lifecycle import Resolution, State
from effectspec.points import Place, Point
from effectspec.scenario import Advance, Kill, Release, Resolve, Resume, Scenario, TargetAct, Wait
from effectspec.tiers import REQUEST_TRAVEL_ALLOWANCE_S

SOON_OVER_S: Final = REQUEST_TRAVEL_ALLOWANCE_S + 1
"""A key's lifetime that leaves one second to send: the shortest, since a case waits for its end."""


def cases() -> Iterator[Case]:
    """Equal calls get keys of their own, a discarded row's successor too; tiers 2 and 3 none."""
    yield _equal_calls()
    yield _successor()
    for promise in (QUERYABLE, OPAQUE):
        yield _no_key(promise)
    yield _forgotten()
    yield _over_before_it_leaves()


def _equal_calls() -> Case:
    """The model asks for the same payment twice, under the same call id."""
    return Case(
        "I-7/equal-calls",
        KEYED.tier,
        Scenario(
            job=paying(KEYED, calls(A, A)),
            steps=(*killed_at(Point(Place.RESULT_EMITTED, 2)), *resumed()),
        ),
        (
            expect("I-7", different_keys(found_by(SECOND)), 2),
            expect("I-7", keys_sent_as_stored(found_by(SECOND)), True),
            expect("T-2", effects(), ("A", "A")),
            expect("G-2", ending(SECOND), ExitCode.COMPLETED),
        ),
    )


def _successor() -> Case:
    """A discarded row's successor has its identity and all that the model said, but not its key.

    Under the old key the target would answer for an effect that is taken not to have happened.
    """
    return Case(
        "I-7/successor-of-a-discarded-row",
        KEYED.tier,
        Scenario(
            job=paying(KEYED, calls(A)),
            steps=(
                *killed_at(Place.PREPARED),
                start(SECOND, Place.SETTLED),
                Resolve(process=SECOND, node=NODE, slot=0, resolution=Resolution.DISCARDED),
                Resume(process=SECOND),
                Kill(process=SECOND),
                *resumed(THIRD),
            ),
        ),
        (
            expect("A-5", states(found_by(THIRD)), (State.RESOLVED, State.COMMITTED)),
            expect("I-7", different_keys(found_by(THIRD)), 2),
            expect("I-7", keys_sent(), 1),
            expect("A-5", effects(), ("A",)),
            expect("A-5", ending(THIRD), ExitCode.COMPLETED),
        ),
    )


def _no_key(promise: Promise) -> Case:
    return Case(
        f"I-7/no-key/{promise}",
        promise.tier,
        Scenario(job=paying(promise, calls(A)), steps=(*killed_at(Place.SETTLED), *resumed())),
        (
            expect("I-7", rows_have_a_key(found_by(SECOND)), (False,)),
            expect("I-7", keys_sent(), 0),
            expect("T-3", rows_have_a_reference(found_by(SECOND)), (promise == QUERYABLE,)),
        ),
    )


def _forgotten() -> Case:
    """The target has forgotten the key, so that the same key would be a second effect."""
    return Case(
        f"T-2/key-forgotten/{KEYED}",
        KEYED.tier,
        Scenario(
            job=job(payment(KEYED, key_lifetime_s=KEY_LIFETIME_S), node(calls(A))),
            steps=(
                *killed_by_target(),
                Advance(seconds=KEY_LIFETIME_S),
                *told(TargetAct.FORGET_KEYS),
                *resumed(),
            ),
        ),
        (
            expect("T-2", ending(SECOND), ExitCode.EFFECT_ATTENTION),
            expect("T-2", effects(), ("A",)),
            expect("T-2", sent(), 1),
        ),
    )


def _over_before_it_leaves() -> Case:
    """The sender pauses after its prepare, for longer than its key binds (reading 3).

    The clock of a process that runs cannot be moved, so it is waited for.
    """
    return Case(
        f"T-2/key-over-before-the-call-leaves/{KEYED}",
        KEYED.tier,
        Scenario(
            job=job(payment(KEYED, key_lifetime_s=SOON_OVER_S), node(calls(A))),
            steps=(*run_to(Place.PREPARED), Wait(seconds=2), Release(process=FIRST)),
        ),
        (
            expect("T-2", sent(), 0),
            expect("O-3", ending(FIRST), ExitCode.EFFECT_ATTENTION),
            expect("O-3", states(), (State.AMBIGUOUS,)),
        ),
    )
