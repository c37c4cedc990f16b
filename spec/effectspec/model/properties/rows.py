"""How a row may change, and when it may go."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from effectspec.lifecycle import State
from effectspec.model.actions import Resolve, Settle
from effectspec.model.properties.move import Move
from effectspec.model.properties.sentence import Property, every
from effectspec.model.properties.standing import OPEN, SETTLED
from effectspec.model.world import Row
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome

_WAYS: Final[Mapping[State, frozenset[State]]] = MappingProxyType(
    {
        State.PREPARED: OPEN | SETTLED,
        State.AMBIGUOUS: (OPEN | SETTLED) - {State.PREPARED},
        State.NEEDS_ATTENTION: frozenset({State.NEEDS_ATTENTION, State.RESOLVED}),
        State.COMMITTED: frozenset({State.COMMITTED}),
        State.RESOLVED: frozenset({State.RESOLVED}),
    }
)
"""Where a row can be found after one step, by where it was: §6's diagram, drawn once more."""


def _versions(move: Move) -> Iterator[tuple[Row, Row]]:
    for was, now in move.changed_rows:
        if isinstance(was, Row):
            yield was, now


def _rows_move_as_drawn(move: Move) -> bool | None:
    return every(now.record.state in _WAYS[was.record.state] for was, now in _versions(move))


def _what_is_unknown_stays_open(move: Move) -> bool | None:
    if not isinstance(move.action, Settle) or move.action.outcome is not Outcome.UNKNOWN:
        return None
    return all(
        now.record.state in {was.record.state, State.AMBIGUOUS} for was, now in _versions(move)
    )


def _one_settle_writes_all(move: Move) -> bool | None:
    """Whoever finds the state of a row finds its result with it."""
    action = move.action
    if not isinstance(action, Settle) or action.result is None or action.result.kept is None:
        return None
    return every(
        now.result is not None
        for was, now in _versions(move)
        if was.record.state in OPEN and now.record.state in SETTLED
    )


def _what_is_settled_stays(move: Move) -> bool | None:
    return every(
        now.record.state is was.record.state
        and now.record.resolution is was.record.resolution
        and was.result in {None, now.result}
        for was, now in _versions(move)
        if was.record.state in SETTLED
    )


def _an_operator_resolves_once(move: Move) -> bool | None:
    """Nobody else does, and what is known to have landed is not discarded."""
    return every(
        now.record.resolution is was.record.resolution
        or (
            isinstance(move.action, Resolve)
            and was.record.resolution is None
            and not (was.record.landed and now.discarded)
        )
        for was, now in _versions(move)
    )


def _no_open_row_is_swept(move: Move) -> bool | None:
    return every(row.settled for row in move.swept)


def _nothing_is_swept_while_resumable(move: Move) -> bool | None:
    over = {RunPhase.ENDED, RunPhase.CLOSED}
    return move.before.phase in over if move.swept else None


def _what_was_not_delivered_stays(move: Move) -> bool | None:
    """Until an operator closes the run."""
    left = any(row.undelivered for row in move.swept)
    return move.before.phase is RunPhase.CLOSED if left else None


ROWS: Final = (
    Property("rows move as drawn", "S-1", _rows_move_as_drawn),
    Property("what is unknown stays open", "O-3", _what_is_unknown_stays_open),
    Property("one settle writes all", "S-2", _one_settle_writes_all),
    Property("what is settled stays", "S-3", _what_is_settled_stays),
    Property("an operator resolves once", "A-5", _an_operator_resolves_once),
    Property("no open row is swept", "R-1", _no_open_row_is_swept),
    Property("nothing is swept while resumable", "R-2", _nothing_is_swept_while_resumable),
    Property("what was not delivered stays", "R-2", _what_was_not_delivered_stays),
)
