"""The journal beside the model: whatever several processes do to one store, both agree on it."""

import http.client
import io
import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Protocol, TypeAlias, assert_never
from urllib.parse import urlsplit

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from effectcrash.account import Account
from effectcrash.adapter import Adapter
from effectcrash.play import Stage, play
from effectcrash.target_process import TargetProcess
from effectjournal.adapter import Adapter as Reference
from effectjournal.engine import Engine
from effectjournal.journal import Journal
from effectjournal.owned import OwnedRun
from effectjournal.wire import Wire
from effectspec import protocol, scenario, wrong_rules
from effectspec.admission import REFUSALS, Admission, Bearing
from effectspec.attention import ErrorCode
from effectspec.contract import CONTRACT, Contract
from effectspec.faults import RuleChange
from effectspec.lifecycle import TERMINAL, UNRESOLVED, Resolution, State
from effectspec.model.actions import (
    Action,
    Advance,
    Arrival,
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
    Send,
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
from effectspec.model.script import RESULTS, Unscriptable, call, job, script
from effectspec.model.step import step
from effectspec.model.world import RUN_ID, Call, Lookups, Result, Row, Tool, World
from effectspec.points import Failable, Failure
from effectspec.protocol import Code, FenceToken, Request, RowView
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

PROCESSES: Final = 3
"""At a time: an owner, a successor while it lives, and one that shares a fence with either."""

IN_PROCESS_EXAMPLES: Final = 200
IN_PROCESS_STEPS: Final = 50
"""A step takes two or three milliseconds."""

REAL_EXAMPLES: Final = 12
REAL_STEPS: Final = 30
"""An example starts about five processes, and each takes up to half a second to start."""

FAULTY_EXAMPLES: Final = 2000
"""No limit that is met: a machine that finds its fault stops at the first example that shows it."""

KEY_LIFETIME_S: Final = 1000
LATER_S: Final = 10_000
"""Far apart, so that the seconds that a test takes never decide whether a key lives."""

OPAQUE: Final = Tool("opaque", Tier.OPAQUE)
KEYED: Final = Tool("keyed", Tier.KEYED, KEY_LIFETIME_S)
QUERYABLE: Final = Tool("queryable", Tier.QUERYABLE)
UNRECONCILED: Final = Tool("unreconciled", Tier.KEYED)
TOOLS: Final = (OPAQUE, KEYED, QUERYABLE, UNRECONCILED)
RECONCILERS: Final = frozenset({KEYED.id, QUERYABLE.id})
NODES: Final = ("n1", "n2")
JOB: Final = job(TOOLS, RECONCILERS, NODES)
CALLS: Final = (*(Call(tool, "first") for tool in TOOLS), Call(OPAQUE, "second"))
FRESH: Final = [(slot, each) for slot in range(3) for each in CALLS]

# ── two ways to have a process ───────────────────────────────────────────────────────────────────


class Spoken(Protocol):
    """A process of an implementation, with a store open."""

    def ask(self, request: Request) -> protocol.Answer: ...

    def kill(self) -> object: ...


Spawn: TypeAlias = Callable[[protocol.Open], Spoken]


class Connection:
    """The reference in this very process; its crash is that it is dropped without being closed."""

    def __init__(self, opening: protocol.Open, contract: Contract = CONTRACT) -> None:
        wire = Wire(io.BytesIO(), io.BytesIO())
        self._reference = Reference(wire, contract, Engine, Journal.open)
        assert self.ask(opening) == protocol.Done()

    def ask(self, request: Request) -> protocol.Answer:
        return self._reference._answer(request)

    def owned(self, token: FenceToken) -> OwnedRun:
        """The run under a fence, for what the protocol has no operation for."""
        assert self._reference._operations is not None
        return self._reference._operations._hold(token).owned

    def kill(self) -> None:
        assert self._reference._operations is not None
        # What the kernel does when a process dies. SQLite's own locks go with the connection.
        for lock in self._reference._operations._journal._held:
            lock.release()
        del self._reference


class Process:
    """An adapter of the reference in a process of its own, which SIGKILL ends."""

    def __init__(self, opening: protocol.Open) -> None:
        self._adapter = Adapter(ADAPTER)
        assert self.ask(opening) == protocol.Done()

    def ask(self, request: Request) -> protocol.Answer:
        return self._adapter.ask(request)

    def kill(self) -> None:
        assert self._adapter.kill().by_sigkill
        self._adapter.close()


ADAPTER: Final = (sys.executable, "-m", "effectjournal.adapter")

# ── what the model says, in the protocol's words and back ────────────────────────────────────────

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
    """An answer that no model gives."""


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
        for process in self._processes.values():
            process.kill()
        self._folder.cleanup()

    def start(self, name: str, now: int, failures: tuple[Failure, ...] = ()) -> None:
        self._processes[name] = self._spawn(self.opening(now, failures))

    def opening(self, now: int, failures: tuple[Failure, ...] = ()) -> protocol.Open:
        return protocol.Open(
            store=self._folder.name,
            target=self.account.url,
            clock_offset_s=now,
            failures=failures,
        )

    def kill(self, name: str) -> None:
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
            case TakeOver(declared_dead=declared_dead):
                taking = protocol.TakeOver(job=JOB, owner=name, declared_dead=declared_dead)
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
                assert_never(action)

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
        if admission is Admission.DISPATCH and row_id is not None:
            new = len(world.ledger) + 1
            self._row_ids[new], self._model_ids[row_id] = row_id, new
            self._handles[new] = Handle(answer.key, answer.reference)
        model_id = None if row_id is None else self._model_ids[row_id]
        if admission is Admission.RETRY and model_id is not None:
            # The stored key, verbatim (I-7).
            assert Handle(answer.key, answer.reference) == self._handles[model_id]
        bearing = ADMITTED.get(admission) or BEARINGS[answer.clause, answer.reason]
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
        assert (handle.key is None) == (record.tier is not Tier.KEYED)
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


# ── the machine ──────────────────────────────────────────────────────────────────────────────────


class Disagreement(AssertionError):
    """The journal and the model differ after ``actions``, of which the last shows it."""

    def __init__(self, what: str, actions: list[Action]) -> None:
        self.action = actions[-1]
        done = "\n".join(f"{number:4} {action}" for number, action in enumerate(actions, 1))
        super().__init__(f"{what}\nafter\n{done}\n{_as_scenario(actions)}")


def _as_scenario(actions: list[Action]) -> str:
    try:
        return f"as a scenario:\n{scenario.encode(script(actions)).decode()}"
    except Unscriptable as reason:
        return f"no scenario: {reason}"


FAILURES: Final = (
    (),
    (Failure(Failable.SETTLE_WRITE, 1),),
    (Failure(Failable.SETTLE_WRITE, 2),),
    (Failure(Failable.GATE_READ, 1),),
)
ANSWERS: Final = (
    (Outcome.DONE, Result.FITS),
    (Outcome.DONE, Result.TOO_LARGE),
    (Outcome.NOT_DONE, Result.FITS),
    (Outcome.UNKNOWN, None),
)


Way: TypeAlias = Callable[[st.DataObject], None]
CODES: Final = (ErrorCode.EFFECT_NEEDS_ATTENTION, ErrorCode.NODE_FAILED, None)


class JournalMachine(RuleBasedStateMachine):
    """Does to a journal what it does to the model; answers and rows must agree every time."""

    def __init__(self, spawn: Spawn, account: Account) -> None:
        super().__init__()
        self.conversation = Conversation(spawn, account)
        self.reader = Connection(self.conversation.opening(now=0))
        self.world = World()
        self.actions: list[Action] = []
        self.names = (f"p{number}" for number in itertools.count(1))
        self.last_owner: str | None = None
        self.told = False
        self.failures: dict[str, tuple[Failure, ...]] = {}
        self.tries: Counter[tuple[str, Failable]] = Counter()
        self.answered: dict[tuple[str, str, int], int] = {}
        """By process, node and slot: the row of that address that its last prepare named."""

    def teardown(self) -> None:
        try:
            fresh = Connection(self.conversation.opening(now=0))
            self.compare_rows(fresh)
            fresh.kill()
        finally:
            self.reader.kill()
            self.conversation.end()

    def act(self, action: Action) -> Answer:
        """Do ``action`` on both sides. Raises :class:`Disagreement`."""
        self.actions.append(action)
        before = self.world
        self.world, expected = step(before, action, CONTRACT)
        try:
            heard = self.conversation.tell(action, before)
        except Unexpected as error:
            raise Disagreement(f"{error}\nthe model:   {expected}", self.actions) from error
        if heard != expected:
            raise Disagreement(f"the journal: {heard}\nthe model:   {expected}", self.actions)
        self.compare_rows(self.reader)
        return heard

    def compare_rows(self, reader: Spoken) -> None:
        seen = self.conversation.seen_by(reader)
        expected = [self.conversation.expected_of(row) for row in self.world.rows]
        if seen != expected:
            raise Disagreement(f"the store: {seen}\nthe model: {expected}", self.actions)

    def fails(self, name: str, kind: Failable) -> bool:
        """Whether this try of the process was told to fail."""
        self.tries[name, kind] += 1
        return Failure(kind, self.tries[name, kind]) in self.failures[name]

    # Few rules, each with several ways to go: a swarm leaves out rules at random, and without the
    # greater part of them next to nothing happens.

    @initialize(data=st.data())
    def set_out(self, data: st.DataObject) -> None:
        self.act(Sweep())
        self.take_over(data)
        self.work(data)

    @precondition(lambda self: self.ways_of_processes)
    @rule(data=st.data())
    def processes_come_and_go(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self.ways_of_processes))(data)

    @precondition(lambda self: self.ways_of_nodes)
    @rule(data=st.data())
    def nodes_are_worked_on(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self.ways_of_nodes))(data)

    @rule(data=st.data())
    def others_decide(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self.ways_of_others))(data)

    # ── processes ────────────────────────────────────────────────────────────────────────────────

    @property
    def ways_of_processes(self) -> list[Way]:
        room = len(self.living) < PROCESSES
        return [
            *([self.take_over] if room and not self.over else []),
            *([self.share] if room and self.living and not self.over else []),
            *([self.read_gate, self.crash] if self.living else []),
            *([self.resume, self.resume] if not self.over else []),
        ]

    def resume(self, data: st.DataObject) -> None:
        """Do what follows a death: take over, read the gate, ask again."""
        if self.world.lock is not None:
            self.act(Crash(self.world.lock))
        if len(self.living) < PROCESSES:
            self.take_over(data)
        if self.last_owner in self.living:
            self.read_gate_as(self.last_owner)
            self.work_as(data, self.last_owner)

    def take_over(self, data: st.DataObject) -> None:
        self.taken(self.enter(data), declared_dead=data.draw(st.booleans()))

    def taken(self, name: str, *, declared_dead: bool) -> Answer:
        answer = self.act(TakeOver(name, RECONCILERS, declared_dead))
        if isinstance(answer, Owned):
            self.last_owner = name
        else:
            self.conversation.kill(name)
        self.told = answer == Failed(Code.REFUSED)
        return answer

    def share(self, data: st.DataObject) -> None:
        """Another process of an owner takes over for all of its processes (C-7)."""
        name = data.draw(st.sampled_from(self.living))
        shared = self.world.living(name).generation
        other = self.enter(data)
        if not isinstance(self.taken(other, declared_dead=True), Owned):
            return
        for process in self.world.processes:
            if process.generation == shared:
                self.act(Join(process.name, other))

    def enter(self, data: st.DataObject) -> str:
        name = next(self.names)
        self.failures[name] = data.draw(st.sampled_from(FAILURES))
        self.conversation.start(name, self.world.now, self.failures[name])
        return name

    def read_gate(self, data: st.DataObject) -> None:
        self.read_gate_as(data.draw(st.sampled_from(self.living)))

    def read_gate_as(self, name: str) -> None:
        fails = self.fails(name, Failable.GATE_READ)
        self.act(ReadGateFails(name) if fails else ReadGate(name))

    def crash(self, data: st.DataObject) -> None:
        self.act(Crash(data.draw(st.sampled_from(self.living))))

    # ── nodes ────────────────────────────────────────────────────────────────────────────────────

    @property
    def ways_of_nodes(self) -> list[Way]:
        return [
            *([self.work, self.work] if self.living and not self.ended else []),
            *([self.settle] if self.settleable else []),
            *([self.complete_node] if self.begun and not self.ended else []),
        ]

    def work(self, data: st.DataObject) -> None:
        self.work_as(data, data.draw(st.sampled_from(self.living)))

    def work_as(self, data: st.DataObject, name: str) -> None:
        """Prepare a call, perhaps in a new start of the node, and perhaps settle it."""
        node = data.draw(st.sampled_from(NODES))
        if (name, node) not in self.begun or data.draw(st.booleans()):
            self.act(BeginNode(name, node))
        if (name, node) not in self.begun:
            return
        recorded = self.recorded_of(node)
        again = len(recorded) > 0 and data.draw(st.booleans())
        slot, asked = data.draw(st.sampled_from(recorded if again else FRESH))
        self.prepare(name, node, slot, asked)
        if len(self.sendable) > 0 and data.draw(st.booleans()):
            self.deliver(data)
        if (name, node, slot) in self.answered and data.draw(st.booleans()):
            self.settle_row(data, name, self.answered[name, node, slot])

    def prepare(self, name: str, node: str, slot: int, asked: Call) -> None:
        answer = self.act(Prepare(name, node, slot, asked))
        if not isinstance(answer, Prepared) or answer.row_id is None:
            return
        self.answered.pop((name, node, slot), None)
        row = self.world.row(answer.row_id)
        if row is not None and (row.node_id, row.identity.slot) == (node, slot):
            self.answered[name, node, slot] = row.id

    def recorded_of(self, node: str) -> list[tuple[int, Call]]:
        """The calls that a re-run of a node may ask for again."""
        return [
            (row.identity.slot, self.world.ledger[row.id - 1].call)
            for row in self.world.rows
            if row.node_id == node
        ]

    def settle(self, data: st.DataObject) -> None:
        """Settle what was prepared, however late, or once more."""
        self.settle_row(data, *data.draw(st.sampled_from(self.settleable)))

    def settle_row(self, data: st.DataObject, name: str, row_id: int) -> None:
        if self.fails(name, Failable.SETTLE_WRITE):
            self.act(SettleFails(name, row_id))
        else:
            self.act(Settle(name, row_id, *data.draw(st.sampled_from(ANSWERS))))

    def deliver(self, data: st.DataObject) -> None:
        """Let a request arrive that its sender never hears of, and change how look-ups go."""
        name, row_id = data.draw(st.sampled_from(self.sendable))
        before = self.world.network
        self.act(Send(name, row_id))
        (request,) = self.world.network - before
        self.act(Arrive(request, Arrival.UNHEARD, Result.OTHER))
        self.act(SetLookups(data.draw(st.sampled_from(Lookups))))

    def complete_node(self, data: st.DataObject) -> None:
        self.act(CompleteNode(*data.draw(st.sampled_from(self.begun))))

    # ── others ───────────────────────────────────────────────────────────────────────────────────

    @property
    def ways_of_others(self) -> list[Way]:
        return [
            self.sweep,
            *([self.resolve, self.attach] if self.addresses else []),
            *([self.resolve, self.resolve] if self.unresolved else []),
            *([self.close] if len(self.addresses) > 1 else []),
            *([self.advance] if self.asks(KEYED) and not self.living else []),
        ]

    def sweep(self, _: st.DataObject) -> None:
        self.act(Sweep())

    def resolve(self, data: st.DataObject) -> None:
        row_id = self.decided(data, UNRESOLVED)
        resolution = data.draw(st.sampled_from(Resolution))
        result = data.draw(st.sampled_from((None, Result.FITS, Result.TOO_LARGE)))
        self.act(Resolve(row_id, resolution, result))

    def attach(self, data: st.DataObject) -> None:
        row_id = self.decided(data, TERMINAL)
        self.act(Attach(row_id, data.draw(st.sampled_from((Result.FITS, Result.TOO_LARGE)))))

    def decided(self, data: st.DataObject, apt: frozenset[State]) -> int:
        """The row that an operator decides; beside a live owner, the decision is refused."""
        if self.world.lock is not None and data.draw(st.booleans()):
            self.act(Crash(self.world.lock))
        rows = [*self.addresses.values()]
        better = [row for row in rows if row.record.state in apt and not row.record.retained]
        return data.draw(st.sampled_from([*better, *better, *rows])).id

    def close(self, _: st.DataObject) -> None:
        self.act(Close())

    def advance(self, _: st.DataObject) -> None:
        # A process keeps the clock that it was started with.
        self.act(Advance(LATER_S))

    # ── what there is ────────────────────────────────────────────────────────────────────────────

    @property
    def living(self) -> list[str]:
        return [process.name for process in self.world.processes]

    @property
    def begun(self) -> list[tuple[str, str]]:
        return [
            (process.name, start.node_id)
            for process in self.world.processes
            for start in process.starts
        ]

    @property
    def addresses(self) -> dict[tuple[str, int], Row]:
        """The row that an operator means by a node and a slot: the newest undiscarded one."""
        newest: dict[tuple[str, int], Row] = {}
        for row in sorted(self.world.rows, key=lambda row: (not row.discarded, row.id)):
            newest[row.node_id, row.identity.slot] = row
        return newest

    @property
    def unresolved(self) -> bool:
        return any(row.record.state in UNRESOLVED for row in self.world.rows)

    @property
    def settleable(self) -> list[tuple[str, int]]:
        return [
            (name, row_id) for (name, _, _), row_id in self.answered.items() if name in self.living
        ]

    @property
    def sendable(self) -> list[tuple[str, int]]:
        """The calls whose arrival makes a difference to a journal: those that leave a receipt."""
        return [
            (process.name, dispatch.row_id)
            for process in self.world.processes
            for dispatch in process.dispatches
            if not dispatch.sent and self.world.ledger[dispatch.row_id - 1].call.tool == QUERYABLE
        ]

    def asks(self, tool: Tool) -> bool:
        return any(row.identity.tool_id == tool.id for row in self.world.rows)

    @property
    def ended(self) -> bool:
        """Whether the run has ended; an owner then does no more work, and no journal asks why."""
        return self.world.run is not None and self.world.run.phase is RunPhase.ENDED

    @property
    def over(self) -> bool:
        """Whether the run cannot be resumed, and somebody has been told so."""
        closed = self.world.run is not None and self.world.run.phase is RunPhase.CLOSED
        return self.told and (self.ended or closed)


