"""What comes of it in the target: no call takes effect more often than its tier promises."""

from collections.abc import Callable, Iterator
from typing import Final

from effectspec.model.actions import Settle
from effectspec.model.properties.move import Move
from effectspec.model.properties.sentence import Invariant, Property, every
from effectspec.model.world import Call, Entry, Fate, Request, World, row_part
from effectspec.settlement import Outcome
from effectspec.tiers import Tier


def _happens_once(world: World, counts: Callable[[Entry], bool]) -> bool | None:
    """No call takes effect more often than once, and once more for each discard of it."""
    effects: dict[tuple[str, Call], int] = {}
    for entry in filter(counts, world.ledger):
        call = (entry.node_id, entry.call)
        effects[call] = effects.get(call, 0) + entry.effects - entry.discarded
    return every(count <= 1 for count in effects.values())


def _opaque_effect_happens_once(world: World) -> bool | None:
    return _happens_once(world, lambda entry: entry.call.tool.tier is Tier.OPAQUE)


def _keyed_effect_happens_once(world: World) -> bool | None:
    return _happens_once(
        world, lambda entry: entry.reconciler and entry.call.tool.tier is Tier.KEYED
    )


def _queryable_effect_happens_once(world: World) -> bool | None:
    return _happens_once(
        world, lambda entry: entry.reconciler and entry.call.tool.tier is Tier.QUERYABLE
    )


def _unreconciled_effect_happens_once(world: World) -> bool | None:
    return _happens_once(world, lambda entry: not entry.reconciler)


def _sent(move: Move) -> Iterator[Request]:
    """The request, if there is one, that the step has put on its way."""
    for part in move.after.parts.changed(move.before.parts, "wire"):
        was, now = move.before.parts.read(part), move.after.parts.read(part)
        yield from now.requests - was.requests


def _nothing_is_sent_without_a_row(move: Move) -> bool | None:
    return every(
        move.before.parts.read(row_part(each.row_id)) not in {Fate.NOT_YET, Fate.UNWRITTEN}
        for each in _sent(move)
    )


def _what_is_recorded_as_done_was_done(move: Move) -> bool | None:
    if not isinstance(move.action, Settle) or move.action.outcome is not Outcome.DONE:
        return None
    return move.before.entry(move.action.row_id).effects > 0


EFFECTS: Final = (
    Property("nothing is sent without a row", "T-1", _nothing_is_sent_without_a_row),
    Property("what is recorded as done was done", "T-1", _what_is_recorded_as_done_was_done),
    Invariant("an opaque effect happens at most once", "T-4", _opaque_effect_happens_once),
    Invariant("a keyed effect happens at most once", "T-2", _keyed_effect_happens_once),
    Invariant("a queryable effect happens at most once", "T-3", _queryable_effect_happens_once),
    Invariant(
        "without a reconciler it happens at most once", "T-6", _unreconciled_effect_happens_once
    ),
)
