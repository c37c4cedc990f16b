"""Engines and journals that go wrong beside the contract's functions, each as a model of its own.

A rule fault needs none of this: a model is given the wrong contract. What is wrong here is in which
order things are done, what is looked up, or what is left out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from msgspec import structs

from effectspec.lifecycle import State
from effectspec.model.actions import (
    Action,
    Approve,
    Prepare,
    PrepareFails,
    ReadGate,
    ReadGateUnowned,
    Settle,
    SettleFails,
)
from effectspec.model.answers import Silent
from effectspec.model.model import Model
from effectspec.model.world import (
    Call,
    Dispatch,
    Entry,
    Fate,
    NodeStart,
    Process,
    Request,
    Result,
    Stage,
    World,
    row_part,
)
from effectspec.model.writing import Stepped
from effectspec.settlement import Outcome


class GateFirst(Model):
    """Reads the gate, and takes ownership when it has passed (reading 12)."""

    def entering(self, world: World, name: str, process: Process | None) -> Iterator[Action]:
        """The gate first, whoever owns the run."""
        if process is None:
            for reconcilers in self.brought(process):
                yield ReadGateUnowned(name, reconcilers)
        else:
            yield from super().entering(world, name, process)

    def has_passed(self, process: Process) -> bool:
        """Whenever it was that the gate was read."""
        return process.gated is not None


class EffectFirst(Model):
    """Sends a call before it has a row. The row that would follow comes too late, if it comes."""

    def step(self, world: World, action: Action) -> Stepped:
        """A call is sent where it should be prepared."""
        if not isinstance(action, Prepare):
            return super().step(world, action)
        process = world.living(action.process)
        return _sent_unwritten(world, _asking(process, action), action), Silent()


class SendsInside(Model):
    """Sends a call while the transaction of its prepare is open, which may still fail."""

    def step(self, world: World, action: Action) -> Stepped:
        """A prepare that fails takes its row with it, and leaves what was sent."""
        if not isinstance(action, PrepareFails):
            return super().step(world, action)
        after, answer = super().step(world, action)
        return _sent_unwritten(after, after.living(action.process), action), answer


class SettleFirst(Model):
    """Records the result that it expects instead of waiting for it."""

    def of_dispatch(self, process: Process) -> Iterator[Action]:
        """What was prepared is settled as done before it is sent."""
        for dispatch in process.dispatches:
            yield Settle(process.name, dispatch.row_id, Outcome.DONE, Result.FITS)


class TwoCommits(Model):
    """Commits the state of a row, and its result in a transaction of its own."""

    def step(self, world: World, action: Action) -> Stepped:
        """What is settled for the first time is left without its result, to be settled again."""
        after, answer = super().step(world, action)
        if not isinstance(action, Settle):
            return after, answer
        was, now = world.row(action.row_id), after.row(action.row_id)
        if was is None or now is None or now.record.state is not State.COMMITTED:
            return after, answer
        if was.record.state is State.COMMITTED:
            kept = None if action.result is None else action.result.kept
            return after.with_row(now.filled(now.result or kept)), answer
        dispatch = world.living(action.process).dispatch(action.row_id)
        assert dispatch is not None, "what is settled was sent"
        halfway = after.with_process(after.living(action.process).knowing(dispatch))
        return halfway.with_row(now.filled(None)), answer


class ScopedByStart(Model):
    """Looks up the rows of the present attempt, and of no earlier one.

    The model numbers starts, not attempts; no start has the number of another, so what an attempt
    that begins at 1 again only sometimes misses is missed always.
    """

    def step(self, world: World, action: Action) -> Stepped:
        """A gate finds nothing before its first start, a prepare what its own start wrote."""
        match action:
            case ReadGate():
                hidden = tuple(world.rerunnable())
            case Prepare(process=name, node_id=node_id):
                start = world.living(name).start(node_id)
                hidden = tuple(
                    row
                    for row in world.of_node(node_id)
                    if start is None or row.record.start != start.number
                )
            case _:
                hidden = ()
        seen = world
        for row in hidden:
            seen = seen.having(row_part(row.id), Fate.SWEPT)
        after, answer = super().step(seen, action)
        for row in hidden:
            after = after.with_row(row)
        return after, answer


class CallIdDigested(Model):
    """Takes the call id, which every start has anew, for a part of the arguments."""

    def step(self, world: World, action: Action) -> Stepped:
        """A call is looked up and written as one that nobody has asked for before."""
        if not isinstance(action, Prepare):
            return super().step(world, action)
        asked = action.call
        start = _start(world.living(action.process), action)
        disguised = Call(asked.tool, f"{asked.body}, call {start.number}")
        row_id = world.next_row_id
        after, answer = super().step(world, replace(action, call=disguised))
        process = after.living(action.process)
        begun = process.start(action.node_id)
        if begun is not None and disguised in begun.asked:
            honest = replace(begun, asked=begun.asked - {disguised} | {asked})
            after = after.with_process(process.in_start(honest))
        if after.row(row_id) is not None:
            after = after.with_entry(replace(after.entry(row_id), call=asked))
        return after, answer


class SlotsCountRows(Model):
    """Numbers the calls that it journals, and no others."""

    def step(self, world: World, action: Action) -> Stepped:
        """A call is written at the slot that its predecessors among the journaled ones leave."""
        after, answer = super().step(world, action)
        row = after.row(world.next_row_id)
        if not isinstance(action, Prepare) or row is None:
            return after, answer
        start = _start(world.living(action.process), action)
        moved = replace(row.identity, slot=len(start.asked))
        record = structs.replace(row.record, identity=moved)
        return after.with_row(replace(row, record=record)), answer


class FailedSettleIgnored(Model):
    """Goes on after a settle that was not written, as if it had been."""

    def step(self, world: World, action: Action) -> Stepped:
        """The row stays prepared, and the run does not stop."""
        after, answer = super().step(world, action)
        if isinstance(action, SettleFails):
            after = after.with_process(replace(after.living(action.process), stage=Stage.GOING))
        return after, answer


class ApprovalSkipsTheGate(Model):
    """Takes up a run at once when a budget pause is approved."""

    def step(self, world: World, action: Action) -> Stepped:
        """What the gate has said before the pause counts after it."""
        after, answer = super().step(world, action)
        if isinstance(action, Approve):
            gated = world.living(action.process).gated
            after = after.with_process(replace(after.living(action.process), gated=gated))
        return after, answer


CONDUCTS: Final[Mapping[str, type[Model]]] = MappingProxyType(
    {
        "effect-before-prepare": EffectFirst,
        "settle-before-send": SettleFirst,
        "send-inside-the-transaction": SendsInside,
        "state-and-result-in-two-commits": TwoCommits,
        "attempt-in-the-look-up": ScopedByStart,
        "call-id-digested": CallIdDigested,
        "slots-count-rows": SlotsCountRows,
        "gate-before-ownership": GateFirst,
        "failed-settle-ignored": FailedSettleIgnored,
        "approval-skips-the-gate": ApprovalSkipsTheGate,
    }
)
"""The conduct faults that a model can have, by name."""


def _asking(process: Process, action: Prepare) -> Process:
    start = _start(process, action)
    return process.in_start(
        replace(start, asked=start.asked | {action.call}, next_slot=action.slot + 1)
    )


def _start(process: Process, action: Prepare | PrepareFails) -> NodeStart:
    start = process.start(action.node_id)
    assert start is not None, "only a start prepares"
    return start


def _sent_unwritten(world: World, process: Process, action: Prepare | PrepareFails) -> World:
    """The world with a request that no row knows of, whose sender waits for the answer."""
    row_id = world.next_row_id
    entry = Entry(row_id, action.node_id, action.call, reconciler=False)
    request = Request(row_id, process.name, process.generation, keyed=False, sent_at=world.now)
    wire = world.wire(row_id)
    sent = (
        world.having(row_part(row_id), Fate.UNWRITTEN)
        .with_entry(entry)
        .with_wire(row_id, replace(wire, requests=wire.requests | {request}))
    )
    return sent.with_process(process.knowing(Dispatch(row_id, key_issued_at=None, sent=True)))
