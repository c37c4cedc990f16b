"""The conduct faults: each replaces one collaborator of the reference, and nothing else."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from msgspec import structs

from effectjournal import errors, rows
from effectjournal.delivery import decode_policy, project
from effectjournal.dispatch import Dispatcher, Turn
from effectjournal.engine import CONDUCT, Conduct, Engine, Entry, enter
from effectjournal.errors import Busy, StoreFailed
from effectjournal.journal import Journal, wall_clock
from effectjournal.owned import OwnedRun
from effectjournal.preparation import Dispatch, NodeStart, PlannedCall, Refused, Replay, mint
from effectjournal.probe import QUIET, Probe
from effectjournal.reconcilers import Reconcilers
from effectjournal.recovery import GateReport
from effectjournal.sent import Sent
from effectjournal.session.effects import SessionCall
from effectjournal.session.session import Reading, Session
from effectjournal.settling import Settled
from effectjournal.stops import NeedsAttention
from effectjournal.storage import Transaction
from effectjournal.tools import ResolvedCall, ToolBox
from effectspec import admission
from effectspec.admission import Bearing, Facts, Hold, Place
from effectspec.contract import CONTRACT, Contract
from effectspec.json_value import Json
from effectspec.lifecycle import State
from effectspec.ownership import Fence
from effectspec.protocol import Delivery, Ended
from effectspec.record import Ask, Decision, Finding, Report
from effectspec.scenario import Call, Job
from effectspec.settlement import Outcome, Settlement


@dataclass(frozen=True, slots=True)
class Deviation:
    """What a conduct fault puts in the place of the reference's own collaborators."""

    conduct: Conduct = CONDUCT
    journal: type[Journal] = Journal
    engine: type[Engine] = Engine
    session: type[Session] = Session

    def make_engine(self, journal: Journal, job: Job, toolbox: ToolBox) -> Engine:
        """The engine with the deviating conduct."""
        return self.engine(journal, job, toolbox, conduct=self.conduct)


def dispatching(dispatcher: type[Dispatcher], journal: type[Journal] = Journal) -> Deviation:
    """A deviation in how a call is dispatched."""
    return Deviation(replace(CONDUCT, dispatcher=dispatcher), journal)


def owning(owned: type[OwnedRun]) -> type[Journal]:
    """A journal whose owned runs deviate."""

    class Deviating(Journal):
        def adopt(self, fence: Fence, reconcilers: Reconcilers) -> OwnedRun:
            return owned(
                self.store,
                self.contract,
                self.clock,
                self.probe,
                fence=fence,
                reconcilers=reconcilers,
            )

    return Deviating


# ── the order of a dispatch ──────────────────────────────────────────────────────────────────────


class EffectFirst(Dispatcher):
    """Sends, and prepares when the answer is there."""

    def admit(self, call: Call) -> ResolvedCall:
        self._resolved = super().admit(call)
        return self._resolved

    def prepare(self, turn: Turn, planned: PlannedCall) -> Dispatch | Replay | Refused:
        self._sent = self.toolbox.send(self._resolved)
        return super().prepare(turn, planned)

    def send(self, resolved: ResolvedCall, dispatch: Dispatch) -> Sent:
        return self._sent


class SettleFirst(Dispatcher):
    """Records the result that it expects, then sends."""

    def bracket(self, resolved: ResolvedCall, dispatch: Dispatch) -> Delivery:
        # An answer that an output mapping can read, or every run would end at its first effect.
        settled = self.settle(dispatch, Sent(Outcome.DONE, {"effect": 1}))
        self.send(resolved, dispatch)
        return self.finish(settled)


class SendsInside(OwnedRun):
    """Lets something happen between the row's insert and its commit."""

    within: Callable[[Dispatch], None]

    def _carry_out(
        self,
        transaction: Transaction,
        decision: Decision,
        start: NodeStart,
        call: PlannedCall,
        ask: Ask,
    ) -> Dispatch | Replay | Refused:
        answer = super()._carry_out(transaction, decision, start, call, ask)
        if isinstance(answer, Dispatch) and not answer.retry:
            self.within(answer)
        return answer


