"""Exit codes against reading 22, written out by hand."""

from itertools import combinations

import pytest

from effectspec.attention import EXITS, ErrorCode, ExitCode, exit_code

WINS_FIRST = [2, 6, 8, 7, 5, 1, 3, 0]
"""Reading 22: which code wins when several hold."""


def test_a3_the_codes_have_the_numbers_of_reading_22() -> None:
    assert {code.name: int(code) for code in ExitCode} == {
        "COMPLETED": 0,
        "FAILED": 1,
        "WRONG_INVOCATION": 2,
        "PAUSED": 3,
        "TERMINAL_HELD": 5,
        "OWNED_BY_ANOTHER": 6,
        "EFFECT_ATTENTION": 7,
        "MONEY_UNCERTAIN": 8,
    }


def test_a3_every_code_is_explained_under_the_clause_that_asks_for_it() -> None:
    assert {code: row.clause for code, row in EXITS.items()} == {
        ExitCode.WRONG_INVOCATION: "A-3",
        ExitCode.OWNED_BY_ANOTHER: "F-1",
        ExitCode.MONEY_UNCERTAIN: "A-3",
        ExitCode.EFFECT_ATTENTION: "A-3",
        ExitCode.TERMINAL_HELD: "A-2",
        ExitCode.FAILED: "A-3",
        ExitCode.PAUSED: "B-2",
        ExitCode.COMPLETED: "A-3",
    }


@pytest.mark.parametrize("count", range(1, len(ExitCode) + 1))
def test_a3_of_all_codes_that_hold_the_first_of_reading_22_is_told(count: int) -> None:
    for holding in combinations(ExitCode, count):
        assert exit_code(frozenset(holding)) == min(holding, key=WINS_FIRST.index)


def test_a3_a_run_of_which_nothing_is_to_be_told_completed() -> None:
    assert exit_code(frozenset()) is ExitCode.COMPLETED


def test_a1_attention_is_an_error_code_of_its_own() -> None:
    assert ErrorCode.EFFECT_NEEDS_ATTENTION.value == "effect_needs_attention"


def test_a2_the_remedy_of_a_held_terminal_is_not_the_remedy_of_an_effect_in_doubt() -> None:
    assert "target" in EXITS[ExitCode.EFFECT_ATTENTION].remedy
    assert "start again" in EXITS[ExitCode.TERMINAL_HELD].remedy
