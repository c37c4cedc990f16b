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
    Dispatch,
    Process,
    Receipt,
    Remembered,
    Request,
    World,
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
            living = tuple(process for process in world.processes if process.name != name)
            lock = None if world.lock == name else world.lock
            return replace(world, processes=living, lock=lock)
        case Advance(seconds=seconds):
            return replace(world, now=world.now + seconds)
        case ForgetKeys():
            return replace(world, target=replace(world.target, keys=frozenset()))
        case SetLookups(lookups=lookups):
            return replace(world, target=replace(world.target, lookups=lookups))
        case _:
            assert_never(act)


def _send(world: World, act: Send, contract: Contract) -> World:
    process = world.living(act.process)
    dispatch = replace(_in_hand(process, act.row_id), sent=True)
    tool = world.ledger[act.row_id - 1].call.tool
    keyed = tool.tier is Tier.KEYED and tool.id in process.reconcilers
    live = contract.key_is_live(
        age_s=world.now - dispatch.key_issued_at, lifetime_s=tool.key_lifetime_s
    )
    if not contract.may_send(keyed=keyed, key_live=live):
        return world.with_process(process.knowing(replace(dispatch, outcome=Outcome.UNKNOWN)))
    request = Request(act.row_id, process.generation, keyed, world.now)
    sent = process.knowing(dispatch)
    return replace(world.with_process(sent), network=world.network | {request})


def _in_hand(process: Process, row_id: int) -> Dispatch:
    dispatch = process.dispatch(row_id)
    assert dispatch is not None, f"{process.name!r} was not told to send the call of row {row_id}"
    return dispatch


def _arrive(world: World, act: Arrive) -> World:
    arrived = replace(world, network=world.network - {act.request})
    match act.arrival:
        case Arrival.REJECTED:
            return _heard(arrived, act.request, Outcome.NOT_DONE)
        case Arrival.ANSWERED:
            return _heard(_served(arrived, act), act.request, Outcome.DONE)
        case Arrival.UNHEARD:
            return _served(arrived, act)


def _served(world: World, act: Arrive) -> World:
    """The target does what it is asked for, unless it knows the key (T-2)."""
    request, target = act.request, world.target
    known = any(remembered.row_id == request.row_id for remembered in target.keys)
    if request.keyed and known:
        return world
    entry = world.ledger[request.row_id - 1]
    keys, receipts = target.keys, target.receipts
    if request.keyed:
        keys = keys | {Remembered(request.row_id, world.now)}
    # The receipt is the first effect's, should one reference ever bring about two.
    if entry.call.tool.tier is Tier.QUERYABLE and entry.effects == 0:
        receipts = receipts | {Receipt(request.row_id, act.result)}
    served = replace(world, target=replace(target, keys=keys, receipts=receipts))
    return served.with_entry(replace(entry, effects=entry.effects + 1))


def _heard(world: World, request: Request, outcome: Outcome) -> World:
    """The sender gets the answer, if it lives and still waits for it."""
    for process in world.processes:
        dispatch = process.dispatch(request.row_id)
        if dispatch is None or process.generation != request.sender:
            continue
        if dispatch.sent and dispatch.outcome is None:
            return world.with_process(process.knowing(replace(dispatch, outcome=outcome)))
    return world
