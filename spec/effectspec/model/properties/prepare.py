"""What a prepare may send, deliver and write."""

from collections.abc import Iterator
from typing import Final

from effectspec.identity import EffectIdentity
from effectspec.lifecycle import State
from effectspec.model.actions import Prepare, PrepareFails
from effectspec.model.properties.move import Move
from effectspec.model.properties.sentence import Invariant, Property, every
from effectspec.model.properties.standing import SETTLED, is_of, start_of
from effectspec.model.world import Fate, NodeStart, Row, World
from effectspec.retention import RunPhase
from effectspec.tiers import Tier


def _a_prepare_that_fails_sends_nothing(move: Move) -> bool | None:
    if not isinstance(move.action, PrepareFails):
        return None
    return not any(move.changed(kind) for kind in ("row", "wire"))


def _told_to_send_again(move: Move) -> Iterator[Row]:
    """The row, if there is one, that a prepare found and wants to have sent."""
    if isinstance(move.action, Prepare):
        was = move.before.living(move.action.process)
        now = move.after.living(move.action.process)
        for dispatch in now.dispatches:
            row = move.before.row(dispatch.row_id)
            if row is not None and was.dispatch(row.id) is None:
                yield row


def _opaque_call_is_never_sent_again(move: Move) -> bool | None:
    return every(row.record.tier is not Tier.OPAQUE for row in _told_to_send_again(move))


def _retained_result_is_not_sent_for(move: Move) -> bool | None:
    return every(row.result is None for row in _told_to_send_again(move))


def _what_is_settled_is_sent_again_under_a_key(move: Move) -> bool | None:
    """Only tier 1 may be asked once more for a result that was not kept."""
    return every(
        row.record.tier is Tier.KEYED and row.record.key_issued_at is not None
        for row in _told_to_send_again(move)
        if row.record.state in SETTLED
    )


def _delivered(move: Move) -> Iterator[tuple[Row, Prepare]]:
    """The row, if there is one, that a prepare has just re-delivered."""
    if isinstance(move.action, Prepare):
        was = start_of(move.before.living(move.action.process), move.action)
        now = start_of(move.after.living(move.action.process), move.action)
        for row_id in now.delivered - was.delivered:
            row = move.before.row(row_id)
            assert row is not None, "what is delivered is there"
            yield row, move.action


def _a_replay_answers_the_very_call(move: Move) -> bool | None:
    return every(
        (row.identity.slot, row.identity.tool_id, row.record.digest)
        == (asked.slot, asked.call.tool.id, asked.call.digest)
        for row, asked in _delivered(move)
    )


def _only_what_is_retained_is_delivered(move: Move) -> bool | None:
    return every(row.result is not None for row, _ in _delivered(move))


def _fresh(move: Move) -> Iterator[tuple[Row, NodeStart]]:
    """The row, if there is one, that a prepare has just written, and the start it is of."""
    if isinstance(move.action, Prepare):
        for was, row in move.changed_rows:
            if was is Fate.NOT_YET:
                yield row, start_of(move.after.living(move.action.process), move.action)


def _what_is_recorded_comes_first(move: Move) -> bool | None:
    return every(
        row.id in start.delivered or is_of(row, start)
        for fresh, start in _fresh(move)
        for row in move.before.of_node(fresh.node_id)
        if row.record.state in SETTLED
    )


def _nothing_fresh_beside_an_open_effect(move: Move) -> bool | None:
    """But beside a call of the same start that is on its way, in another process."""
    return every(
        row.record.state in SETTLED
        or (row.record.state is State.PREPARED and row.record.start == start.number)
        for fresh, start in _fresh(move)
        for row in move.before.of_node(fresh.node_id)
    )


def _fresh_beside_its_like(move: Move) -> Iterator[tuple[Row, Prepare, Row, NodeStart]]:
    """A row that a prepare has just written, and each that its node had before, undiscarded."""
    if isinstance(move.action, Prepare):
        for fresh, start in _fresh(move):
            for row in move.before.of_node(fresh.node_id):
                yield fresh, move.action, row, start


def _an_earlier_start_is_looked_up_too(move: Move) -> bool | None:
    return every(
        row.identity != fresh.identity or row.record.start == start.number
        for fresh, _, row, start in _fresh_beside_its_like(move)
    )


def _another_slot_makes_no_other_call(move: Move) -> bool | None:
    """What an earlier start has asked for is not asked for anew because it now stands elsewhere."""
    return every(
        row.id in start.delivered
        or is_of(row, start)
        or row.record.state not in SETTLED
        or move.before.entry(row.id).call != asked.call
        for _, asked, row, start in _fresh_beside_its_like(move)
    )


def _a_slot_counts_every_call(move: Move) -> bool | None:
    if not isinstance(move.action, Prepare):
        return None
    return every(row.identity.slot == move.action.slot for row, _ in _fresh(move))


def _a_call_is_known_whatever_its_id(move: Move) -> bool | None:
    """Where the very call of an earlier start is asked for, what is recorded of it is delivered."""
    action = move.action
    if not isinstance(action, Prepare) or move.before.phase is not RunPhase.OPEN:
        return None
    process = move.before.living(action.process)
    if process.generation != move.before.generation:
        return None
    number = start_of(process, action).number
    return every(
        row.id in start_of(move.after.living(action.process), action).delivered
        for row in move.before.of_node(action.node_id)
        if row.record.state in SETTLED
        and row.result is not None
        and number not in {row.record.start, row.record.retried_in}
        and row.identity.slot == action.slot
        and move.before.entry(row.id).call == action.call
    )


def _identities_are_unique(world: World) -> bool | None:
    identities = [each for each in world.ask_rows(_counted_identity) if each is not None]
    return len(set(identities)) == len(identities) if identities else None


def _counted_identity(row: Row) -> EffectIdentity | None:
    return None if row.discarded else row.identity


PREPARE: Final = (
    Property("an opaque call is never sent again", "T-4", _opaque_call_is_never_sent_again),
    Property("a retained result is not sent for", "G-2", _retained_result_is_not_sent_for),
    Property(
        "what is settled is sent again under a key alone",
        "G-3",
        _what_is_settled_is_sent_again_under_a_key,
    ),
    Property("only what is retained is delivered", "G-5", _only_what_is_retained_is_delivered),
    Property("a prepare that fails sends nothing", "O-2", _a_prepare_that_fails_sends_nothing),
    Property("an earlier start is looked up too", "I-2", _an_earlier_start_is_looked_up_too),
    Property("a slot counts every call", "I-3", _a_slot_counts_every_call),
    Property("another slot makes no other call", "I-4", _another_slot_makes_no_other_call),
    Property("a call is known whatever its id", "I-6", _a_call_is_known_whatever_its_id),
    Property("a replay answers the very call", "G-8", _a_replay_answers_the_very_call),
    Property("what is recorded comes first", "G-8", _what_is_recorded_comes_first),
    Property("nothing fresh beside an open effect", "G-4", _nothing_fresh_beside_an_open_effect),
    Invariant("undiscarded identities are unique", "I-5", _identities_are_unique),
)
