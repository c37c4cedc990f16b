"""The reference journal on real SQLite, clause by clause."""

import sqlite3
from pathlib import Path
from typing import Protocol

import pytest
from msgspec import structs

from effectjournal.delivery import ResultPolicy
from effectjournal.errors import (
    Busy,
    Fenced,
    GateReadFailed,
    OwnedByAnother,
    Refused,
    RunEnded,
    RunExists,
    StoreFailed,
    UnknownRow,
    UnknownRun,
)
from effectjournal.journal import DATABASE, Attachment, Expect, Journal
from effectjournal.owned import Completed, Incomplete, OwnedRun
from effectjournal.preparation import Dispatch, PlannedCall, Replay
from effectjournal.preparation import Refused as PrepareRefused
from effectjournal.probe import InjectedFailure
from effectjournal.reconcilers import ReceiptFound, Reconcilers
from effectspec.attention import ErrorCode
from effectspec.gate import GateVerdict, Lookup
from effectspec.json_value import Json
from effectspec.lifecycle import Resolution, State
from effectspec.points import Failable, Place
from effectspec.settlement import Outcome, Settlement
from effectspec.tiers import Tier

ANSWER: Json = {"paid": 12, "note": "thank you"}


class Restarts(Protocol):
    journal: Journal
    now: int

    def __call__(self, reconcilers: Reconcilers | None = None) -> OwnedRun: ...


def call(
    slot: int = 0,
    tier: Tier = Tier.OPAQUE,
    *,
    tool: str = "charge",
    amount: int = 12,
    retention: int = 1000,
    mapping: dict[str, str] | None = None,
    lifetime: int | None = None,
) -> PlannedCall:
    policy = ResultPolicy({"paid": "/paid"} if mapping is None else mapping, 1000, retention)
    return PlannedCall(
        slot, tool, tier, {"amount": amount}, f"call-{slot}", policy, key_lifetime_s=lifetime
    )


def commit(run: OwnedRun, planned: PlannedCall) -> int:
    prepared = run.prepare(run.begin_node("pay"), planned)
    assert isinstance(prepared, Dispatch)
    run.settle(prepared.row_id, Outcome.DONE, ANSWER)
    return prepared.row_id


def leave_prepared(run: OwnedRun, planned: PlannedCall) -> Dispatch:
    prepared = run.prepare(run.begin_node("pay"), planned)
    assert isinstance(prepared, Dispatch)
    return prepared


def state(restart: Restarts, row_id: int) -> State:
    return next(row.state for row in restart.journal.rows("run-1") if row.row_id == row_id)


# ── prepare and settle ───────────────────────────────────────────────────────────────────────────


def test_t1_a_prepare_is_durable_before_the_effect_and_a_settle_after_it(restart: Restarts) -> None:
    run = restart()
    prepared = leave_prepared(run, call())
    assert state(restart, prepared.row_id) is State.PREPARED
    settled = run.settle(prepared.row_id, Outcome.DONE, ANSWER)
    assert settled.settlement is Settlement.COMMIT
    assert state(restart, prepared.row_id) is State.COMMITTED


@pytest.mark.parametrize(
    ("tier", "keyed", "referenced"),
    [(Tier.KEYED, True, False), (Tier.QUERYABLE, False, True), (Tier.OPAQUE, False, False)],
)
def test_i7_only_tier_1_gets_a_key_and_only_tier_2_a_reference(
    restart: Restarts, tier: Tier, keyed: bool, referenced: bool
) -> None:
    run = restart(Reconcilers(keyed=frozenset({"charge"})))
    prepared = leave_prepared(run, call(tier=tier))
    assert ((prepared.key is not None), (prepared.reference is not None)) == (keyed, referenced)


def test_reading_10_an_outcome_that_is_not_done_is_a_result_and_commits(restart: Restarts) -> None:
    run = restart()
    prepared = leave_prepared(run, call(mapping={}))
    run.settle(prepared.row_id, Outcome.NOT_DONE, {"error": "no funds"})
    assert state(restart, prepared.row_id) is State.COMMITTED


