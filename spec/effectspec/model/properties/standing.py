"""How a row stands, and which start it is of: the words that the properties share."""

from typing import Final

from effectspec.lifecycle import State
from effectspec.model.actions import CompleteNode, FollowUpFails, OverBudget, Prepare
from effectspec.model.world import NodeStart, Process, Row

OPEN: Final = frozenset({State.PREPARED, State.AMBIGUOUS, State.NEEDS_ATTENTION})
SETTLED: Final = frozenset({State.COMMITTED, State.RESOLVED})
"""What is known for good, and what is not."""


def start_of(
    process: Process, action: Prepare | CompleteNode | OverBudget | FollowUpFails
) -> NodeStart:
    """The start of the node that the action is of, in a process that can do it."""
    start = process.start(action.node_id)
    assert start is not None, "only a start prepares and completes"
    return start


def is_of(row: Row, start: NodeStart) -> bool:
    """Whether the start has sent the row's call itself."""
    return start.number in {row.record.start, row.record.retried_in}
