"""The machine: what Hypothesis may do, step by step, to a journal and to the model alike."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from effectcrash.account import Account
from effectspec import scenario
from effectspec.attention import ErrorCode
from effectspec.contract import CONTRACT
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
    Prepare,
    ReadGate,
    ReadGateFails,
    Resolve,
    Send,
    SetLookups,
    Settle,
    SettleFails,
    Sweep,
    TakeOver,
)
from effectspec.model.answers import Answer, Failed, Owned, Prepared
from effectspec.model.script import Unscriptable, script
from effectspec.model.step import step
from effectspec.model.world import Call, Lookups, Result, Row, World
from effectspec.points import Failable, Failure
from effectspec.protocol import Code
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome
from interleavings.conversation import Conversation, Unexpected
from interleavings.job import BARE, FRESH, KEYED, LATER_S, NODES, QUERYABLE, RECONCILERS
from interleavings.processes import Connection, Spawn, Spoken

PROCESSES: Final = 3
"""At a time: an owner, a successor while it lives, and one that shares a fence with either."""


class Disagreement(AssertionError):
    """The journal and the model differ after ``actions``, of which the last shows it."""

    def __init__(self, what: str, actions: list[Action]) -> None:
        self.action = actions[-1]
        done = "\n".join(f"{number:4} {action}" for number, action in enumerate(actions, 1))
        super().__init__(f"{what}\nafter\n{done}\n{_as_scenario(actions)}")


def _as_scenario(actions: list[Action]) -> str:
    if len({action.reconcilers for action in actions if isinstance(action, TakeOver)}) > 1:
        return "no scenario: its processes have different reconcilers, and a scenario has one job"
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
        """Compare what is on the disk, once more and by a new reader."""
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
        if self.can_wait and data.draw(st.booleans()):
            self.act(Advance(LATER_S))
        if len(self.living) < PROCESSES:
            self.take_over(data)
        if self.last_owner in self.living:
            self.read_gate_as(self.last_owner)
            self.ask_again(data, self.last_owner)

    def take_over(self, data: st.DataObject) -> None:
        reconcilers = data.draw(st.sampled_from((RECONCILERS, RECONCILERS, BARE)))
        self.taken(self.enter(data), reconcilers, declared_dead=data.draw(st.booleans()))

    def taken(self, name: str, reconcilers: frozenset[str], *, declared_dead: bool) -> Answer:
        answer = self.act(TakeOver(name, reconcilers, declared_dead))
        if isinstance(answer, Owned):
            self.last_owner = name
        else:
            self.conversation.kill(name)
        self.told = answer == Failed(Code.REFUSED)
        return answer

    def share(self, data: st.DataObject) -> None:
        """Another process of an owner takes over for all of its processes (C-7)."""
        name = data.draw(st.sampled_from(self.living))
        shared = self.world.living(name)
        other = self.enter(data)
        if not isinstance(self.taken(other, shared.reconcilers, declared_dead=True), Owned):
            return
        for process in self.world.processes:
            if process.generation == shared.generation:
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
        """Ask for a call, whether or not the node has asked for it before."""
        node = data.draw(st.sampled_from(NODES))
        if self.starts(data, name, node):
            recorded = self.recorded_of(node)
            again = len(recorded) > 0 and data.draw(st.booleans())
            slot, asked = data.draw(st.sampled_from(recorded if again else FRESH))
            self.ask(data, name, node, slot, asked)

    def ask_again(self, data: st.DataObject, name: str) -> None:
        """Ask for a call that some node has asked for before."""
        recorded = [(node, *each) for node in NODES for each in self.recorded_of(node)]
        if len(recorded) > 0:
            node, slot, asked = data.draw(st.sampled_from(recorded))
            if self.starts(data, name, node):
                self.ask(data, name, node, slot, asked)

    def starts(self, data: st.DataObject, name: str, node: str) -> bool:
        """Whether the process is in a start of the node, perhaps a new one."""
        if (name, node) not in self.begun or data.draw(st.booleans()):
            self.act(BeginNode(name, node))
        return (name, node) in self.begun

    def ask(self, data: st.DataObject, name: str, node: str, slot: int, asked: Call) -> None:
        """Prepare a call, and perhaps settle it."""
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
            *([self.advance] if self.can_wait else []),
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

    @property
    def can_wait(self) -> bool:
        """Whether a key may be forgotten. A process keeps the clock that it was started with."""
        keyed = any(row.identity.tool_id == KEYED.id for row in self.world.rows)
        return keyed and not self.living

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
