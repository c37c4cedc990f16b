"""The journal: what anybody may ask of it, and how ownership of a run is taken."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial, reduce
from pathlib import Path

from effectjournal import rows, runs
from effectjournal.delivery import decode_policy, projected_for_row
from effectjournal.errors import (
    Fenced,
    OwnedByAnother,
    Refused,
    RunEnded,
    RunExists,
    StoreFailed,
    UnknownRow,
    UnknownRun,
)
from effectjournal.lock import OwnerLock, is_held, remove
from effectjournal.owned import OwnedRun
from effectjournal.probe import QUIET, Probe
from effectjournal.reconcilers import Reconcilers
from effectjournal.sqlite import SqliteStore
from effectjournal.storage import Store, Transaction
from effectspec.contract import CONTRACT, Contract
from effectspec.gate import Standing
from effectspec.json_value import Json
from effectspec.lifecycle import UNRESOLVED, Resolution, steps_to_resolution
from effectspec.ownership import Fence, OwnerSign, next_generation
from effectspec.points import Place
from effectspec.protocol import Events, RowView
from effectspec.record import Record

DATABASE = "effects.db"
"""The journal's file in a store's folder."""

LOCKS = "locks"
"""The folder of the owners' locks, beside it."""


def wall_clock() -> int:
    """Seconds since the epoch."""
    return int(time.time())


