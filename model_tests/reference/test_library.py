"""The library around a caller's own effects, on real SQLite, in one process.

Kills, forks and threads are in ``test_library_processes.py``; the page's examples in
``test_library_page.py``.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest

import effectjournal
from effectjournal import (
    Attachment,
    Busy,
    Effect,
    Fenced,
    JournalError,
    Keyed,
    KeyPast,
    Lookup,
    NeedsAttention,
    Node,
    NodeFailed,
    Opaque,
    OpenJournal,
    OwnedByAnother,
    Paused,
    Queryable,
    ReceiptFound,
    Resolution,
    Run,
    RunEnded,
    TerminalHeld,
    Tool,
)
from effectjournal.errors import NotOurStore
from effectjournal.journal import DATABASE, Journal
from effectjournal.library import misuse
from effectspec.attention import ExitCode
from effectspec.digest import digest
from effectspec.json_value import Json
from effectspec.lifecycle import State
from effectspec.protocol import RowView

RUN = "order-17"
CHARGE = Keyed("charge")
MAIL = Opaque("mail")
ARGUMENTS = {"amount": 12}
ANSWER: Json = {"receipt": "r-1"}


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bounded wait is bounded all the same when it is short."""
    monkeypatch.setattr("effectjournal.sqlite.BUSY_WAIT_S", 0.05)


def no_receipt(_reference: str) -> Lookup:
    return Lookup.NOTHING


class Orders:
    """One order's run over and over: each :meth:`process` stands for a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 1_000_000

    def open(self) -> OpenJournal:
        return effectjournal.open(self.folder, clock=lambda: self.now)

    def run(self, work: Callable[[Run], None], *tools: Tool, declared_dead: bool = False) -> None:
        """The run, with ``work`` in its block, from opening the journal to closing it."""
        with (
            self.open() as journal,
            journal.run(RUN, tools=tools or (CHARGE, MAIL), declared_dead=declared_dead) as run,
        ):
            work(run)

    def process(
        self, work: Callable[[Node], None], *tools: Tool, declared_dead: bool = False
    ) -> None:
        """The run of one node, with ``work`` in that one's block."""

        def alone(run: Run) -> None:
            with run.node("pay") as node:
                work(node)

        self.run(alone, *tools, declared_dead=declared_dead)

    def rows(self) -> tuple[RowView, ...]:
        with closing(Journal.open(self.folder)) as journal:
            return journal.rows(RUN)

    def states(self) -> list[State]:
        return [row.state for row in self.rows()]

    def events(self) -> list[str]:
        with closing(Journal.open(self.folder)) as journal:
            return [event.name for event in journal.events(RUN).events]

    def write_locked(self) -> sqlite3.Connection:
        """A connection of somebody else who holds the write lock until it is closed."""
        other = sqlite3.connect(self.folder / DATABASE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        return other


@pytest.fixture
def orders(folder: Path) -> Orders:
    return Orders(folder)


def charge(node: Node, tool: Tool = CHARGE) -> None:
    """The well-behaved caller."""
    with node.effect(tool, ARGUMENTS) as effect:
        if not effect.replayed:
            match tool:
                case Keyed():
                    assert effect.key
                case Queryable():
                    assert effect.reference
                case Opaque():
                    pass
            effect.done(ANSWER)


def charge_and_pause(node: Node, tool: Tool = CHARGE) -> None:
    charge(node, tool)
    raise Paused


def lose_the_answer(node: Node, tool: Tool = CHARGE) -> None:
    with node.effect(tool, ARGUMENTS) as effect:
        if isinstance(tool, Keyed):
            assert effect.key
        raise ConnectionError("no answer")


def pay_with(tool: Tool) -> Callable[[Node], None]:
    return lambda node: charge(node, tool)


def lose_with(tool: Tool) -> Callable[[Node], None]:
    return lambda node: lose_the_answer(node, tool)


def not_reached(_node: Node) -> None:
    pytest.fail("the gate let the run pass")


def nothing(_place: Node | Run) -> None:
    """A caller that makes no call."""


# ── an effect is bracketed ───────────────────────────────────────────────────────────────────────


def test_t1_an_effect_is_prepared_before_its_block_runs_and_committed_by_its_report(
    orders: Orders,
) -> None:
    seen = []

    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            seen.append(orders.states())
            effect.done(ANSWER)
            seen.append(orders.states())

    orders.process(work)
    assert seen == [[State.PREPARED], [State.COMMITTED]]
    assert orders.events() == ["run:started", "node:started", "node:completed", "run:completed"]


def test_r2_a_completed_run_is_swept(orders: Orders) -> None:
    orders.process(charge)
    assert orders.rows() == ()


def test_a_run_that_ended_is_not_done_again(orders: Orders) -> None:
    orders.process(charge)
    with pytest.raises(RunEnded) as ended:
        orders.process(not_reached)
    assert effectjournal.exit_code(ended.value) is ExitCode.COMPLETED


def test_r2_asking_for_an_ended_run_finishes_a_sweep_that_was_cut_off(
    orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*_args: object, **_kwargs: object) -> int:
        raise Busy("another process sweeps")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "sweep", cut_off)
        orders.process(charge)
    assert orders.states() == [State.COMMITTED]
    with pytest.raises(RunEnded):
        orders.process(not_reached)
    assert orders.rows() == ()


def test_g2_a_committed_effect_is_re_delivered_and_its_block_is_told_so(orders: Orders) -> None:
    with pytest.raises(Paused):
        orders.process(charge_and_pause)
    seen: list[object] = []

    def again(node: Node) -> None:
        with node.effect(CHARGE, ARGUMENTS) as effect:
            seen.extend([effect.replayed, effect.value])
        seen.append(effect.value)

    orders.process(again)
    assert seen == [True, ANSWER, ANSWER]


def test_i7_the_key_is_minted_by_the_journal_and_is_on_the_row(orders: Orders) -> None:
    keys = []

    def work(node: Node) -> None:
        with node.effect(CHARGE, ARGUMENTS) as effect:
            keys.append(effect.key)
            effect.done(None)
        raise Paused

    with pytest.raises(Paused):
        orders.process(work)
    assert keys == [row.key for row in orders.rows()]
    assert len(keys[0]) >= 32


