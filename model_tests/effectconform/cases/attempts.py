"""I-2, I-6: what tells one occurrence from another identifies nothing."""

from collections.abc import Iterator
from typing import Final

from effectconform.facts import call_ids
from effectcrash.case import Case, expect
from effectcrash.facts import (
    attempts,
    count_of,
    effects,
    ending,
    found_by,
    sent,
    sent_under_the_stored_key,
    states,
)
from effectcrash.telling import (
    KEYED,
    OPAQUE,
    SECOND,
    THIRD,
    A,
    calls,
    job,
    killed_at,
    killed_by_target,
    node,
    paying,
    payment,
    resumed,
    rounds,
)
from effectspec.attention import ExitCode
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.scenario import Kill, Node, ProviderError, Scenario

PROVIDER_FAILS: Final = rounds(ProviderError(message="overloaded"))


def cases() -> Iterator[Case]:
    """Attempts start over and call ids change, and the rows are found all the same."""
    yield _blocked_before_the_start()
    yield _attempts_start_over()
    yield _other_call_id_replayed()
    yield _other_call_id_retried()


def _second_attempt() -> Node:
    """The provider fails, so that the effect is prepared in attempt 2."""
    return node(PROVIDER_FAILS, calls(A), attempts=2)


def _blocked_before_the_start() -> Case:
    """The gate itself has found the row: the node is not started to find out at its prepare."""
    return Case(
        f"I-2/blocked-before-the-start/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=job(payment(OPAQUE), _second_attempt()), steps=(*killed_by_target(), *resumed())
        ),
        (
            expect("I-2", attempts(found_by(SECOND)), (2,)),
            expect("I-2", states(), (State.NEEDS_ATTENTION,)),
            expect("G-1", count_of("node:started"), 2),
            expect("G-1", sent(), 1),
        ),
    )


def _attempts_start_over() -> Case:
    """Attempt 2 dies before its prepare commits; the resume's first attempt is 1 again."""
    return Case(
        "I-2/starts-over",
        OPAQUE.tier,
        Scenario(
            job=job(payment(OPAQUE), _second_attempt()),
            steps=(
                *killed_at(Place.PREPARE_OPEN),
                *resumed(SECOND, Place.SETTLED),
                Kill(process=SECOND),
                *resumed(THIRD),
            ),
        ),
        (
            expect("I-2", attempts(found_by(THIRD)), (1,)),
            expect("G-2", ending(THIRD), ExitCode.COMPLETED),
            expect("G-2", sent(), 1),
        ),
    )


def _other_call_id_replayed() -> Case:
    """Each turn of the model has call ids of its own."""
    return Case(
        "I-6/other-call-id-replayed",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A), calls(A)), steps=(*killed_at(Place.SETTLED), *resumed())
        ),
        (
            expect("I-6", call_ids(found_by(SECOND)), (f"{A.call_id}-of-turn-0",)),
            expect("I-6", ending(SECOND), ExitCode.COMPLETED),
            expect("I-6", sent(), 1),
            expect("I-6", effects(), ("A",)),
        ),
    )


def _other_call_id_retried() -> Case:
    return Case(
        "I-6/other-call-id-retried",
        KEYED.tier,
        Scenario(job=paying(KEYED, calls(A), calls(A)), steps=(*killed_by_target(), *resumed())),
        (
            expect("I-6", ending(SECOND), ExitCode.COMPLETED),
            expect("I-6", effects(), ("A",)),
            expect("I-7", sent_under_the_stored_key(found_by(SECOND)), True),
        ),
    )