class Expect(Enum):
    """What a take-over expects of the run."""

    NEW = "not begun"
    KNOWN = "in the store"
    EITHER = "new or known"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A result that an operator brings; ``result`` may be any JSON, null included."""

    result: Json


class Journal:
    """An open journal. One process, one thread; many processes may open the same folder."""

    def __init__(
        self,
        store: Store,
        locks: Path,
        *,
        contract: Contract = CONTRACT,
        clock: Callable[[], int] = wall_clock,
        probe: Probe = QUIET,
    ) -> None:
        self.store = store
        self.contract = contract
        self.clock = clock
        self.probe = probe
        self._locks = locks
        self._held: list[OwnerLock] = []

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        contract: Contract = CONTRACT,
        clock: Callable[[], int] = wall_clock,
        probe: Probe = QUIET,
    ) -> "Journal":
        """Open the journal in ``folder``, which is created if it is missing.

        Raises :class:`NotOurStore` for a file that is none of ours, newer or corrupt, and
        :class:`StoreFailed` where it cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreFailed(
                f"{folder}: cannot be used as a store's folder ({error.strerror}); give another"
            ) from error
        store = SqliteStore(folder / DATABASE)
        return cls(store, folder / LOCKS, contract=contract, clock=clock, probe=probe)

    def close(self) -> None:
        """Close the store and let go of every run that is owned."""
        self.store.close()
        for lock in self._held:
            lock.release()
        self._held.clear()

    # ── ownership ────────────────────────────────────────────────────────────────────────────────

    def take_over(
        self,
        run_id: str,
        owner_id: str,
        reconcilers: Reconcilers,
        *,
        expect: Expect,
        declared_dead: bool = False,
    ) -> OwnedRun:
        """Own a run, by a committed write that raises its generation before anything is read (F-1).

        ``declared_dead``: an operator says that the present owner is dead; that skips the test of
        its lock and proves nothing about any effect (reading 12). Raises :class:`OwnedByAnother`,
        :class:`RunEnded`, :class:`RunExists` or :class:`UnknownRun`, each before any write.
        """
        lock: OwnerLock | None = None
        try:
            # An immediate transaction lets no two in, so nobody takes the lock between its test
            # and the commit.
            with self.store.transaction() as transaction:
                generation = self._raise_generation(
                    transaction, run_id, owner_id, expect, declared_dead=declared_dead
                )
                lock = OwnerLock(self._locks, run_id, generation)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        self._held.append(lock)
        remove(self._locks, run_id, generation - 1)
        self.probe.reach(Place.TAKEN_OVER)
        return self.adopt(Fence(run_id, owner_id, generation), reconcilers)

    def adopt(self, fence: Fence, reconcilers: Reconcilers) -> OwnedRun:
        """Act under a fence that this owner holds already, perhaps in another of its processes."""
        return OwnedRun(
            self.store, self.contract, self.clock, self.probe, fence=fence, reconcilers=reconcilers
        )

    def _raise_generation(
        self,
        transaction: Transaction,
        run_id: str,
        owner_id: str,
        expect: Expect,
        *,
        declared_dead: bool,
    ) -> int:
        run = runs.find(transaction, run_id)
        if run is None:
            if expect is Expect.KNOWN:
                raise _unknown(run_id)
            generation = next_generation(0)
            runs.create(transaction, run_id, owner_id, generation)
            return generation
        if expect is Expect.NEW and runs.events(transaction, run_id):
            raise RunExists(f"run {run_id!r} has begun already; resume it")
        if not self.contract.may_resume(run.phase):
            raise RunEnded(run_id, run.phase, run.ended)
        if not self.contract.may_take_over(
            self._sign_of_owner(run_id, run.generation, declared_dead=declared_dead)
        ):
            raise OwnedByAnother(
                f"run {run_id!r} is owned by {run.owner_id!r}, which is alive; wait for it to end"
            )
        generation = next_generation(run.generation)
        runs.take(transaction, run_id, owner_id, generation)
        return generation

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def rows(self, run_id: str) -> tuple[RowView, ...]:
        """A run's rows, discarded ones included, oldest first."""
        with self.store.snapshot() as snapshot:
            return rows.views(snapshot, run_id)

    def session_rows(self, session_id: str) -> tuple[RowView, ...]:
        """A session's rows, discarded ones included, oldest first."""
        with self.store.snapshot() as snapshot:
            return rows.views(snapshot, session_id, "session")

    def events(self, run_id: str) -> Events:
        """A run's event log and its present generation."""
        with self.store.snapshot() as snapshot:
            return Events(
                generation=runs.generation(snapshot, run_id), events=runs.events(snapshot, run_id)
            )

    # ── retention ────────────────────────────────────────────────────────────────────────────────

    def sweep(self, run_id: str, *, fence: Fence | None = None) -> int:
        """Delete what may be deleted of a run's rows; how many that were (R-1, R-2).

        An owner passes its ``fence`` (F-2); without one the run's phase alone decides, which no
        owner can change once it has ended.
        """
        with self.store.transaction() as transaction:
            run = runs.find(transaction, run_id)
            if run is None:
                raise _unknown(run_id)
            if fence is not None and not self.contract.fence_holds(
                writer=fence.generation, current=run.generation
            ):
                raise Fenced(f"run {run_id!r} has another owner now; this one sweeps nothing")
            deleted = rows.delete(
                transaction,
                [
                    record.row_id
                    for record in rows.of_run(transaction, run_id)
                    if self.contract.sweepable(
                        record.state, run.phase, undelivered=record.undelivered
                    )
                ],
            )
            self.probe.reach(Place.SWEEP_OPEN)
        self.probe.reach(Place.SWEPT)
        return deleted

    # ── the operator ─────────────────────────────────────────────────────────────────────────────

    def resolve(
        self,
        row_id: int,
        resolution: Resolution,
        *,
        by: str,
        note: str,
        attached: Attachment | None = None,
    ) -> None:
        """Write an operator's word on an unresolved effect, once (A-5, readings 6 to 8).

        Accepted reads as committed; with a result attached it is re-delivered like any other.
        Discarded lets the node run the effect again, and is refused where late evidence says that
        it landed. The run's fence is taken first. Raises :class:`Refused`, :class:`UnknownRow` or
        :class:`OwnedByAnother`.
        """
        with self._fenced_row(row_id, by) as (transaction, record):
            if not self.contract.may_resolve(record.state, resolution, landed=record.landed):
                raise Refused(_unresolvable(record))
            if resolution is Resolution.DISCARDED and attached is not None:
                raise Refused(f"effect {row_id}: a discarded effect has no result; leave it out")
            steps = steps_to_resolution(record.state)
            marked = reduce(partial(rows.move, transaction), steps[:-1], record)
            rows.resolve(transaction, marked, rows.Resolved(resolution, by, note, self.clock()))
            if attached is not None:
                self._fill(transaction, record, attached)

    def attach(self, row_id: int, attached: Attachment, *, by: str) -> None:
        """Attach the absent result of a committed or accepted effect, once (reading 7).

        It is then re-delivered like any other. Raises as :meth:`resolve` does.
        """
        with self._fenced_row(row_id, by) as (transaction, record):
            if record.standing is not Standing.COMMITTED_UNRETAINED:
                raise Refused(
                    f"effect {row_id} is {record.standing.value}: only a committed or accepted "
                    "effect without a result takes one"
                )
            self._fill(transaction, record, attached)

    def close_run(self, run_id: str, *, by: str) -> None:
        """Close a run as an operator: nothing of it is resumed any more (readings 6 and 17)."""
        with self.store.transaction() as transaction:
            self._take_fence(transaction, run_id, by)
            runs.close(transaction, run_id, by, self.clock())

    @contextmanager
    def _fenced_row(self, row_id: int, by: str) -> Iterator[tuple[Transaction, Record]]:
        """A row under the fence of its run, which is taken from an owner that is gone."""
        with self.store.snapshot() as snapshot:
            found = rows.by_id(snapshot, row_id)
        if found is None:
            raise UnknownRow(
                f"effect {row_id} is not in this store; list its effects for their ids"
            )
        with self.store.transaction() as transaction:
            self._take_fence(transaction, rows.run_of(found), by)
            record = rows.by_id(transaction, row_id)
            if record is None:
                raise UnknownRow(f"effect {row_id} was swept just now; there is nothing to resolve")
            yield transaction, record

    def _take_fence(self, transaction: Transaction, run_id: str, by: str) -> None:
        run = runs.find(transaction, run_id)
        if run is None:
            raise _unknown(run_id)
        if not self.contract.may_take_over(self._sign_of_owner(run_id, run.generation)):
            raise OwnedByAnother(
                f"run {run_id!r} has a live owner; end that process before you decide for it"
            )
        runs.take(transaction, run_id, f"operator {by}", next_generation(run.generation))

    def _sign_of_owner(
        self, run_id: str, generation: int, *, declared_dead: bool = False
    ) -> OwnerSign:
        if not is_held(self._locks, run_id, generation):
            return OwnerSign.GONE
        return OwnerSign.DECLARED_DEAD if declared_dead else OwnerSign.ALIVE

    def _fill(self, transaction: Transaction, record: Record, attached: Attachment) -> None:
        policy = decode_policy(rows.policy_of(transaction, record.row_id))
        projected = projected_for_row(attached.result, policy)
        if projected.retained is None:
            raise Refused(
                f"effect {record.row_id}: the result cannot be kept: "
                + (projected.shortfall or f"it exceeds the {policy.retention} bytes of its tool")
            )
        rows.fill(transaction, record.row_id, projected.retained, None)


def _unknown(run_id: str) -> UnknownRun:
    return UnknownRun(f"run {run_id!r} is not in this store; check the id and the folder")


def _unresolvable(record: Record) -> str:
    if record.landed and record.state in UNRESOLVED:
        return f"effect {record.row_id} landed, as a late answer of its target shows; accept it"
    return f"effect {record.row_id} is {record.state.value}: nothing is left to resolve"