def test_reading_10_what_the_target_refused_is_committed_and_re_delivered(orders: Orders) -> None:
    answers: list[object] = []

    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            if not effect.replayed:
                effect.not_done({"declined": True})
        answers.append(effect.value)
        if len(answers) == 1:
            raise Paused

    with pytest.raises(Paused):
        orders.process(work)
    assert orders.states() == [State.COMMITTED]
    orders.process(work)
    assert answers == [{"declined": True}, {"declined": True}]


def test_o3_an_outcome_that_is_reported_unknown_ends_the_run_with_what_was_said(
    orders: Orders,
) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            effect.unknown("409: the first request is still running")

    with pytest.raises(NeedsAttention, match="409: the first request") as stopped:
        orders.process(work)
    assert stopped.value.clause == "O-3"
    assert stopped.value.__cause__ is None
    assert orders.states() == [State.AMBIGUOUS]


@dataclass(frozen=True)
class Receipt:
    id: str
    paid: Decimal


def test_g7_a_typed_answer_is_the_same_value_in_the_run_and_in_its_re_run(orders: Orders) -> None:
    receipt = Receipt("r-1", Decimal("12.50"))
    answers = []

    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS, answer=Receipt) as effect:
            if not effect.replayed:
                effect.done(receipt)
        answers.append(effect.value)
        if len(answers) == 1:
            raise Paused

    with pytest.raises(Paused):
        orders.process(work)
    orders.process(work)
    assert answers == [receipt, receipt]


def test_g7_a_recorded_answer_of_another_type_needs_attention_and_is_kept(orders: Orders) -> None:
    with pytest.raises(Paused):
        orders.process(charge_and_pause)

    def work(node: Node) -> None:
        with node.effect(CHARGE, ARGUMENTS, answer=Receipt):
            pytest.fail("the block ran with an answer that it cannot read")

    with pytest.raises(NeedsAttention, match=r"G-7.*cannot be read") as stopped:
        orders.process(work)
    assert stopped.value.rows == (1,)
    assert orders.states() == [State.COMMITTED]
    orders.process(charge)


@dataclass(eq=False)
class Identified:
    id: str


def test_g7_a_typed_answer_that_compares_by_identity_is_kept(orders: Orders) -> None:
    answers = []

    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS, answer=Identified) as effect:
            if not effect.replayed:
                effect.done(Identified("r-1"))
        answers.append(effect.value.id)
        if len(answers) == 1:
            raise Paused

    with pytest.raises(Paused):
        orders.process(work)
    orders.process(work)
    assert answers == ["r-1", "r-1"]


# ── slots ────────────────────────────────────────────────────────────────────────────────────────


def test_i3_slots_count_all_calls_in_the_order_of_the_asking(orders: Orders) -> None:
    def work(node: Node) -> None:
        first = node.effect(MAIL, ARGUMENTS, call_id="call-a")
        node.unjournaled()
        with node.effect(MAIL, ARGUMENTS, call_id="call-b") as effect:
            effect.done(None)
        with first:
            first.done(None)
        raise Paused

    with pytest.raises(Paused):
        orders.process(work)
    assert {row.call_id: row.slot for row in orders.rows()} == {"call-a": 0, "call-b": 2}


def test_x1_secret_arguments_are_not_in_the_digest(orders: Orders) -> None:
    login = Opaque("login", secret_keys=("password",))

    def work(node: Node) -> None:
        with node.effect(login, {"user": "ann", "password": "hunter2"}) as effect:
            effect.done(None)
        raise Paused

    with pytest.raises(Paused):
        orders.process(work, login)
    assert [row.digest for row in orders.rows()] == [digest({"user": "ann"})]


# ── the gate, by tier ────────────────────────────────────────────────────────────────────────────


def test_t2_a_lost_answer_of_tier_1_is_retried_under_the_same_key(orders: Orders) -> None:
    with pytest.raises(NeedsAttention) as stopped:
        orders.process(lose_the_answer)
    assert isinstance(stopped.value.__cause__, ConnectionError)
    (lost,) = orders.rows()
    keys = []

    def again(node: Node) -> None:
        with node.effect(CHARGE, ARGUMENTS) as effect:
            assert not effect.replayed
            keys.append(effect.key)
            effect.done(ANSWER)

    orders.process(again)
    assert lost.state is State.AMBIGUOUS
    assert keys == [lost.key]
    assert orders.events()[-1] == "run:completed"


def test_t4_a_lost_answer_of_tier_3_is_never_sent_again(orders: Orders) -> None:
    with pytest.raises(NeedsAttention):
        orders.process(lose_with(MAIL))
    events = orders.events()
    for _ in range(2):
        with pytest.raises(NeedsAttention) as stopped:
            orders.process(not_reached)
        assert stopped.value.rows == (1,)
        assert stopped.value.exit_code is ExitCode.EFFECT_ATTENTION
        assert "look at the target first" in stopped.value.remedy
    assert orders.states() == [State.NEEDS_ATTENTION]
    assert orders.events() == events


def test_g4_the_gate_names_its_clause(orders: Orders) -> None:
    clauses = []
    for work in (lose_with(MAIL), not_reached, not_reached):
        with pytest.raises(NeedsAttention) as stopped:
            orders.process(work)
        clauses.append(stopped.value.clause)
    assert clauses == ["O-3", "G-4", "A-4"]


def test_t3_a_lost_answer_of_tier_2_is_taken_from_its_receipt(orders: Orders) -> None:
    asked: list[str] = []

    def query(reference: str) -> ReceiptFound:
        asked.append(reference)
        return ReceiptFound(ANSWER)

    transfer = Queryable("transfer", query=query)
    with pytest.raises(NeedsAttention):
        orders.process(lose_with(transfer), transfer)
    (lost,) = orders.rows()
    answers = []

    def again(node: Node) -> None:
        with node.effect(transfer, ARGUMENTS) as effect:
            assert effect.replayed
        answers.append(effect.value)

    orders.process(again, transfer)
    assert asked == [lost.reference]
    assert answers == [ANSWER]


