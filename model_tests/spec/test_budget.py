"""The budget path (§13), under its laws."""

import pytest

from effectspec.budget import BudgetVerdict
from effectspec.laws.budget import budget_verdict


@pytest.mark.parametrize("egress", [1, 2, 3, 100])
def test_b1_an_egress_within_the_budget_is_sent(egress: int) -> None:
    assert budget_verdict(within_budget=True, egress=egress) is BudgetVerdict.PROCEED


def test_b2_the_first_egress_pauses() -> None:
    assert budget_verdict(within_budget=False, egress=1) is BudgetVerdict.PAUSE


@pytest.mark.parametrize("egress", [2, 3, 100])
def test_b1_from_the_second_egress_on_the_node_fails_closed(egress: int) -> None:
    assert budget_verdict(within_budget=False, egress=egress) is BudgetVerdict.FAIL_CLOSED
