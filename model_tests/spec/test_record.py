"""The decisions over a run's rows: the gate, prepare, settle and completion."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from effectspec.admission import Admission, Bearing, Completion
from effectspec.contract import CONTRACT, Contract
from effectspec.digest import digest
from effectspec.gate import GateVerdict, Lookup, Standing
from effectspec.identity import EffectIdentity, NodeKey
from effectspec.lifecycle import Resolution, State, Transition
from effectspec.record import (
    Ask,
    Decision,
    Finding,
    Occasion,
    Record,
    Report,
    conclude,
    decide,
    judge,
    may_complete,
    settle_row,
)
from effectspec.settlement import Outcome, Settlement
from effectspec.tiers import REQUEST_TRAVEL_ALLOWANCE_S, Tier

NODE = NodeKey("run-1", "send")
A, B = digest({"path": "/a"}), digest({"path": "/b"})
MAPPING = "no mapping"
NOW = 1_000_000
RECONCILED = Occasion(NOW, ["http"])
UNRECONCILED = Occasion(NOW, [])

COMMITTED_A = Record(
    row_id=1,
    identity=EffectIdentity(NODE, 0, "http"),
    start=1,
    generation=1,
    tier=Tier.OPAQUE,
    digest=A,
    mapping=MAPPING,
    state=State.COMMITTED,
    retained=True,
)
"""A at slot 0: its start died after the settle, in generation 1."""

PREPARED_A = changed(COMMITTED_A, state=State.PREPARED, retained=False)
KEYED_A = changed(PREPARED_A, tier=Tier.KEYED, key_issued_at=0)
QUERYABLE_A = changed(PREPARED_A, tier=Tier.QUERYABLE)


def ask(
    slot: int, asked: str, tool: str = "http", *, start: int = 2, delivered: Collection[int] = ()
) -> Ask:
    """A call of start 2, made by the owner of generation 2."""
    return Ask(EffectIdentity(NODE, slot, tool), asked, MAPPING, start, 2, delivered)


def answer(
    records: Sequence[Record],
    asked: Ask,
    *,
    contract: Contract = CONTRACT,
    occasion: Occasion = RECONCILED,
) -> Admission:
    return decide(contract, records, asked, occasion).admission


# ── reading 5: a re-run delivers what is recorded before it does anything new ────────────────────


def test_o2_the_first_call_of_a_node_is_dispatched() -> None:
    assert decide(CONTRACT, [], ask(0, A), RECONCILED) == Decision(
        Admission.DISPATCH, Bearing.SILENT, None
    )


def test_g6_plan_a_re_run_as_a_is_answered_from_the_record() -> None:
    assert decide(CONTRACT, [COMMITTED_A], ask(0, A), RECONCILED) == Decision(
        Admission.REPLAY, Bearing.REPLAY, COMMITTED_A
    )


def test_g8_plan_a_re_run_as_b_a_is_refused_at_b_by_the_row_that_holds_its_slot() -> None:
    assert decide(CONTRACT, [COMMITTED_A], ask(0, B), RECONCILED) == Decision(
        Admission.REFUSE, Bearing.MISMATCH, COMMITTED_A
    )


def test_g8_plan_a_re_run_as_b_a_is_refused_at_b_also_when_b_is_another_tool() -> None:
    assert answer([COMMITTED_A], ask(0, B, "write_file")) is Admission.REFUSE


def test_g8_plan_a_re_run_as_get_a_is_refused_at_a_because_the_get_holds_no_slot() -> None:
    assert decide(CONTRACT, [COMMITTED_A], ask(1, A), RECONCILED) == Decision(
        Admission.REFUSE, Bearing.UNDELIVERED, COMMITTED_A
    )


def test_g8_plan_a_b_re_run_delivers_a_then_b_then_dispatches_c() -> None:
    committed_b = changed(COMMITTED_A, row_id=2, identity=EffectIdentity(NODE, 1, "http"), digest=B)
    rows = [COMMITTED_A, committed_b]
    c = digest({"path": "/c"})

    assert answer(rows, ask(0, A)) is Admission.REPLAY
    assert answer(rows, ask(1, B, delivered=[1])) is Admission.REPLAY
    assert answer(rows, ask(2, c, delivered=[1])) is Admission.REFUSE
    assert answer(rows, ask(2, c, delivered=[1, 2])) is Admission.DISPATCH


def identity_alone(said: Bearing) -> Bearing:
    """A look-up by identity alone: what stands at another slot or tool says nothing."""
    quiet = said in (Bearing.UNDELIVERED, Bearing.MISMATCH)
    return Bearing.SILENT if quiet else said


def same_slot_alone(said: Bearing) -> Bearing:
    """A look-up by slot alone: what stands at another slot says nothing."""
    return Bearing.SILENT if said is Bearing.UNDELIVERED else said


def test_i4_by_identity_alone_a_moved_call_is_done_twice() -> None:
    careless = replace(CONTRACT, bearing=lambda row: identity_alone(CONTRACT.bearing(row)))

    assert answer([COMMITTED_A], ask(0, B, "write_file"), contract=careless) is Admission.DISPATCH
    assert answer([COMMITTED_A], ask(1, A), contract=careless) is Admission.DISPATCH


def test_i4_by_slot_alone_a_call_moved_by_a_read_is_done_twice() -> None:
    careless = replace(CONTRACT, bearing=lambda row: same_slot_alone(CONTRACT.bearing(row)))

    assert answer([COMMITTED_A], ask(0, B), contract=careless) is Admission.REFUSE
    assert answer([COMMITTED_A], ask(1, A), contract=careless) is Admission.DISPATCH


# ── prepare, beyond reading 5 ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "row",
    [
        changed(COMMITTED_A, digest=B),
        changed(COMMITTED_A, digest=A.replace("v5:", "v4:")),
        changed(COMMITTED_A, digest=A.removeprefix("v5:")),
        changed(COMMITTED_A, mapping="an edited mapping"),
    ],
    ids=["other arguments", "v4 digest", "unversioned digest", "other mapping"],
)
def test_g6_a_row_that_differs_in_any_part_is_never_replayed(row: Record) -> None:
    assert answer([row], ask(0, A)) is Admission.REFUSE


@pytest.mark.parametrize("version", ["", "v2:", "v3:", "v4:"])
def test_x3_an_old_digest_refuses_even_its_own_equal(version: str) -> None:
    old = A.replace("v5:", version)

    assert answer([changed(COMMITTED_A, digest=old)], ask(0, old)) is Admission.REFUSE


def test_g5_a_committed_row_without_its_result_refuses_the_call_and_everything_new() -> None:
    unretained = changed(COMMITTED_A, retained=False)

    assert answer([unretained], ask(0, A)) is Admission.REFUSE
    assert answer([unretained], ask(1, B)) is Admission.REFUSE


def test_a5_a_discarded_row_re_opens_its_identity() -> None:
    discarded = changed(COMMITTED_A, state=State.RESOLVED, resolution=Resolution.DISCARDED)

    assert answer([discarded], ask(0, A)) is Admission.DISPATCH
    assert answer([discarded], ask(0, B)) is Admission.DISPATCH


def test_a5_an_accepted_row_is_re_delivered_once_it_has_a_result() -> None:
    accepted = changed(PREPARED_A, state=State.RESOLVED, resolution=Resolution.ACCEPTED)

    assert answer([accepted], ask(0, A)) is Admission.REFUSE
    assert answer([changed(accepted, retained=True)], ask(0, A)) is Admission.REPLAY


PENDING_A = changed(KEYED_A, state=State.AMBIGUOUS, retrying=2)
"""A tier 1 row that the gate of generation 2 found retry-pending."""


def test_t2_only_the_same_call_is_sent_again_under_the_stored_key() -> None:
    assert answer([PENDING_A], ask(0, A)) is Admission.RETRY
    assert answer([PENDING_A], ask(0, B)) is Admission.REFUSE
    assert answer([PENDING_A], ask(1, A)) is Admission.REFUSE


def test_g4_beside_a_pending_retry_another_row_is_still_re_delivered() -> None:
    committed_b = changed(COMMITTED_A, row_id=2, identity=EffectIdentity(NODE, 1, "http"), digest=B)

    assert answer([PENDING_A, committed_b], ask(1, B)) is Admission.REPLAY


def test_t6_a_call_that_was_sent_without_a_key_is_not_sent_again_under_one() -> None:
    assert answer([changed(PENDING_A, key_issued_at=None)], ask(0, A)) is Admission.REFUSE
    assert answer([PENDING_A], ask(0, A)) is Admission.RETRY


def test_t2_a_retry_is_refused_when_the_key_has_expired_since_the_gate() -> None:
    issued_long_ago = changed(
        PENDING_A, key_issued_at=NOW - 3600, key_lifetime_s=3600 + REQUEST_TRAVEL_ALLOWANCE_S
    )

    assert answer([issued_long_ago], ask(0, A)) is Admission.REFUSE
    assert (
        answer([issued_long_ago], ask(0, A), occasion=Occasion(NOW - 1, ["http"]))
        is Admission.RETRY
    )


def test_t2_a_retry_is_refused_to_an_owner_whose_gate_did_not_find_it() -> None:
    assert answer([changed(PENDING_A, retrying=1)], ask(0, A)) is Admission.REFUSE


def test_t2_after_its_retry_a_row_holds_nothing_up_in_the_start_that_sent_it() -> None:
    retried = changed(PENDING_A, state=State.COMMITTED, retained=True, generation=2, retried_in=2)

    assert answer([retried], ask(1, B)) is Admission.DISPATCH
    assert answer([retried], ask(1, B, start=3)) is Admission.REFUSE


def test_i5_of_two_processes_with_one_fence_the_second_prepare_is_refused() -> None:
    winner = changed(PREPARED_A, start=2, generation=2)

    assert decide(CONTRACT, [winner], ask(0, A), RECONCILED).bearing is Bearing.DUPLICATE
    assert answer([winner], ask(0, A, start=3)) is Admission.REFUSE


def test_i3_a_second_call_of_the_turn_goes_out_while_the_first_is_in_flight() -> None:
    in_flight = changed(PREPARED_A, start=2, generation=2)

    assert answer([in_flight], ask(1, B)) is Admission.DISPATCH


def test_g4_nothing_is_dispatched_after_an_unknown_outcome_of_the_same_start() -> None:
    unknown = changed(PREPARED_A, start=2, generation=2, state=State.AMBIGUOUS)

    assert answer([unknown], ask(1, B)) is Admission.REFUSE


# ── the gate ─────────────────────────────────────────────────────────────────────────────────────

FOUND, GIVE_UP, RECONCILE = Transition.FOUND, Transition.GIVE_UP, Transition.RECONCILE


def says(row: Record, occasion: Occasion = RECONCILED) -> tuple[GateVerdict, list[Transition]]:
    finding = judge(CONTRACT, row, occasion)
    return finding.verdict, list(finding.transitions)


def test_g4_a_prepared_tier_3_row_is_marked_ambiguous_then_needs_attention() -> None:
    assert says(PREPARED_A) == (GateVerdict.ATTENTION, [FOUND, GIVE_UP])
    assert says(changed(PREPARED_A, state=State.AMBIGUOUS)) == (GateVerdict.ATTENTION, [GIVE_UP])


def test_g4_a_prepared_tier_1_row_is_marked_ambiguous_and_may_be_retried() -> None:
    assert says(KEYED_A) == (GateVerdict.RETRY, [FOUND])


def test_g4_a_prepared_tier_2_row_is_marked_ambiguous_and_looked_up() -> None:
    assert says(QUERYABLE_A) == (GateVerdict.RECONCILE, [FOUND])


@pytest.mark.parametrize("row", [KEYED_A, QUERYABLE_A])
def test_t6_without_a_reconciler_a_row_is_tier_3_and_the_refusal_names_its_declared_tier(
    row: Record,
) -> None:
    finding = judge(CONTRACT, row, UNRECONCILED)

    assert finding.verdict is GateVerdict.ATTENTION
    assert finding.effective is Tier.OPAQUE
    assert finding.names_declared_tier
    assert finding.record.tier is row.tier


def test_t6_a_tier_3_row_is_refused_as_what_it_declared() -> None:
    assert not judge(CONTRACT, PREPARED_A, UNRECONCILED).names_declared_tier


def test_t2_a_row_whose_key_the_target_has_forgotten_is_tier_3() -> None:
    expired = changed(KEYED_A, key_issued_at=NOW - 86_400, key_lifetime_s=86_400)

    assert says(expired) == (GateVerdict.ATTENTION, [FOUND, GIVE_UP])


def test_s3_the_gates_verdict_changes_no_committed_row() -> None:
    assert says(COMMITTED_A) == (GateVerdict.REDELIVER, [])
    assert says(changed(COMMITTED_A, retained=False)) == (GateVerdict.ATTENTION, [])


def test_a4_a_row_that_needs_attention_is_met_again_and_marked_no_further() -> None:
    assert says(changed(PREPARED_A, state=State.NEEDS_ATTENTION)) == (GateVerdict.ATTENTION, [])


def concluded(row: Record, lookup: Lookup, *, retained: bool = True) -> Finding:
    return conclude(CONTRACT, judge(CONTRACT, row, RECONCILED), lookup, retained=retained)


def test_t3_a_receipt_commits_the_row_and_gives_its_result() -> None:
    finding = concluded(QUERYABLE_A, Lookup.FOUND)

    assert finding.verdict is GateVerdict.REDELIVER
    assert finding.transitions == (FOUND, RECONCILE)


@pytest.mark.parametrize("lookup", [Lookup.NOTHING, Lookup.FAILED])
def test_t3_without_a_receipt_the_row_needs_attention_and_is_not_retried(lookup: Lookup) -> None:
    finding = concluded(QUERYABLE_A, lookup)

    assert finding.verdict is GateVerdict.ATTENTION
    assert finding.transitions == (FOUND, GIVE_UP)


def test_g5_a_receipt_too_large_to_keep_commits_the_row_and_blocks() -> None:
    finding = concluded(changed(QUERYABLE_A, state=State.AMBIGUOUS), Lookup.FOUND, retained=False)

    assert finding.verdict is GateVerdict.ATTENTION
    assert finding.transitions == (RECONCILE,)


@pytest.mark.parametrize("lookup", Lookup)
def test_s3_a_look_up_for_a_committed_rows_absent_result_changes_no_state(lookup: Lookup) -> None:
    unretained = changed(QUERYABLE_A, state=State.COMMITTED)

    assert concluded(unretained, lookup).transitions == ()


# ── settle ───────────────────────────────────────────────────────────────────────────────────────

DONE = Report(Outcome.DONE, "done:201", generation=1)
DONE_BY_THE_NEXT_OWNER = Report(Outcome.DONE, "done:201", generation=2)
UNKNOWN = Report(Outcome.UNKNOWN, "unknown", generation=1)


def test_s1_the_owners_settle_commits_or_marks_ambiguous() -> None:
    assert settle_row(CONTRACT, PREPARED_A, DONE, current_generation=1) is Settlement.COMMIT
    assert (
        settle_row(CONTRACT, PREPARED_A, UNKNOWN, current_generation=1) is Settlement.MARK_AMBIGUOUS
    )


def test_f2_a_superseded_owners_settle_is_evidence_only() -> None:
    assert settle_row(CONTRACT, PREPARED_A, DONE, current_generation=2) is Settlement.EVIDENCE


def test_f2_a_generation_that_never_held_the_row_settles_nothing() -> None:
    assert (
        settle_row(CONTRACT, PREPARED_A, DONE_BY_THE_NEXT_OWNER, current_generation=2)
        is Settlement.EVIDENCE
    )


def test_o4_the_same_settle_twice_succeeds_once_and_is_answered_alike() -> None:
    settled = changed(COMMITTED_A, settled_as="done:201")

    assert settle_row(CONTRACT, settled, DONE, current_generation=1) is Settlement.ALIKE
    assert settle_row(CONTRACT, settled, DONE, current_generation=2) is Settlement.ALIKE


def test_s3_another_settle_of_a_committed_row_is_evidence_only() -> None:
    settled = changed(COMMITTED_A, settled_as="done:409")

    assert settle_row(CONTRACT, settled, DONE, current_generation=1) is Settlement.EVIDENCE


def test_t2_the_retrys_settle_commits_the_row_and_the_first_senders_does_not() -> None:
    retried = changed(PENDING_A, generation=2, retried_in=2)

    assert (
        settle_row(CONTRACT, retried, DONE_BY_THE_NEXT_OWNER, current_generation=2)
        is Settlement.COMMIT
    )
    assert settle_row(CONTRACT, retried, DONE, current_generation=2) is Settlement.EVIDENCE


def test_s3_a_retry_fills_the_absent_result_of_a_committed_row_once() -> None:
    unretained = changed(PENDING_A, state=State.COMMITTED, generation=2, retried_in=2)

    assert (
        settle_row(CONTRACT, unretained, DONE_BY_THE_NEXT_OWNER, current_generation=2)
        is Settlement.FILL
    )
    assert (
        settle_row(
            CONTRACT,
            changed(unretained, retained=True),
            DONE_BY_THE_NEXT_OWNER,
            current_generation=2,
        )
        is Settlement.EVIDENCE
    )


def test_a5_a_late_settle_of_a_discarded_row_is_evidence_only() -> None:
    discarded = changed(PREPARED_A, state=State.RESOLVED, resolution=Resolution.DISCARDED)

    assert settle_row(CONTRACT, discarded, DONE, current_generation=1) is Settlement.EVIDENCE


# ── completion ───────────────────────────────────────────────────────────────────────────────────


def test_g12_a_node_without_rows_completes() -> None:
    assert may_complete(CONTRACT, [], 1, ()) == (Completion.CLEAR, ())


def test_g12_a_node_completes_with_what_it_committed_itself_or_delivered() -> None:
    assert may_complete(CONTRACT, [COMMITTED_A], 1, ()) == (Completion.CLEAR, ())
    assert may_complete(CONTRACT, [COMMITTED_A], 2, [1]) == (Completion.CLEAR, ())


def test_a3_a_node_that_no_longer_asked_completes_and_names_the_row() -> None:
    assert may_complete(CONTRACT, [COMMITTED_A], 2, ()) == (
        Completion.UNDELIVERED,
        (COMMITTED_A,),
    )


@pytest.mark.parametrize("state", [State.PREPARED, State.AMBIGUOUS, State.NEEDS_ATTENTION])
def test_g12_one_unresolved_row_stops_completion_and_is_the_only_one_named(state: State) -> None:
    unresolved = changed(
        PREPARED_A, row_id=2, identity=EffectIdentity(NODE, 1, "http"), state=state
    )

    assert may_complete(CONTRACT, [COMMITTED_A, unresolved], 2, ()) == (
        Completion.UNRESOLVED,
        (unresolved,),
    )


def test_g12_a_pending_retry_that_was_never_sent_stops_completion() -> None:
    assert may_complete(CONTRACT, [PENDING_A], 2, ()) == (Completion.UNRESOLVED, (PENDING_A,))


def test_g5_a_committed_row_that_was_never_filled_stops_completion() -> None:
    unfilled = changed(COMMITTED_A, retained=False)

    assert may_complete(CONTRACT, [unfilled], 2, ()) == (Completion.UNRESOLVED, (unfilled,))
    assert may_complete(CONTRACT, [unfilled], 1, ()) == (Completion.CLEAR, ())


def test_a5_an_accepted_row_reads_as_committed() -> None:
    accepted = changed(COMMITTED_A, state=State.RESOLVED, resolution=Resolution.ACCEPTED)

    assert accepted.standing is Standing.COMMITTED_RETAINED
