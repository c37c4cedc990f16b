"""What must hold of every step of the world, each under its clause.

A property never asks the contract's functions or tables: it says in its own words what they are
for, so that a wrong cell breaks it instead of redefining it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from effectspec.lifecycle import State
from effectspec.model.actions import (
    Action,
    BeginNode,
    CompleteNode,
    NodeAct,
    Prepare,
    ReadGateUnowned,
    Resolve,
    RunAct,
    TakeOver,
)
from effectspec.model.world import Call, Entry, NodeStart, Process, Row, World
from effectspec.retention import RunPhase
from effectspec.tiers import Tier


@dataclass(frozen=True, slots=True)
class Move:
    """One step: an action, the world before it and the world after it."""

    before: World
    action: Action
    after: World


@dataclass(frozen=True, slots=True)
class Property:
    """A sentence of ``clause``, and whether it holds of a step."""

    name: str
    clause: str
    holds: Callable[[Move], bool]


_OPEN: Final = frozenset({State.PREPARED, State.AMBIGUOUS, State.NEEDS_ATTENTION})
_SETTLED: Final = frozenset({State.COMMITTED, State.RESOLVED})

_WAYS: Final[Mapping[State, frozenset[State]]] = MappingProxyType(
    {
        State.PREPARED: _OPEN | _SETTLED,
        State.AMBIGUOUS: (_OPEN | _SETTLED) - {State.PREPARED},
        State.NEEDS_ATTENTION: frozenset({State.NEEDS_ATTENTION, State.RESOLVED}),
        State.COMMITTED: frozenset({State.COMMITTED}),
        State.RESOLVED: frozenset({State.RESOLVED}),
    }
)
"""Where a row can be found after one step, by where it was: §6's diagram, drawn once more."""


# ── effects ──────────────────────────────────────────────────────────────────────────────────────


def _happens_once(move: Move, counts: Callable[[Entry], bool]) -> bool:
    """No call takes effect more often than once, and once more for each discard of it."""
    if move.after.ledger is move.before.ledger:
        return True
    effects: dict[tuple[str, Call], int] = {}
    for entry in filter(counts, move.after.ledger):
        call = (entry.node_id, entry.call)
        effects[call] = effects.get(call, 0) + entry.effects - entry.discarded
    return all(count <= 1 for count in effects.values())


def _opaque_effect_happens_once(move: Move) -> bool:
    return _happens_once(move, lambda entry: entry.call.tool.tier is Tier.OPAQUE)


def _keyed_effect_happens_once(move: Move) -> bool:
    return _happens_once(
        move, lambda entry: entry.reconciler and entry.call.tool.tier is Tier.KEYED
    )


def _queryable_effect_happens_once(move: Move) -> bool:
    return _happens_once(
        move, lambda entry: entry.reconciler and entry.call.tool.tier is Tier.QUERYABLE
    )


def _unreconciled_effect_happens_once(move: Move) -> bool:
    return _happens_once(move, lambda entry: not entry.reconciler)


# ── prepare ──────────────────────────────────────────────────────────────────────────────────────


def _told_to_send_again(move: Move) -> Iterator[Row]:
    """The row, if there is one, that a prepare found and wants to have sent."""
    if isinstance(move.action, Prepare):
        was = move.before.living(move.action.process)
        now = move.after.living(move.action.process)
        for row in move.before.rows:
            if was.dispatch(row.id) is None and now.dispatch(row.id) is not None:
                yield row


def _opaque_call_is_never_sent_again(move: Move) -> bool:
    return all(row.record.tier is not Tier.OPAQUE for row in _told_to_send_again(move))


def _retained_result_is_not_sent_for(move: Move) -> bool:
    return all(row.result is None for row in _told_to_send_again(move))


def _delivered(move: Move) -> Iterator[tuple[Row, Prepare]]:
    """The row, if there is one, that a prepare has just re-delivered."""
    if isinstance(move.action, Prepare):
        was = _start(move.before.living(move.action.process), move.action)
        now = _start(move.after.living(move.action.process), move.action)
        for row in move.before.rows:
            if row.id in now.delivered - was.delivered:
                yield row, move.action


