"""What the model says, in the protocol's words and back."""

import http.client
from collections.abc import Callable
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Final, assert_never
from urllib.parse import urlsplit

import msgspec

from effectcrash.account import Account
from effectjournal.owned import OwnedRun
from effectspec import protocol
from effectspec.admission import REFUSALS, Admission, Bearing
from effectspec.model.actions import (
    Action,
    Arrive,
    Attach,
    BeginIncarnation,
    BeginNode,
    Close,
    CompleteNode,
    Crash,
    EndRun,
    Join,
    NodeAct,
    OperatorAct,
    OutsideAct,
    Prepare,
    ReadGate,
    ReadGateFails,
    Resolve,
    RunAct,
    SetLookups,
    Settle,
    SettleFails,
    Sweep,
    TakeOver,
)
from effectspec.model.answers import (
    Answer,
    Begun,
    Done,
    Failed,
    Gated,
    Judged,
    NodeEnded,
    Owned,
    Prepared,
    Settled,
    Silent,
    Swept,
)
from effectspec.model.script import RESULTS, call
from effectspec.model.world import RUN_ID, Lookups, Result, Row, World
from effectspec.points import Failure
from effectspec.protocol import FenceToken, Request, RowView
from effectspec.settlement import Outcome
from effectspec.tiers import Tier
from interleavings.job import JOBS
from interleavings.processes import Connection, Spawn, Spoken

OPERATOR: Final = "operator"
"""Who does what needs no fence."""

BEARINGS: Final = {(each.clause, each.reason): bearing for bearing, each in REFUSALS.items()}
ADMITTED: Final = {
    Admission.DISPATCH: Bearing.SILENT,
    Admission.REPLAY: Bearing.REPLAY,
    Admission.RETRY: Bearing.RETRY,
}
LOOKUPS: Final = {
    Lookups.SHOWN: Account.show_receipts,
    Lookups.HIDDEN: Account.hide_receipts,
    Lookups.FAILING: Account.fail_look_ups,
}


@dataclass(frozen=True)
class Handle:
    """What a row's request carries, as it was answered to the prepare (I-7, reading 9)."""

    key: str | None
    reference: str | None


class Unexpected(Exception):
    """An answer that no model gives; the message says what was heard."""


