"""A run that this process owns: everything an owner does, each write under its fence (F-2)."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

import msgspec
from msgspec import structs

from effectjournal import rows, runs
from effectjournal.delivery import (
    ProjectionFailed,
    ResultPolicy,
    decode_policy,
    encode_policy,
    mapping_digest,
    project,
    recorded,
    retain,
)
from effectjournal.errors import (
    Fenced,
    GateReadFailed,
    JournalError,
    RunEnded,
    StoreFailed,
    UnknownRow,
)
from effectjournal.probe import InjectedFailure, Probe
from effectjournal.storage import Duplicate, Store, Transaction
from effectspec.admission import REFUSALS, Admission, Completion
from effectspec.attention import ErrorCode
from effectspec.contract import Contract
from effectspec.digest import Json
from effectspec.gate import GateRead, GateVerdict, Lookup
from effectspec.identity import (
    EffectAttemptId,
    EffectIdentity,
    NodeKey,
    carries_idempotency_key,
    carries_reference,
)
from effectspec.lifecycle import State, Transition, advance
from effectspec.ownership import Fence
from effectspec.points import Failable, Place
from effectspec.protocol import Delivery, EventView
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
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome, Settlement
from effectspec.tiers import Tier


@dataclass(frozen=True, slots=True)
class ReceiptFound:
    """A receipt: what the target answered when it did the effect (T-3)."""

    answer: Json


ReceiptQuery: TypeAlias = Callable[[str], ReceiptFound | Lookup]
"""Asks the target for the receipt of a reference; ``Lookup.NOTHING`` or ``FAILED`` without one."""


@dataclass(frozen=True, slots=True)
class Reconcilers:
    """The tools whose tier 1 or 2 promise can be kept here (T-6).

    ``keyed``: tool ids whose dispatch sends the idempotency key. ``queries``: how to ask for a
    receipt, by tool id.
    """

    keyed: frozenset[str] = frozenset()
    queries: Mapping[str, ReceiptQuery] = field(default_factory=dict)

    def tool_ids(self) -> frozenset[str]:
        """All of them, for the decisions that only ask whether there is one."""
        return self.keyed | self.queries.keys()


class PlannedCall(msgspec.Struct, frozen=True):
    """A journaled call about to be prepared. ``key_lifetime_s`` as the target states it."""

    slot: int
    tool_id: str
    tier: Tier
    arguments: Mapping[str, Json]
    call_id: str
    policy: ResultPolicy
    secret_keys: tuple[str, ...] = ()
    key_lifetime_s: int | None = None
    provider_attempt: int = 1


class NodeStart(msgspec.Struct, frozen=True):
    """One start of a node. Every prepare of it carries it; what it re-delivered is kept here."""

    fence: Fence
    node_id: str
    start: int
    attempt: int
    delivered: set[int] = msgspec.field(default_factory=set)


class Dispatch(msgspec.Struct, frozen=True):
    """Prepared: send the call, once, with the handle its tier gives it. ``retry``: once more.

    ``key_issued_at`` and ``key_lifetime_s`` are the row's, in seconds; a row without a key has
    neither.
    """

    row_id: int
    key: str | None
    reference: str | None
    retry: bool
    key_issued_at: int | None
    key_lifetime_s: int | None


@dataclass(frozen=True, slots=True)
class Replay:
    """Recorded: deliver this and send nothing (G-2, G-7)."""

    row_id: int
    delivery: Delivery


@dataclass(frozen=True, slots=True)
class Refused:
    """Refused: send nothing. ``row_id`` stands in the way."""

    clause: str
    reason: str
    row_id: int | None


class Settled(msgspec.Struct, frozen=True):
    """What a settle did, and the state of the row after it.

    ``delivery`` is what may be delivered of a result; ``shortfall`` says why it could not be
    derived, in which case the settle stands all the same (O-5).
    """

    settlement: Settlement
    state: State
    delivery: Delivery | None
    shortfall: str | None


@dataclass(frozen=True, slots=True)
class GateReport:
    """The gate's final findings, and the rows that block (G-9)."""

    findings: tuple[Finding, ...]
    may_schedule: bool

    @property
    def blocking(self) -> tuple[int, ...]:
        """The ids of the rows that need attention."""
        return tuple(
            finding.record.row_id
            for finding in self.findings
            if finding.verdict is GateVerdict.ATTENTION
        )


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


