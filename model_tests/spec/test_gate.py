"""The resume gate, under its laws, against §4's table, written out by hand."""

from itertools import product

import pytest

from effectspec.gate import (
    GATE,
    GateRead,
    GateVerdict,
    Lookup,
    Standing,
)
from effectspec.laws.gate import after_lookup, gate, may_schedule, standing
from effectspec.lifecycle import Resolution, State
from effectspec.tiers import Tier

REDELIVER, RETRY, RECONCILE, ATTENTION, IGNORE = GateVerdict

SECTION_4 = {
    # record state: tier 1, tier 2, tier 3, and the clause
    Standing.COMMITTED_RETAINED: (REDELIVER, REDELIVER, REDELIVER, "G-2"),
    Standing.COMMITTED_UNRETAINED: (RETRY, RECONCILE, ATTENTION, "G-3"),
    Standing.UNRESOLVED: (RETRY, RECONCILE, ATTENTION, "G-4"),
    Standing.ATTENTION: (ATTENTION, ATTENTION, ATTENTION, "A-4"),
    Standing.ABSENT: (IGNORE, IGNORE, IGNORE, "A-5"),
}
"""§4's rows; tier 1 reconciles by a retry at the dispatch (reading 4), and the two last rows are
§8's: what needs attention stops again, what was discarded re-opens."""

SECTION_8 = {
    # what a row holds: its standing without and with a retained result
    (State.PREPARED, None): (Standing.UNRESOLVED, Standing.UNRESOLVED),
    (State.DISPATCHED, None): (Standing.UNRESOLVED, Standing.UNRESOLVED),
    (State.AMBIGUOUS, None): (Standing.UNRESOLVED, Standing.UNRESOLVED),
    (State.NEEDS_ATTENTION, None): (Standing.ATTENTION, Standing.ATTENTION),
    (State.COMMITTED, None): (Standing.COMMITTED_UNRETAINED, Standing.COMMITTED_RETAINED),
    (State.RESOLVED, Resolution.ACCEPTED): (
        Standing.COMMITTED_UNRETAINED,
        Standing.COMMITTED_RETAINED,
    ),
    (State.RESOLVED, Resolution.DISCARDED): (Standing.ABSENT, Standing.ABSENT),
}


@pytest.mark.parametrize(("record", "row"), SECTION_4.items())
def test_g2_g3_g4_the_gate_says_what_section_4_says(
    record: Standing, row: tuple[GateVerdict, GateVerdict, GateVerdict, str]
) -> None:
    *verdicts, clause = row

    assert [gate(record, tier) for tier in Tier] == verdicts
    assert {GATE[record, tier].clause for tier in Tier} == {clause}


@pytest.mark.parametrize(("row", "readings"), SECTION_8.items())
def test_a5_a_record_reads_by_its_state_its_resolution_and_its_result(
    row: tuple[State, Resolution | None], readings: tuple[Standing, Standing]
) -> None:
    assert tuple(standing(*row, retained=kept) for kept in (False, True)) == readings


def test_t4_nothing_of_tier_3_is_ever_sent_again_or_looked_up() -> None:
    assert not {gate(record, Tier.OPAQUE) for record in Standing} & {RETRY, RECONCILE}


def test_g5_only_a_retained_result_is_re_delivered() -> None:
    assert {record for record, t in product(Standing, Tier) if gate(record, t) is REDELIVER} == {
        Standing.COMMITTED_RETAINED
    }


def test_t3_only_a_receipt_gives_a_result() -> None:
    assert {lookup: after_lookup(lookup) for lookup in Lookup} == {
        Lookup.FOUND: REDELIVER,
        Lookup.NOTHING: ATTENTION,
        Lookup.FAILED: ATTENTION,
    }


@pytest.mark.parametrize("verdicts", [(), (REDELIVER,), (REDELIVER, RETRY, IGNORE)])
def test_g10_a_gate_read_that_fails_is_a_refusal_and_a_good_one_passes(
    verdicts: tuple[GateVerdict, ...],
) -> None:
    assert not may_schedule(GateRead.FAILED, verdicts)
    assert may_schedule(GateRead.READ, verdicts)


@pytest.mark.parametrize("blocking", [ATTENTION, RECONCILE])
@pytest.mark.parametrize("place", range(3))
def test_g9_one_effect_that_is_not_decided_refuses_everything(
    blocking: GateVerdict, place: int
) -> None:
    verdicts = [REDELIVER, REDELIVER, REDELIVER]
    verdicts[place] = blocking

    assert not may_schedule(GateRead.READ, tuple(verdicts))
