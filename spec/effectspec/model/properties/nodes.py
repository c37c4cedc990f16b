"""When a node may start, go on, stop and complete."""

from collections.abc import Iterator
from typing import Final

from effectspec.model.actions import (
    Approve,
    BeginNode,
    CompleteNode,
    FollowUpFails,
    OverBudget,
    ReadGate,
    ReadGateFails,
    SettleFails,
)
from effectspec.model.properties.move import Move
from effectspec.model.properties.sentence import Property, every
from effectspec.model.properties.standing import OPEN, SETTLED, is_of, start_of
from effectspec.model.world import NodeStart, Process, Row, Stage


def _begins(move: Move) -> bool:
    return isinstance(move.action, BeginNode) and move.changed("node")


def _nothing_starts_beside_what_blocks(move: Move) -> bool | None:
    """What another generation left open, this one's gate has seen, and found that it may retry."""
    if not _begins(move):
        return None
    return every(
        row.record.state in SETTLED
        or move.after.generation in {row.record.retrying, row.record.generation}
        for row in move.after.rerunnable()
    )


def _what_cannot_be_read_lets_nobody_through(move: Move) -> bool | None:
    if not isinstance(move.action, ReadGateFails):
        return None
    was = move.before.living(move.action.process)
    return move.after.living(move.action.process).gated == was.gated


def _the_gate_judges_every_row(move: Move) -> bool | None:
    """Of a run whose gate has passed: nothing is as open as it was found."""
    if not isinstance(move.action, ReadGate):
        return None
    process = move.after.living(move.action.process)
    if process.gated != move.after.generation or process.generation != move.after.generation:
        return None
    return every(
        row.record.state in SETTLED or row.record.retrying == process.generation
        for row in move.after.rerunnable()
    )


def _an_approval_leads_through_the_gate(move: Move) -> bool | None:
    if not isinstance(move.action, Approve):
        return None
    return move.after.living(move.action.process).gated is None


def _the_budget(move: Move, *, first: bool) -> Process | None:
    """The process that the budget has stopped before the first egress of a turn, or a later one."""
    action = move.action
    if not isinstance(action, OverBudget):
        return None
    if (not start_of(move.before.living(action.process), action).asked) is not first:
        return None
    return move.after.living(action.process)


def _the_first_egress_pauses(move: Move) -> bool | None:
    process = _the_budget(move, first=True)
    return None if process is None else process.stage is Stage.PAUSED


def _a_later_egress_fails_the_node(move: Move) -> bool | None:
    process = _the_budget(move, first=False)
    return None if process is None else process.stage is Stage.OVER_BUDGET


def _what_follows_a_settle_does_not_undo_it(move: Move) -> bool | None:
    """The row stands, and the node fails for good, if it is the start's own."""
    action = move.action
    if not isinstance(action, FollowUpFails):
        return None
    start = start_of(move.before.living(action.process), action)
    if not any(is_of(row, start) for row in move.before.of_node(action.node_id)):
        return None
    return not move.changed("row") and move.after.living(action.process).stage is Stage.FAILED


def _a_settle_that_fails_stops_the_run(move: Move) -> bool | None:
    if not isinstance(move.action, SettleFails):
        return None
    stopped = move.after.living(move.action.process).stage is Stage.ATTENTION
    return stopped and not move.changed("row")


def _no_start_follows_a_prepare(move: Move) -> bool | None:
    """But in another process."""
    if not _begins(move) or not isinstance(move.action, BeginNode):
        return None
    start = move.before.living(move.action.process).start(move.action.node_id)
    if start is None:
        return None
    return not any(row.node_id == start.node_id and is_of(row, start) for row in move.before.rows)


def _completed(move: Move) -> Iterator[tuple[Row, NodeStart]]:
    """The rows of the node that has just completed, and the start that completed it."""
    if isinstance(move.action, CompleteNode) and move.changed("node"):
        start = start_of(move.after.living(move.action.process), move.action)
        for row in move.after.of_node(move.action.node_id):
            yield row, start


def _no_node_completes_beside_an_open_effect(move: Move) -> bool | None:
    return every(row.record.state in SETTLED for row, _ in _completed(move))


def _no_node_completes_without_the_answer(move: Move) -> bool | None:
    return every(
        row.record.state in OPEN or row.result is not None or is_of(row, start)
        for row, start in _completed(move)
    )


NODES: Final = (
    Property("the gate judges every row", "G-1", _the_gate_judges_every_row),
    Property("nothing starts beside what blocks", "G-9", _nothing_starts_beside_what_blocks),
    Property(
        "what cannot be read lets nobody through", "G-10", _what_cannot_be_read_lets_nobody_through
    ),
    Property("an approval leads through the gate", "G-13", _an_approval_leads_through_the_gate),
    Property("the first egress pauses", "B-2", _the_first_egress_pauses),
    Property("a later egress fails the node", "B-1", _a_later_egress_fails_the_node),
    Property("a settle that fails stops the run", "O-4", _a_settle_that_fails_stops_the_run),
    Property(
        "what follows a settle does not undo it", "O-5", _what_follows_a_settle_does_not_undo_it
    ),
    Property("no start follows a prepare", "O-6", _no_start_follows_a_prepare),
    Property(
        "no node completes beside an open effect", "G-12", _no_node_completes_beside_an_open_effect
    ),
    Property("no node completes without the answer", "G-5", _no_node_completes_without_the_answer),
)