def test_reading_2_no_receipt_is_no_proof_of_absence(orders: Orders) -> None:
    transfer = Queryable("transfer", query=no_receipt)
    with pytest.raises(NeedsAttention):
        orders.process(lose_with(transfer), transfer)
    with pytest.raises(NeedsAttention, match="G-4"):
        orders.process(not_reached, transfer)
    assert orders.states() == [State.NEEDS_ATTENTION]


def test_a_query_that_raises_is_a_failed_look_up_and_the_cause_of_the_refusal(
    orders: Orders,
) -> None:
    def query(_reference: str) -> Lookup:
        raise TimeoutError("the bank is asleep")

    transfer = Queryable("transfer", query=query)
    with pytest.raises(NeedsAttention):
        orders.process(lose_with(transfer), transfer)
    with pytest.raises(NeedsAttention, match="the bank is asleep") as stopped:
        orders.process(not_reached, transfer)
    assert isinstance(stopped.value.__cause__, TimeoutError)
    assert orders.states() == [State.NEEDS_ATTENTION]


@pytest.mark.parametrize("said", [None, True, {"paid": 12}, Lookup.FOUND])
def test_t3_what_is_no_receipt_commits_nothing(orders: Orders, said: object) -> None:
    transfer = Queryable("transfer", query=lambda _: said)  # type: ignore[arg-type,return-value]
    with pytest.raises(NeedsAttention):
        orders.process(lose_with(transfer), transfer)
    with pytest.raises(NeedsAttention, match="query of tool 'transfer' returned"):
        orders.process(not_reached, transfer)
    assert orders.states() == [State.NEEDS_ATTENTION]


def test_g5_a_receipt_that_json_cannot_hold_commits_its_row_without_a_result(
    orders: Orders,
) -> None:
    def query(_reference: str) -> ReceiptFound:
        return ReceiptFound(Decimal(12))  # type: ignore[arg-type]

    transfer = Queryable("transfer", query=query)
    with pytest.raises(NeedsAttention):
        orders.process(lose_with(transfer), transfer)
    with pytest.raises(NeedsAttention, match="attach the result"):
        orders.process(not_reached, transfer)
    assert [(row.state, row.retained) for row in orders.rows()] == [(State.COMMITTED, False)]


def test_t6_a_tool_that_is_left_out_cannot_keep_its_promise_and_is_told_by_its_tier(
    orders: Orders,
) -> None:
    with pytest.raises(NeedsAttention):
        orders.process(lose_the_answer)
    with pytest.raises(NeedsAttention, match=r"declared tier 1, treated as tier 3"):
        orders.process(not_reached, MAIL)


def test_reading_3_past_its_lifetime_a_key_is_not_trusted(orders: Orders) -> None:
    daily = Keyed("charge", key_lifetime_s=86_400)
    with pytest.raises(NeedsAttention):
        orders.process(lose_with(daily), daily)
    orders.now += 86_400
    with pytest.raises(NeedsAttention, match=r"declared tier 1, treated as tier 3"):
        orders.process(not_reached, daily)


def test_g8_other_arguments_at_a_recorded_slot_are_refused_before_the_block_runs(
    orders: Orders,
) -> None:
    with pytest.raises(Paused):
        orders.process(charge_and_pause)

    def ask_another_question(node: Node) -> None:
        with node.effect(CHARGE, {"amount": 13}):
            pytest.fail("the block of a refused effect ran")

    with pytest.raises(NeedsAttention, match="G-8") as stopped:
        orders.process(ask_another_question)
    assert stopped.value.rows == (1,)
    assert orders.events()[-1] == "run:failed"
    orders.process(charge)
    assert orders.events()[-1] == "run:completed"


def test_reading_17_a_run_that_never_asks_again_completes_and_needs_attention(
    orders: Orders,
) -> None:
    with pytest.raises(Paused):
        orders.process(charge_and_pause)
    with pytest.raises(NeedsAttention, match="A-3") as stopped:
        orders.process(nothing)
    assert orders.events()[-1] == "run:completed"
    assert stopped.value.rows == (1,)
    assert stopped.value.exit_code is ExitCode.EFFECT_ATTENTION
    assert orders.states() == [State.COMMITTED]


def test_reading_3_a_key_that_came_of_age_in_its_block_is_not_given_and_nothing_is_sent(
    orders: Orders,
) -> None:
    keyed = Keyed("charge", key_lifetime_s=120)

    def sleep_and_charge(node: Node) -> None:
        with node.effect(keyed, {"amount": 12}) as effect:
            assert effect.key
            orders.now += 59
            assert effect.key
            orders.now += 1
            with pytest.raises(KeyPast, match="nothing must be sent"):
                assert effect.key
            raise RuntimeError

    with pytest.raises(NeedsAttention):
        orders.process(sleep_and_charge, keyed)
    assert orders.states() == [State.AMBIGUOUS]


def test_g10_a_gate_that_cannot_be_read_is_a_refusal_that_changes_nothing(orders: Orders) -> None:
    with pytest.raises(NeedsAttention):
        orders.process(lose_the_answer)
    events = orders.events()
    with orders.open() as journal, closing(sqlite3.connect(orders.folder / DATABASE)) as damaged:
        damaged.execute("ALTER TABLE run_effects RENAME TO hidden")
        with pytest.raises(NotOurStore) as failed, journal.run(RUN, tools=[CHARGE, MAIL]):
            pytest.fail("the run began")
        damaged.execute("ALTER TABLE hidden RENAME TO run_effects")
    assert effectjournal.exit_code(failed.value) is ExitCode.FAILED
    assert orders.events() == events
    orders.process(charge)


# ── the operator ─────────────────────────────────────────────────────────────────────────────────