def _a_replay_answers_the_very_call(move: Move) -> bool:
    return all(
        (row.identity.slot, row.identity.tool_id, row.record.digest)
        == (asked.slot, asked.call.tool.id, asked.call.digest)
        for row, asked in _delivered(move)
    )


def _only_what_is_retained_is_delivered(move: Move) -> bool:
    return all(row.result is not None for row, _ in _delivered(move))


def _fresh(move: Move) -> Iterator[tuple[Row, NodeStart]]:
    """The row, if there is one, that a prepare has just written, and the start it is of."""
    if isinstance(move.action, Prepare) and len(move.after.ledger) > len(move.before.ledger):
        yield move.after.rows[-1], _start(move.after.living(move.action.process), move.action)


def _start(process: Process, action: Prepare | CompleteNode) -> NodeStart:
    start = process.start(action.node_id)
    assert start is not None, "only a start prepares and completes"
    return start


def _is_of(row: Row, start: NodeStart) -> bool:
    """Whether the start has sent the row's call itself."""
    return start.number in {row.record.start, row.record.retried_in}


def _what_is_recorded_comes_first(move: Move) -> bool:
    return not any(
        row.record.state in _SETTLED and row.id not in start.delivered and not _is_of(row, start)
        for fresh, start in _fresh(move)
        for row in move.before.of_node(fresh.node_id)
    )


def _nothing_fresh_beside_an_open_effect(move: Move) -> bool:
    return not any(
        row.record.state in _OPEN
        and not (row.record.state is State.PREPARED and row.record.start == start.number)
        for fresh, start in _fresh(move)
        for row in move.before.of_node(fresh.node_id)
    )


def _identities_are_unique(move: Move) -> bool:
    identities = [row.identity for row in move.after.rows if not row.discarded]
    return len(set(identities)) == len(identities)


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────


def _begins(move: Move) -> bool:
    return isinstance(move.action, BeginNode) and move.before.nodes != move.after.nodes


def _nothing_starts_beside_what_blocks(move: Move) -> bool:
    """What another generation left open, this one's gate has seen, and found that it may retry."""
    return not _begins(move) or all(
        row.record.state in _SETTLED
        or move.after.generation in {row.record.retrying, row.record.generation}
        for row in move.after.rerunnable()
    )


def _no_start_follows_a_prepare(move: Move) -> bool:
    if not isinstance(move.action, BeginNode):
        return True
    start = move.before.living(move.action.process).start(move.action.node_id)
    return start is None or not any(_is_of(row, start) for row in move.before.rows)


def _completed(move: Move) -> Iterator[tuple[Row, NodeStart]]:
    """The rows of the node that has just completed, and the start that completed it."""
    if isinstance(move.action, CompleteNode) and move.before.nodes != move.after.nodes:
        start = _start(move.after.living(move.action.process), move.action)
        for row in move.after.of_node(move.action.node_id):
            yield row, start


def _no_node_completes_beside_an_open_effect(move: Move) -> bool:
    return all(row.record.state in _SETTLED for row, _ in _completed(move))


def _no_node_completes_without_the_answer(move: Move) -> bool:
    return all(
        row.record.state in _OPEN or row.result is not None or _is_of(row, start)
        for row, start in _completed(move)
    )


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


def _versions(move: Move) -> Iterator[tuple[Row, Row]]:
    if move.after.rows is move.before.rows:
        return
    for row in move.before.rows:
        now = move.after.row(row.id)
        if now is not None:
            yield row, now


def _rows_move_as_drawn(move: Move) -> bool:
    return all(now.record.state in _WAYS[was.record.state] for was, now in _versions(move))


def _what_is_settled_stays(move: Move) -> bool:
    return all(
        was.record.state not in _SETTLED
        or (
            now.record.state is was.record.state
            and now.record.resolution is was.record.resolution
            and was.result in {None, now.result}
        )
        for was, now in _versions(move)
    )


def _an_operator_resolves_once(move: Move) -> bool:
    """Nobody else does, and what is known to have landed is not discarded."""
    return all(
        now.record.resolution is was.record.resolution
        or (
            isinstance(move.action, Resolve)
            and was.record.resolution is None
            and not (was.record.landed and now.discarded)
        )
        for was, now in _versions(move)
    )


def _swept(move: Move) -> list[Row]:
    if len(move.after.rows) >= len(move.before.rows):
        return []
    return [row for row in move.before.rows if move.after.row(row.id) is None]