class SendInsideTheTransaction(Dispatcher):
    """Sends while the prepare's transaction is still open."""

    def admit(self, call: Call) -> ResolvedCall:
        self._resolved = super().admit(call)
        return self._resolved

    def prepare(self, turn: Turn, planned: PlannedCall) -> Dispatch | Replay | Refused:
        assert isinstance(self.owned, SendsInside)
        self.owned.within = self._send_now
        return super().prepare(turn, planned)

    def _send_now(self, dispatch: Dispatch) -> None:
        self._sent = super().send(self._resolved, dispatch)

    def send(self, resolved: ResolvedCall, dispatch: Dispatch) -> Sent:
        return super().send(resolved, dispatch) if dispatch.retry else self._sent


class TwoCommits(OwnedRun):
    """Commits the state first and the result in a transaction of its own."""

    _held_back: bytes | None = None

    def settle(self, row_id: int, outcome: Outcome, answer: Json = None) -> Settled:
        settled = super().settle(row_id, outcome, answer)
        if self._held_back is not None:
            with self._store.transaction() as transaction:
                rows.fill(transaction, row_id, self._held_back, None)
        return settled

    def _settle_row(
        self, transaction: Transaction, row: rows.ToSettle, report: Report, answer: Json
    ) -> Settled | None:
        settled = super()._settle_row(transaction, row, report, answer)
        self._held_back = None
        if settled is not None and settled.settlement is Settlement.COMMIT:
            of_row = (row.record.row_id,)
            ((self._held_back,),) = transaction.query(
                "SELECT result FROM run_effects WHERE id = ?", of_row
            )
            transaction.write("UPDATE run_effects SET result = NULL WHERE id = ?", of_row)
        return settled


class FailedSettleIgnored(Dispatcher):
    """Goes on with the answer that it has, though nobody has recorded it."""

    def settle(self, dispatch: Dispatch, sent: Sent) -> Settled:
        try:
            return super().settle(dispatch, sent)
        except NeedsAttention as stop:
            if not isinstance(stop.__cause__, StoreFailed | Busy):
                raise
            delivery = Delivery(value=sent.answer, truncated=False, summary="", output={})
            return Settled(Settlement.COMMIT, State.COMMITTED, delivery, None)


class TransportRetries(Dispatcher):
    """Sends once more by itself when no answer comes."""

    def send(self, resolved: ResolvedCall, dispatch: Dispatch) -> Sent:
        sent = super().send(resolved, dispatch)
        return super().send(resolved, dispatch) if sent.outcome is Outcome.UNKNOWN else sent


# ── identity ─────────────────────────────────────────────────────────────────────────────────────


class NoUniqueIdentity(Journal):
    """Neither the look-up nor the index knows an effect that another process is doing."""

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        contract: Contract = CONTRACT,
        clock: Callable[[], int] = wall_clock,
        probe: Probe = QUIET,
    ) -> Journal:
        journal = super().open(
            folder, contract=replace(contract, bearing=_blind_to_twins), clock=clock, probe=probe
        )
        with journal.store.transaction() as transaction:
            transaction.write("DROP INDEX effect_identity")
            # A store without an index of that name is refused when it is opened again.
            transaction.write("CREATE INDEX effect_identity ON run_effects (scope_id, unit, slot)")
        return journal


def _blind_to_twins(row: Facts) -> Bearing:
    twin = row.place is Place.SAME_IDENTITY and row.hold is Hold.IN_FLIGHT
    return Bearing.SILENT if twin else admission.bearing(row)


