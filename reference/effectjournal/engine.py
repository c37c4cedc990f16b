"""The engine around the journal: one incarnation of a run, from take-over to terminal."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from effectjournal.dispatch import Dispatcher
from effectjournal.errors import (
    Busy,
    Fenced,
    GateReadFailed,
    OwnedByAnother,
    RunEnded,
    StoreFailed,
)
from effectjournal.health import Health, examine
from effectjournal.journal import Expect, Journal
from effectjournal.owned import OwnedRun
from effectjournal.probe import Probe
from effectjournal.reconcilers import Reconcilers
from effectjournal.recovery import GateReport
from effectjournal.remedy import Ending, say
from effectjournal.stops import NeedsAttention, NodeFailed, Paused
from effectjournal.tools import ToolBox
from effectjournal.work import Work
from effectspec.attention import ErrorCode, ExitCode
from effectspec.lifecycle import State
from effectspec.protocol import Ended
from effectspec.retention import RunPhase
from effectspec.scenario import Job
from effectspec.tiers import Tier

EXIT_OF: Mapping[ErrorCode | None, ExitCode] = {
    None: ExitCode.COMPLETED,
    ErrorCode.EFFECT_NEEDS_ATTENTION: ExitCode.EFFECT_ATTENTION,
    ErrorCode.BUDGET_EXCEEDED: ExitCode.FAILED,
    ErrorCode.NODE_FAILED: ExitCode.FAILED,
}
"""What a terminal says by itself (A-3)."""

_ATTENTION = ErrorCode.EFFECT_NEEDS_ATTENTION


@dataclass(frozen=True, slots=True)
class Entry:
    """Who asks to own the run, and what it expects to find."""

    owner: str
    expect: Expect
    declared_dead: bool = False


def enter(
    journal: Journal, run_id: str, entry: Entry, reconcilers: Reconcilers
) -> tuple[OwnedRun, GateReport]:
    """Own the run by a committed write, and only then read the gate (F-1, reading 12)."""
    owned = journal.take_over(
        run_id,
        entry.owner,
        reconcilers,
        expect=entry.expect,
        declared_dead=entry.declared_dead,
    )
    return owned, owned.gate()


def leave(
    journal: Journal, owned: OwnedRun, code: ErrorCode | None, row_ids: tuple[int, ...]
) -> None:
    """Write the terminal, and only then sweep, if the run cannot be resumed any more (R-2)."""
    owned.end(code, row_ids)
    attention = code is ErrorCode.EFFECT_NEEDS_ATTENTION
    phase = RunPhase.NEEDS_ATTENTION if attention else RunPhase.ENDED
    if journal.contract.sweepable(State.COMMITTED, phase, undelivered=False):
        # A sweep that fails is finished by whoever resumes the ended run.
        with suppress(StoreFailed, Busy):
            journal.sweep(owned.fence.run_id, fence=owned.fence)


Enter: TypeAlias = Callable[[Journal, str, Entry, Reconcilers], tuple[OwnedRun, GateReport]]
Leave: TypeAlias = Callable[[Journal, OwnedRun, ErrorCode | None, tuple[int, ...]], None]
MakeDispatcher: TypeAlias = Callable[[OwnedRun, ToolBox, Probe], Dispatcher]


@dataclass(frozen=True, slots=True)
class Conduct:
    """What a run does in an order that matters; a deviation replaces one part at a time."""

    enter: Enter = enter
    dispatcher: MakeDispatcher = Dispatcher
    leave: Leave = leave


CONDUCT = Conduct()
"""The conduct that the contract asks for."""


class Engine:
    """Runs one job on a journal, under the journal's contract, with the tools of a tool box."""

    def __init__(
        self, journal: Journal, job: Job, toolbox: ToolBox, *, conduct: Conduct = CONDUCT
    ) -> None:
        self._journal = journal
        self._contract = journal.contract
        self._job = job
        self._toolbox = toolbox
        self._reconcilers = toolbox.reconcilers()
        self._conduct = conduct

    def run(self, owner: str, *, play: int = 0) -> Ended:
        """Run the job from its beginning; the first start of each node takes play ``play``.

        Raises ``RunExists`` for a run that has begun, and ``StoreFailed`` or ``Busy`` where the
        store gives up outside of a node.
        """
        return self._incarnation(Entry(owner, Expect.NEW), "run:started", play, 0)

    def resume(
        self, owner: str, *, play: int = 0, approve: int = 0, declared_dead: bool = False
    ) -> Ended:
        """Resume the job's run. ``approve`` grants a budget pause, with that much more to spend.

        ``declared_dead``: an operator says that the present owner is dead (reading 12). Raises
        ``UnknownRun``, and ``StoreFailed`` or ``Busy`` as :meth:`run` does.
        """
        entry = Entry(owner, Expect.KNOWN, declared_dead)
        return self._incarnation(entry, "run:resumed", play, approve)

    def _incarnation(self, entry: Entry, event: str, play: int, approve: int) -> Ended:
        run_id = self._job.run_id
        try:
            owned, report = self._conduct.enter(self._journal, run_id, entry, self._reconcilers)
            if not report.may_schedule:
                return self._blocked(owned, report)
            if approve:
                owned.approve(approve)
            owned.begin_incarnation(event)
            return self._work(owned, play)
        except RunEnded as over:
            return self._already_over(over)
        except (OwnedByAnother, Fenced) as error:
            return self._say(Ending(frozenset({ExitCode.OWNED_BY_ANOTHER}), reason=str(error)))
        except GateReadFailed as error:
            return self._say(Ending(frozenset({ExitCode.FAILED}), reason=str(error)))

    def _blocked(self, owned: OwnedRun, report: GateReport) -> Ended:
        """The gate refuses: stop, with a terminal unless the incarnation has one (A-4)."""
        effective = {finding.record.row_id: finding.effective for finding in report.findings}
        if owned.ended() is None:
            return self._end(owned, _ATTENTION, report.blocking, effective=effective)
        return self._say(
            Ending(
                frozenset({EXIT_OF[_ATTENTION]}),
                code=_ATTENTION,
                row_ids=report.blocking,
                health=examine(self._journal, self._job.run_id),
                effective=effective,
            )
        )

    def _work(self, owned: OwnedRun, play: int) -> Ended:
        dispatcher = self._conduct.dispatcher(owned, self._toolbox, self._journal.probe)
        try:
            Work(owned, self._job, dispatcher, self._contract).do(play)
        except Paused:
            owned.emit("run:paused")
            return self._say(Ending(frozenset({ExitCode.PAUSED})))
        except NodeFailed as failed:
            # Without this event the terminal still says how the run ended.
            with suppress(StoreFailed, Busy):
                owned.emit("node:failed", node=failed.node_id, code=failed.code)
            return self._end(owned, failed.code, reason=str(failed))
        except NeedsAttention as stop:
            return self._end(owned, _ATTENTION, stop.row_ids, reason=str(stop))
        return self._end(owned, None)

    def _end(
        self,
        owned: OwnedRun,
        code: ErrorCode | None,
        row_ids: tuple[int, ...] = (),
        *,
        reason: str = "",
        effective: Mapping[int, Tier] = MappingProxyType({}),
    ) -> Ended:
        """End the incarnation with its terminal, and say all that holds (A-2, A-3)."""
        health = Health()
        held: set[ExitCode] = set()
        try:
            health = examine(self._journal, self._job.run_id)
            if code is not _ATTENTION and health.unresolved:
                # Whatever else ends it, an open effect keeps the run resumable (reading 19).
                code, row_ids = _ATTENTION, health.unresolved
            self._conduct.leave(self._journal, owned, code, row_ids)
        except (StoreFailed, Busy) as error:
            held.add(ExitCode.TERMINAL_HELD)
            reason = f"{reason}\n{error}".strip()
        return self._say(
            Ending(
                frozenset({EXIT_OF[code], *held}),
                code=code,
                reason=reason,
                row_ids=row_ids,
                undelivered=() if code is _ATTENTION else health.undelivered,
                health=health,
                effective=effective,
            )
        )

    def _already_over(self, over: RunEnded) -> Ended:
        """The run ended before: nothing is done, but for a sweep that a crash cut off (R-2)."""
        if over.phase is RunPhase.CLOSED:
            return self._say(Ending(frozenset({ExitCode.COMPLETED}), reason=str(over)))
        with suppress(StoreFailed, Busy):
            self._journal.sweep(self._job.run_id)
        health = examine(self._journal, self._job.run_id)
        return self._say(
            Ending(
                frozenset({EXIT_OF[over.ended]}),
                code=over.ended,
                reason=str(over),
                undelivered=health.undelivered,
                health=health,
            )
        )

    def _say(self, ending: Ending) -> Ended:
        return say(self._contract, self._reconcilers.tool_ids(), ending)
