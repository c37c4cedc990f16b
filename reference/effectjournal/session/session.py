"""One session of a journal: it discloses and does not block, and has no owner (§8, L-1)."""

from collections.abc import Callable
from dataclasses import dataclass

from effectjournal import preparation, rows
from effectjournal.errors import Refused, SessionBlocked, UnknownRow
from effectjournal.journal import Journal
from effectjournal.preparation import Dispatch
from effectjournal.session import captured, effects, history, turns
from effectjournal.session.effects import SessionCall
from effectjournal.session.telling import Told, notice, tell
from effectjournal.settling import fingerprint
from effectjournal.storage import Checkpoint, Duplicate, Transaction
from effectspec.identity import carries_idempotency_key, carries_reference
from effectspec.lifecycle import State
from effectspec.notice import Notice
from effectspec.points import Failable, Place
from effectspec.session import Acknowledgement
from effectspec.settlement import Outcome, Settlement
from effectspec.transcript import Exchange

_STATES = {
    Outcome.DONE: State.COMMITTED,
    Outcome.NOT_DONE: State.COMMITTED,
    Outcome.UNKNOWN: State.AMBIGUOUS,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What one snapshot held: each effect and what is told of it, and the notice about them."""

    told: tuple[Told, ...]
    notice: Notice | None


@dataclass(frozen=True, slots=True)
class Swept:
    """How many rows a sweep deleted, and whether their bytes are gone yet (R-4, R-6, X-12)."""

    deleted: int
    checkpoint: Checkpoint


class Session:
    """A session by its id. Any number of processes may have it at once, and nothing tells (L-1).

    Every method may raise ``Busy`` or ``StoreFailed``.
    """

    def __init__(self, journal: Journal, session_id: str) -> None:
        self.id = session_id
        self._journal = journal

    # ── a turn ───────────────────────────────────────────────────────────────────────────────────

    def reserve(self) -> int:
        """Reserve the next turn, durably; no other host is given it (X-14, L-1).

        Raises :class:`SessionBlocked`.
        """
        blocked = None
        with self._journal.store.transaction() as transaction:
            try:
                return turns.reserve(transaction, self._journal.contract, self.id)
            except SessionBlocked as error:
                # The mark of a blocked session is written all the same.
                blocked = error
        raise blocked

    def prepare(self, turn: int, call: SessionCall) -> Dispatch:
        """Prepare a call of a reserved turn: the durable write before the effect (O-2).

        A matching one is refused, whatever it found recorded (G-11). Raises :class:`Refused`.
        """
        journal = self._journal
        handle = rows.Handle(
            preparation.mint() if carries_idempotency_key(call.tier) else None,
            preparation.mint() if carries_reference(call.tier) else None,
        )
        journal.probe.fail(Failable.PREPARE_WRITE)
        try:
            with journal.store.transaction() as transaction:
                if not 0 <= turn < turns.floor(transaction, journal.contract, self.id):
                    raise Refused(f"session {self.id!r}: turn {turn} was not reserved; reserve one")
                at = journal.clock()
                row_id = effects.insert(transaction, self.id, turn, call, handle, at=at)
                journal.probe.reach(Place.PREPARE_OPEN)
        except Duplicate:
            raise Refused(
                f"session {self.id!r}: turn {turn}, slot {call.slot} has an effect of "
                f"{call.tool_id!r} already; nothing was sent: a session delivers nothing again"
            ) from None
        journal.probe.reach(Place.PREPARED)
        issued = None if handle.key is None else at
        return Dispatch(row_id, handle.key, handle.reference, False, issued, None)

    def settle(self, row_id: int, outcome: Outcome) -> tuple[Settlement, State]:
        """Settle a call. Its result is not asked for: a session's is never kept (X-10)."""
        journal = self._journal
        said = fingerprint(outcome, None)
        state = _STATES[outcome]
        journal.probe.fail(Failable.SETTLE_WRITE)
        with journal.store.transaction() as transaction:
            at = journal.clock()
            if effects.settle(transaction, row_id, state, said, at=at):
                done = Settlement.COMMIT if state is State.COMMITTED else Settlement.MARK_AMBIGUOUS
            else:
                found = effects.settled_as(transaction, row_id)
                if found is None:
                    raise UnknownRow(f"effect {row_id} is none of session {self.id!r}")
                state, earlier = found
                done = Settlement.ALIKE if earlier == said else Settlement.EVIDENCE
                if done is Settlement.EVIDENCE:
                    effects.keep_evidence(transaction, row_id, outcome, said, at=at)
        journal.probe.reach(Place.SETTLED)
        return done, state

    def write(self, turn: int, exchange: Exchange) -> None:
        """Write an exchange of a turn, whole or as far as it went, in one transaction (D-4)."""
        with self._journal.store.transaction() as transaction:
            history.append(transaction, self.id, turn, exchange)

    def compact(self, below_turn: int) -> int:
        """Show a model no exchange of earlier turns any more; what they prove is kept (D-2)."""
        with self._journal.store.transaction() as transaction:
            return history.drop(transaction, self.id, below_turn=below_turn)

    # ── a resume ─────────────────────────────────────────────────────────────────────────────────

    def read(self) -> Reading:
        """Read what is to be told, in one snapshot of effects and whole history (D-2).

        Raises ``HistoryUnreadable``; nothing may be deleted then (D-7).
        """
        self._journal.probe.fail(Failable.GATE_READ)
        with self._journal.store.snapshot() as snapshot:
            found = captured.of_session(snapshot, self.id)
            exchanges = history.whole(snapshot, self.id)
        told = tell(self._journal.contract, found, exchanges)
        return Reading(told, notice(told))

    def sweep(
        self, reading: Reading, acknowledgement: Acknowledgement, *, owned: Callable[[], bool]
    ) -> Swept:
        """Delete what a reading told of and is settled, if that was acknowledged (D-7, R-3).

        ``owned`` says whether the activation that asked still is the session's, and is asked last.
        The rows go in one transaction with the allocator's floor, and a checkpoint follows, an
        empty sweep's too (R-4, R-6). Raises :class:`SessionBlocked`.
        """
        contract = self._journal.contract
        self._journal.probe.reach(Place.NOTICED)
        if not contract.evidence_may_go(acknowledgement, owned=owned()):
            return Swept(0, self._journal.store.erase())
        with self._journal.store.transaction() as transaction:
            turns.floor(transaction, contract, self.id)
            deleted = effects.delete(transaction, self._still_there(transaction, reading))
            self._journal.probe.reach(Place.SWEEP_OPEN)
        self._journal.probe.reach(Place.SWEPT)
        return Swept(deleted, self._journal.store.erase())

    def _still_there(self, transaction: Transaction, reading: Reading) -> list[int]:
        """The captured rows that are what they were when they were read (R-3)."""
        there = []
        for told in reading.told:
            then = told.captured
            found = captured.now(transaction, then.row_id)
            same = found is not None and found.address == then.address
            state = None if found is None else found.state
            if self._journal.contract.session_sweepable(then.state, state, same_address=same):
                there.append(then.row_id)
        return there

    # ── a one-shot run ───────────────────────────────────────────────────────────────────────────

    def unwind(self, turn: int | None) -> Swept:
        """End a one-shot run, however it ended: delete its settled rows (R-5).

        ``turn`` is what it reserved, None where that was refused: it then owns nothing.
        """
        contract = self._journal.contract
        own = None if turn is None else str(turn)
        with self._journal.store.transaction() as transaction:
            owned = [
                each.row_id
                for each in captured.of_session(transaction, self.id)
                if contract.one_shot_sweepable(each.state, reserved=each.turn == own)
            ]
            if owned:
                turns.floor(transaction, contract, self.id)
            deleted = effects.delete(transaction, owned)
            self._journal.probe.reach(Place.SWEEP_OPEN)
        self._journal.probe.reach(Place.SWEPT)
        return Swept(deleted, self._journal.store.erase())