def test_o3_an_unknown_outcome_settles_ambiguous(restart: Restarts) -> None:
    run = restart()
    prepared = leave_prepared(run, call())
    run.settle(prepared.row_id, Outcome.UNKNOWN)
    assert state(restart, prepared.row_id) is State.AMBIGUOUS


def test_reading_11_the_same_settle_twice_is_answered_alike_and_another_is_evidence(
    restart: Restarts,
) -> None:
    run = restart()
    row_id = commit(run, call())
    assert run.settle(row_id, Outcome.DONE, ANSWER).settlement is Settlement.ALIKE
    assert run.settle(row_id, Outcome.DONE, {"paid": 99}).settlement is Settlement.EVIDENCE
    (row,) = restart.journal.rows("run-1")
    assert (row.state, row.late_evidence) == (State.COMMITTED, 1)


def test_reading_11_a_fenced_owner_settles_nothing_and_its_answer_is_kept(
    restart: Restarts, folder: Path
) -> None:
    first = restart()
    prepared = leave_prepared(first, call())
    other = Journal.open(folder)
    successor = other.take_over(
        "run-1", "successor", Reconcilers(), expect=Expect.KNOWN, declared_dead=True
    )
    late = first.settle(prepared.row_id, Outcome.DONE, ANSWER)
    assert (late.settlement, late.state) == (Settlement.EVIDENCE, State.PREPARED)
    assert successor.gate().blocking == (prepared.row_id,)
    other.close()


def test_f2_a_fenced_owner_whose_row_was_swept_is_told_of_the_fence(
    restart: Restarts, folder: Path
) -> None:
    first = restart()
    row_id = commit(first, call())
    other = Journal.open(folder)
    other.take_over("run-1", "o", Reconcilers(), expect=Expect.KNOWN, declared_dead=True).end(None)
    assert other.sweep("run-1") == 1
    with pytest.raises(Fenced):
        first.settle(row_id, Outcome.DONE, ANSWER)
    other.close()


def test_i5_the_same_identity_is_prepared_once(restart: Restarts, folder: Path) -> None:
    run = restart()
    prepared = leave_prepared(run, call())
    other = Journal.open(folder)
    twin = other.adopt(run.fence, Reconcilers())
    refused = twin.prepare(twin.begin_node("pay"), call())
    assert refused == PrepareRefused("I-5", "this effect is already prepared", prepared.row_id)
    other.close()


def test_i5_the_index_refuses_what_a_decision_would_let_through(restart: Restarts) -> None:
    run = restart()
    commit(run, call())
    with (
        pytest.raises(StoreFailed),
        restart.journal.store.transaction() as transaction,
    ):
        transaction.write("UPDATE run_effects SET tool_id = NULL")
    (before,) = restart.journal.rows("run-1")
    with sqlite3.connect(restart.journal.store._path) as raw:  # type: ignore[attr-defined]  # its file
        names = [name for _, name, *_ in raw.execute("PRAGMA table_info(run_effects)")][1:]
        columns = ", ".join(names)
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            raw.execute(f"INSERT INTO run_effects ({columns}) SELECT {columns} FROM run_effects")
        raw.execute("UPDATE run_effects SET resolution = 'discarded'")
        raw.execute(f"INSERT INTO run_effects ({columns}) SELECT {columns} FROM run_effects")
    raw.close()
    assert [row.slot for row in restart.journal.rows("run-1")] == [before.slot, before.slot]


def test_o1_arguments_that_canonical_json_cannot_hold_are_refused_before_anything_is_written(
    restart: Restarts,
) -> None:
    run = restart()
    start = run.begin_node("pay")
    with pytest.raises(ValueError, match="canonical JSON"):
        run.prepare(start, call(amount=2**60))
    assert restart.journal.rows("run-1") == ()


def test_x1_a_row_holds_no_argument_bytes(restart: Restarts, folder: Path) -> None:
    planned = call()
    planned = PlannedCall(
        0, "charge", Tier.OPAQUE, {"secret": "hunter2", "amount": "ninety-nine"}, "c",
        planned.policy, secret_keys=("secret",),
    )  # fmt: skip
    commit(restart(), planned)
    restart.journal.close()
    stored = b"".join(path.read_bytes() for path in folder.glob(f"{DATABASE}*"))
    assert b"charge" in stored
    assert b"hunter2" not in stored
    assert b"ninety-nine" not in stored


