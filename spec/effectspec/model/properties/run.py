"""Who owns a run, and how it ends."""

from collections.abc import Iterable
from typing import Final

from effectspec.model.actions import NodeAct, ReadGateUnowned, RunAct, TakeOver
from effectspec.model.properties.move import Move
from effectspec.model.properties.sentence import Ending, Property, every
from effectspec.model.world import Fate, Process, Row, Stage, World
from effectspec.retention import RunPhase


def _a_live_owner_is_not_replaced(move: Move) -> bool | None:
    """But where an operator declares it dead."""
    declared_dead = isinstance(move.action, TakeOver) and move.action.declared_dead
    if declared_dead or not move.changed("run"):
        return None
    if move.after.generation == move.before.generation:
        return None
    return move.before.lock is None


def _only_the_owner_writes(move: Move) -> bool | None:
    """A superseded process changes nothing but evidence, which tells what it alone may know."""
    before, action = move.before, move.action
    if not isinstance(action, RunAct | NodeAct) or isinstance(action, TakeOver | ReadGateUnowned):
        return None
    process = before.process(action.process)
    if process is None or process.generation == before.generation:
        return None
    return not (move.changed("run") or move.changed("node")) and all(
        _written(was) == _written(now) for was, now in move.changed_rows
    )


def _written(row: Row | Fate) -> object:
    if isinstance(row, Fate):
        return row
    record = row.record
    return record.state, row.result, record.retrying, record.retried_in, record.undelivered


def _terminals_do_not_flip(move: Move) -> bool | None:
    """A terminal is its incarnation's for good, and a run that has ended has no next one."""
    if not move.changed("run"):
        return None
    was, now = move.before.run, move.after.run
    if was is None or now is None or was.phase is RunPhase.OPEN:
        return None
    if now.incarnation > was.incarnation:
        return was.phase is RunPhase.NEEDS_ATTENTION
    return now.ended is was.ended and now.phase in {was.phase, RunPhase.CLOSED}


_ENDING: Final = frozenset({Stage.ATTENTION, Stage.FAILED, Stage.OVER_BUDGET})


def _nobody_is_stuck(world: World, processes: Iterable[Process]) -> bool | None:
    """Whoever can do no more has nothing left to do."""
    has_its_terminal = world.phase is not RunPhase.OPEN
    return every(
        process.stage is Stage.OVER or (process.stage in _ENDING and has_its_terminal)
        for process in processes
    )


RUN: Final = (
    Property("a live owner is not replaced", "F-1", _a_live_owner_is_not_replaced),
    Property("only the owner writes", "F-2", _only_the_owner_writes),
    Property("terminals do not flip", "A-4", _terminals_do_not_flip),
)

ENDINGS: Final = (Ending("nobody is stuck", "A-4", _nobody_is_stuck),)
"""What holds wherever a process can do nothing of its own."""
