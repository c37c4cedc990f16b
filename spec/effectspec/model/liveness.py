"""What must come at last, and what must stay possible, each under its clause."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from effectspec.lifecycle import State
from effectspec.model.actions import Action, OperatorAct
from effectspec.model.fairness import may_go_on
from effectspec.model.properties import AnyProperty
from effectspec.model.world import Row, World
from effectspec.retention import RunPhase


@dataclass(frozen=True, slots=True)
class LeadsTo:
    """Where ``given`` holds, ``then`` holds at last, for every row that there may be.

    Both are asked of a world and the id of a row.
    """

    name: str
    clause: str
    given: Callable[[World, int], bool]
    then: Callable[[World, int], bool]


@dataclass(frozen=True, slots=True)
class CanReach:
    """Where ``given`` holds, there is a way to ``then`` by actions that are ``allowed``."""

    name: str
    clause: str
    given: Callable[[World], bool]
    then: Callable[[World], bool]
    allowed: Callable[[World, Action], bool]


Liveness: TypeAlias = LeadsTo | CanReach

Sentence: TypeAlias = AnyProperty | Liveness
"""Whatever can be asked of a model."""

_OPEN: Final = frozenset({State.PREPARED, State.AMBIGUOUS, State.NEEDS_ATTENTION})


def _is_left_open(world: World, row_id: int) -> bool:
    """Whether nobody who lives knows the call of an unresolved row."""
    row = world.row(row_id)
    return (
        row is not None
        and row.record.state in _OPEN
        and all(process.dispatch(row_id) is None for process in world.processes)
    )


def _is_settled_or_surfaced(world: World, row_id: int) -> bool:
    row = world.row(row_id)
    is_open = row is not None and row.record.state in _OPEN
    # Who closes a run has been told what it leaves open (reading 17).
    return not is_open or world.phase in {RunPhase.NEEDS_ATTENTION, RunPhase.CLOSED}


def _has_no_terminal(world: World, _: int) -> bool:
    return world.phase is RunPhase.OPEN


def _has_its_terminal(world: World, _: int) -> bool:
    return world.phase is not RunPhase.OPEN


def _has_nothing_open(world: World, _: int) -> bool:
    """Whether a run that was refused has been decided, every row of it, by operators."""
    return _is_refused(world) and all(map(_is_answered, world.rows))


def _is_answered(row: Row) -> bool:
    return row.discarded or (row.record.state not in _OPEN and row.result is not None)


def _is_refused_no_more(world: World, _: int) -> bool:
    return not _is_refused(world)


def _is_refused(world: World) -> bool:
    return world.phase is RunPhase.NEEDS_ATTENTION


def _goes_on(world: World) -> bool:
    return world.phase is RunPhase.OPEN


def _by_an_operator(world: World, action: Action) -> bool:
    return isinstance(action, OperatorAct) or may_go_on(world, action)


LIVENESS: Final[tuple[Liveness, ...]] = (
    LeadsTo(
        "what a crash leaves open is settled or surfaced",
        "G-4",
        _is_left_open,
        _is_settled_or_surfaced,
    ),
    LeadsTo("a run comes to a terminal", "F-1", _has_no_terminal, _has_its_terminal),
    LeadsTo(
        "what operators have decided is refused no more",
        "A-4",
        _has_nothing_open,
        _is_refused_no_more,
    ),
    CanReach(
        "an operator can re-open what was refused", "A-5", _is_refused, _goes_on, _by_an_operator
    ),
)
"""Every liveness property of the model."""