# ── the gate and re-delivery ─────────────────────────────────────────────────────────────────────


def test_g2_a_committed_effect_is_redelivered_as_recorded(restart: Restarts) -> None:
    row_id = commit(restart(), call())
    run = restart()
    assert run.gate().may_schedule
    replay = run.prepare(run.begin_node("pay"), call())
    assert isinstance(replay, Replay)
    assert (replay.row_id, replay.delivery.value, replay.delivery.output) == (
        row_id,
        ANSWER,
        {"paid": 12},
    )


def test_g3_a_committed_tier_3_effect_without_result_blocks_and_stays_committed(
    restart: Restarts,
) -> None:
    row_id = commit(restart(), call(retention=5))
    report = restart().gate()
    assert (report.may_schedule, report.blocking) == (False, (row_id,))
    assert state(restart, row_id) is State.COMMITTED


def test_g4_an_unresolved_tier_3_effect_needs_attention_and_is_not_sent_again(
    restart: Restarts,
) -> None:
    row_id = leave_prepared(restart(), call()).row_id
    run = restart()
    assert run.gate().blocking == (row_id,)
    assert state(restart, row_id) is State.NEEDS_ATTENTION
    refused = run.prepare(run.begin_node("pay"), call())
    assert isinstance(refused, PrepareRefused)
    assert refused.clause == "G-4"


def test_t2_tier_1_is_retried_on_the_same_row_under_the_stored_key(restart: Restarts) -> None:
    reconcilers = Reconcilers(keyed=frozenset({"charge"}))
    first = leave_prepared(restart(reconcilers), call(tier=Tier.KEYED))
    run = restart(reconcilers)
    (finding,) = run.gate().findings
    assert finding.verdict is GateVerdict.RETRY
    again = run.prepare(run.begin_node("pay"), call(tier=Tier.KEYED))
    assert again == structs.replace(first, retry=True)
    assert run.settle(first.row_id, Outcome.DONE, ANSWER).state is State.COMMITTED


def test_reading_4_a_retry_that_is_unknown_again_stays_retryable(restart: Restarts) -> None:
    reconcilers = Reconcilers(keyed=frozenset({"charge"}))
    first = leave_prepared(restart(reconcilers), call(tier=Tier.KEYED))
    for _ in range(2):
        run = restart(reconcilers)
        assert run.gate().may_schedule
        again = run.prepare(run.begin_node("pay"), call(tier=Tier.KEYED))
        assert again == structs.replace(first, retry=True)
        assert run.settle(first.row_id, Outcome.UNKNOWN).state is State.AMBIGUOUS


def test_reading_4_no_fresh_dispatch_beside_a_retry_pending_effect(restart: Restarts) -> None:
    reconcilers = Reconcilers(keyed=frozenset({"charge"}))
    first = leave_prepared(restart(reconcilers), call(tier=Tier.KEYED))
    run = restart(reconcilers)
    run.gate()
    refused = run.prepare(run.begin_node("pay"), call(slot=1, tier=Tier.KEYED))
    assert isinstance(refused, PrepareRefused)
    assert (refused.clause, refused.row_id) == ("G-4", first.row_id)


def test_reading_4_a_committed_tier_1_effect_without_result_is_filled_by_its_retry(
    restart: Restarts,
) -> None:
    reconcilers = Reconcilers(keyed=frozenset({"charge"}))
    small = call(tier=Tier.KEYED, retention=120)
    row_id = leave_prepared(restart(reconcilers), small).row_id
    run = restart(reconcilers)
    run.gate()
    run.prepare(run.begin_node("pay"), small)
    run.settle(row_id, Outcome.DONE, ANSWER | {"long": "x" * 200})  # type: ignore[operator]  # a dict
    assert restart.journal.rows("run-1")[0].retained is False
    run = restart(reconcilers)
    run.gate()
    again = run.prepare(run.begin_node("pay"), small)
    assert isinstance(again, Dispatch)
    assert run.settle(row_id, Outcome.DONE, {"paid": 1}).settlement is Settlement.FILL
    assert restart.journal.rows("run-1")[0].retained is True


