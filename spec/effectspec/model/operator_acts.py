"""What an operator decides of a run, and what a sweep takes away."""

from dataclasses import replace
from typing import assert_never

from msgspec import structs

from effectspec.contract import Contract
from effectspec.gate import Standing
from effectspec.lifecycle import State
from effectspec.model.actions import Attach, Close, OperatorAct, Resolve, Sweep
from effectspec.model.answers import Done, Failed, Swept
from effectspec.model.run_acts import owner_sign
from effectspec.model.world import RUN, Fate, Row, Run, World, row_part
from effectspec.model.writing import Stepped
from effectspec.ownership import next_generation
from effectspec.protocol import Code
from effectspec.retention import RunPhase


def operator_step(world: World, act: OperatorAct, contract: Contract) -> Stepped:
    """The world after ``act``, and the answer."""
    run = world.run
    match act:
        case Resolve() | Attach():
            row = world.row(act.row_id)
            if run is None or row is None:
                return world, Failed(Code.UNKNOWN_ROW)
            return _decide(world, run, row, act, contract)
        case Close() | Sweep() if run is None:
            return world, Failed(Code.UNKNOWN_RUN)
        case Close():
            if not _owner_gone(world, contract):
                return world, Failed(Code.OWNED_BY_ANOTHER)
            return world.having(RUN, replace(_taken(run), phase=RunPhase.CLOSED)), Done()
        case Sweep():
            return _sweep(world, run, contract)
        case _:
            assert_never(act)


def _owner_gone(world: World, contract: Contract) -> bool:
    return contract.may_take_over(owner_sign(world, declared_dead=False))


def _taken(run: Run) -> Run:
    """The run under the operator's own generation: whoever owned it writes no more (reading 6)."""
    return replace(run, generation=next_generation(run.generation))


def _decide(world: World, run: Run, row: Row, act: Resolve | Attach, contract: Contract) -> Stepped:
    if not _owner_gone(world, contract):
        return world, Failed(Code.OWNED_BY_ANOTHER)
    decided = _resolved(row, act, contract) if isinstance(act, Resolve) else _attached(row, act)
    if decided is None:
        return world, Failed(Code.REFUSED)
    world = world.having(RUN, _taken(run)).with_row(decided)
    if decided.discarded:
        world = world.with_entry(replace(world.entry(row.id), discarded=True))
    return world, Done()


def _resolved(row: Row, act: Resolve, contract: Contract) -> Row | None:
    """The row with the operator's word on it, None where the contract has no such word."""
    record = row.record
    if not contract.may_resolve(record.state, act.resolution, landed=record.landed):
        return None
    resolved = replace(
        row, record=structs.replace(record, state=State.RESOLVED, resolution=act.resolution)
    )
    if act.result is None:
        return resolved
    if resolved.discarded or act.result.kept is None:
        return None
    return resolved.filled(act.result.kept)


def _attached(row: Row, act: Attach) -> Row | None:
    absent = row.record.standing is Standing.COMMITTED_UNRETAINED
    return row.filled(act.result) if absent and act.result.kept is not None else None


def _sweep(world: World, run: Run, contract: Contract) -> Stepped:
    swept = 0
    for row_id in world.prepared():
        row = world.parts.ask(row_part(row_id), _to_sweep)
        if row is not None and contract.sweepable(row[0], run.phase, undelivered=row[1]):
            world = world.having(row_part(row_id), Fate.SWEPT)
            swept += 1
    return world, Swept(swept)


def _to_sweep(row: Row | Fate) -> tuple[State, bool] | None:
    """The state of a row that is there, and whether it was left undelivered."""
    return (row.record.state, row.record.undelivered) if isinstance(row, Row) else None