class AttemptInTheLookUp(OwnedRun):
    """Looks up the rows of its own attempt, which is the first one again after a crash."""

    def _read_gate(self) -> list[Finding]:
        with self._store.snapshot() as snapshot:
            views = rows.views(snapshot, self.fence.run_id)
        own = {view.row_id for view in views if view.attempt == 1}
        return [finding for finding in super()._read_gate() if finding.record.row_id in own]


class NewKeyOnRetry(OwnedRun):
    """Sends a retry under a key of its own."""

    def prepare(self, start: NodeStart, call: PlannedCall) -> Dispatch | Replay | Refused:
        answer = super().prepare(start, call)
        if isinstance(answer, Dispatch) and answer.retry:
            return structs.replace(answer, key=mint())
        return answer


class KeyFromTheCall(OwnedRun):
    """Computes the key from what the model said, so that equal calls have equal keys."""

    def _carry_out(
        self,
        transaction: Transaction,
        decision: Decision,
        start: NodeStart,
        call: PlannedCall,
        ask: Ask,
    ) -> Dispatch | Replay | Refused:
        answer = super()._carry_out(transaction, decision, start, call, ask)
        if not isinstance(answer, Dispatch) or answer.retry or answer.key is None:
            return answer
        key = sha256(f"{call.call_id} {ask.digest}".encode()).hexdigest()
        transaction.write(
            "UPDATE run_effects SET idempotency_key = ? WHERE id = ?", (key, answer.row_id)
        )
        return structs.replace(answer, key=key)


class CallIdDigested(Dispatcher):
    """Takes the call id, which is new in every turn of the model, for a part of the question."""

    def prepare(self, turn: Turn, planned: PlannedCall) -> Dispatch | Replay | Refused:
        with_id = {**planned.arguments, "call_id": planned.call_id}
        return super().prepare(turn, structs.replace(planned, arguments=with_id))


class SlotsCountRows(Dispatcher):
    """Numbers the calls that it journals, and no others."""

    def __init__(self, owned: OwnedRun, toolbox: ToolBox, probe: Probe) -> None:
        super().__init__(owned, toolbox, probe)
        self._next_slot: Counter[tuple[str, int]] = Counter()

    def prepare(self, turn: Turn, planned: PlannedCall) -> Dispatch | Replay | Refused:
        start = (turn.node.id, turn.start.start)
        slot = self._next_slot[start]
        self._next_slot[start] += 1
        return super().prepare(turn, structs.replace(planned, slot=slot))


# ── the gate ─────────────────────────────────────────────────────────────────────────────────────


def gate_first(
    journal: Journal, run_id: str, entry: Entry, reconcilers: Reconcilers
) -> tuple[OwnedRun, GateReport]:
    """Reads the gate under the last owner's generation, and takes over afterwards."""
    present = Fence(run_id, entry.owner, journal.events(run_id).generation)
    report = journal.adopt(present, reconcilers).gate()
    owned = journal.take_over(
        run_id,
        entry.owner,
        reconcilers,
        expect=entry.expect,
        declared_dead=entry.declared_dead,
    )
    return owned, report


def ungated(
    journal: Journal, run_id: str, entry: Entry, reconcilers: Reconcilers
) -> tuple[OwnedRun, GateReport]:
    """Owns the run, and asks no gate."""
    owned = journal.take_over(
        run_id,
        entry.owner,
        reconcilers,
        expect=entry.expect,
        declared_dead=entry.declared_dead,
    )
    return owned, GateReport((), may_schedule=True)


class ApprovalSkipsTheGate(Engine):
    """Takes the approval of a pause for all that a resume has to ask."""

    def resume(
        self, owner: str, *, play: int = 0, approve: int = 0, declared_dead: bool = False
    ) -> Ended:
        self._conduct = replace(CONDUCT, enter=ungated if approve else enter)
        return super().resume(owner, play=play, approve=approve, declared_dead=declared_dead)