class Conversation:
    """Asks the processes on one store for what the model does, and hears what they answer."""

    def __init__(self, spawn: Spawn, account: Account) -> None:
        self.account = account
        self._spawn = spawn
        self._folder = TemporaryDirectory()
        self._processes: dict[str, Spoken] = {}
        self._tokens: dict[str, FenceToken] = {}
        self._row_ids: dict[int, int] = {}
        self._model_ids: dict[int, int] = {}
        self._handles: dict[int, Handle] = {}

    def end(self) -> None:
        """Kill every process and delete the store."""
        for process in self._processes.values():
            process.kill()
        self._folder.cleanup()

    def start(self, name: str, now: int, failures: tuple[Failure, ...] = ()) -> None:
        """Start a process, whose clock says ``now`` and whose tries fail as told."""
        self._processes[name] = self._spawn(self.opening(now, failures))

    def opening(self, now: int, failures: tuple[Failure, ...] = ()) -> protocol.Open:
        """What a process is told first."""
        return protocol.Open(
            store=self._folder.name,
            target=self.account.url,
            clock_offset_s=now,
            failures=failures,
        )

    def kill(self, name: str) -> None:
        """Kill a process."""
        self._processes.pop(name).kill()

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    def tell(self, action: Action, world: World) -> Answer:
        """Do what happens in ``world``, and hear what the journal answers."""
        if isinstance(action, RunAct):
            return self._tell_of_run(action)
        if isinstance(action, NodeAct):
            return self._tell_of_node(action, world)
        if isinstance(action, OperatorAct):
            return self._tell_of_operator(action)
        self._do_outside(action)
        return Silent()

    def _tell_of_run(self, action: RunAct) -> Answer:
        name = action.process
        match action:
            case TakeOver(reconcilers=reconcilers, declared_dead=declared_dead):
                taking = protocol.TakeOver(
                    job=JOBS[reconcilers], owner=name, declared_dead=declared_dead
                )
                answer = self._ask(name, taking)
                if isinstance(answer, protocol.Owned):
                    self._tokens[name] = answer.fence
                return self._heard(answer)
            case Join(owner=owner):
                self._tokens[name] = self._tokens[owner]
                return Silent()
            case ReadGate() | ReadGateFails():
                return self._heard(self._ask(name, protocol.ReadGate(fence=self._tokens[name])))
            case BeginIncarnation():
                return self._by_hand(name, lambda owned: owned.begin_incarnation("run:resumed"))
            case EndRun(code=code):
                return self._by_hand(name, lambda owned: owned.end(code))
            case _:
                raise AssertionError(f"no journal can be told to {action}")

    def _by_hand(self, name: str, act: Callable[[OwnedRun], None]) -> Answer:
        connection = self._processes[name]
        assert isinstance(connection, Connection), "the protocol has no operation for it"
        act(connection.owned(self._tokens[name]))
        return Done()

    def _tell_of_node(self, action: NodeAct, world: World) -> Answer:
        name = action.process
        fence = self._tokens[name]
        match action:
            case BeginNode(node_id=node_id):
                return self._heard(self._ask(name, protocol.BeginNode(fence=fence, node=node_id)))
            case Prepare(node_id=node_id, slot=slot, call=asked):
                said = call(asked, slot)
                answer = self._ask(
                    name,
                    protocol.Prepare(
                        fence=fence,
                        node=node_id,
                        start=_start(world, name, node_id),
                        slot=slot,
                        tool=said.tool,
                        arguments=said.arguments,
                        call_id=said.call_id,
                    ),
                )
                return self._heard_of_prepare(answer, world)
            case Settle(row_id=row_id, outcome=outcome, result=result):
                return self._settle(name, row_id, outcome, result)
            case SettleFails(row_id=row_id):
                return self._settle(name, row_id, Outcome.DONE, Result.FITS)
            case CompleteNode(node_id=node_id):
                start = _start(world, name, node_id)
                completing = protocol.CompleteNode(fence=fence, node=node_id, start=start)
                return self._heard(self._ask(name, completing))
            case _:
                raise AssertionError(f"no journal can be told to {action}")

    def _settle(self, name: str, row_id: int, outcome: Outcome, result: Result | None) -> Answer:
        settling = protocol.Settle(
            fence=self._tokens[name],
            row_id=self._row_ids[row_id],
            outcome=outcome,
            result=RESULTS[result],
        )
        return self._heard(self._ask(name, settling))

    def _tell_of_operator(self, action: OperatorAct) -> Answer:
        request: Request
        match action:
            case Resolve(row_id=row_id, resolution=resolution, result=result):
                request = protocol.Resolve(
                    row_id=self._row_ids[row_id],
                    resolution=resolution,
                    by=OPERATOR,
                    note="the target was looked at",
                    result=RESULTS[result],
                )
            case Attach(row_id=row_id, result=result):
                request = protocol.Attach(
                    row_id=self._row_ids[row_id], result=RESULTS[result], by=OPERATOR
                )
            case Close():
                request = protocol.Close(run_id=RUN_ID, by=OPERATOR)
            case Sweep():
                request = protocol.Sweep(run_id=RUN_ID)
            case _:
                assert_never(action)
        if OPERATOR not in self._processes:
            self.start(OPERATOR, now=0)
        return self._heard(self._ask(OPERATOR, request))

    def _do_outside(self, action: OutsideAct) -> None:
        match action:
            case Crash(process=name):
                self.kill(name)
            case Arrive(request=request):
                self._deliver(self._handles[request.row_id])
            case SetLookups(lookups=lookups):
                LOOKUPS[lookups](self.account)
            case _:
                pass

    def _deliver(self, handle: Handle) -> None:
        """Let the target serve a request that its sender sent, dead or alive."""
        url = urlsplit(self.account.url)
        assert handle.reference is not None, "only receipts matter to a journal"
        connection = http.client.HTTPConnection(url.netloc)
        headers = {protocol.REFERENCE_HEADER: handle.reference}
        connection.request("POST", f"{url.path}/effects", b'"first"', headers)
        assert connection.getresponse().status == http.HTTPStatus.OK
        connection.close()

    def _ask(self, name: str, request: Request) -> protocol.Answer:
        return self._processes[name].ask(request)

    # ── hearing ──────────────────────────────────────────────────────────────────────────────────

    def _heard(self, answer: protocol.Answer) -> Answer:
        match answer:
            case protocol.Done():
                return Done()
            case protocol.Error(code=code, definite=True):
                return Failed(code)
            case protocol.Owned(fence=fence):
                return Owned(fence.generation)
            case protocol.Gated(may_schedule=may_schedule, verdicts=verdicts):
                return Gated(may_schedule, tuple(map(self._judged, verdicts)))
            case protocol.Begun(start=start):
                return Begun(start)
            case protocol.Settled(settlement=settlement, state=state):
                return Settled(settlement, state)
            case protocol.NodeEnded(completed=completed, rows=rows):
                return NodeEnded(completed, tuple(self._model_ids[row_id] for row_id in rows))
            case protocol.Swept(deleted=deleted):
                return Swept(deleted)
            case _:
                raise Unexpected(f"the journal: {answer}")

    def _judged(self, each: protocol.Judged) -> Judged:
        return Judged(self._model_ids[each.row_id], each.verdict, each.declared, each.effective)

    def _heard_of_prepare(self, answer: protocol.Answer, world: World) -> Answer:
        if not isinstance(answer, protocol.Prepared):
            return self._heard(answer)
        admission, row_id, delivery = answer.admission, answer.row_id, answer.delivery
        handle = Handle(answer.key, answer.reference)
        if admission is Admission.DISPATCH and row_id is not None:
            others = set(self._handles.values())
            new = len(world.ledger) + 1
            self._row_ids[new], self._model_ids[row_id] = row_id, new
            self._handles[new] = handle
            if answer.key is not None and handle in others:
                raise Unexpected(f"the journal: {handle} for row {row_id}, and for another")
        model_id = None if row_id is None else self._model_ids[row_id]
        if admission is Admission.RETRY and model_id is not None:
            stored = self._handles[model_id]
            if handle != stored:
                raise Unexpected(f"the journal: {handle} for a row that was prepared with {stored}")
        bearing = ADMITTED.get(admission) or BEARINGS.get((answer.clause, answer.reason))
        if bearing is None:
            raise Unexpected(f"the journal: refused by {answer.clause}, {answer.reason!r}")
        result = None if delivery is None else _result(delivery)
        return Prepared(admission, bearing, model_id, result)

    # ── rows ─────────────────────────────────────────────────────────────────────────────────────

    def seen_by(self, reader: Spoken) -> list[RowView]:
        """The rows as anybody sees them, without what the model knows nothing about."""
        answer = reader.ask(protocol.ReadRows(run_id=RUN_ID))
        assert isinstance(answer, protocol.Rows)
        return [
            msgspec.structs.replace(
                row,
                resolved_by=None if row.resolved_at is None else row.resolved_by,
                resolved_at=None,
            )
            for row in answer.rows
        ]

    def expected_of(self, row: Row) -> RowView:
        """A row of the model as its reader has to see it."""
        record = row.record
        handle = self._handles[row.id]
        assert (handle.key is None) == (record.key_issued_at is None), "a key, if one was issued"
        assert (handle.reference is None) == (record.tier is not Tier.QUERYABLE)
        return RowView(
            row_id=self._row_ids[row.id],
            run_id=RUN_ID,
            node=row.node_id,
            slot=row.identity.slot,
            tool=row.identity.tool_id,
            tier=record.tier,
            state=record.state,
            retained=record.retained,
            digest=record.digest,
            generation=record.generation,
            attempt=1,
            call_id=f"{row.identity.tool_id}-{row.identity.slot}",
            key=handle.key,
            reference=handle.reference,
            resolution=record.resolution,
            resolved_by=None if record.resolution is None else OPERATOR,
            late_evidence=row.evidence,
        )


def _start(world: World, name: str, node_id: str) -> int:
    start = world.living(name).start(node_id)
    assert start is not None
    return start.number


def _result(delivery: protocol.Delivery) -> Result:
    """Which answer is re-delivered; the target's own is none of those that a settle brings."""
    said = (
        result for result in (Result.FITS, Result.TOO_LARGE) if delivery.value == RESULTS[result]
    )
    return next(said, Result.OTHER)