class TerminalMachine(JournalMachine):
    """Writes terminals too, for which the protocol has no operation: in this process only."""

    @precondition(lambda self: self.owners and len(self.addresses) > 1 and not self.ended)
    @rule(data=st.data())
    def turn(self, data: st.DataObject) -> None:
        """End the incarnation, or begin the next one."""
        name = data.draw(st.sampled_from(self.owners))
        if self.needs_attention:
            self.act(BeginIncarnation(name))
        else:
            self.act(EndRun(name, data.draw(st.sampled_from(CODES))))

    @property
    def needs_attention(self) -> bool:
        run = self.world.run
        return run is not None and run.phase is RunPhase.NEEDS_ATTENTION

    @property
    def owners(self) -> list[str]:
        return [
            process.name
            for process in self.world.processes
            if process.generation == self.world.generation
        ]


# ── what is shown ────────────────────────────────────────────────────────────────────────────────

ACCOUNTS: Final = (f"interleaving-{number}" for number in itertools.count(1))


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TargetProcess]:
    with TargetProcess(tmp_path_factory.mktemp("target") / "ledger.jsonl") as running:
        yield running


SHRINK_S: Final = 900
"""Seconds for a failure: Hypothesis shrinks for up to five minutes, and the rest is the search."""

COMMON: Final = settings(
    deadline=None,
    # Shrunk for as long, each of several would be shrunk less; one is told best.
    report_multiple_bugs=False,
    # A step is an operation on real storage, which is what makes it slow.
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)
IN_PROCESS: Final = settings(
    COMMON, max_examples=IN_PROCESS_EXAMPLES, stateful_step_count=IN_PROCESS_STEPS
)
UNDER_SIGKILL: Final = settings(COMMON, max_examples=REAL_EXAMPLES, stateful_step_count=REAL_STEPS)
FAULTY: Final = settings(
    IN_PROCESS,
    max_examples=FAULTY_EXAMPLES,
    derandomize=True,
    database=None,
    phases=(Phase.generate,),
)


