"""The laws of the budget path (§13)."""

from icontract import ensure, require

from effectspec import budget as core
from effectspec.budget import BudgetVerdict
from effectspec.contract import JudgeBudget
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain

EGRESSES = range(5)
"""Egress numbers that are tried, the impossible zero among them."""


def budget_verdict_laws(implementation: JudgeBudget) -> JudgeBudget:
    """Put the laws of :func:`effectspec.budget.budget_verdict` around ``implementation``."""

    @require(lambda egress: egress >= 1, "B-2: the egresses of a turn are counted from one")
    @ensure(
        lambda within_budget, result: implies(within_budget, result is BudgetVerdict.PROCEED),
        "B-1: an egress within the budget is sent",
    )
    @ensure(
        lambda within_budget, egress, result: implies(
            not within_budget and egress == 1, result is BudgetVerdict.PAUSE
        ),
        "B-2: the first egress of a turn pauses: nothing external has happened yet",
    )
    @ensure(
        lambda within_budget, egress, result: implies(
            not within_budget and egress > 1, result is BudgetVerdict.FAIL_CLOSED
        ),
        "B-1: from the second egress of a turn on, a pause would duplicate: the node fails closed",
    )
    def budget_verdict(*, within_budget: bool, egress: int) -> BudgetVerdict:
        return implementation(within_budget=within_budget, egress=egress)

    return budget_verdict


budget_verdict = budget_verdict_laws(core.budget_verdict)
BUDGET_VERDICT = Rule(
    budget_verdict_laws,
    core.budget_verdict,
    domain(within_budget=BOTH, egress=EGRESSES),
    answers=tuple(BudgetVerdict),
)
