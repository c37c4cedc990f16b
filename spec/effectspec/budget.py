"""The budget path (§13): a pause must not become a second effect."""

from enum import Enum


class BudgetVerdict(Enum):
    """What happens to the provider egress that the budget was asked about."""

    PROCEED = "send it"
    PAUSE = "pause; an approval runs the node again"
    FAIL_CLOSED = "fail the node with the budget error: no replay, no further egress"


def budget_verdict(*, within_budget: bool, egress: int) -> BudgetVerdict:
    """The verdict on the ``egress``-th provider call of a turn, counted from 1 (B-1, B-2)."""
    if within_budget:
        return BudgetVerdict.PROCEED
    return BudgetVerdict.PAUSE if egress == 1 else BudgetVerdict.FAIL_CLOSED
