"""A model: where the world begins, what may happen next, and what comes of it.

Whoever explores it asks for these and for nothing else, and keeps its own account of the states.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

from effectspec.attention import ErrorCode
from effectspec.contract import CONTRACT, Contract
from effectspec.lifecycle import UNRESOLVED, Resolution
from effectspec.model.actions import (
    Action,
    Advance,
    Approve,
    Arrive,
    Attach,
    BeginIncarnation,
    BeginNode,
    Close,
    CompleteNode,
    Crash,
    EndRun,
    FollowUpFails,
    ForgetKeys,
    GiveUp,
    Join,
    OverBudget,
    Prepare,
    PrepareFails,
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
from effectspec.model.configuration import Configuration
from effectspec.model.step import step
from effectspec.model.world import (
    Fate,
    Lookups,
    NodeStart,
    Process,
    Result,
    Row,
    Stage,
    World,
    row_part,
)
from effectspec.model.writing import Stepped, is_open
from effectspec.settlement import Outcome

_FAILURES: Final[Mapping[Stage, ErrorCode]] = MappingProxyType(
    {Stage.FAILED: ErrorCode.NODE_FAILED, Stage.OVER_BUDGET: ErrorCode.BUDGET_EXCEEDED}
)
"""The codes of the terminals that a failed node leads to."""

Source: TypeAlias = Callable[[World], Iterator[Action]]
"""Gives what one of those who act in a world may do next."""


@dataclass(frozen=True, slots=True)
class Model:
    """A configuration under a contract.

    The owner does one thing after another, as an engine does; what its node's model asks for is
    up to nobody, so that every start may ask differently (I-4). The first error ends a start.
    """

    configuration: Configuration
    contract: Contract = CONTRACT

    def initial(self) -> tuple[World, ...]:
        """The worlds that it can begin with."""
        return (World(),)

    def step(self, world: World, action: Action) -> Stepped:
        """The world after one of the ``actions`` of ``world``, and the journal's answer."""
        return step(world, action, self.contract)

    def actions(self, world: World) -> Iterator[Action]:
        """What may happen next."""
        for source in self.sources():
            yield from source(world)

    def sources(self) -> tuple[Source, ...]:
        """Who or what makes something happen, each apart from the others.

        What depends on many rows stands apart from what depends on none.
        """
        names = self.configuration.processes
        return (
            *(partial(self._of_process, name=name) for name in names),
            *(partial(self._by_its_rows, name=name) for name in names),
            *(partial(self._of_row, row_id=row_id + 1) for row_id in range(self.most_rows)),
            self._of_run,
            self._of_outside,
        )

    def living(self, world: World) -> Iterator[Process]:
        """The processes that live."""
        for name in self.configuration.processes:
            process = world.process(name)
            if process is not None:
                yield process

    def waiting_for_nobody(self, world: World) -> Iterator[Process]:
        """The owners that live and do not wait for an answer, for each other, or for more starts.

        A node has as many starts as the configuration allows, and not as many as it needs.
        """
        node_id = self._open_node(world)
        if node_id is None or world.node(node_id).starts < self.configuration.starts:
            for process in self.living(world):
                waits = any(each.sent and each.outcome is None for each in process.dispatches)
                if process.generation and not waits and self._has_joined(world, process):
                    yield process

    @property
    def most_rows(self) -> int:
        """How many rows can be prepared."""
        small = self.configuration
        if small.rows is not None:
            return small.rows
        return len(small.nodes) * small.starts * small.slots

    # ── a process ────────────────────────────────────────────────────────────────────────────────

    def _of_process(self, world: World, name: str) -> Iterator[Action]:
        process = world.process(name)
        if process is None or process.generation == 0:
            yield from self.entering(world, name, process)
        else:
            yield from self._of_owner(world, process)
        if process is not None and Crash in self.configuration.hazards:
            yield Crash(name)

    def entering(self, world: World, name: str, process: Process | None) -> Iterator[Action]:
        """How a process that owns nothing comes to own the run: before it reads anything."""
        if world.generation >= self.configuration.generations:
            return
        if process is None or process.stage is Stage.GOING:
            for reconcilers in self.brought(process):
                yield TakeOver(name, reconcilers)
                if self.configuration.lapses and world.lock is not None:
                    yield TakeOver(name, reconcilers, declared_dead=True)
        if Join in self.configuration.hazards:
            for owner in self.living(world):
                if owner.generation == world.generation and owner.stage is Stage.GOING:
                    yield Join(name, owner.name)

    def brought(self, process: Process | None) -> tuple[frozenset[str], ...]:
        """The reconcilers that a process may have, which it keeps while it lives."""
        if process is not None:
            return (process.reconcilers,)
        all_of_them = self.configuration.reconcilers
        return (all_of_them, frozenset[str]()) if self.configuration.bare else (all_of_them,)

    def _of_owner(self, world: World, process: Process) -> Iterator[Action]:
        match process.stage:
            case Stage.OVER | Stage.FAILED | Stage.OVER_BUDGET:
                return
            case Stage.PAUSED:
                yield Approve(process.name)
            case Stage.ATTENTION:
                # An incarnation that has its terminal keeps it (reading 18).
                if is_open(world):
                    yield EndRun(process.name, ErrorCode.EFFECT_NEEDS_ATTENTION)
            case Stage.GOING if not self.has_passed(process):
                yield ReadGate(process.name)
                if ReadGateFails in self.configuration.hazards:
                    yield ReadGateFails(process.name)
            case Stage.GOING if process.dispatches:
                yield from self.of_dispatch(process)
            case Stage.GOING if not process.starts and not is_open(world):
                yield BeginIncarnation(process.name)
            case Stage.GOING:
                yield from self._of_work(world, process)

    def has_passed(self, process: Process) -> bool:
        """Whether the gate that the process read lets it go on (reading 12)."""
        return process.gated == process.generation

    def of_dispatch(self, process: Process) -> Iterator[Action]:
        """What comes of a call that was prepared: sent once, answered or not, settled at once."""
        for dispatch in process.dispatches:
            row_id, outcome = dispatch.row_id, dispatch.outcome
            if not dispatch.sent:
                yield Send(process.name, row_id)
            elif outcome is None:
                if GiveUp in self.configuration.hazards:
                    yield GiveUp(process.name, row_id)
            else:
                results = () if outcome is Outcome.UNKNOWN else self.configuration.results
                for result in results or (None,):
                    yield Settle(process.name, row_id, outcome, result)
                if SettleFails in self.configuration.hazards:
                    yield SettleFails(process.name, row_id)

    def _of_work(self, world: World, process: Process) -> Iterator[Action]:
        node_id = self._open_node(world)
        start = None if node_id is None else process.start(node_id)
        if start is not None:
            if self.configuration.rows is None or world.next_row_id <= self.configuration.rows:
                yield from self._asking(process, start)
            if OverBudget in self.configuration.hazards:
                yield OverBudget(process.name, start.node_id)
            if FollowUpFails in self.configuration.hazards and start.asked:
                yield FollowUpFails(process.name, start.node_id)
            if self._has_joined(world, process):
                yield CompleteNode(process.name, start.node_id)

    def _by_its_rows(self, world: World, name: str) -> Iterator[Action]:
        """What an owner with nothing in hand may do, as far as the rows that there are allow it."""
        process = world.process(name)
        if process is None:
            return
        if process.stage in _FAILURES:
            yield from self._failing(world, process, _FAILURES[process.stage])
        if process.generation == 0 or process.stage is not Stage.GOING:
            return
        if (
            process.dispatches
            or not self.has_passed(process)
            or not (process.starts or is_open(world))
        ):
            return
        node_id = self._open_node(world)
        if self._has_joined(world, process) and not any(world.ask_rows(_is_unresolved)):
            # The disposition is chosen after all admitted work has joined. A node may fail
            # for reasons of its own at any time.
            yield EndRun(name, None if node_id is None else ErrorCode.NODE_FAILED)
        if node_id is not None and self._may_begin(world, process.start(node_id), node_id):
            yield BeginNode(name, node_id)

    def _failing(self, world: World, process: Process, code: ErrorCode) -> Iterator[Action]:
        """The end of an incarnation whose node has failed, once all its work has joined (A-3)."""
        if is_open(world) and self._has_joined(world, process):
            # Whatever else ends it, an open effect keeps the run resumable (reading 19).
            unresolved = any(world.ask_rows(_is_unresolved))
            yield EndRun(process.name, ErrorCode.EFFECT_NEEDS_ATTENTION if unresolved else code)

    def _open_node(self, world: World) -> str | None:
        nodes = self.configuration.nodes
        return next((node_id for node_id in nodes if not world.node(node_id).completed), None)

    def _has_joined(self, world: World, process: Process) -> bool:
        """Whether nobody else works under the fence of the process."""
        return Join not in self.configuration.hazards or all(
            other is process or other.generation != process.generation
            for other in self.living(world)
        )

    def _may_begin(self, world: World, start: NodeStart | None, node_id: str) -> bool:
        """Whether a process that is in ``start`` of a node may begin the node (again)."""
        if world.node(node_id).starts >= self.configuration.starts:
            return False
        if start is None:
            return True
        prepared = world.has_prepared(start)
        return self.contract.node_retryable(prepared_in_attempt=prepared)

    def _asking(self, process: Process, start: NodeStart) -> Iterator[Action]:
        for slot in range(start.next_slot, self.configuration.slots):
            for call in self.configuration.calls:
                if call not in start.asked:
                    yield Prepare(process.name, start.node_id, slot, call)
                    if PrepareFails in self.configuration.hazards:
                        yield PrepareFails(process.name, start.node_id, slot, call)

    # ── the others ───────────────────────────────────────────────────────────────────────────────

    def _of_row(self, world: World, row_id: int) -> Iterator[Action]:
        """What may become of one row by the network and by an operator."""
        timing = self.configuration.timing
        for request in sorted(world.wire(row_id).requests, key=lambda each: each.sender):
            if timing is None or world.now - request.sent_at <= timing.travel_s:
                for arrival, result in product(
                    self.configuration.arrivals, self.configuration.results
                ):
                    yield Arrive(request, arrival, result)
        decisions = (
            Resolve(row_id, Resolution.DISCARDED),
            Resolve(row_id, Resolution.ACCEPTED),
            Attach(row_id, Result.FITS),
        )
        wanted = [each for each in decisions if type(each) in self.configuration.hazards]
        if wanted and _is_in(world, row_id) and self._fence_is_free(world):
            yield from wanted

    def _fence_is_free(self, world: World) -> bool:
        """Whether the bound on generations leaves one for an operator."""
        return world.generation < self.configuration.generations

    def _of_outside(self, world: World) -> Iterator[Action]:
        timing = self.configuration.timing
        if timing is not None:
            if world.now < timing.horizon_s:
                yield Advance(timing.step_s)
            if self._keys_are_old(world):
                yield ForgetKeys()
        if SetLookups in self.configuration.hazards:
            for lookups in Lookups:
                if lookups is not world.lookups:
                    yield SetLookups(lookups)

    def _keys_are_old(self, world: World) -> bool:
        """Whether there are keys, and the target has kept each for as long as it says."""
        ages = [
            (world.now - since, world.entry(row_id).call.tool.key_lifetime_s)
            for row_id in world.prepared()
            if (since := world.wire(row_id).key_since) is not None
        ]
        return bool(ages) and all(
            lifetime_s is not None and age_s >= lifetime_s for age_s, lifetime_s in ages
        )

    def _of_run(self, world: World) -> Iterator[Action]:
        """What may become of the run by an operator, or by whoever sweeps."""
        if world.phase is None:
            return
        if Sweep in self.configuration.hazards:
            yield Sweep()
        if Close in self.configuration.hazards and self._fence_is_free(world):
            yield Close()


# ── what is asked of a part ──────────────────────────────────────────────────────────────────────


def _is_in(world: World, row_id: int) -> bool:
    return world.parts.ask(row_part(row_id), _is_there)


def _is_there(row: Row | Fate) -> bool:
    return isinstance(row, Row)


def _is_unresolved(row: Row) -> bool:
    return row.record.state in UNRESOLVED
