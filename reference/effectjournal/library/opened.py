"""The journal in a folder, opened for a caller's own runs."""

from collections.abc import Callable, Collection
from functools import partial
from os import PathLike
from types import TracebackType
from typing import Self
from weakref import WeakSet

from effectjournal.journal import Journal, wall_clock
from effectjournal.library.given import folder as folder_of
from effectjournal.library.given import require, whole
from effectjournal.library.home import Home
from effectjournal.library.misuse import JournalClosed, Misuse
from effectjournal.library.operator import Operator
from effectjournal.library.run import Run
from effectjournal.library.tools import Tool
from effectspec.contract import CONTRACT, Contract


def open_journal(
    folder: str | PathLike[str],
    *,
    contract: Contract = CONTRACT,
    clock: Callable[[], int] = wall_clock,
) -> "OpenJournal":
    """Open the journal in ``folder``, which is created if it is missing.

    Any number of processes may open it; each thread opens its own. ``clock`` gives seconds since
    the epoch. Raises :class:`BadValue`, ``NotOurStore`` for a folder whose file is no journal of
    this version, and ``StoreFailed`` where it cannot be written.
    """
    path = folder_of(folder)
    require("the journal's clock", clock, "a function without arguments", holds=callable(clock))
    whole("what the journal's clock says", clock(), least=0)
    return OpenJournal(partial(Journal.open, path, contract=contract, clock=clock))


class OpenJournal:
    """An open journal, good for the process and the thread that opened it."""

    def __init__(self, open_store: Callable[[], Journal]) -> None:
        self._home = Home.here()
        self._open_store = open_store
        self._journal = open_store()
        self._runs: WeakSet[Run] = WeakSet()
        self._closed = False

    def __enter__(self) -> Self:
        """The journal is open already, as a file is."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the journal. In a forked child nothing of it is touched."""
        try:
            self._home.check()
        except Misuse:
            if error is None:
                raise
            return
        self.close()

    def run(self, run_id: str, *, tools: Collection[Tool], declared_dead: bool = False) -> Run:
        """A run, to be entered: a new one, or one that goes on.

        ``tools`` are all the tools whose effects it journals; one that is left out cannot keep the
        promise of its tier for an earlier effect of it (T-6). ``declared_dead``: an operator says
        that the present owner is dead, which proves nothing of its effects (reading 12). Raises
        :class:`BadValue`.
        """
        self._check()
        run = Run(run_id, tools, self._home, self._store_of_a_run, declared_dead=declared_dead)
        self._runs.add(run)
        return run

    @property
    def operator(self) -> Operator:
        """What a person asks of the journal, and decides in it (A-5)."""
        self._check()
        return Operator(self._journal, self._check)

    def close(self) -> None:
        """Close the journal, and let go of its runs as a killed process would."""
        self._home.check()
        self._closed = True
        for run in self._runs:
            run.release()
        self._journal.close()

    def _store_of_a_run(self) -> Journal:
        self._check()
        return self._open_store()

    def _check(self) -> None:
        self._home.check()
        if self._closed:
            raise JournalClosed("this journal is closed; use it inside its block, or open it again")
