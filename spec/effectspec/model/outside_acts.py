"""What happens outside the journal: requests and answers, the target, the clock, death."""

from dataclasses import replace
from typing import assert_never

from effectspec.contract import Contract
from effectspec.model.actions import (
    Advance,
    Arrival,
    Arrive,
    Crash,
    ForgetKeys,
    GiveUp,
    OutsideAct,
    Send,
    SetLookups,
)
from effectspec.model.world import (
    LOCK,
    LOOKUPS,
    NOW,
    Dispatch,
    Process,
    Request,
    World,
    process_part,
)
from effectspec.settlement import Outcome
from effectspec.tiers import Tier


def outside_step(world: World, act: OutsideAct, contract: Contract) -> World:
    """The world after ``act``; no journal answers to it."""
    match act:
        case Send():
            return _send(world, act, contract)
        case Arrive():
            return _arrive(world, act)
        case GiveUp(process=name, row_id=row_id):
            process = world.living(name)
            given_up = replace(_in_hand(process, row_id), outcome=Outcome.UNKNOWN)
            return world.with_process(process.knowing(given_up))
        case Crash(process=name):
            died = world.having(process_part(name), None)
            return died.having(LOCK, None) if world.lock == name else died
        case Advance(seconds=seconds):
            return world.having(NOW, world.now + seconds)
        case ForgetKeys():
            for row_id in world.prepared():
                wire = replace(world.wire(row_id), key_since=None)
                world = world.with_wire(row_id, wire)
            return world
        case SetLookups(lookups=lookups):
            return world.having(LOOKUPS, lookups)
        case _:
            assert_never(act)


def _send(world: World, act: Send, contract: Contract) -> World:
    process = world.living(act.process)
    dispatch = replace(_in_hand(process, act.row_id), sent=True)
    tool = world.entry(act.row_id).call.tool
    issued_at = dispatch.key_issued_at
    keyed = issued_at is not None and tool.id in process.reconcilers
    live = issued_at is not None and contract.key_is_live(
        age_s=world.now - issued_at, lifetime_s=tool.key_lifetime_s
    )
    if not contract.may_send(keyed=keyed, key_live=live):
        return world.with_process(process.knowing(replace(dispatch, outcome=Outcome.UNKNOWN)))
    request = Request(act.row_id, process.name, process.generation, keyed, world.now)
    wire = world.wire(act.row_id)
    travelling = world.with_wire(act.row_id, replace(wire, requests=wire.requests | {request}))
    return travelling.with_process(process.knowing(dispatch))


def _in_hand(process: Process, row_id: int) -> Dispatch:
    dispatch = process.dispatch(row_id)
    assert dispatch is not None, f"{process.name!r} was not told to send the call of row {row_id}"
    return dispatch


def _arrive(world: World, act: Arrive) -> World:
    request = act.request
    wire = world.wire(request.row_id)
    arrived = world.with_wire(request.row_id, replace(wire, requests=wire.requests - {request}))
    match act.arrival:
        case Arrival.REJECTED:
            return _heard(arrived, request, Outcome.NOT_DONE)
        case Arrival.ANSWERED:
            return _heard(_served(arrived, act), request, Outcome.DONE)
        case Arrival.UNHEARD:
            return _served(arrived, act)


def _served(world: World, act: Arrive) -> World:
    """The target does what it is asked for, unless it knows the key (T-2)."""
    request = act.request
    wire = world.wire(request.row_id)
    if request.keyed and wire.key_since is not None:
        return world
    entry = world.entry(request.row_id)
    if request.keyed:
        wire = replace(wire, key_since=world.now)
    # The receipt is the first effect's, should one reference ever bring about two.
    if entry.call.tool.tier is Tier.QUERYABLE and entry.effects == 0:
        wire = replace(wire, receipt=act.result)
    served = world.with_wire(request.row_id, wire)
    return served.with_entry(replace(entry, effects=entry.effects + 1))


def _heard(world: World, request: Request, outcome: Outcome) -> World:
    """The sender gets the answer, if it lives and still waits for it."""
    process = world.process(request.process)
    if process is None or process.generation != request.sender:
        return world
    dispatch = process.dispatch(request.row_id)
    if dispatch is None or not dispatch.sent or dispatch.outcome is not None:
        return world
    return world.with_process(process.knowing(replace(dispatch, outcome=outcome)))