def test_reading_7_an_accepted_effect_with_its_result_is_re_delivered(orders: Orders) -> None:
    def again(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            assert effect.replayed
        assert effect.value == ANSWER

    with pytest.raises(NeedsAttention) as stopped:
        orders.process(lose_with(MAIL))
    with orders.open() as journal:
        journal.operator.resolve(
            stopped.value.rows[0],
            Resolution.ACCEPTED,
            by="ann",
            note="it is in the outbox",
            attached=Attachment(ANSWER),
        )
    orders.process(again)


def test_f1_a_run_is_let_go_of_with_its_block_so_that_an_operator_can_act(orders: Orders) -> None:
    def lose(journal: OpenJournal) -> None:
        with journal.run(RUN, tools=[MAIL]) as run, run.node("pay") as node:
            lose_the_answer(node, MAIL)

    with orders.open() as journal:
        with pytest.raises(NeedsAttention):
            lose(journal)
        journal.operator.resolve(1, Resolution.ACCEPTED, by="ann", note="it is in the outbox")
    assert orders.states() == [State.RESOLVED]


def test_a_run_that_an_operator_closed_is_not_done_again(orders: Orders) -> None:
    with pytest.raises(NeedsAttention):
        orders.process(lose_with(MAIL))
    with orders.open() as journal:
        journal.operator.close_run(RUN, by="ann")
    with pytest.raises(RunEnded) as ended:
        orders.process(not_reached)
    assert effectjournal.exit_code(ended.value) is ExitCode.COMPLETED


def test_reading_8_a_discarded_effect_is_done_again(orders: Orders) -> None:
    with pytest.raises(NeedsAttention):
        orders.process(lose_with(MAIL))
    with orders.open() as journal:
        journal.operator.resolve(1, Resolution.DISCARDED, by="ann", note="it never arrived")

    def again(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            assert not effect.replayed
            effect.done(ANSWER)

    orders.process(again)
    assert orders.events()[-1] == "run:completed"


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────


def test_a_completed_node_can_be_skipped_and_its_output_is_kept(orders: Orders) -> None:
    outputs = []

    def work(run: Run) -> None:
        with run.node("pay") as node:
            if not node.completed:
                charge(node)
                node.output["receipt"] = "r-1"
        outputs.append(node.output)
        if len(outputs) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        orders.run(work)
    orders.run(work)
    assert outputs == [{"receipt": "r-1"}] * 2
    assert orders.events().count("node:started") == 1


def test_a_completed_node_that_is_not_skipped_is_re_delivered_and_starts_nothing(
    orders: Orders,
) -> None:
    answers = []

    def work(run: Run) -> None:
        with run.node("pay") as node:
            charge(node)
            with node.effect(MAIL, ARGUMENTS) as effect:
                if not effect.replayed:
                    effect.done("sent")
            answers.append(effect.value)
        raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            orders.run(work)
    assert answers == ["sent"] * 3
    assert orders.events().count("node:started") == 1


def test_g8_a_completed_node_refuses_a_call_that_it_never_made(orders: Orders) -> None:
    def work(run: Run) -> None:
        with run.node("pay") as node:
            charge(node)
        with run.node("pay") as node:
            charge(node)
            with node.effect(MAIL, ARGUMENTS):
                pytest.fail("the block of a refused effect ran")

    with pytest.raises(NeedsAttention, match=r"G-8.*node\.completed"):
        orders.run(work)
    assert orders.states() == [State.COMMITTED]


def test_reading_19_nothing_new_is_prepared_in_another_node_after_an_unresolved_effect(
    orders: Orders,
) -> None:
    def work(run: Run) -> None:
        with run.node("pay") as pay, run.node("tell") as tell:
            with pytest.raises(ConnectionError):
                lose_the_answer(pay, MAIL)
            with tell.effect(MAIL, ARGUMENTS):
                pytest.fail("the block of a refused effect ran")

    with pytest.raises(NeedsAttention):
        orders.run(work)
    assert orders.states() == [State.AMBIGUOUS]


def test_g8_a_completed_node_refuses_other_arguments_at_a_recorded_slot(orders: Orders) -> None:
    def work(run: Run) -> None:
        with run.node("pay") as node:
            charge(node)
        with run.node("pay") as node, node.effect(CHARGE, {"amount": 13}):
            pytest.fail("the block of a refused effect ran")

    with pytest.raises(NeedsAttention, match="G-8") as stopped:
        orders.run(work)
    assert stopped.value.rows == (1,)


def fail(node: Node) -> None:
    raise ZeroDivisionError(node.id)


def fail_after_the_effect(node: Node) -> None:
    charge(node)
    raise ZeroDivisionError


def swallow(run: Run, failing: Callable[[Node], None]) -> None:
    with pytest.raises(ZeroDivisionError), run.node("pay") as node:
        failing(node)


def test_o6_a_node_that_prepared_nothing_may_be_tried_again_in_its_run(orders: Orders) -> None:
    def work(run: Run) -> None:
        swallow(run, fail)
        with run.node("pay") as node:
            charge(node)

    orders.run(work)
    assert orders.events() == [
        "run:started",
        "node:started",
        "node:failed",
        "node:started",
        "node:completed",
        "run:completed",
    ]


def test_i2_a_retry_of_a_node_in_its_run_is_its_next_attempt(orders: Orders) -> None:
    def work(run: Run) -> None:
        swallow(run, fail)
        with run.node("pay") as node:
            charge_and_pause(node)

    with pytest.raises(Paused):
        orders.run(work)
    assert [row.attempt for row in orders.rows()] == [2]


def test_o6_a_node_that_prepared_an_effect_is_not_tried_again(orders: Orders) -> None:
    def work(run: Run) -> None:
        swallow(run, fail_after_the_effect)
        with run.node("pay"):
            pytest.fail("the node was started again")

    with pytest.raises(NodeFailed, match="had prepared an effect when it failed"):
        orders.run(work)
    assert orders.events()[-2:] == ["node:failed", "run:failed"]


@pytest.mark.parametrize("failing", [fail, fail_after_the_effect])
def test_a_run_whose_failed_node_was_swallowed_does_not_complete(
    orders: Orders, failing: Callable[[Node], None]
) -> None:
    with pytest.raises(NodeFailed, match="'pay'"):
        orders.run(lambda run: swallow(run, failing))
    assert orders.events()[-1] == "run:failed"


def test_g12_a_node_whose_needs_attention_was_swallowed_does_not_complete(orders: Orders) -> None:
    def work(node: Node) -> None:
        with pytest.raises(NeedsAttention), node.effect(MAIL, ARGUMENTS) as effect:
            effect.unknown("it timed out")

    with pytest.raises(NeedsAttention, match="it timed out") as stopped:
        orders.process(work)
    assert stopped.value.rows == (1,)
    assert orders.events() == ["run:started", "node:started", "run:failed"]


def test_g8_a_node_whose_refusal_was_swallowed_does_not_complete(orders: Orders) -> None:
    def swallow_refusal(node: Node) -> None:
        with pytest.raises(NeedsAttention), node.effect(CHARGE, {"amount": 13}):
            pytest.fail("the block of a refused effect ran")

    with pytest.raises(Paused):
        orders.process(charge_and_pause)
    with pytest.raises(NeedsAttention, match="G-8"):
        orders.process(swallow_refusal)
    assert "node:completed" not in orders.events()


def test_reading_19_nothing_new_is_begun_after_an_unresolved_effect(orders: Orders) -> None:
    def go_on_in_the_run(run: Run) -> None:
        with pytest.raises(ConnectionError), run.node("pay") as node:
            lose_the_answer(node, MAIL)
        with run.node("tell"):
            pytest.fail("another node began")

    with pytest.raises(NeedsAttention):
        orders.run(go_on_in_the_run)
    assert orders.events() == ["run:started", "node:started", "run:failed"]


# ── how a run ends ───────────────────────────────────────────────────────────────────────────────


def test_an_exception_outside_an_effect_fails_the_node_and_ends_the_run(orders: Orders) -> None:
    def work(node: Node) -> None:
        charge(node)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as failed:
        orders.process(work)
    assert effectjournal.exit_code(failed.value) is ExitCode.FAILED
    assert orders.events()[-2:] == ["node:failed", "run:failed"]
    with pytest.raises(RunEnded) as ended:
        orders.process(not_reached)
    assert effectjournal.exit_code(ended.value) is ExitCode.FAILED


def test_an_interrupt_outside_an_effect_leaves_the_run_open(orders: Orders) -> None:
    def work(node: Node) -> None:
        charge(node)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        orders.process(work)
    assert orders.events() == ["run:started", "node:started"]
    orders.process(charge)
    assert orders.events()[2] == "run:resumed"


def test_a_pause_leaves_the_run_open_and_says_so(orders: Orders) -> None:
    with pytest.raises(Paused) as paused:
        orders.process(charge_and_pause)
    assert effectjournal.exit_code(paused.value) is ExitCode.PAUSED
    assert orders.events() == ["run:started", "node:started", "run:paused"]


def test_a2_a_terminal_that_cannot_be_written_is_held_and_the_run_goes_on_later(
    orders: Orders,
) -> None:
    others = []

    def work(run: Run) -> None:
        with run.node("pay") as node:
            charge(node)
        others.append(orders.write_locked())

    with pytest.raises(TerminalHeld) as held:
        orders.run(work)
    others[0].close()
    assert held.value.exit_code is ExitCode.TERMINAL_HELD
    assert orders.events()[-1] == "node:completed"
    orders.process(charge)
    assert orders.events()[-1] == "run:completed"


def test_a2_a_failure_whose_terminal_cannot_be_written_says_so_and_leaves_the_run_open(
    orders: Orders,
) -> None:
    others = []

    def work(_run: Run) -> None:
        others.append(orders.write_locked())
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as failed:
        orders.run(work)
    others[0].close()
    assert "could not be recorded" in failed.value.__notes__[0]
    orders.process(charge)


def test_o4_a_settle_that_cannot_be_written_leaves_the_row_prepared_and_stops_the_run(
    orders: Orders,
) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect, closing(orders.write_locked()):
            effect.done(ANSWER)

    with pytest.raises(NeedsAttention, match="O-4") as stopped:
        orders.process(work)
    assert stopped.value.rows == (1,)
    assert orders.states() == [State.PREPARED]
    assert orders.events()[-1] == "run:failed"


def test_a3_attention_is_told_even_where_the_terminal_cannot_be_written(orders: Orders) -> None:
    others = []

    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            others.append(orders.write_locked())
            effect.done(ANSWER)

    with pytest.raises(NeedsAttention, match=r"the end of run .* could not be recorded") as stopped:
        orders.process(work)
    others[0].close()
    assert stopped.value.exit_code is ExitCode.EFFECT_ATTENTION
    assert orders.events()[-1] == "node:started"
    assert orders.states() == [State.PREPARED]


def fail_to_prepare(orders: Orders, node: Node) -> None:
    effect = node.effect(MAIL, ARGUMENTS)
    with closing(orders.write_locked()), pytest.raises(Busy), effect:
        pytest.fail("the block of an unprepared effect ran")


def test_o2_an_effect_that_cannot_be_prepared_never_happens_and_fails_its_node(
    orders: Orders,
) -> None:
    with pytest.raises(NodeFailed, match="could not be prepared"):
        orders.process(lambda node: fail_to_prepare(orders, node))
    assert orders.rows() == ()
    assert orders.events()[-2:] == ["node:failed", "run:failed"]


def test_o2_nothing_more_is_prepared_in_a_node_that_could_not_prepare_a_call(
    orders: Orders,
) -> None:
    def work(node: Node) -> None:
        fail_to_prepare(orders, node)
        with node.effect(MAIL, ARGUMENTS):
            pytest.fail("the node went on")

    with pytest.raises(NodeFailed, match="could not be prepared"):
        orders.process(work)
    assert orders.rows() == ()


def test_o2_a_node_that_could_not_prepare_a_call_is_not_tried_again(orders: Orders) -> None:
    def work(run: Run) -> None:
        with pytest.raises(NodeFailed), run.node("pay") as node:
            fail_to_prepare(orders, node)
        with run.node("pay"):
            pytest.fail("the node was started again")

    with pytest.raises(NodeFailed, match="is not tried again"):
        orders.run(work)


# ── ownership ────────────────────────────────────────────────────────────────────────────────────


def test_f1_a_run_has_one_owner(orders: Orders) -> None:
    def work(node: Node) -> None:
        with pytest.raises(OwnedByAnother) as refused:
            orders.process(not_reached)
        assert effectjournal.exit_code(refused.value) is ExitCode.OWNED_BY_ANOTHER
        charge(node)

    orders.process(work)
    assert orders.events()[-1] == "run:completed"


def test_f2_a_stale_owner_settles_nothing_and_what_it_knows_is_kept_as_late_evidence(
    orders: Orders,
) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            with pytest.raises(NeedsAttention):
                orders.process(not_reached, declared_dead=True)
            effect.done(ANSWER)

    with pytest.raises(Fenced, match="late evidence") as fenced:
        orders.process(work)
    assert effectjournal.exit_code(fenced.value) is ExitCode.OWNED_BY_ANOTHER
    (row,) = orders.rows()
    assert (row.state, row.late_evidence) == (State.NEEDS_ATTENTION, 1)
    with orders.open() as journal, pytest.raises(JournalError, match="landed"):
        journal.operator.resolve(row.row_id, Resolution.DISCARDED, by="ann", note="not there")


def test_f2_a_stale_owner_prepares_nothing(orders: Orders) -> None:
    def work(node: Node) -> None:
        orders.run(nothing, declared_dead=True)
        with node.effect(MAIL, ARGUMENTS):
            pytest.fail("the block of a fenced effect ran")

    with pytest.raises(Fenced):
        orders.process(work)
    assert orders.rows() == ()
    assert orders.events()[-1] == "run:completed"


def test_f2_a_swallowed_fence_is_raised_at_the_end_of_the_run(orders: Orders) -> None:
    def work(run: Run) -> None:
        orders.run(nothing, declared_dead=True)
        with pytest.raises(Fenced), run.node("pay"):
            pytest.fail("a node of a fenced owner began")

    with pytest.raises(Fenced):
        orders.run(work)
    assert orders.events() == ["run:started", "run:resumed", "run:completed"]


def test_f2_an_interrupt_of_a_stale_owner_stays_an_interrupt(orders: Orders) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS):
            with pytest.raises(NeedsAttention):
                orders.process(not_reached, declared_dead=True)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as interrupt:
        orders.process(work)
    assert "late evidence" in interrupt.value.__notes__[0]


# ── misuse ───────────────────────────────────────────────────────────────────────────────────────


def test_a_block_left_without_an_outcome_is_ambiguous_and_named(orders: Orders) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS):
            pass

    with pytest.raises(NeedsAttention) as stopped:
        orders.process(work)
    assert isinstance(stopped.value.__cause__, misuse.NoOutcome)
    assert "call done(), not_done() or unknown()" in str(stopped.value.__cause__)
    assert orders.states() == [State.AMBIGUOUS]