def _phase(world: World) -> RunPhase | None:
    return None if world.run is None else world.run.phase


def _no_open_row_is_swept(move: Move) -> bool:
    return all(row.record.state in _SETTLED for row in _swept(move))


def _nothing_is_swept_while_resumable(move: Move) -> bool:
    return not _swept(move) or _phase(move.before) in {RunPhase.ENDED, RunPhase.CLOSED}


def _what_was_not_delivered_stays(move: Move) -> bool:
    return _phase(move.before) is RunPhase.CLOSED or not any(
        row.record.undelivered for row in _swept(move)
    )


# ── the run ──────────────────────────────────────────────────────────────────────────────────────


def _a_live_owner_is_not_replaced(move: Move) -> bool:
    declared_dead = isinstance(move.action, TakeOver) and move.action.declared_dead
    raised = move.after.generation > move.before.generation
    return declared_dead or not raised or move.before.lock is None


def _only_the_owner_writes(move: Move) -> bool:
    """A superseded process changes nothing but evidence, which tells what it alone may know."""
    before, action, after = move.before, move.action, move.after
    if not isinstance(action, RunAct | NodeAct) or isinstance(action, TakeOver | ReadGateUnowned):
        return True
    process = before.process(action.process)
    if process is None or process.generation == before.generation:
        return True
    written, writing = map(_written, before.rows), map(_written, after.rows)
    return (before.run, before.nodes, *written) == (after.run, after.nodes, *writing)


def _written(row: Row) -> object:
    record = row.record
    return row.id, record.state, row.result, record.retrying, record.retried_in, record.undelivered


def _terminals_do_not_flip(move: Move) -> bool:
    """A terminal is its incarnation's for good, and a run that has ended has no next one."""
    was, now = move.before.run, move.after.run
    if was is None or now is None or was.phase is RunPhase.OPEN:
        return True
    if now.incarnation > was.incarnation:
        return was.phase is RunPhase.NEEDS_ATTENTION
    return now.ended is was.ended and now.phase in {was.phase, RunPhase.CLOSED}


PROPERTIES: Final = (
    Property("an opaque effect happens at most once", "T-4", _opaque_effect_happens_once),
    Property("an opaque call is never sent again", "T-4", _opaque_call_is_never_sent_again),
    Property("a keyed effect happens at most once", "T-2", _keyed_effect_happens_once),
    Property("a queryable effect happens at most once", "T-3", _queryable_effect_happens_once),
    Property(
        "without a reconciler it happens at most once", "T-6", _unreconciled_effect_happens_once
    ),
    Property("a retained result is not sent for", "G-2", _retained_result_is_not_sent_for),
    Property("only what is retained is delivered", "G-5", _only_what_is_retained_is_delivered),
    Property("a replay answers the very call", "G-8", _a_replay_answers_the_very_call),
    Property("what is recorded comes first", "G-8", _what_is_recorded_comes_first),
    Property("nothing fresh beside an open effect", "G-4", _nothing_fresh_beside_an_open_effect),
    Property("undiscarded identities are unique", "I-5", _identities_are_unique),
    Property("nothing starts beside what blocks", "G-9", _nothing_starts_beside_what_blocks),
    Property("no start follows a prepare", "O-6", _no_start_follows_a_prepare),
    Property(
        "no node completes beside an open effect", "G-12", _no_node_completes_beside_an_open_effect
    ),
    Property("no node completes without the answer", "G-5", _no_node_completes_without_the_answer),
    Property("rows move as drawn", "S-1", _rows_move_as_drawn),
    Property("what is settled stays", "S-3", _what_is_settled_stays),
    Property("an operator resolves once", "A-5", _an_operator_resolves_once),
    Property("no open row is swept", "R-1", _no_open_row_is_swept),
    Property("nothing is swept while resumable", "R-2", _nothing_is_swept_while_resumable),
    Property("what was not delivered stays", "R-2", _what_was_not_delivered_stays),
    Property("a live owner is not replaced", "F-1", _a_live_owner_is_not_replaced),
    Property("only the owner writes", "F-2", _only_the_owner_writes),
    Property("terminals do not flip", "A-4", _terminals_do_not_flip),
)
"""Every safety property of the model."""
