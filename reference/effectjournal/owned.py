"""A run that this process owns: everything an owner does, each write under its fence (F-2)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from effectjournal import preparation, recovery, rows, runs, settling
from effectjournal.delivery import Projected, decode_policy, projected_for_row, recorded
from effectjournal.errors import GateReadFailed, JournalError, RunEnded, StoreFailed, UnknownRow
from effectjournal.fenced import FencedStore
from effectjournal.preparation import Dispatch, NodeStart, PlannedCall, Refused, Replay
from effectjournal.probe import InjectedFailure, Probe
from effectjournal.reconcilers import Reconcilers
from effectjournal.recovery import GateReport
from effectjournal.settling import Settled, fingerprint
from effectjournal.storage import Duplicate, Store, Transaction
from effectspec.admission import Admission, Completion
from effectspec.attention import ErrorCode
from effectspec.contract import Contract
from effectspec.gate import GateRead
from effectspec.json_value import Json
from effectspec.ownership import Fence
from effectspec.points import Failable, Place
from effectspec.protocol import EventView
from effectspec.record import (
    Ask,
    Decision,
    Finding,
    Occasion,
    Record,
    Report,
    decide,
    judge,
    may_complete,
    settle_row,
)
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome


@dataclass(frozen=True, slots=True)
class Completed:
    """The node completed; ``undelivered`` are committed effects that it never asked for again."""

    undelivered: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Incomplete:
    """The node may not complete beside these rows of its own (G-12)."""

    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """What the checkpoint holds: outputs of completed nodes, money spent and granted."""

    completed: Mapping[str, Mapping[str, Json]]
    spent: int
    approved: int


class OwnedRun:
    """A run under a fence. Every method may raise ``Fenced``, ``Busy`` or ``StoreFailed``."""

    def __init__(
        self,
        store: Store,
        contract: Contract,
        clock: Callable[[], int],
        probe: Probe,
        *,
        fence: Fence,
        reconcilers: Reconcilers,
    ) -> None:
        self.fence = fence
        self._store = store
        self._fenced = FencedStore(store, contract, probe, fence)
        self._contract = contract
        self._clock = clock
        self._probe = probe
        self._queries = reconcilers.queries
        self._tool_ids = reconcilers.tool_ids()
        # How this owner left the rows it prepared. A settle compares with that and reads the row
        # only where it stands otherwise, which spares it a sixth of its time.
        self._expected: dict[int, rows.ToSettle] = {}

    # ── the gate ─────────────────────────────────────────────────────────────────────────────────

    def gate(self) -> GateReport:
        """Judge every row of every re-runnable node, reconcile, and record the findings (§4).

        Raises :class:`GateReadFailed` where the rows cannot be read; nothing is written then
        (G-10, reading 21).
        """
        findings = self._read_gate()
        self._probe.reach(Place.GATE_READ)
        concluded = [
            recovery.reconcile(self._store, self._contract, self._queries, finding)
            for finding in findings
        ]
        with self._fenced.writing() as transaction:
            for finding, receipt in concluded:
                recovery.record(
                    transaction,
                    finding,
                    receipt,
                    generation=self.fence.generation,
                    at=self._clock(),
                )
        final = tuple(finding for finding, _ in concluded)
        verdicts = tuple(finding.verdict for finding in final)
        return GateReport(final, self._contract.may_schedule(GateRead.READ, verdicts))

    def _read_gate(self) -> list[Finding]:
        try:
            self._probe.fail(Failable.GATE_READ)
            with self._store.snapshot() as snapshot:
                found = rows.rerunnable(snapshot, self.fence.run_id)
        except (InjectedFailure, JournalError) as error:
            if self._contract.may_schedule(GateRead.FAILED, ()):
                return []
            raise GateReadFailed(
                f"run {self.fence.run_id!r}: the gate could not read its effects ({error}); "
                "nothing was scheduled or changed; resume when the store can be read"
            ) from error
        occasion = self._occasion()
        return [judge(self._contract, record, occasion) for record in found]

    # ── a dispatch ───────────────────────────────────────────────────────────────────────────────

    def prepare(self, start: NodeStart, call: PlannedCall) -> Dispatch | Replay | Refused:
        """Prepare a call: the durable write before the effect, or the reason for none (O-2).

        Raises ``NotCanonicalJson`` before anything is written (O-1).
        """
        ask = preparation.ask_of(self._contract, start, call)
        try:
            self._probe.fail(Failable.PREPARE_WRITE)
            with self._store.transaction() as transaction:
                found = rows.under_fence(transaction, self.fence.run_id, start.node_id)
                self._fenced.check_fence(found.generation)
                if not found.is_open:
                    self._fenced.check_open(transaction)
                decision = decide(self._contract, found.records, ask, self._occasion())
                answer = self._carry_out(transaction, decision, start, call, ask)
                if not isinstance(answer, Dispatch):
                    return answer
                self._probe.reach(Place.PREPARE_OPEN)
        except Duplicate:
            return Refused("I-5", "another process has prepared this effect", None)
        except InjectedFailure as error:
            raise StoreFailed("a prepare_write was made to fail") from error
        self._probe.reach(Place.PREPARED)
        return answer

    def _carry_out(
        self,
        transaction: Transaction,
        decision: Decision,
        start: NodeStart,
        call: PlannedCall,
        ask: Ask,
    ) -> Dispatch | Replay | Refused:
        """Do in the open transaction what was decided of a prepare."""
        match decision.admission:
            case Admission.DISPATCH:
                reconciled = call.tool_id in self._tool_ids
                row = preparation.new_row(start, call, ask, reconciled=reconciled, at=self._clock())
                row_id = rows.insert(transaction, row)
                prepared = rows.as_prepared(row_id, row)
                self._expected[row_id] = prepared
                return preparation.dispatch_of(prepared.record, row.handle, retry=False)
            case Admission.RETRY:
                record, fence = _named(decision), self.fence
                rows.stamp_retry(
                    transaction, record.row_id, fence.generation, fence.owner_id, start.start
                )
                handle = rows.handle_of(transaction, record.row_id)
                return preparation.dispatch_of(record, handle, retry=True)
            case Admission.REPLAY:
                row_id = _named(decision).row_id
                delivery = recorded(rows.result_of(transaction, row_id))
                start.delivered.add(row_id)
                return Replay(row_id, delivery)
            case Admission.REFUSE:
                return preparation.refusal(decision)

    def may_send(self, dispatch: Dispatch) -> bool:
        """Whether a call that was prepared may still be sent; asked just before (reading 3)."""
        contract, issued_at = self._contract, dispatch.key_issued_at
        live = issued_at is not None and contract.key_is_live(
            age_s=self._clock() - issued_at, lifetime_s=dispatch.key_lifetime_s
        )
        return contract.may_send(keyed=issued_at is not None, key_live=live)

    def settle(self, row_id: int, outcome: Outcome, answer: Json = None) -> Settled:
        """Settle a row with what the target answered (O-3, O-4, readings 10 and 11).

        The projections are derived here, once, and recorded by the same write; where they cannot
        be, the settle lands without them (O-5). A late settle leaves evidence, no state.
        """
        report = Report(outcome, fingerprint(outcome, answer), self.fence.generation)
        try:
            self._probe.fail(Failable.SETTLE_WRITE)
            with self._store.transaction() as transaction:
                expected = self._expected.pop(row_id, None)
                settled = None
                if expected is not None:
                    settled = self._settle_row(transaction, expected, report, answer)
                if settled is None:
                    row = rows.to_settle(transaction, self.fence.run_id, row_id)
                    if row is None:
                        # Whoever fenced this owner may have swept the row since.
                        self._fenced.check_fence(runs.generation(transaction, self.fence.run_id))
                        raise UnknownRow(f"effect {row_id} is not in run {self.fence.run_id!r}")
                    settled = self._settle_row(transaction, row, report, answer)
                    assert settled is not None, "the row was read in this transaction"
        except InjectedFailure as error:
            raise StoreFailed(f"the settle of effect {row_id} was made to fail") from error
        self._probe.reach(Place.SETTLED)
        return settled

    def _settle_row(
        self, transaction: Transaction, row: rows.ToSettle, report: Report, answer: Json
    ) -> Settled | None:
        """Settle the row as it stands; None, and nothing written, if it stands otherwise."""
        projected = self._derive(report.outcome, answer, row)
        settlement = settle_row(
            self._contract, row.record, report, current_generation=row.generation
        )
        state = settling.write(
            transaction, row, report, settlement, projected.retained, at=self._clock()
        )
        if state is None:
            return None
        return Settled(settlement, state, projected.delivery, projected.shortfall)

    def _derive(self, outcome: Outcome, answer: Json, row: rows.ToSettle) -> Projected:
        if outcome is Outcome.UNKNOWN:
            return Projected(None, None, None)
        try:
            self._probe.fail(Failable.BOUNDING)
        except InjectedFailure:
            return Projected(None, None, "the result could not be bounded")
        return projected_for_row(answer, decode_policy(row.policy))

    # ── the run around it ────────────────────────────────────────────────────────────────────────

    def progress(self) -> Progress:
        """What the checkpoint holds."""
        with self._store.snapshot() as snapshot:
            spent, approved = runs.money(snapshot, self.fence.run_id)
            return Progress(runs.completed_nodes(snapshot, self.fence.run_id), spent, approved)

    def ended(self) -> ErrorCode | None:
        """How the present incarnation ended, None while it is open."""
        with self._store.snapshot() as snapshot:
            return self._fenced.run(snapshot).ended

    def begin_incarnation(self, name: str) -> None:
        """Log ``run:started`` or ``run:resumed``; opens the next incarnation if one has ended."""
        with self._fenced.writing() as transaction:
            run = self._fenced.run(transaction)
            if run.phase is not RunPhase.OPEN:
                if not self._contract.may_resume(run.phase):
                    raise RunEnded(self.fence.run_id, run.phase, run.ended)
                runs.open_incarnation(transaction, self.fence.run_id, run.incarnation + 1)
            self._log(transaction, EventView(incarnation=self._incarnation(transaction), name=name))

    def begin_node(self, node_id: str, *, attempt: int = 1) -> NodeStart:
        """Begin a start of a node: a durable count, and ``node:started``."""
        with self._fenced.working() as transaction:
            start = runs.begin_node(transaction, self.fence.run_id, node_id)
            incarnation = self._incarnation(transaction)
            began = EventView(incarnation=incarnation, name="node:started", node=node_id)
            self._log(transaction, began)
        return NodeStart(self.fence, node_id, start, attempt)

    def emit(
        self,
        name: str,
        *,
        node: str | None = None,
        code: ErrorCode | None = None,
        row_ids: tuple[int, ...] = (),
        output: Mapping[str, Json] | None = None,
    ) -> None:
        """Append an event to the run's log."""
        with self._fenced.writing(Failable.EVENT_WRITE) as transaction:
            event = EventView(
                incarnation=self._incarnation(transaction),
                name=name,
                node=node,
                code=None if code is None else code.value,
                rows=row_ids,
                output=dict(output or {}),
            )
            self._log(transaction, event)

    def complete_node(self, start: NodeStart, output: Mapping[str, Json]) -> Completed | Incomplete:
        """Complete a node: checkpoint and event in one write, unless a row forbids it (G-12)."""
        with self._fenced.working(Failable.CHECKPOINT_WRITE) as transaction:
            records = rows.of_node(transaction, self.fence.run_id, start.node_id)
            answer, named = may_complete(self._contract, records, start.start, start.delivered)
            row_ids = tuple(record.row_id for record in named)
            if answer is Completion.UNRESOLVED:
                return Incomplete(row_ids)
            for row_id in row_ids:
                rows.mark_undelivered(transaction, row_id)
            runs.complete_node(transaction, self.fence.run_id, start.node_id, output)
            completed = EventView(
                incarnation=self._incarnation(transaction),
                name="node:completed",
                node=start.node_id,
                rows=row_ids,
                output=dict(output),
            )
            self._log(transaction, completed)
        self._probe.reach(Place.NODE_COMPLETED)
        return Completed(row_ids)

    def spend(self, cost: int) -> None:
        """Count the cost of a provider egress, before it is made."""
        with self._fenced.writing() as transaction:
            runs.spend(transaction, self.fence.run_id, cost)

    def approve(self, amount: int) -> None:
        """Grant more to spend."""
        with self._fenced.writing() as transaction:
            runs.approve(transaction, self.fence.run_id, amount)

    def end(self, code: ErrorCode | None, row_ids: tuple[int, ...] = ()) -> None:
        """Write the terminal of the incarnation: ``run:completed``, or ``run:failed`` (A-1)."""
        attention = code is ErrorCode.EFFECT_NEEDS_ATTENTION
        phase = RunPhase.NEEDS_ATTENTION if attention else RunPhase.ENDED
        with self._fenced.working(Failable.TERMINAL_WRITE) as transaction:
            terminal = EventView(
                incarnation=self._incarnation(transaction),
                name="run:completed" if code is None else "run:failed",
                code=None if code is None else code.value,
                rows=row_ids,
            )
            self._log(transaction, terminal)
            runs.end(transaction, self.fence.run_id, phase, code)
        self._probe.reach(Place.TERMINAL_WRITTEN)

    def _incarnation(self, transaction: Transaction) -> int:
        return self._fenced.run(transaction).incarnation

    def _log(self, transaction: Transaction, event: EventView) -> None:
        runs.append(transaction, self.fence.run_id, self._clock(), event)

    def _occasion(self) -> Occasion:
        return Occasion(self._clock(), self._tool_ids)


def _named(decision: Decision) -> Record:
    assert decision.record is not None, "a replay or a retry speaks of a row"
    return decision.record