def test_reading_4_the_retry_of_an_effect_whose_result_could_not_be_bounded_fills_it(
    restart: Restarts, folder: Path
) -> None:
    """Its answer is the one that was settled before, and is kept all the same."""
    reconcilers = Reconcilers(keyed=frozenset({"charge"}))
    journal = failing(folder, Failable.BOUNDING)
    run = journal.take_over("run-1", "owner", reconcilers, expect=Expect.EITHER)
    row_id = commit(run, call(tier=Tier.KEYED))
    assert journal.rows("run-1")[0].retained is False
    journal.close()
    run = restart(reconcilers)
    run.gate()
    assert isinstance(run.prepare(run.begin_node("pay"), call(tier=Tier.KEYED)), Dispatch)
    assert run.settle(row_id, Outcome.DONE, ANSWER).settlement is Settlement.FILL
    assert restart.journal.rows("run-1")[0].retained is True


def test_t6_a_call_that_was_sent_without_a_key_is_not_sent_again_under_one(
    restart: Restarts,
) -> None:
    """Its target did not learn the key with the first request, and would do the effect twice."""
    row = leave_prepared(restart(), call(tier=Tier.KEYED))
    assert row.key is None
    report = restart(Reconcilers(keyed=frozenset({"charge"}))).gate()
    assert report.blocking == (row.row_id,)
    assert report.findings[0].names_declared_tier


def test_reading_3_a_key_is_judged_again_when_its_call_is_sent(restart: Restarts) -> None:
    reconcilers = Reconcilers(keyed=frozenset({"charge"}))
    run = restart(reconcilers)
    prepared = leave_prepared(run, call(tier=Tier.KEYED, lifetime=86_400))
    restart.now += 86_400 - 61
    assert run.may_send(prepared)
    restart.now += 1
    assert not run.may_send(prepared)


def test_reading_3_a_key_past_its_lifetime_is_not_used_again(restart: Restarts) -> None:
    reconcilers = Reconcilers(keyed=frozenset({"charge"}))
    row_id = leave_prepared(restart(reconcilers), call(tier=Tier.KEYED, lifetime=86_400)).row_id
    restart.now += 86_400 - 60
    report = restart(reconcilers).gate()
    assert report.blocking == (row_id,)
    assert report.findings[0].names_declared_tier


@pytest.mark.parametrize("tier", [Tier.KEYED, Tier.QUERYABLE])
def test_t6_without_a_reconciler_a_tier_is_treated_as_tier_3_and_named(
    restart: Restarts, tier: Tier
) -> None:
    row_id = leave_prepared(restart(), call(tier=tier)).row_id
    (finding,) = restart().gate().findings
    assert (finding.verdict, finding.effective) == (GateVerdict.ATTENTION, Tier.OPAQUE)
    assert (finding.record.tier, finding.names_declared_tier) == (tier, True)
    assert state(restart, row_id) is State.NEEDS_ATTENTION


def test_t3_tier_2_is_reconciled_from_the_receipt_of_the_stored_reference(
    restart: Restarts,
) -> None:
    asked: list[str] = []

    def query(reference: str) -> ReceiptFound:
        asked.append(reference)
        return ReceiptFound(ANSWER)

    reconcilers = Reconcilers(queries={"charge": query})
    first = leave_prepared(restart(reconcilers), call(tier=Tier.QUERYABLE))
    run = restart(reconcilers)
    assert run.gate().may_schedule
    assert asked == [first.reference]
    assert state(restart, first.row_id) is State.COMMITTED
    replay = run.prepare(run.begin_node("pay"), call(tier=Tier.QUERYABLE))
    assert isinstance(replay, Replay)
    assert replay.delivery.output == {"paid": 12}


@pytest.mark.parametrize("answer", [Lookup.NOTHING, Lookup.FAILED])
def test_reading_2_no_receipt_is_no_proof_of_absence(restart: Restarts, answer: Lookup) -> None:
    reconcilers = Reconcilers(queries={"charge": lambda _: answer})
    row_id = leave_prepared(restart(reconcilers), call(tier=Tier.QUERYABLE)).row_id
    assert restart(reconcilers).gate().blocking == (row_id,)
    assert state(restart, row_id) is State.NEEDS_ATTENTION