def run(kind: type[JournalMachine], spawn: Spawn, target: TargetProcess, how: settings) -> None:
    def machine() -> JournalMachine:
        return kind(spawn, target.account(next(ACCOUNTS)))

    # A factory is what it takes; its annotation says less than its documentation.
    run_state_machine_as_test(machine, settings=how)  # type: ignore[arg-type]


@pytest.mark.timeout(SHRINK_S)
def test_processes_on_one_store_agree_with_the_model_in_one_process(target: TargetProcess) -> None:
    run(TerminalMachine, Connection, target, IN_PROCESS)


@pytest.mark.timeout(SHRINK_S)
def test_processes_on_one_store_agree_with_the_model_under_sigkill(target: TargetProcess) -> None:
    run(JournalMachine, Process, target, UNDER_SIGKILL)


@pytest.mark.parametrize(
    ("fault", "shown_by"),
    [
        (wrong_rules.fence_unchecked, (ReadGate, BeginNode, Prepare, Settle, CompleteNode)),
        (wrong_rules.late_settle_overwrites, (Settle,)),
        (wrong_rules.opaque_effect_retried, (ReadGate, Prepare)),
        (wrong_rules.no_receipt_is_absence, (ReadGate, Prepare)),
        (wrong_rules.identity_alone, (Prepare,)),
        (wrong_rules.same_slot_alone, (Prepare,)),
        (wrong_rules.attention_sweeps, (Sweep,)),
        (wrong_rules.unresolved_swept, (Sweep,)),
        (wrong_rules.gate_fails_open, (ReadGateFails,)),
        (wrong_rules.live_owner_replaced, (TakeOver, Resolve, Attach, Close)),
        (wrong_rules.completes_beside_unresolved, (CompleteNode,)),
        (wrong_rules.resolved_again, (Resolve,)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_journal_with_a_wrong_rule_is_found_out(
    target: TargetProcess, fault: RuleChange, shown_by: tuple[type[Action], ...]
) -> None:
    faulty = partial(Connection, contract=fault(CONTRACT))
    with pytest.raises(Disagreement) as found:
        run(TerminalMachine, faulty, target, FAULTY)

    assert isinstance(found.value.action, shown_by)


OPAQUE_CALL, KEYED_CALL = Call(OPAQUE, "first"), Call(KEYED, "first")
A_STORY: Final = (
    TakeOver("p1", RECONCILERS),
    BeginNode("p1", "n1"),
    Prepare("p1", "n1", 0, OPAQUE_CALL),
    Settle("p1", 1, Outcome.DONE, Result.FITS),
    Prepare("p1", "n1", 1, KEYED_CALL),
    SettleFails("p1", 2),
    TakeOver("p2", RECONCILERS, declared_dead=True),
    ReadGate("p2"),
    Settle("p1", 2, Outcome.DONE, Result.FITS),
    TakeOver("p3", RECONCILERS, declared_dead=True),
    Join("p2", "p3"),
    ReadGate("p2"),
    BeginNode("p3", "n1"),
    Prepare("p3", "n1", 0, OPAQUE_CALL),
    Prepare("p3", "n1", 1, KEYED_CALL),
    Settle("p3", 2, Outcome.DONE, Result.TOO_LARGE),
    Crash("p1"),
    Crash("p2"),
    Crash("p3"),
    Advance(LATER_S),
    SetLookups(Lookups.HIDDEN),
    TakeOver("p1", RECONCILERS),
    ReadGateFails("p1"),
    BeginNode("p1", "n2"),
    Prepare("p1", "n2", 0, OPAQUE_CALL),
    Crash("p1"),
    TakeOver("p1", RECONCILERS),
    ReadGate("p1"),
    Crash("p1"),
    Resolve(3, Resolution.ACCEPTED),
    Attach(3, Result.FITS),
    Sweep(),
    TakeOver("p1", RECONCILERS),
)


def test_what_was_done_in_the_model_can_be_played_as_a_scenario(
    target: TargetProcess, tmp_path: Path
) -> None:
    world = World()
    for action in A_STORY:
        world, _ = step(world, action, CONTRACT)
    scene = play(script(A_STORY), Stage(ADAPTER, target.account(next(ACCOUNTS)), tmp_path)).end

    assert scene.generation == world.generation
    assert [
        (row.state, row.retained, row.generation, row.resolution, row.late_evidence)
        for row in scene.rows
    ] == [
        (
            row.record.state,
            row.record.retained,
            row.record.generation,
            row.record.resolution,
            row.evidence,
        )
        for row in world.rows
    ]
    assert [row.evidence for row in world.rows] == [0, 1, 0], "the story is what it was meant to be"
