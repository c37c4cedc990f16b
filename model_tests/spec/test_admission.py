"""What prepare answers, row by row of a table written from §4, §7 and readings 4, 5 and 17.

The rules are asked under their laws, so that a law which forbids too much is seen as well.
"""

from dataclasses import replace
from itertools import product

import pytest

from effectspec.admission import (
    REFUSALS,
    Admission,
    Age,
    Bearing,
    Completion,
    Facts,
    Hold,
    Likeness,
    Place,
)
from effectspec.gate import GateVerdict, Standing
from effectspec.laws.admission import admit, bearing, completion, session_bearing

RETAINED = Facts(
    Place.SAME_IDENTITY,
    Age.EARLIER,
    Likeness.SAME,
    Standing.COMMITTED_RETAINED,
    GateVerdict.REDELIVER,
    Hold.CLOSED,
)
"""A committed effect of an earlier start, its result kept, whose very call is asked again."""

UNRETAINED = replace(
    RETAINED, standing=Standing.COMMITTED_UNRETAINED, verdict=GateVerdict.ATTENTION
)
RETRY_PENDING = replace(
    RETAINED, standing=Standing.UNRESOLVED, verdict=GateVerdict.RETRY, hold=Hold.RETRYABLE
)
UNKNOWN = replace(RETAINED, standing=Standing.UNRESOLVED, verdict=GateVerdict.ATTENTION)
NEEDS_ATTENTION = replace(UNKNOWN, standing=Standing.ATTENTION)
DISCARDED = replace(RETAINED, standing=Standing.ABSENT, verdict=GateVerdict.IGNORE)
SENT_IN_THIS_START = replace(UNKNOWN, age=Age.THIS_START, hold=Hold.IN_FLIGHT)

BEARINGS = [
    # the row, where the call stands to it, and what the row says
    (RETAINED, Place.SAME_IDENTITY, Bearing.REPLAY),
    (RETAINED, Place.SAME_SLOT, Bearing.MISMATCH),
    (RETAINED, Place.ELSEWHERE, Bearing.UNDELIVERED),
    (UNRETAINED, Place.SAME_IDENTITY, Bearing.UNRESOLVED),
    (UNRETAINED, Place.SAME_SLOT, Bearing.MISMATCH),
    (UNRETAINED, Place.ELSEWHERE, Bearing.UNDELIVERED),
    (RETRY_PENDING, Place.SAME_IDENTITY, Bearing.RETRY),
    (RETRY_PENDING, Place.SAME_SLOT, Bearing.MISMATCH),
    (RETRY_PENDING, Place.ELSEWHERE, Bearing.PENDING),
    (UNKNOWN, Place.SAME_IDENTITY, Bearing.UNRESOLVED),
    (UNKNOWN, Place.SAME_SLOT, Bearing.MISMATCH),
    (UNKNOWN, Place.ELSEWHERE, Bearing.UNRESOLVED),
    (NEEDS_ATTENTION, Place.SAME_IDENTITY, Bearing.UNRESOLVED),
    (NEEDS_ATTENTION, Place.SAME_SLOT, Bearing.MISMATCH),
    (NEEDS_ATTENTION, Place.ELSEWHERE, Bearing.UNRESOLVED),
    (DISCARDED, Place.SAME_IDENTITY, Bearing.SILENT),
    (DISCARDED, Place.SAME_SLOT, Bearing.SILENT),
    (DISCARDED, Place.ELSEWHERE, Bearing.SILENT),
    (SENT_IN_THIS_START, Place.SAME_IDENTITY, Bearing.DUPLICATE),
    (SENT_IN_THIS_START, Place.SAME_SLOT, Bearing.MISMATCH),
    (SENT_IN_THIS_START, Place.ELSEWHERE, Bearing.SILENT),
]


@pytest.mark.parametrize(("row", "place", "says"), BEARINGS)
def test_g8_what_a_row_says_of_a_call(row: Facts, place: Place, says: Bearing) -> None:
    assert bearing(replace(row, place=place)) is says


@pytest.mark.parametrize("likeness", [Likeness.OTHER_ARGUMENTS, Likeness.OTHER_MAPPING])
@pytest.mark.parametrize("row", [RETAINED, UNRETAINED, RETRY_PENDING, UNKNOWN, NEEDS_ATTENTION])
def test_g6_only_the_same_call_is_answered_or_sent_again(row: Facts, likeness: Likeness) -> None:
    assert bearing(replace(row, likeness=likeness)) is Bearing.MISMATCH


@pytest.mark.parametrize("age", [Age.THIS_START, Age.DELIVERED])
@pytest.mark.parametrize("row", [RETAINED, UNRETAINED, RETRY_PENDING, UNKNOWN, NEEDS_ATTENTION])
def test_i5_an_identity_is_prepared_once_in_a_start(row: Facts, age: Age) -> None:
    assert bearing(replace(row, age=age)) is Bearing.DUPLICATE