def test_g3_a_committed_tier_2_effect_without_result_is_filled_by_its_receipt(
    restart: Restarts,
) -> None:
    reconcilers = Reconcilers(queries={"charge": lambda _: ReceiptFound({"paid": 1})})
    run = restart(reconcilers)
    prepared = leave_prepared(run, call(tier=Tier.QUERYABLE, retention=120))
    run.settle(prepared.row_id, Outcome.DONE, {"paid": 1, "long": "x" * 200})
    assert restart(reconcilers).gate().may_schedule
    assert restart.journal.rows("run-1")[0].retained is True


def test_g6_a_replay_needs_the_same_arguments_and_the_same_mapping(restart: Restarts) -> None:
    commit(restart(), call())
    run = restart()
    run.gate()
    for other in (call(amount=13), call(mapping={"paid": "/note"})):
        refused = run.prepare(run.begin_node("pay"), other)
        assert isinstance(refused, PrepareRefused)
        assert refused.clause == "G-8"


def test_g8_another_tool_at_a_recorded_slot_is_refused(restart: Restarts) -> None:
    commit(restart(), call())
    refused = (run := restart()).prepare(run.begin_node("pay"), call(tool="refund"))
    assert isinstance(refused, PrepareRefused)
    assert refused.clause == "G-8"


def test_reading_5_a_rerun_delivers_what_is_recorded_before_it_does_anything_new(
    restart: Restarts,
) -> None:
    commit(restart(), call(slot=0))
    run = restart()
    start = run.begin_node("pay")
    refused = run.prepare(start, call(slot=1))
    assert isinstance(refused, PrepareRefused)
    assert isinstance(run.prepare(start, call(slot=0)), Replay)
    assert isinstance(run.prepare(start, call(slot=1, amount=5)), Dispatch)


def test_i2_the_attempt_is_in_no_look_up(restart: Restarts) -> None:
    run = restart()
    prepared = run.prepare(run.begin_node("pay", attempt=2), call())
    assert isinstance(prepared, Dispatch)
    assert restart().gate().blocking == (prepared.row_id,)


def test_x3_a_digest_of_an_old_version_refuses_a_matching_prepare(restart: Restarts) -> None:
    commit(restart(), call())
    run = restart()
    with restart.journal.store.transaction() as transaction:
        transaction.write("UPDATE run_effects SET digest = 'v4:' || substr(digest, 4)")
    refused = run.prepare(run.begin_node("pay"), call())
    assert isinstance(refused, PrepareRefused)
    assert refused.clause == "G-8"


class FailOnce:
    """Fails the first operation of a kind."""

    def __init__(self, kind: Failable) -> None:
        self._kind: Failable | None = kind

    def reach(self, place: Place) -> None:
        pass

    def fail(self, kind: Failable) -> None:
        if kind is self._kind:
            self._kind = None
            raise InjectedFailure


def failing(folder: Path, kind: Failable) -> Journal:
    return Journal.open(folder, probe=FailOnce(kind))


def test_g10_a_gate_read_that_fails_is_a_refusal_and_changes_nothing(
    restart: Restarts, folder: Path
) -> None:
    row_id = leave_prepared(restart(), call()).row_id
    restart.journal.close()
    journal = failing(folder, Failable.GATE_READ)
    run = journal.take_over("run-1", "owner", Reconcilers(), expect=Expect.KNOWN)
    with pytest.raises(GateReadFailed, match="nothing was scheduled or changed"):
        run.gate()
    assert [row.state for row in journal.rows("run-1")] == [State.PREPARED]
    journal.close()
    assert restart().gate().blocking == (row_id,)


def test_o4_a_settle_write_that_fails_leaves_the_row_prepared(folder: Path) -> None:
    journal = failing(folder, Failable.SETTLE_WRITE)
    run = journal.take_over("run-1", "owner", Reconcilers(), expect=Expect.NEW)
    prepared = leave_prepared(run, call())
    with pytest.raises(StoreFailed):
        run.settle(prepared.row_id, Outcome.DONE, ANSWER)
    assert [row.state for row in journal.rows("run-1")] == [State.PREPARED]
    journal.close()


