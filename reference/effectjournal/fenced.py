"""A store as the owner of one run writes it: never under another's fence (F-2)."""

from collections.abc import Iterator
from contextlib import contextmanager

from effectjournal import runs
from effectjournal.errors import Fenced, RunEnded, StoreFailed
from effectjournal.probe import InjectedFailure, Probe
from effectjournal.storage import Store, Transaction
from effectspec.contract import Contract
from effectspec.ownership import Fence
from effectspec.points import Failable
from effectspec.retention import RunPhase


class FencedStore:
    """A store under the fence of a run's owner."""

    def __init__(self, store: Store, contract: Contract, probe: Probe, fence: Fence) -> None:
        self._store = store
        self._contract = contract
        self._probe = probe
        self._fence = fence

    @contextmanager
    def writing(self, failable: Failable | None = None) -> Iterator[Transaction]:
        """An immediate transaction that has checked the generation (F-2)."""
        if failable is not None:
            try:
                self._probe.fail(failable)
            except InjectedFailure as error:
                raise StoreFailed(f"a {failable.value} was made to fail") from error
        with self._store.transaction() as transaction:
            self.check_fence(runs.generation(transaction, self._fence.run_id))
            yield transaction

    @contextmanager
    def working(self, failable: Failable | None = None) -> Iterator[Transaction]:
        """The same for what belongs to an incarnation: none of it follows the terminal (A-4)."""
        with self.writing(failable) as transaction:
            self.check_open(transaction)
            yield transaction

    def check_fence(self, current: int) -> None:
        """Raise :class:`Fenced` where another owner has raised the generation to ``current``."""
        if not self._contract.fence_holds(writer=self._fence.generation, current=current):
            raise Fenced(
                f"run {self._fence.run_id!r} has another owner: generation {current}, this one "
                f"holds {self._fence.generation}; nothing was written"
            )

    def check_open(self, transaction: Transaction) -> None:
        """Raise :class:`RunEnded` where the present incarnation has its terminal (A-4)."""
        run = self.run(transaction)
        if run.phase is not RunPhase.OPEN:
            raise RunEnded(self._fence.run_id, run.phase, run.ended)

    def run(self, transaction: Transaction) -> runs.RunRow:
        """The run that is owned."""
        run = runs.find(transaction, self._fence.run_id)
        assert run is not None, "an owned run is in the store"
        return run