FINGERPRINT_BYTES = 16
"""Of a settle: enough to tell two apart, and no secret is kept by it."""

_mapping_digest_of = lru_cache(maxsize=256)(lambda items: mapping_digest(dict(items)))


def mint() -> str:
    """A key or a reference: random, never derived from anything the model said (I-7, reading 9)."""
    return os.urandom(16).hex()


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
        self._contract = contract
        self._clock = clock
        self._probe = probe
        self._reconcilers = reconcilers
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
        concluded = [self._reconcile(finding) for finding in findings]
        with self._writing() as transaction:
            for finding, receipt in concluded:
                self._mark(transaction, finding, receipt)
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

    def _reconcile(self, finding: Finding) -> tuple[Finding, "_Receipt | None"]:
        """Look up the receipt where the finding asks for it; no transaction is open meanwhile."""
        if finding.verdict is not GateVerdict.RECONCILE:
            return finding, None
        row_id = finding.record.row_id
        with self._store.snapshot() as snapshot:
            reference = rows.handle_of(snapshot, row_id).reference
            policy = decode_policy(rows.policy_of(snapshot, row_id))
        query = self._reconcilers.queries.get(finding.record.identity.tool_id)
        looked_up = Lookup.FAILED if query is None or reference is None else query(reference)
        if isinstance(looked_up, Lookup):
            return conclude(self._contract, finding, looked_up, retained=False), None
        receipt = _Receipt(looked_up.answer, projected_for_row(looked_up.answer, policy).retained)
        retained = receipt.retained is not None
        return conclude(self._contract, finding, Lookup.FOUND, retained=retained), receipt

    def _mark(self, transaction: Transaction, finding: Finding, receipt: "_Receipt | None") -> None:
        record = finding.record
        for transition in finding.transitions:
            if transition is Transition.RECONCILE and receipt is not None:
                settled = rows.Settled(
                    State.COMMITTED,
                    receipt.retained,
                    fingerprint(Outcome.DONE, receipt.answer),
                    self._clock(),
                )
                rows.settle(transaction, record, settled, fence=self.fence.generation)
            else:
                record = moved(transaction, record, transition)
        if receipt is not None and receipt.retained is not None and not finding.transitions:
            rows.fill(
                transaction,
                record.row_id,
                receipt.retained,
                fingerprint(Outcome.DONE, receipt.answer),
            )
        if finding.verdict is GateVerdict.RETRY:
            rows.mark_retry_pending(transaction, record.row_id, self.fence.generation)

    # ── a dispatch ───────────────────────────────────────────────────────────────────────────────

    def prepare(self, start: NodeStart, call: PlannedCall) -> Dispatch | Replay | Refused:
        """Prepare a call: the durable write before the effect, or the reason for none (O-2).

        Raises ``NotCanonicalJson`` before anything is written (O-1).
        """
        contract, fence = self._contract, self.fence
        identity = EffectIdentity(NodeKey(fence.run_id, start.node_id), call.slot, call.tool_id)
        ask = Ask(
            identity,
            contract.digest(call.arguments, call.secret_keys),
            _mapping_digest_of(tuple(call.policy.mapping.items())),
            start.start,
            fence.generation,
            start.delivered,
        )
        try:
            self._probe.fail(Failable.PREPARE_WRITE)
            with self._store.transaction() as transaction:
                found = rows.under_fence(transaction, fence.run_id, start.node_id)
                self._check_fence(found.generation)
                if not found.is_open:
                    self._check_open(transaction)
                decision = decide(contract, found.records, ask, self._occasion())
                match decision.admission:
                    case Admission.DISPATCH:
                        answer = self._write_prepared(transaction, start, call, ask)
                    case Admission.RETRY:
                        answer = self._write_retry(transaction, start, decision)
                    case Admission.REPLAY:
                        return self._replay(transaction, start, decision)
                    case Admission.REFUSE:
                        return _refused(decision)
                self._probe.reach(Place.PREPARE_OPEN)
        except Duplicate:
            return Refused("I-5", "another process has prepared this effect", None)
        except InjectedFailure as error:
            raise StoreFailed("a prepare_write was made to fail") from error
        self._probe.reach(Place.PREPARED)
        return answer

    def _write_prepared(
        self, transaction: Transaction, start: NodeStart, call: PlannedCall, ask: Ask
    ) -> Dispatch:
        # A key that is not sent now must not be used later: its first request would not bear it.
        keyed = carries_idempotency_key(call.tier) and call.tool_id in self._tool_ids
        handle = rows.Handle(
            mint() if keyed else None,
            mint() if carries_reference(call.tier) else None,
        )
        occurrence = EffectAttemptId(
            start.attempt,
            call.provider_attempt,
            call.call_id,
            self.fence.owner_id,
            self.fence.generation,
        )
        row = rows.NewRow(
            ask,
            occurrence,
            call.tier,
            handle,
            encode_policy(call.policy),
            self._clock(),
            call.key_lifetime_s,
        )
        row_id = rows.insert(transaction, row)
        self._expected[row_id] = rows.as_prepared(row_id, row)
        return Dispatch(
            row_id,
            handle.key,
            handle.reference,
            retry=False,
            key_issued_at=row.key_issued_at,
            key_lifetime_s=call.key_lifetime_s,
        )

    def _write_retry(
        self, transaction: Transaction, start: NodeStart, decision: Decision
    ) -> Dispatch:
        record, fence = _named(decision), self.fence
        row_id = record.row_id
        rows.stamp_retry(transaction, row_id, fence.generation, fence.owner_id, start.start)
        handle = rows.handle_of(transaction, row_id)
        return Dispatch(
            row_id,
            handle.key,
            handle.reference,
            retry=True,
            key_issued_at=record.key_issued_at,
            key_lifetime_s=record.key_lifetime_s,
        )

    def _replay(self, transaction: Transaction, start: NodeStart, decision: Decision) -> Replay:
        row_id = _named(decision).row_id
        delivery = recorded(rows.result_of(transaction, row_id))
        start.delivered.add(row_id)
        return Replay(row_id, delivery)

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
        print_ = fingerprint(outcome, answer)
        report = Report(outcome, print_, self.fence.generation)
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
                        self._check_fence(runs.generation(transaction, self.fence.run_id))
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
        projected = self._derive(report.outcome, answer, decode_policy(row.policy))
        settlement = settle_row(
            self._contract, row.record, report, current_generation=row.generation
        )
        state = self._write_settlement(transaction, row, report, settlement, projected.retained)
        if state is None:
            return None
        return Settled(settlement, state, projected.delivery, projected.shortfall)

    def _derive(self, outcome: Outcome, answer: Json, policy: ResultPolicy) -> "Projected":
        if outcome is Outcome.UNKNOWN:
            return Projected(None, None, None)
        try:
            self._probe.fail(Failable.BOUNDING)
        except InjectedFailure:
            return Projected(None, None, "the result could not be bounded")
        return projected_for_row(answer, policy)

    def _write_settlement(
        self,
        transaction: Transaction,
        row: rows.ToSettle,
        report: Report,
        settlement: Settlement,
        retained: bytes | None,
    ) -> State | None:
        record, now = row.record, self._clock()
        match settlement:
            case Settlement.COMMIT:
                state = State.COMMITTED
            case Settlement.MARK_AMBIGUOUS:
                state = State.AMBIGUOUS
            case Settlement.FILL:
                if retained is not None:
                    rows.fill(transaction, record.row_id, retained, report.fingerprint)
                return record.state
            case Settlement.ALIKE:
                return record.state
            case Settlement.EVIDENCE:
                evidence = rows.Evidence(
                    record.row_id,
                    now,
                    report.generation,
                    report.outcome,
                    report.fingerprint,
                    retained,
                )
                rows.keep_evidence(transaction, evidence)
                return record.state
        settled = rows.Settled(state, retained, report.fingerprint, now)
        landed = rows.settle(transaction, record, settled, fence=row.generation)
        return state if landed else None

    # ── the run around it ────────────────────────────────────────────────────────────────────────

    def progress(self) -> Progress:
        """What the checkpoint holds."""
        with self._store.snapshot() as snapshot:
            spent, approved = runs.money(snapshot, self.fence.run_id)
            return Progress(runs.completed_nodes(snapshot, self.fence.run_id), spent, approved)

    def ended(self) -> ErrorCode | None:
        """How the present incarnation ended, None while it is open."""
        with self._store.snapshot() as snapshot:
            return self._run(snapshot).ended

    def begin_incarnation(self, name: str) -> None:
        """Log ``run:started`` or ``run:resumed``; opens the next incarnation if one has ended."""
        with self._writing() as transaction:
            run = self._run(transaction)
            incarnation = run.incarnation
            if run.phase is not RunPhase.OPEN:
                if not self._contract.may_resume(run.phase):
                    raise RunEnded(self.fence.run_id, run.phase, run.ended)
                incarnation += 1
                runs.open_incarnation(transaction, self.fence.run_id, incarnation)
            self._append(transaction, EventView(incarnation=incarnation, name=name))

    def begin_node(self, node_id: str, *, attempt: int = 1) -> NodeStart:
        """Begin a start of a node: a durable count, and ``node:started``."""
        with self._working() as transaction:
            start = runs.begin_node(transaction, self.fence.run_id, node_id)
            self._log(transaction, "node:started", node=node_id)
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
        with self._writing(Failable.EVENT_WRITE) as transaction:
            self._log(transaction, name, node=node, code=code, row_ids=row_ids, output=output)

    def complete_node(self, start: NodeStart, output: Mapping[str, Json]) -> Completed | Incomplete:
        """Complete a node: checkpoint and event in one write, unless a row forbids it (G-12)."""
        with self._working(Failable.CHECKPOINT_WRITE) as transaction:
            records = rows.of_node(transaction, self.fence.run_id, start.node_id)
            answer, named = may_complete(self._contract, records, start.start, start.delivered)
            row_ids = tuple(record.row_id for record in named)
            if answer is Completion.UNRESOLVED:
                return Incomplete(row_ids)
            for row_id in row_ids:
                rows.mark_undelivered(transaction, row_id)
            runs.complete_node(transaction, self.fence.run_id, start.node_id, output)
            self._log(
                transaction, "node:completed", node=start.node_id, row_ids=row_ids, output=output
            )
        self._probe.reach(Place.NODE_COMPLETED)
        return Completed(row_ids)

    def spend(self, cost: int) -> None:
        """Count the cost of a provider egress, before it is made."""
        with self._writing() as transaction:
            runs.spend(transaction, self.fence.run_id, cost)

    def approve(self, amount: int) -> None:
        """Grant more to spend."""
        with self._writing() as transaction:
            runs.approve(transaction, self.fence.run_id, amount)

    def end(self, code: ErrorCode | None, row_ids: tuple[int, ...] = ()) -> None:
        """Write the terminal of the incarnation: ``run:completed``, or ``run:failed`` (A-1)."""
        attention = code is ErrorCode.EFFECT_NEEDS_ATTENTION
        phase = RunPhase.NEEDS_ATTENTION if attention else RunPhase.ENDED
        with self._working(Failable.TERMINAL_WRITE) as transaction:
            name = "run:completed" if code is None else "run:failed"
            self._log(transaction, name, code=code, row_ids=row_ids)
            runs.end(transaction, self.fence.run_id, phase, code)
        self._probe.reach(Place.TERMINAL_WRITTEN)

    # ── writing under the fence ──────────────────────────────────────────────────────────────────

    @contextmanager
    def _writing(self, failable: Failable | None = None) -> Iterator[Transaction]:
        """An immediate transaction that has checked the generation (F-2)."""
        if failable is not None:
            try:
                self._probe.fail(failable)
            except InjectedFailure as error:
                raise StoreFailed(f"a {failable.value} was made to fail") from error
        with self._store.transaction() as transaction:
            self._check_fence(runs.generation(transaction, self.fence.run_id))
            yield transaction

    @contextmanager
    def _working(self, failable: Failable | None = None) -> Iterator[Transaction]:
        """The same for what belongs to an incarnation: none of it follows the terminal (A-4)."""
        with self._writing(failable) as transaction:
            self._check_open(transaction)
            yield transaction

    def _check_open(self, transaction: Transaction) -> None:
        run = self._run(transaction)
        if run.phase is not RunPhase.OPEN:
            raise RunEnded(self.fence.run_id, run.phase, run.ended)

    def _check_fence(self, current: int) -> None:
        if not self._contract.fence_holds(writer=self.fence.generation, current=current):
            raise Fenced(
                f"run {self.fence.run_id!r} has another owner: generation {current}, this one "
                f"holds {self.fence.generation}; nothing was written"
            )

    def _occasion(self) -> Occasion:
        return Occasion(self._clock(), self._tool_ids)

    def _run(self, transaction: Transaction) -> runs.RunRow:
        run = runs.find(transaction, self.fence.run_id)
        assert run is not None, "an owned run is in the store"
        return run

    def _log(
        self,
        transaction: Transaction,
        name: str,
        *,
        node: str | None = None,
        code: ErrorCode | None = None,
        row_ids: tuple[int, ...] = (),
        output: Mapping[str, Json] | None = None,
    ) -> None:
        self._append(
            transaction,
            EventView(
                incarnation=self._run(transaction).incarnation,
                name=name,
                node=node,
                code=None if code is None else code.value,
                rows=row_ids,
                output=dict(output or {}),
            ),
        )

    def _append(self, transaction: Transaction, event: EventView) -> None:
        runs.append(transaction, self.fence.run_id, self._clock(), event)