def test_o2_a_prepare_write_that_fails_leaves_no_row(folder: Path) -> None:
    journal = failing(folder, Failable.PREPARE_WRITE)
    run = journal.take_over("run-1", "owner", Reconcilers(), expect=Expect.NEW)
    with pytest.raises(StoreFailed):
        leave_prepared(run, call())
    assert journal.rows("run-1") == ()
    journal.close()


def test_o5_a_mapping_that_does_not_resolve_lets_the_settle_land_without_a_result(
    restart: Restarts,
) -> None:
    run = restart()
    prepared = leave_prepared(run, call(mapping={"x": "/missing"}))
    settled = run.settle(prepared.row_id, Outcome.DONE, ANSWER)
    assert settled.state is State.COMMITTED
    assert settled.shortfall is not None
    assert "'/missing'" in settled.shortfall


# ── completion and retention ─────────────────────────────────────────────────────────────────────


def test_g12_no_node_completes_beside_an_unresolved_effect_of_its_own(restart: Restarts) -> None:
    run = restart()
    start = run.begin_node("pay")
    prepared = run.prepare(start, call())
    assert isinstance(prepared, Dispatch)
    assert run.complete_node(start, {}) == Incomplete((prepared.row_id,))
    run.settle(prepared.row_id, Outcome.DONE, ANSWER)
    assert run.complete_node(start, {}) == Completed(())


def test_reading_17_a_completion_names_the_committed_effect_it_never_delivered(
    restart: Restarts,
) -> None:
    row_id = commit(restart(), call())
    run = restart()
    assert run.complete_node(run.begin_node("pay"), {}) == Completed((row_id,))
    run.end(None)
    assert restart.journal.sweep("run-1") == 0
    with pytest.raises(OwnedByAnother):
        restart.journal.close_run("run-1", by="ann")
    restart.journal.close()
    restart.journal = Journal.open(restart.journal._locks.parent)
    restart.journal.close_run("run-1", by="ann")
    assert restart.journal.sweep("run-1") == 1


def test_r2_nothing_is_swept_while_the_run_can_be_resumed(restart: Restarts) -> None:
    run = restart()
    start = run.begin_node("pay")
    prepared = run.prepare(start, call())
    assert isinstance(prepared, Dispatch)
    run.settle(prepared.row_id, Outcome.DONE, ANSWER)
    assert restart.journal.sweep("run-1") == 0
    run.end(ErrorCode.EFFECT_NEEDS_ATTENTION, (prepared.row_id,))
    assert restart.journal.sweep("run-1") == 0
    run = restart()
    run.begin_incarnation("run:resumed")
    run.end(None)
    assert restart.journal.sweep("run-1") == 1


def test_r1_an_unresolved_row_outlives_its_run(restart: Restarts) -> None:
    run = restart()
    leave_prepared(run, call())
    run.end(ErrorCode.NODE_FAILED)
    assert restart.journal.sweep("run-1") == 0
    assert [row.state for row in restart.journal.rows("run-1")] == [State.PREPARED]


# ── ownership ────────────────────────────────────────────────────────────────────────────────────


def test_f1_a_live_owner_is_not_replaced(restart: Restarts, folder: Path) -> None:
    restart()
    other = Journal.open(folder)
    with pytest.raises(OwnedByAnother, match="'owner', which is alive"):
        other.take_over("run-1", "other", Reconcilers(), expect=Expect.KNOWN)
    assert other.events("run-1").generation == 1
    other.close()


def test_f1_a_successor_of_an_owner_declared_dead_is_a_live_owner_too(
    restart: Restarts, folder: Path
) -> None:
    """Whether the first owner still lives or has gone by now."""
    restart()
    second, third = Journal.open(folder), Journal.open(folder)
    second.take_over("run-1", "second", Reconcilers(), expect=Expect.KNOWN, declared_dead=True)
    for _ in range(2):
        with pytest.raises(OwnedByAnother, match="'second', which is alive"):
            third.take_over("run-1", "third", Reconcilers(), expect=Expect.KNOWN)
        with pytest.raises(OwnedByAnother, match="live owner"):
            third.close_run("run-1", by="ann")
        restart.journal.close()
    second.close()
    run = third.take_over("run-1", "third", Reconcilers(), expect=Expect.KNOWN)
    assert run.fence.generation == 3
    third.close()