def test_o3_an_exception_in_a_block_is_ambiguous_and_goes_on_with_a_note(orders: Orders) -> None:
    def work(node: Node) -> None:
        with pytest.raises(ConnectionError) as lost:
            lose_the_answer(node, MAIL)
        (note,) = lost.value.__notes__
        assert "look at the target first" in note
        raise lost.value

    with pytest.raises(NeedsAttention) as stopped:
        orders.process(work)
    assert isinstance(stopped.value.__cause__, ConnectionError)
    assert orders.states() == [State.AMBIGUOUS]


def test_o3_an_interrupt_in_a_block_is_ambiguous_and_stays_an_interrupt(orders: Orders) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as interrupt:
        orders.process(work)
    assert "look at the target first" in interrupt.value.__notes__[0]
    assert orders.states() == [State.AMBIGUOUS]
    assert orders.events()[-1] == "run:failed"


def test_a_second_report_is_an_error_and_the_first_stands(orders: Orders) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            effect.done("first")
            for again in (effect.done, effect.not_done, effect.unknown):
                with pytest.raises(misuse.ReportedTwice):
                    again("second")
        assert effect.value == "first"
        raise Paused

    with pytest.raises(Paused):
        orders.process(work)
    assert orders.states() == [State.COMMITTED]


def test_a_report_of_a_re_delivered_effect_is_an_error_and_the_record_stands(
    orders: Orders,
) -> None:
    with pytest.raises(Paused):
        orders.process(charge_and_pause)

    def forget_to_look(node: Node) -> None:
        with node.effect(CHARGE, ARGUMENTS) as effect:
            with pytest.raises(misuse.NoHandle):
                _ = effect.key
            with pytest.raises(misuse.ReportedTwice, match=r"if not effect\.replayed"):
                effect.done("again")
        assert effect.value == ANSWER

    orders.process(forget_to_look)