def fingerprint(outcome: Outcome, answer: Json) -> str:
    """Tells one settle from another, so that the same one sent twice is answered alike."""
    said = msgspec.json.encode((outcome, answer))
    return hashlib.blake2b(said, digest_size=FINGERPRINT_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class _Receipt:
    answer: Json
    retained: bytes | None


class Projected(msgspec.Struct, frozen=True):
    """A result's projections, as the row keeps them if it may, or why there are none."""

    delivery: Delivery | None
    retained: bytes | None
    shortfall: str | None


def projected_for_row(answer: Json, policy: ResultPolicy) -> Projected:
    """Derive a result's projections and decide whether the row may hold them."""
    try:
        delivery = project(answer, policy)
    except ProjectionFailed as error:
        return Projected(None, None, str(error))
    return Projected(delivery, retain(delivery, policy), None)


def moved(transaction: Transaction, record: Record, transition: Transition) -> Record:
    """Take a row through one transition of the lifecycle (S-1)."""
    state = advance(record.state, transition)
    assert state is not None, f"{record.state} has no {transition} (S-1)"
    rows.move(transaction, record, state)
    return structs.replace(record, state=state)


def _named(decision: Decision) -> Record:
    assert decision.record is not None, "a replay or a retry speaks of a row"
    return decision.record


def _refused(decision: Decision) -> Refused:
    refusal = REFUSALS[decision.bearing]
    return Refused(
        refusal.clause, refusal.reason, None if decision.record is None else decision.record.row_id
    )