class DerivedAgain(OwnedRun):
    """Derives the output anew from the preview that the model was shown."""

    def _carry_out(
        self,
        transaction: Transaction,
        decision: Decision,
        start: NodeStart,
        call: PlannedCall,
        ask: Ask,
    ) -> Dispatch | Replay | Refused:
        answer = super()._carry_out(transaction, decision, start, call, ask)
        if not isinstance(answer, Replay):
            return answer
        policy = decode_policy(rows.policy_of(transaction, answer.row_id))
        if not answer.delivery.truncated:
            return replace(answer, delivery=project(answer.delivery.value, policy))
        lost: dict[str, Json] = dict.fromkeys(policy.mapping)
        return replace(answer, delivery=structs.replace(answer.delivery, output=lost))


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────


class TurnsCountedFromRows(Session):
    """Hands out the turn above those of the rows that are there, and keeps no mark of its own."""

    def reserve(self) -> int:
        with self._journal.store.transaction() as transaction:
            transaction.write("DELETE FROM sessions WHERE session_id = ?", (self.id,))
        return super().reserve()


class CompactedHistoryForgotten(Session):
    """Reads of the history what a model is still shown."""

    def read(self) -> Reading:
        with self._journal.store.transaction() as transaction:
            transaction.write("DELETE FROM exchanges WHERE session_id = ? AND dropped", (self.id,))
        return super().read()


class SessionResultKept(Session):
    """Keeps what the target answered on the row."""

    def settle(self, row_id: int, outcome: Outcome) -> tuple[Settlement, State]:
        settled = super().settle(row_id, outcome)
        with self._journal.store.transaction() as transaction:
            transaction.write("UPDATE run_effects SET result = x'7b7d' WHERE id = ?", (row_id,))
        return settled


class SessionEffectRepeated(Session):
    """Sends again what it finds recorded under the same identity."""

    def prepare(self, turn: int, call: SessionCall) -> Dispatch:
        try:
            return super().prepare(turn, call)
        except errors.Refused:
            return Dispatch(1, None, None, retry=False, key_issued_at=None, key_lifetime_s=None)


class WiringIdKept(Session):
    """Writes on each row the call id that its wiring was set up with."""

    def prepare(self, turn: int, call: SessionCall) -> Dispatch:
        return super().prepare(turn, structs.replace(call, call_id="session"))


DEVIATIONS: Mapping[str, Deviation] = MappingProxyType(
    {
        "effect-before-prepare": dispatching(EffectFirst),
        "settle-before-send": dispatching(SettleFirst),
        "send-inside-the-transaction": dispatching(SendInsideTheTransaction, owning(SendsInside)),
        "state-and-result-in-two-commits": Deviation(journal=owning(TwoCommits)),
        "failed-settle-ignored": dispatching(FailedSettleIgnored),
        "transport-retries": dispatching(TransportRetries),
        "no-unique-identity": Deviation(journal=NoUniqueIdentity),
        "attempt-in-the-look-up": Deviation(journal=owning(AttemptInTheLookUp)),
        "new-key-on-retry": Deviation(journal=owning(NewKeyOnRetry)),
        "key-from-the-call": Deviation(journal=owning(KeyFromTheCall)),
        "call-id-digested": dispatching(CallIdDigested),
        "slots-count-rows": dispatching(SlotsCountRows),
        "gate-before-ownership": Deviation(replace(CONDUCT, enter=gate_first)),
        "approval-skips-the-gate": Deviation(engine=ApprovalSkipsTheGate),
        "derived-again": Deviation(journal=owning(DerivedAgain)),
        "turns-counted-from-rows": Deviation(session=TurnsCountedFromRows),
        "compacted-history-forgotten": Deviation(session=CompactedHistoryForgotten),
        "session-result-kept": Deviation(session=SessionResultKept),
        "session-effect-repeated": Deviation(session=SessionEffectRepeated),
        "wiring-id-kept": Deviation(session=WiringIdKept),
    }
)
"""The conduct faults of the catalogue, by name."""