def test_an_effect_inside_another_of_its_node_is_an_error_before_it_is_prepared(
    orders: Orders,
) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            inner = node.effect(MAIL, ARGUMENTS)
            with (
                pytest.raises(misuse.EffectInsideEffect, match=r"slot 1 .* inside .* slot 0"),
                inner,
            ):
                pytest.fail("the inner block ran")
            assert len(orders.rows()) == 1
            effect.done(None)
        with inner:
            inner.done(None)

    orders.process(work)


def test_arguments_that_canonical_json_cannot_hold_are_an_error_before_anything_is_written(
    orders: Orders,
) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, {"amount": float("nan")}):
            pytest.fail("the block of a bad call ran")

    with pytest.raises(misuse.BadArguments, match=r"slot 0, tool 'mail'.*nan"):
        orders.process(work)
    assert orders.rows() == ()


@pytest.mark.parametrize(
    "answer", [Decimal("12.5"), float("nan"), {1: "a"}, ("a",), object(), "\ud800", {"a": b"x"}]
)
def test_o5_an_answer_that_json_cannot_hold_is_committed_without_a_result_and_named(
    orders: Orders, answer: object
) -> None:
    states: list[tuple[State, bool]] = []

    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            try:
                effect.done(answer)
            finally:
                states.extend((row.state, row.retained) for row in orders.rows())

    with pytest.raises(misuse.AnswerNotKept, match="JSON cannot hold"):
        orders.process(work)
    assert states == [(State.COMMITTED, False)]
    assert orders.events()[-2:] == ["node:failed", "run:failed"]


