"""A run: owned and past the gate while its block lasts, and ended with it."""

import os
from collections.abc import Callable, Collection
from contextlib import suppress
from types import TracebackType
from typing import Self

from effectjournal.errors import Busy, RunEnded, StoreFailed
from effectjournal.journal import Expect, Journal
from effectjournal.library.conclusion import conclude
from effectjournal.library.given import require, text
from effectjournal.library.home import Home
from effectjournal.library.misuse import EnteredTwice, OutsideItsBlock
from effectjournal.library.node import Node
from effectjournal.library.tenure import Obstacle, Tenure
from effectjournal.library.tools import Tool, by_id, reconcilers
from effectjournal.recovery import GateReport
from effectspec.attention import ErrorCode
from effectspec.gate import GATE, GateVerdict


class Run:
    """A block that owns a run.

    Entering it takes ownership and passes the gate. Leaving it ends the run: ``run:completed``, or
    ``run:failed`` where an exception leaves it. A kill, an interrupt or a ``Paused`` leaves the run
    open instead: the same code goes on with it the next time.
    """

    def __init__(
        self,
        run_id: str,
        tools: Collection[Tool],
        home: Home,
        open_store: Callable[[], Journal],
        *,
        declared_dead: bool,
    ) -> None:
        """Raises :class:`BadValue`."""
        self.id = text("the id of a run", run_id)
        place = f"run {self.id!r}"
        require(
            f"{place}: declared_dead",
            declared_dead,
            "True or False",
            holds=isinstance(declared_dead, bool),
        )
        self._tools = by_id(place, tools)
        self._home = home
        self._open_store = open_store
        self._declared_dead = declared_dead
        self._tenure: Tenure | None = None

    # ── the block ────────────────────────────────────────────────────────────────────────────────

    def __enter__(self) -> Self:
        """Own the run by a committed write, and only then read the gate (F-1, G-9).

        Raises :class:`NeedsAttention` where the gate refuses, ``OwnedByAnother``, ``RunEnded`` for
        a run that has ended (its work is not done again), and ``GateReadFailed``, ``Busy`` or
        ``StoreFailed``.
        """
        self._home.check()
        if self._tenure is not None:
            raise EnteredTwice(f"run {self.id!r} was entered before; ask the journal for another")
        # A store of the run's own, so that its lock goes with its block.
        journal = self._open_store()
        try:
            self._tenure = self._take_over(journal)
        except BaseException:
            journal.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the run, and let go of it.

        Raises :class:`NeedsAttention` where an effect has no outcome, in place of an exception that
        says less; :class:`NodeFailed` where a node's failure was caught and the node not done
        again; :class:`TerminalHeld` where the end could not be recorded; ``Fenced`` where another
        owner has taken over.
        """
        tenure = self._tenure
        assert tenure is not None, "only an entered block is left"
        if tenure.leaves(error):
            return
        try:
            conclude(tenure, error)
        finally:
            tenure.close()

    def node(self, node_id: str) -> Node:
        """A node of the run, to be entered. Raises :class:`BadValue`."""
        if self._tenure is None:
            raise OutsideItsBlock(f"run {self.id!r} has not been entered; use it in its block")
        self._tenure.check()
        return Node(self._tenure, text("the id of a node", node_id))

    def release(self) -> None:
        """Let go of the run as a killed process would: it stays open."""
        if self._tenure is not None and not self._tenure.closed:
            self._tenure.close()

    # ── taking over ──────────────────────────────────────────────────────────────────────────────

    def _take_over(self, journal: Journal) -> Tenure:
        failed_lookups: list[Exception] = []
        able = reconcilers(self._tools.values(), failed_lookups.append)
        try:
            owned = journal.take_over(
                self.id,
                f"{os.uname().nodename}:{os.getpid()}",
                able,
                expect=Expect.EITHER,
                declared_dead=self._declared_dead,
            )
        except RunEnded:
            # Its sweep may have been cut off by a crash.
            with suppress(StoreFailed, Busy):
                journal.sweep(self.id)
            raise
        tenure = Tenure(self._home, journal, owned, self._tools, able.tool_ids())
        began = bool(journal.events(self.id).events)
        report = owned.gate()
        if not report.may_schedule:
            _refuse(tenure, report, failed_lookups)
        owned.begin_incarnation("run:resumed" if began else "run:started")
        tenure.completed.update(owned.progress().completed)
        return tenure


def _refuse(tenure: Tenure, report: GateReport, failed_lookups: list[Exception]) -> None:
    """Stop at the gate, with a terminal unless the incarnation has one (A-4, reading 18)."""
    first = next(f for f in report.findings if f.verdict is GateVerdict.ATTENTION)
    clause = GATE[first.record.standing, first.effective].clause
    lookups = "".join(f"\na receipt could not be had: {error!r}" for error in failed_lookups)
    tenure.obstacles.append(
        Obstacle(clause, f"the gate refuses, nothing was scheduled{lookups}", report.blocking)
    )
    with suppress(StoreFailed, Busy):
        if tenure.owned.ended() is None:
            tenure.owned.end(ErrorCode.EFFECT_NEEDS_ATTENTION, report.blocking)
    effective = {finding.record.row_id: finding.effective for finding in report.findings}
    raise tenure.needs_attention(effective) from next(iter(failed_lookups), None)
