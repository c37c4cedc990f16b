"""The protocol's operations on an open store: runs, the journal's own acts, the operator's."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, assert_never

from effectjournal.declarations import Declarations
from effectjournal.dispatch import Turn, plan
from effectjournal.engine import Engine
from effectjournal.errors import Busy, StoreFailed
from effectjournal.journal import Attachment, Expect, Journal
from effectjournal.owned import Completed, Incomplete, OwnedRun
from effectjournal.preparation import Dispatch, NodeStart, Refused, Replay
from effectjournal.session.operations import MakeSession, SessionOperation, SessionOperations
from effectjournal.session.session import Session
from effectjournal.target import Target
from effectjournal.tools import ToolBox
from effectspec.admission import Admission
from effectspec.contract import Contract
from effectspec.json_value import Json
from effectspec.ownership import Fence
from effectspec.protocol import (
    Answer,
    Attach,
    BeginNode,
    Begun,
    Close,
    CompleteNode,
    Done,
    Ended,
    Error,
    FenceToken,
    Gated,
    Judged,
    NodeEnded,
    Owned,
    Prepare,
    Prepared,
    ReadEvents,
    ReadGate,
    ReadRows,
    Resolve,
    ResumeJob,
    Rows,
    RunJob,
    Settle,
    Settled,
    Sweep,
    Swept,
    TakeOver,
)
from effectspec.scenario import Job, Node

Operation: TypeAlias = (
    RunJob
    | ResumeJob
    | TakeOver
    | ReadGate
    | BeginNode
    | Prepare
    | Settle
    | CompleteNode
    | Resolve
    | Attach
    | Close
    | Sweep
    | ReadRows
    | ReadEvents
    | SessionOperation
)
"""The requests that need an open store."""

MakeEngine: TypeAlias = Callable[[Journal, Job, ToolBox], Engine]
OpenJournal: TypeAlias = Callable[[], Journal]


class BadOperation(ValueError):
    """A request that is well formed and cannot be done here; the message says why."""


@dataclass(frozen=True, slots=True)
class _Hold:
    """A run under a fence, with what its owner declared."""

    owned: OwnedRun
    job: Job
    toolbox: ToolBox

    def node(self, node_id: str) -> Node:
        for node in self.job.nodes:
            if node.id == node_id:
                return node
        known = ", ".join(repr(node.id) for node in self.job.nodes) or "none"
        raise BadOperation(f"node {node_id!r} is not one of the job's; its nodes are: {known}")


class Operations:
    """An open store.

    An operation that is not done raises ``JournalError``, :class:`BadOperation` or ``BadCall``.
    """

    def __init__(
        self,
        open_journal: OpenJournal,
        store: Path,
        target: Target,
        contract: Contract,
        make_engine: MakeEngine,
        *,
        make_session: MakeSession = Session,
    ) -> None:
        self._open_journal = open_journal
        self._journal = open_journal()
        self._store = store
        self._target = target
        self._contract = contract
        self._make_engine = make_engine
        self._declarations = Declarations(store)
        self._sessions = SessionOperations(self._journal, contract, make_session)
        self._holds: dict[FenceToken, _Hold] = {}
        self._turns: dict[tuple[FenceToken, str, int], Turn] = {}
        self._turn_of_row: dict[int, Turn] = {}

    def close(self) -> None:
        """Close the store and let go of every run."""
        self._journal.close()

    def answer(self, request: Operation) -> Answer:  # noqa: C901, PLR0912  (one case a request)
        """Do one operation."""
        if isinstance(request, SessionOperation):
            return self._sessions.answer(request)
        match request:
            case RunJob():
                return self._ended(
                    request.job, lambda engine: engine.run(request.owner, play=request.play)
                )
            case ResumeJob():
                return self._ended(
                    request.job,
                    lambda engine: engine.resume(
                        request.owner,
                        play=request.play,
                        approve=request.approve,
                        declared_dead=request.declared_dead,
                    ),
                )
            case TakeOver():
                return self._take_over(request)
            case ReadGate(fence=fence):
                return self._gate(fence)
            case BeginNode():
                return self._begin_node(request)
            case Prepare():
                return self._prepare(request)
            case Settle():
                return self._settle(request)
            case CompleteNode():
                return self._complete_node(request)
            case Resolve():
                self._journal.resolve(
                    request.row_id,
                    request.resolution,
                    by=request.by,
                    note=request.note,
                    attached=_attachment(request.result),
                )
                return Done()
            case Attach(row_id=row_id, result=result, by=by):
                self._journal.attach(row_id, Attachment(result), by=by)
                return Done()
            case Close(run_id=run_id, by=by):
                self._journal.close_run(run_id, by=by)
                return Done()
            case Sweep(run_id=run_id):
                return Swept(deleted=self._journal.sweep(run_id))
            case ReadRows(run_id=run_id):
                return Rows(rows=self._journal.rows(run_id))
            case ReadEvents(run_id=run_id):
                return self._journal.events(run_id)
            case _:
                assert_never(request)

    # ── runs ─────────────────────────────────────────────────────────────────────────────────────

    def _ended(self, job: Job, work: Callable[[Engine], Ended]) -> Ended | Error:
        # A journal of its own, so that ownership ends with the incarnation and not with the
        # process: whoever resumes or resolves next may be this very process.
        with closing(self._open_journal()) as journal:
            try:
                return work(self._make_engine(journal, job, self._toolbox(job)))
            except (StoreFailed, Busy) as error:
                # The take-over may have been committed before the store gave up.
                return Error(code=error.code, message=str(error), definite=False)

    def _toolbox(self, job: Job) -> ToolBox:
        return ToolBox(job, self._target, self._store, contract=self._contract)

    # ── the journal's own operations ─────────────────────────────────────────────────────────────

    def _take_over(self, request: TakeOver) -> Owned:
        job = request.job
        toolbox = self._toolbox(job)
        owned = self._journal.take_over(
            job.run_id,
            request.owner,
            toolbox.reconcilers(),
            expect=Expect.EITHER,
            declared_dead=request.declared_dead,
        )
        self._declarations.keep(job)
        token = FenceToken(
            run_id=job.run_id, owner=owned.fence.owner_id, generation=owned.fence.generation
        )
        self._holds[token] = _Hold(owned, job, toolbox)
        return Owned(fence=token)

    def _hold(self, token: FenceToken) -> _Hold:
        """The run under a fence of this process, or of another process of the same owner."""
        if token not in self._holds:
            job = self._declarations.of(token.run_id)
            toolbox = self._toolbox(job)
            fence = Fence(token.run_id, token.owner, token.generation)
            owned = self._journal.adopt(fence, toolbox.reconcilers())
            self._holds[token] = _Hold(owned, job, toolbox)
        return self._holds[token]

    def _gate(self, token: FenceToken) -> Gated:
        report = self._hold(token).owned.gate()
        return Gated(
            may_schedule=report.may_schedule,
            verdicts=tuple(
                Judged(
                    row_id=finding.record.row_id,
                    verdict=finding.verdict,
                    declared=finding.record.tier,
                    effective=finding.effective,
                )
                for finding in report.findings
            ),
        )

    def _begin_node(self, request: BeginNode) -> Begun:
        hold = self._hold(request.fence)
        node = hold.node(request.node)
        start = hold.owned.begin_node(node.id)
        self._turns[request.fence, node.id, start.start] = Turn(node, start)
        return Begun(start=start.start)

    def _turn(self, hold: _Hold, token: FenceToken, node_id: str, start: int) -> Turn:
        """The turn of a start, which another process may have begun."""
        key = (token, node_id, start)
        if key not in self._turns:
            begun = NodeStart(hold.owned.fence, node_id, start, attempt=1)
            self._turns[key] = Turn(hold.node(node_id), begun)
        return self._turns[key]

    def _prepare(self, request: Prepare) -> Prepared:
        hold = self._hold(request.fence)
        turn = self._turn(hold, request.fence, request.node, request.start)
        resolved = hold.toolbox.resolve(request.tool, request.arguments)
        if not resolved.journaled:
            raise BadOperation(
                f"this call of tool {request.tool!r} is not journaled (J-1); nothing prepares it"
            )
        planned = plan(resolved, turn.node.mapping, slot=request.slot, call_id=request.call_id)
        answer = hold.owned.prepare(turn.start, planned)
        match answer:
            case Dispatch(row_id, key, reference, retry):
                self._turn_of_row[row_id] = turn
                return Prepared(
                    admission=Admission.RETRY if retry else Admission.DISPATCH,
                    row_id=row_id,
                    key=key,
                    reference=reference,
                )
            case Replay(row_id, delivery):
                turn.output.update(delivery.output)
                return Prepared(admission=Admission.REPLAY, row_id=row_id, delivery=delivery)
            case Refused(clause, reason, in_the_way):
                return Prepared(
                    admission=Admission.REFUSE, row_id=in_the_way, clause=clause, reason=reason
                )
            case _:
                assert_never(answer)

    def _settle(self, request: Settle) -> Settled:
        owned = self._hold(request.fence).owned
        settled = owned.settle(request.row_id, request.outcome, request.result)
        turn = self._turn_of_row.get(request.row_id)
        if turn is not None and settled.delivery is not None:
            turn.output.update(settled.delivery.output)
        return Settled(settlement=settled.settlement, state=settled.state)

    def _complete_node(self, request: CompleteNode) -> NodeEnded:
        hold = self._hold(request.fence)
        turn = self._turn(hold, request.fence, request.node, request.start)
        answer = hold.owned.complete_node(turn.start, turn.output)
        match answer:
            case Completed(undelivered):
                return NodeEnded(completed=True, rows=undelivered)
            case Incomplete(row_ids):
                return NodeEnded(completed=False, rows=row_ids)
            case _:
                assert_never(answer)


def _attachment(result: Json) -> Attachment | None:
    """A result that came with a resolution; the protocol has null for none."""
    return None if result is None else Attachment(result)