def test_f1_an_owner_that_lets_go_leaves_no_lock_behind(restart: Restarts, folder: Path) -> None:
    restart()
    restart()
    restart.journal.close()
    assert list((folder / "locks").iterdir()) == []


def test_f1_a_take_over_raises_the_generation_before_the_gate_reads(restart: Restarts) -> None:
    assert [restart().fence.generation for _ in range(3)] == [1, 2, 3]


def test_f2_every_write_of_a_fenced_owner_is_refused(restart: Restarts, folder: Path) -> None:
    run = restart()
    start = run.begin_node("pay")
    other = Journal.open(folder)
    other.take_over("run-1", "other", Reconcilers(), expect=Expect.KNOWN, declared_dead=True)
    for write in (
        lambda: run.prepare(start, call()),
        lambda: run.complete_node(start, {}),
        lambda: run.begin_node("pay"),
        lambda: run.end(None),
        lambda: run.emit("tool:result"),
        lambda: restart.journal.sweep("run-1", fence=run.fence),
        run.gate,
    ):
        with pytest.raises(Fenced):
            write()
    other.close()


def test_f2_a_bounded_wait_for_the_lock_ends_in_a_refusal(restart: Restarts, folder: Path) -> None:
    run = restart()
    start = run.begin_node("pay")
    other = Journal.open(folder)
    with other.store.transaction(), pytest.raises(Busy, match="try again"):
        run.prepare(start, call())
    assert restart.journal.rows("run-1") == ()
    other.close()


def test_a_run_that_has_begun_is_not_run_again_and_an_unknown_one_not_resumed(
    restart: Restarts,
) -> None:
    restart().begin_incarnation("run:started")
    restart.journal.close()
    restart.journal = Journal.open(restart.journal._locks.parent)
    with pytest.raises(RunExists, match="resume it"):
        restart.journal.take_over("run-1", "o", Reconcilers(), expect=Expect.NEW)
    with pytest.raises(UnknownRun, match="'run-2' is not in this store"):
        restart.journal.take_over("run-2", "o", Reconcilers(), expect=Expect.KNOWN)


def test_an_ended_run_is_not_resumed(restart: Restarts) -> None:
    restart().end(None)
    with pytest.raises(RunEnded, match="has completed; its work is not done again"):
        restart()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (None, "has completed"),
        (ErrorCode.NODE_FAILED, "has failed with node_failed"),
        (ErrorCode.EFFECT_NEEDS_ATTENTION, "has stopped for a person"),
    ],
)
def test_a4_nothing_of_an_incarnation_follows_its_terminal(
    restart: Restarts, code: ErrorCode | None, said: str
) -> None:
    """A second process under the same fence may still be at work when the run ends."""
    run = restart()
    start = run.begin_node("pay")
    twin = restart.journal.adopt(run.fence, Reconcilers())
    twin.end(code)
    before = restart.journal.events("run-1")
    for write in (
        lambda: run.prepare(start, call()),
        lambda: run.complete_node(start, {}),
        lambda: run.begin_node("pay"),
        lambda: run.end(None),
    ):
        with pytest.raises(RunEnded, match=said):
            write()
    assert restart.journal.rows("run-1") == ()
    assert restart.journal.events("run-1") == before


def test_a4_a_run_that_has_completed_gets_no_other_incarnation(restart: Restarts) -> None:
    run = restart()
    run.end(None)
    with pytest.raises(RunEnded):
        run.begin_incarnation("run:resumed")


def test_r1_the_id_of_a_swept_row_names_no_other(restart: Restarts) -> None:
    row_id = commit(run := restart(), call())
    run.end(None)
    assert restart.journal.sweep("run-1") == 1
    other = restart.journal.take_over("run-2", "owner", Reconcilers(), expect=Expect.NEW)
    assert leave_prepared(other, call()).row_id > row_id


# ── the operator ─────────────────────────────────────────────────────────────────────────────────


