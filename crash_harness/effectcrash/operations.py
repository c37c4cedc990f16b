"""Puts the operations of a scenario into requests, which name fences, starts and rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

from effectcrash.adapter import as_told
from effectcrash.cannot_ask import CannotAsk
from effectcrash.session_operations import SessionOperations
from effectspec import protocol, scenario
from effectspec.lifecycle import Resolution
from effectspec.protocol import Answer, FenceToken, Request, RowView
from effectspec.scenario import Job

OPERATOR: Final = "operator"
"""The actor of every operator act of a scenario (A-5)."""

NOTE: Final = "decided by the scenario"
"""What the operator writes beside a resolution."""

JournalOperation: TypeAlias = (
    scenario.TakeOver
    | scenario.BeginNode
    | scenario.Prepare
    | scenario.Settle
    | scenario.CompleteNode
    | scenario.Gate
)
"""The steps that a journal takes, with no engine around it."""

Operation: TypeAlias = (
    JournalOperation
    | scenario.Run
    | scenario.Resume
    | scenario.Resolve
    | scenario.Attach
    | scenario.Close
    | scenario.Sweep
    | scenario.SessionStep
)
"""The steps that an implementation takes."""

Ask: TypeAlias = Callable[[Request], Answer]
"""Asks the process that is to take the operation for what the request has to name."""


@dataclass(slots=True)
class Operations:
    """What was learnt of a run from the answers so far.

    ``elsewhere``: processes that work on another run of the same store, and its job.
    """

    job: Job
    elsewhere: Mapping[str, Job] = field(default_factory=dict)
    _sessions: SessionOperations = field(init=False)
    _owners: dict[str, str] = field(default_factory=dict)
    """The owner for whom a process took the fence."""
    _fences: dict[str, FenceToken] = field(default_factory=dict)
    """The newest fence of an owner: all its processes hold it, wherever it was taken."""
    _starts: dict[tuple[str, str], int] = field(default_factory=dict)
    _rows: dict[tuple[str, str, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """The session of the job, if it is about one."""
        self._sessions = SessionOperations(self.job)

    def request(self, step: Operation, ask: Ask) -> Request:
        """The request that asks ``step.process`` to take ``step``. Raises :class:`CannotAsk`."""
        match step:
            case scenario.Run() | scenario.Resume():
                return self._of_the_engine(step)
            case scenario.Resolve() | scenario.Attach() | scenario.Close() | scenario.Sweep():
                return self._of_the_operator(step, ask)
            case (
                scenario.TakeOver()
                | scenario.BeginNode()
                | scenario.Prepare()
                | scenario.Settle()
                | scenario.CompleteNode()
                | scenario.Gate()
            ):
                return self._of_the_journal(step)
            case _:
                return self._sessions.request(step)

    def _of_the_engine(self, step: scenario.Run | scenario.Resume) -> Request:
        job = self._job_of(step.process)
        match step:
            case scenario.Run(process=owner, play=play):
                return protocol.RunJob(job=job, owner=owner, play=play)
            case scenario.Resume(process=owner, play=play):
                return protocol.ResumeJob(
                    job=job,
                    owner=owner,
                    play=play,
                    approve=step.approve,
                    declared_dead=step.declared_dead,
                )
            case _:
                assert_never(step)

    def _of_the_operator(
        self, step: scenario.Resolve | scenario.Attach | scenario.Close | scenario.Sweep, ask: Ask
    ) -> Request:
        match step:
            case scenario.Resolve(resolution=resolution, result=result):
                return protocol.Resolve(
                    row_id=self._newest_row(step, ask),
                    resolution=resolution,
                    by=OPERATOR,
                    note=NOTE,
                    result=result,
                )
            case scenario.Attach(result=result):
                row_id = self._newest_row(step, ask)
                return protocol.Attach(row_id=row_id, result=result, by=OPERATOR)
            case scenario.Close(process=process):
                return protocol.Close(run_id=self._job_of(process).run_id, by=OPERATOR)
            case scenario.Sweep(process=process):
                return protocol.Sweep(run_id=self._job_of(process).run_id)
            case _:
                assert_never(step)

    def _of_the_journal(self, step: JournalOperation) -> Request:
        if isinstance(step, scenario.TakeOver):
            return protocol.TakeOver(
                job=self._job_of(step.process), owner=step.owner, declared_dead=step.declared_dead
            )
        fence = self._fence(step.process)
        match step:
            case scenario.Gate():
                return protocol.ReadGate(fence=fence)
            case scenario.BeginNode(node=node):
                return protocol.BeginNode(fence=fence, node=node)
            case scenario.Prepare(node=node, slot=slot, call=call):
                return protocol.Prepare(
                    fence=fence,
                    node=node,
                    start=self._start(step),
                    slot=slot,
                    tool=call.tool,
                    arguments=call.arguments,
                    call_id=call.call_id,
                )
            case scenario.Settle(outcome=outcome, result=result):
                row_id = self._prepared_row(step)
                return protocol.Settle(fence=fence, row_id=row_id, outcome=outcome, result=result)
            case scenario.CompleteNode(node=node):
                return protocol.CompleteNode(fence=fence, node=node, start=self._start(step))
            case _:
                assert_never(step)

    def learn(self, step: Operation, answer: Answer) -> None:
        """Remember what an answer to ``step`` says for the requests to come."""
        match step, answer:
            case scenario.TakeOver(process=process), protocol.Owned(fence=fence):
                self._owners[process] = fence.owner
                self._fences[fence.owner] = fence
            case scenario.BeginNode(process=process, node=node), protocol.Begun(start=start):
                self._starts[process, node] = start
            case (
                scenario.Prepare(process=process, node=node, slot=slot),
                protocol.Prepared(row_id=int(row_id)),
            ):
                self._rows[process, node, slot] = row_id
            case _:
                if isinstance(step, scenario.SessionStep):
                    self._sessions.learn(step, answer)

    def _job_of(self, process: str) -> Job:
        return self.elsewhere.get(process, self.job)

    def _fence(self, process: str) -> FenceToken:
        if process not in self._owners:
            raise CannotAsk(f"{process}: holds no fence, since it has taken none")
        return self._fences[self._owners[process]]

    def _start(self, step: scenario.Prepare | scenario.CompleteNode) -> int:
        start = self._starts.get((step.process, step.node))
        if start is None:
            raise CannotAsk(f"{step.process}: has not begun node {step.node}")
        return start

    def _prepared_row(self, step: scenario.Settle) -> int:
        row_id = self._rows.get((step.process, step.node, step.slot))
        if row_id is None:
            raise CannotAsk(f"{step.process}: has prepared nothing at {step.node}/{step.slot}")
        return row_id

    def _newest_row(self, step: scenario.Resolve | scenario.Attach, ask: Ask) -> int:
        """The newest row at an address; a discarded one only where there is no other."""
        answer = ask(protocol.ReadRows(run_id=self._job_of(step.process).run_id))
        if not isinstance(answer, protocol.Rows):
            raise CannotAsk(f"{step.process}: the rows cannot be read: {as_told(answer)}")
        here = [row for row in answer.rows if (row.node, row.slot) == (step.node, step.slot)]
        if not here:
            raise CannotAsk(f"{step.process}: there is no row at {step.node}/{step.slot}")
        return max(here, key=_newness).row_id


def _newness(row: RowView) -> tuple[bool, int]:
    return row.resolution is not Resolution.DISCARDED, row.row_id