def test_g5_an_answer_too_large_to_keep_goes_on_live_and_stops_a_re_run(orders: Orders) -> None:
    bulky = Opaque("mail", retention=100)
    answer = "x" * 101

    def work(node: Node) -> None:
        with node.effect(bulky, ARGUMENTS) as effect:
            effect.done(answer)
        assert effect.value == answer
        raise Paused

    with pytest.raises(Paused):
        orders.process(work, bulky)
    with pytest.raises(NeedsAttention, match=r"G-3.*\n.*attach the result"):
        orders.process(not_reached, bulky)


def test_reading_4_a_committed_effect_whose_retry_is_lost_stays_committed_and_in_the_way(
    orders: Orders,
) -> None:
    bulky = Keyed("charge", retention=100)

    def too_much(node: Node) -> None:
        with node.effect(bulky, ARGUMENTS) as effect:
            assert effect.key
            effect.done("x" * 101)
        raise Paused

    with pytest.raises(Paused):
        orders.process(too_much, bulky)
    with pytest.raises(NeedsAttention, match="O-3") as stopped:
        orders.process(lose_with(bulky), bulky)
    assert stopped.value.rows == (1,)
    assert orders.states() == [State.COMMITTED]
    orders.process(pay_with(bulky), bulky)


@pytest.mark.parametrize("tool", [CHARGE, Queryable("transfer", query=no_receipt)])
def test_a_handle_that_was_never_read_was_never_sent_and_is_named(
    orders: Orders, tool: Tool
) -> None:
    states = []

    def work(node: Node) -> None:
        with node.effect(tool, ARGUMENTS) as effect:
            try:
                effect.done(ANSWER)
            finally:
                states.extend(orders.states())

    with pytest.raises(misuse.HandleNotSent, match="never read"):
        orders.process(work, tool)
    assert states == [State.COMMITTED]


def test_a_handle_that_the_tier_does_not_have_is_an_error(orders: Orders) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            with pytest.raises(misuse.NoHandle, match="no key"):
                _ = effect.key
            with pytest.raises(misuse.NoHandle, match="no reference"):
                _ = effect.reference
            effect.done(None)

    orders.process(work)


def test_an_effect_outside_its_block_is_an_error(orders: Orders) -> None:
    def work(node: Node) -> None:
        effect = node.effect(MAIL, ARGUMENTS)
        for use in (lambda: effect.replayed, lambda: effect.key, lambda: effect.done(None)):
            with pytest.raises(misuse.OutsideItsBlock, match="not entered yet"):
                use()
        with pytest.raises(misuse.NoValue):
            _ = effect.value
        with effect:
            effect.done(ANSWER)
        for use in (lambda: effect.key, lambda: effect.done(None)):
            with pytest.raises(misuse.OutsideItsBlock, match="left"):
                use()
        assert not effect.replayed
        with pytest.raises(misuse.EnteredTwice), effect:
            pytest.fail("an effect was entered twice")

    orders.process(work)


def test_an_effect_that_is_never_entered_fails_its_node(orders: Orders) -> None:
    def work(node: Node) -> None:
        node.effect(MAIL, ARGUMENTS)

    with pytest.raises(misuse.NeverEntered, match=r"slots \[0\]"):
        orders.process(work)
    assert orders.events()[-2:] == ["node:failed", "run:failed"]


def test_a_tool_that_the_run_was_not_given_is_an_error(orders: Orders) -> None:
    with pytest.raises(misuse.UnknownTool, match="'mail' is not one of the run's tools"):
        orders.process(pay_with(MAIL), CHARGE)
    assert orders.rows() == ()


def test_a_node_output_that_json_cannot_hold_is_an_error_and_the_node_is_not_completed(
    orders: Orders,
) -> None:
    def work(node: Node) -> None:
        node.output["total"] = Decimal(12)  # type: ignore[assignment]

    with pytest.raises(misuse.OutputNotKept, match="'pay'"):
        orders.process(work)
    assert "node:completed" not in orders.events()


def test_a_closed_journal_is_an_error_and_leaves_the_row_as_it_is(orders: Orders) -> None:
    def work(journal: OpenJournal, node: Node) -> None:
        with node.effect(MAIL, ARGUMENTS) as effect:
            journal.close()
            effect.done(ANSWER)

    with (
        pytest.raises(misuse.JournalClosed),
        orders.open() as journal,
        journal.run(RUN, tools=[MAIL]) as run,
        run.node("pay") as node,
    ):
        work(journal, node)
    assert orders.states() == [State.PREPARED]
    for use in (lambda: journal.operator, lambda: journal.run(RUN, tools=[])):
        with pytest.raises(misuse.JournalClosed):
            use()
    with pytest.raises(misuse.JournalClosed):
        run.node("pay")


def test_a_run_and_a_node_are_used_inside_their_blocks_and_once(orders: Orders) -> None:
    with orders.open() as journal:
        run = journal.run(RUN, tools=[MAIL])
        with pytest.raises(misuse.OutsideItsBlock):
            run.node("pay")
        with run:
            node = run.node("pay")
            with pytest.raises(misuse.OutsideItsBlock):
                node.effect(MAIL, ARGUMENTS)
            with node:
                for twice in (node, run.node("pay"), run):
                    with pytest.raises(misuse.EnteredTwice), twice:
                        pytest.fail("a block was entered twice")
            with pytest.raises(misuse.OutsideItsBlock):
                node.unjournaled()


# ── concurrent effects ───────────────────────────────────────────────────────────────────────────


def in_a_loop(work: Callable[[Node], Awaitable[None]]) -> Callable[[Node], None]:
    """``work`` in an event loop of its own."""

    async def run_it(node: Node) -> None:
        await work(node)

    return lambda node: asyncio.run(run_it(node))


def test_i3_effects_of_one_node_are_in_flight_together_each_at_its_slot(orders: Orders) -> None:
    together = []

    async def send(
        effect: Effect[object], answer: str, turn: asyncio.Event, then: asyncio.Event
    ) -> None:
        async with effect:
            if not effect.replayed:
                await turn.wait()
                effect.done(answer)
        then.set()

    async def work(node: Node) -> None:
        turns = [asyncio.Event() for _ in range(4)]
        effects = [node.effect(MAIL, {"to": name}) for name in "abc"]
        async with asyncio.TaskGroup() as tasks:
            for number, effect in enumerate(effects):
                # They end in the opposite order.
                tasks.create_task(send(effect, str(number), turns[number + 1], turns[number]))
            await asyncio.sleep(0)
            together.extend(orders.states())
            turns[3].set()
        assert [effect.value for effect in effects] == ["0", "1", "2"]
        raise Paused

    for _ in range(2):
        with pytest.raises(Paused):
            orders.process(in_a_loop(work))
    assert together[:3] == [State.PREPARED] * 3
    assert [(row.slot, row.digest) for row in orders.rows()] == [
        (slot, digest({"to": name})) for slot, name in enumerate("abc")
    ]