def operate(restart: Restarts) -> Journal:
    """The journal as an operator opens it: the owner is gone."""
    folder = restart.journal._locks.parent
    restart.journal.close()
    restart.journal = Journal.open(folder, clock=lambda: restart.now)
    return restart.journal


def test_a5_an_accepted_effect_reads_as_committed_and_blocks_until_it_has_a_result(
    restart: Restarts,
) -> None:
    row_id = leave_prepared(restart(), call()).row_id
    operate(restart).resolve(row_id, Resolution.ACCEPTED, by="ann", note="seen in the ledger")
    (row,) = restart.journal.rows("run-1")
    assert (row.state, row.resolution, row.resolved_by) == (
        State.RESOLVED,
        Resolution.ACCEPTED,
        "ann",
    )
    assert row.resolved_at == "1970-01-12T13:46:40+00:00"
    assert restart().gate().blocking == (row_id,)
    operate(restart).attach(row_id, Attachment(ANSWER), by="ann")
    run = restart()
    assert run.gate().may_schedule
    replay = run.prepare(run.begin_node("pay"), call())
    assert isinstance(replay, Replay)
    assert replay.delivery.value == ANSWER


def test_reading_7_a_result_is_attached_once(restart: Restarts) -> None:
    row_id = leave_prepared(restart(), call()).row_id
    operate(restart).resolve(
        row_id, Resolution.ACCEPTED, by="ann", note="", attached=Attachment(ANSWER)
    )
    with pytest.raises(Refused, match="only a committed or accepted effect without a result"):
        restart.journal.attach(row_id, Attachment(ANSWER), by="ann")


def test_reading_8_a_discard_reopens_exactly_that_identity_and_keeps_the_old_row(
    restart: Restarts,
) -> None:
    row_id = leave_prepared(restart(), call()).row_id
    operate(restart).resolve(row_id, Resolution.DISCARDED, by="ann", note="not in the ledger")
    run = restart()
    assert run.gate().may_schedule
    again = run.prepare(run.begin_node("pay"), call())
    assert isinstance(again, Dispatch)
    assert again.retry is False
    assert [row.resolution for row in restart.journal.rows("run-1")] == [Resolution.DISCARDED, None]


def test_a5_a_second_resolution_is_refused(restart: Restarts) -> None:
    row_id = leave_prepared(restart(), call()).row_id
    operate(restart).resolve(row_id, Resolution.ACCEPTED, by="ann", note="")
    with pytest.raises(Refused, match="nothing is left to resolve"):
        restart.journal.resolve(row_id, Resolution.DISCARDED, by="bob", note="")
    assert restart.journal.rows("run-1")[0].resolved_by == "ann"


def test_reading_8_a_discard_is_refused_when_late_evidence_says_that_the_effect_landed(
    restart: Restarts, folder: Path
) -> None:
    first = restart()
    prepared = leave_prepared(first, call())
    other = Journal.open(folder)
    other.take_over("run-1", "o", Reconcilers(), expect=Expect.KNOWN, declared_dead=True).gate()
    first.settle(prepared.row_id, Outcome.DONE, ANSWER)
    other.close()
    with pytest.raises(Refused, match="accept it"):
        operate(restart).resolve(prepared.row_id, Resolution.DISCARDED, by="ann", note="")
    assert state(restart, prepared.row_id) is State.NEEDS_ATTENTION


def test_reading_6_a_resolve_takes_the_runs_fence_and_a_live_owner_keeps_it(
    restart: Restarts, folder: Path
) -> None:
    row_id = leave_prepared(restart(), call()).row_id
    other = Journal.open(folder)
    with pytest.raises(OwnedByAnother, match="live owner"):
        other.resolve(row_id, Resolution.ACCEPTED, by="ann", note="")
    other.close()
    operate(restart).resolve(row_id, Resolution.ACCEPTED, by="ann", note="")
    assert restart.journal.events("run-1").generation == 2


def test_an_unknown_row_is_named(restart: Restarts) -> None:
    with pytest.raises(UnknownRow, match="effect 99 is not in this store"):
        restart.journal.resolve(99, Resolution.ACCEPTED, by="ann", note="")
