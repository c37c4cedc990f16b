"""The work of one incarnation: its nodes in order, their attempts, their turns."""

from dataclasses import dataclass
from itertools import count
from typing import assert_never

from effectjournal.dispatch import Dispatcher, Turn
from effectjournal.errors import Busy, StoreFailed
from effectjournal.owned import Completed, Incomplete, OwnedRun
from effectjournal.stops import AttemptFailed, NeedsAttention, NodeFailed, Paused
from effectspec.attention import ErrorCode
from effectspec.budget import BudgetVerdict
from effectspec.contract import Contract
from effectspec.scenario import Job, Node, Play, ProviderError, Reply


@dataclass(slots=True)
class Purse:
    """What a run may still spend: every provider call asks before it is made (B-1, B-2)."""

    owned: OwnedRun
    contract: Contract
    limit: int | None
    spent: int

    def pay(self, node: Node, cost: int, egress: int) -> None:
        """Pay for the ``egress``-th provider call of a turn, or stop before it."""
        within = self.limit is None or self.spent + cost <= self.limit
        verdict = self.contract.budget_verdict(within_budget=within, egress=egress)
        match verdict:
            case BudgetVerdict.PROCEED:
                if cost:
                    self.owned.spend(cost)
                    self.spent += cost
            case BudgetVerdict.PAUSE:
                raise Paused
            case BudgetVerdict.FAIL_CLOSED:
                raise NodeFailed(
                    node.id,
                    ErrorCode.BUDGET_EXCEEDED,
                    f"node {node.id!r}: provider call {egress} of its turn costs {cost}, which "
                    f"exceeds the budget: {self.spent} of {self.limit} is spent",
                )
            case _:
                assert_never(verdict)


class Work:
    """Does a job's nodes that are not completed yet, on a run that has passed the gate."""

    def __init__(
        self, owned: OwnedRun, job: Job, dispatcher: Dispatcher, contract: Contract
    ) -> None:
        self._owned = owned
        self._job = job
        self._dispatcher = dispatcher
        self._contract = contract

    def do(self, play: int) -> None:
        """Do the nodes in order; the first start of each takes play ``play``.

        Raises :class:`Paused`, :class:`NodeFailed` or :class:`NeedsAttention`.
        """
        progress = self._owned.progress()
        budget = self._job.budget
        limit = None if budget is None else budget + progress.approved
        purse = Purse(self._owned, self._contract, limit, progress.spent)
        for node in self._job.nodes:
            if node.id not in progress.completed:
                self._node(node, play, purse)

    def _node(self, node: Node, play: int, purse: Purse) -> None:
        for attempt in count(1):
            turn = self._begin(node, attempt)
            try:
                # Each start takes the next play; the last one repeats.
                self._turn(turn, node.plays[min(play + attempt, len(node.plays)) - 1], purse)
            except (AttemptFailed, StoreFailed, Busy) as failed:
                retryable = self._contract.node_retryable(prepared_in_attempt=turn.prepared)
                if attempt >= node.attempts or not retryable:
                    raise _failed(node, failed) from failed
            else:
                return

    def _begin(self, node: Node, attempt: int) -> Turn:
        try:
            return Turn(node, self._owned.begin_node(node.id, attempt=attempt))
        except (StoreFailed, Busy) as failed:
            raise _failed(node, failed) from failed

    def _turn(self, turn: Turn, play: Play, purse: Purse) -> None:
        slot = 0
        for egress, round_ in enumerate(play.rounds, start=1):
            purse.pay(turn.node, round_.cost, egress)
            match round_:
                case ProviderError(message=message):
                    raise AttemptFailed(f"the provider failed: {message}")
                case Reply(calls=calls):
                    for call in calls:
                        delivery = self._dispatcher.perform(turn, slot, call)
                        turn.output.update(delivery.output)
                        slot += 1
                case _:
                    assert_never(round_)
        self._complete(turn)

    def _complete(self, turn: Turn) -> None:
        match self._owned.complete_node(turn.start, turn.output):
            case Completed():
                return
            case Incomplete(row_ids):
                raise NeedsAttention(
                    row_ids, f"node {turn.node.id!r} cannot complete beside its own effects (G-12)"
                )
            case answer:
                assert_never(answer)


def _failed(node: Node, failed: Exception) -> NodeFailed:
    return NodeFailed(node.id, ErrorCode.NODE_FAILED, f"node {node.id!r}: {failed}")