def test_o3_a_cancelled_effect_is_ambiguous_and_its_sibling_settles_by_its_own_report(
    orders: Orders,
) -> None:
    async def hang(node: Node, begun: asyncio.Event) -> None:
        async with node.effect(MAIL, {"to": "a"}):
            begun.set()
            await asyncio.Event().wait()

    async def send(node: Node, go: asyncio.Event) -> None:
        async with node.effect(MAIL, {"to": "b"}) as effect:
            await go.wait()
            effect.done(ANSWER)

    async def work(node: Node) -> None:
        begun, go = asyncio.Event(), asyncio.Event()
        hanging = asyncio.create_task(hang(node, begun))
        sending = asyncio.create_task(send(node, go))
        await begun.wait()
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging
        go.set()
        await sending

    with pytest.raises(NeedsAttention) as stopped:
        orders.process(in_a_loop(work))
    assert stopped.value.rows == (1,)
    assert orders.states() == [State.AMBIGUOUS, State.COMMITTED]


def test_a_cancelled_run_stays_cancelled(orders: Orders) -> None:
    async def work(node: Node, begun: asyncio.Event) -> None:
        async with node.effect(MAIL, ARGUMENTS):
            begun.set()
            await asyncio.Event().wait()

    async def host() -> None:
        begun = asyncio.Event()

        async def run_it() -> None:
            with (
                orders.open() as journal,
                journal.run(RUN, tools=[MAIL]) as run,
                run.node("pay") as node,
            ):
                await work(node, begun)

        task = asyncio.create_task(run_it())
        await begun.wait()
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(host())
    assert orders.states() == [State.AMBIGUOUS]
    assert orders.events()[-1] == "run:failed"


def test_an_effect_inside_another_one_is_an_error_in_the_async_form_too(orders: Orders) -> None:
    async def work(node: Node) -> None:
        async with node.effect(MAIL, {"to": "a"}) as effect:
            inner = node.effect(MAIL, {"to": "b"})
            with pytest.raises(misuse.EffectInsideEffect):
                async with inner:
                    pytest.fail("the inner block ran")
            effect.done(None)
        async with inner:
            inner.done(None)

    orders.process(in_a_loop(work))


def test_a_task_that_an_effect_starts_is_inside_it(orders: Orders) -> None:
    async def inside(node: Node) -> None:
        async with node.effect(MAIL, {"to": "b"}):
            pytest.fail("the inner block ran")

    async def work(node: Node) -> None:
        async with node.effect(MAIL, {"to": "a"}):
            await asyncio.create_task(inside(node))

    with pytest.raises(NeedsAttention) as stopped:
        orders.process(in_a_loop(work))
    assert isinstance(stopped.value.__cause__, misuse.EffectInsideEffect)
    assert orders.states() == [State.AMBIGUOUS]


def test_g12_a_node_that_is_left_with_an_effect_in_flight_does_not_complete(
    orders: Orders,
) -> None:
    tasks = []

    async def send(node: Node) -> None:
        async with node.effect(MAIL, ARGUMENTS) as effect:
            await asyncio.Event().wait()
            effect.done(None)

    async def work() -> None:
        with (
            orders.open() as journal,
            journal.run(RUN, tools=[MAIL]) as run,
            run.node("pay") as node,
        ):
            tasks.append(asyncio.create_task(send(node)))
            await asyncio.sleep(0)

    with pytest.raises(NeedsAttention, match="G-12") as stopped:
        asyncio.run(work())
    assert stopped.value.rows == (1,)
    assert orders.states() == [State.PREPARED]
    assert tasks[0].cancelled()


def test_reading_19_a_failure_beside_an_effect_in_flight_leaves_the_run_resumable(
    orders: Orders,
) -> None:
    async def send(node: Node) -> None:
        async with node.effect(MAIL, ARGUMENTS):
            await asyncio.Event().wait()

    async def work() -> None:
        with (
            orders.open() as journal,
            journal.run(RUN, tools=[MAIL]) as run,
            run.node("pay") as node,
        ):
            task = asyncio.create_task(send(node))
            await asyncio.sleep(0)
            assert not task.done()
            raise ZeroDivisionError

    with pytest.raises(NeedsAttention, match="G-12") as stopped:
        asyncio.run(work())
    assert isinstance(stopped.value.__cause__, ZeroDivisionError)
    assert orders.states() == [State.PREPARED]
    with pytest.raises(NeedsAttention, match="G-4"):
        orders.process(not_reached)


def test_reading_4_a_re_run_retries_what_is_pending_before_it_sends_anything_new(
    orders: Orders,
) -> None:
    order: list[str] = []

    async def send(node: Node, name: str, *, lose: bool) -> None:
        async with node.effect(CHARGE, {"to": name}) as effect:
            if effect.replayed:
                return
            order.append(f"{name} {effect.key == keys.setdefault(name, effect.key)}")
            await asyncio.sleep(0)
            if lose:
                raise ConnectionError
            effect.done(ANSWER)
            order.append(f"{name} done")

    def sending(*names: str, lose: bool) -> Callable[[Node], None]:
        async def work(node: Node) -> None:
            await asyncio.gather(
                *(send(node, name, lose=lose) for name in names), return_exceptions=lose
            )

        return in_a_loop(work)

    keys: dict[str, str] = {}
    with pytest.raises(NeedsAttention):
        orders.process(sending("a", "b", lose=True))
    order.clear()
    orders.process(sending("a", "b", "c", lose=False))
    assert order == ["a True", "a done", "b True", "b done", "c True", "c done"]
    assert orders.events()[-1] == "run:completed"
