"""A model: where the world begins, what may happen next, and what comes of it.

Whoever explores it asks for these and for nothing else, and keeps its own account of the states.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from effectspec.attention import ErrorCode
from effectspec.contract import CONTRACT, Contract
from effectspec.lifecycle import UNRESOLVED, Resolution
from effectspec.model.actions import (
    Action,
    Advance,
    Arrive,
    Attach,
    BeginIncarnation,
    BeginNode,
    Close,
    CompleteNode,
    Crash,
    EndRun,
    ForgetKeys,
    GiveUp,
    Join,
    Prepare,
    ReadGate,
    ReadGateFails,
    ReadGateUnowned,
    Resolve,
    Send,
    SetLookups,
    Settle,
    SettleFails,
    Sweep,
    TakeOver,
)
from effectspec.model.configuration import Configuration
from effectspec.model.step import step
from effectspec.model.world import Lookups, NodeStart, Process, Stage, World
from effectspec.model.writing import Stepped, is_open
from effectspec.settlement import Outcome


class Conduct(Enum):
    """In which order a process takes over and reads the gate (reading 12)."""

    OWNERSHIP_FIRST = "ownership is committed before the gate reads"
    GATE_FIRST = "the gate reads before ownership is taken"


@dataclass(frozen=True, slots=True)
class Model:
    """A configuration under a contract.

    The owner does one thing after another, as an engine does; what its node's model asks for is
    up to nobody, so that every start may ask differently (I-4). The first error ends a start.
    """

    configuration: Configuration
    contract: Contract = CONTRACT
    conduct: Conduct = Conduct.OWNERSHIP_FIRST

    def initial(self) -> tuple[World, ...]:
        """The worlds that it can begin with."""
        return (World(),)

    def step(self, world: World, action: Action) -> Stepped:
        """The world after one of the ``actions`` of ``world``, and the journal's answer."""
        return step(world, action, self.contract)

    def actions(self, world: World) -> Iterator[Action]:
        """What may happen next."""
        for name in self.configuration.processes:
            process = world.process(name)
            if process is None or process.generation == 0:
                yield from self._entering(world, name, process)
            else:
                yield from self._of_owner(world, process)
            if process is not None and Crash in self.configuration.hazards:
                yield Crash(name)
        yield from self._of_network(world)
        for action in self._of_others(world):
            if type(action) in self.configuration.hazards:
                yield action

    # ── a process ────────────────────────────────────────────────────────────────────────────────

    def _entering(self, world: World, name: str, process: Process | None) -> Iterator[Action]:
        reconcilers = self.configuration.reconcilers
        if self.conduct is Conduct.GATE_FIRST and process is None:
            yield ReadGateUnowned(name, reconcilers)
            return
        if world.generation >= self.configuration.generations:
            return
        if process is None or process.stage is Stage.GOING:
            yield TakeOver(name, reconcilers)
            if self.configuration.lapses and world.lock is not None:
                yield TakeOver(name, reconcilers, declared_dead=True)
        if Join in self.configuration.hazards:
            for owner in world.processes:
                if owner.generation == world.generation and owner.stage is Stage.GOING:
                    yield Join(name, owner.name)

    def _of_owner(self, world: World, process: Process) -> Iterator[Action]:
        match process.stage:
            case Stage.OVER:
                return
            case Stage.ATTENTION:
                # An incarnation that has its terminal keeps it (reading 18).
                if is_open(world):
                    yield EndRun(process.name, ErrorCode.EFFECT_NEEDS_ATTENTION)
            case Stage.GOING if not self._has_passed(process):
                yield ReadGate(process.name)
                if ReadGateFails in self.configuration.hazards:
                    yield ReadGateFails(process.name)
            case Stage.GOING if process.dispatches:
                yield from self._of_dispatch(process)
            case Stage.GOING if not process.starts and not is_open(world):
                yield BeginIncarnation(process.name)
            case Stage.GOING:
                yield from self._of_work(world, process)

    def _has_passed(self, process: Process) -> bool:
        if self.conduct is Conduct.GATE_FIRST:
            return process.gated is not None
        return process.gated == process.generation

    def _of_dispatch(self, process: Process) -> Iterator[Action]:
        """What comes of a call that was prepared: sent once, answered or not, settled at once."""
        for dispatch in process.dispatches:
            row_id, outcome = dispatch.row_id, dispatch.outcome
            if not dispatch.sent:
                yield Send(process.name, row_id)
            elif outcome is None:
                if GiveUp in self.configuration.hazards:
                    yield GiveUp(process.name, row_id)
            else:
                result = None if outcome is Outcome.UNKNOWN else self.configuration.result
                yield Settle(process.name, row_id, outcome, result)
                if SettleFails in self.configuration.hazards:
                    yield SettleFails(process.name, row_id)

    def _of_work(self, world: World, process: Process) -> Iterator[Action]:
        open_nodes = (
            node_id for node_id in self.configuration.nodes if not world.node(node_id).completed
        )
        node_id = next(open_nodes, None)
        joined = not any(_shares_fence(process, other) for other in world.processes)
        if joined and not any(row.record.state in UNRESOLVED for row in world.rows):
            # The disposition is chosen after all admitted work has joined. A node may fail
            # for reasons of its own at any time.
            yield EndRun(process.name, None if node_id is None else ErrorCode.NODE_FAILED)
        if node_id is None:
            return
        start = process.start(node_id)
        if self._may_begin(world, start, node_id):
            yield BeginNode(process.name, node_id)
        if start is not None:
            yield from self._asking(process, start)
            if joined:
                yield CompleteNode(process.name, node_id)

    def _may_begin(self, world: World, start: NodeStart | None, node_id: str) -> bool:
        """Whether a process that is in ``start`` of a node may begin the node (again)."""
        if world.node(node_id).starts >= self.configuration.starts:
            return False
        if start is None:
            return True
        prepared = any(
            start.number in {row.record.start, row.record.retried_in}
            for row in world.of_node(node_id)
        )
        return self.contract.node_retryable(prepared_in_attempt=prepared)

    def _asking(self, process: Process, start: NodeStart) -> Iterator[Action]:
        for slot in range(start.next_slot, self.configuration.slots):
            for call in self.configuration.calls:
                if call not in start.asked:
                    yield Prepare(process.name, start.node_id, slot, call)

    # ── the others ───────────────────────────────────────────────────────────────────────────────

    def _of_network(self, world: World) -> Iterator[Action]:
        timing = self.configuration.timing
        for request in sorted(world.network, key=lambda each: (each.row_id, each.sender)):
            if timing is None or world.now - request.sent_at <= timing.travel_s:
                for arrival in self.configuration.arrivals:
                    yield Arrive(request, arrival, self.configuration.result)
        if timing is not None:
            if world.now < timing.horizon_s:
                yield Advance(timing.step_s)
            if world.target.keys and self._keys_are_old(world):
                yield ForgetKeys()

    def _keys_are_old(self, world: World) -> bool:
        """Whether the target has kept every key for as long as it says."""
        for key in world.target.keys:
            lifetime_s = world.ledger[key.row_id - 1].call.tool.key_lifetime_s
            if lifetime_s is None or world.now < key.since + lifetime_s:
                return False
        return True

    def _of_others(self, world: World) -> Iterator[Action]:
        for lookups in Lookups:
            if lookups is not world.target.lookups:
                yield SetLookups(lookups)
        if world.run is None:
            return
        yield Sweep()
        if world.generation >= self.configuration.generations:
            return
        yield Close()
        for row in world.rows:
            yield Resolve(row.id, Resolution.DISCARDED)
            yield Resolve(row.id, Resolution.ACCEPTED)
            yield Attach(row.id, self.configuration.result)


def _shares_fence(process: Process, other: Process) -> bool:
    return other.name != process.name and other.generation == process.generation