@pytest.mark.parametrize("age", Age)
def test_i5_an_identity_that_another_process_may_be_sending_is_not_prepared(age: Age) -> None:
    assert bearing(replace(UNKNOWN, age=age, hold=Hold.IN_FLIGHT)) is Bearing.DUPLICATE


@pytest.mark.parametrize("row", [RETAINED, UNRETAINED])
@pytest.mark.parametrize("age", [Age.THIS_START, Age.DELIVERED])
def test_g8_what_this_start_did_or_delivered_holds_nothing_up(row: Facts, age: Age) -> None:
    assert bearing(replace(row, age=age, place=Place.ELSEWHERE)) is Bearing.SILENT


@pytest.mark.parametrize("hold", [Hold.IN_FLIGHT, Hold.CLOSED])
def test_t2_a_retry_is_for_the_owner_whose_gate_found_it_pending(hold: Hold) -> None:
    assert bearing(replace(RETRY_PENDING, hold=hold)) is not Bearing.RETRY


def test_t2_a_retry_whose_key_has_expired_since_the_gate_is_not_sent() -> None:
    expired = replace(RETRY_PENDING, verdict=GateVerdict.ATTENTION)

    assert bearing(expired) is Bearing.UNRESOLVED


def test_g3_a_committed_tier_1_row_without_its_result_is_filled_before_anything_new() -> None:
    fillable = replace(UNRETAINED, verdict=GateVerdict.RETRY, hold=Hold.RETRYABLE)

    assert bearing(fillable) is Bearing.RETRY
    assert bearing(replace(fillable, place=Place.ELSEWHERE)) is Bearing.PENDING


ALONE = {
    Bearing.SILENT: Admission.DISPATCH,
    Bearing.REPLAY: Admission.REPLAY,
    Bearing.RETRY: Admission.RETRY,
    Bearing.MISMATCH: Admission.REFUSE,
    Bearing.DUPLICATE: Admission.REFUSE,
    Bearing.UNRESOLVED: Admission.REFUSE,
    Bearing.UNDELIVERED: Admission.REFUSE,
    Bearing.PENDING: Admission.REFUSE,
}

STRONGEST_FIRST = [
    Bearing.MISMATCH,
    Bearing.DUPLICATE,
    Bearing.REPLAY,
    Bearing.RETRY,
    Bearing.UNRESOLVED,
    Bearing.UNDELIVERED,
    Bearing.PENDING,
    Bearing.SILENT,
]


def test_o2_a_call_is_dispatched_when_there_is_no_row() -> None:
    assert admit(()) == (Admission.DISPATCH, Bearing.SILENT)


@pytest.mark.parametrize("said", Bearing)
def test_g8_one_row_alone_decides_by_what_it_says(said: Bearing) -> None:
    assert admit([said]) == (ALONE[said], said)


@pytest.mark.parametrize("first", Bearing)
@pytest.mark.parametrize("second", Bearing)
def test_g8_of_two_rows_the_stronger_decides_whatever_their_order(
    first: Bearing, second: Bearing
) -> None:
    stronger = min(first, second, key=STRONGEST_FIRST.index)

    assert admit((first, second)) == (ALONE[stronger], stronger)


def test_g8_every_refusal_names_its_clause() -> None:
    refusing = {said for said, answer in ALONE.items() if answer is Admission.REFUSE}

    assert {said: refusal.clause for said, refusal in REFUSALS.items()} == {
        Bearing.MISMATCH: "G-8",
        Bearing.DUPLICATE: "I-5",
        Bearing.UNRESOLVED: "G-4",
        Bearing.UNDELIVERED: "G-8",
        Bearing.PENDING: "G-4",
    }
    assert refusing == set(REFUSALS)


def test_g11_a_sessions_matching_prepare_is_refused_and_nothing_else_of_it_is() -> None:
    assert {place: admit([session_bearing(place)])[0] for place in Place} == {
        Place.SAME_IDENTITY: Admission.REFUSE,
        Place.SAME_SLOT: Admission.DISPATCH,
        Place.ELSEWHERE: Admission.DISPATCH,
    }


COMPLETIONS = {
    # the row: written in this start, delivered in it, of an earlier start
    Standing.COMMITTED_RETAINED: (Completion.CLEAR, Completion.CLEAR, Completion.UNDELIVERED),
    Standing.COMMITTED_UNRETAINED: (Completion.CLEAR, Completion.CLEAR, Completion.UNRESOLVED),
    Standing.UNRESOLVED: (Completion.UNRESOLVED,) * 3,
    Standing.ATTENTION: (Completion.UNRESOLVED,) * 3,
    Standing.ABSENT: (Completion.CLEAR,) * 3,
}


def test_g12_a_node_completes_beside_no_unresolved_row_and_names_what_it_did_not_deliver() -> None:
    answers = {(record, age): completion(age, record) for record, age in product(Standing, Age)}

    assert answers == {
        (record, age): said
        for record, row in COMPLETIONS.items()
        for age, said in zip(Age, row, strict=True)
    }
