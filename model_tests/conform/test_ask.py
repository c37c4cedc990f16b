"""Questions: each answer is judged by itself, and what was not said is no pass."""

from collections.abc import Callable

import pytest

from effectconform.ask import Questions, question
from effectcrash.facts import NotTold
from effectcrash.runner import run
from effectspec.protocol import Answer, Claim, Claimed
from effectspec.tiers import Tier
from effectspec.verdict import Verdict

Script = Callable[[str], tuple[str, ...]]


def words(answer: Answer) -> str:
    if not isinstance(answer, Claimed):
        raise NotTold(f"no claim: {answer}")
    return answer.words


CASE = Questions(
    "T-5/words",
    tuple(
        question("T-5", f"the words for tier {tier.value}", Claim(tier=tier), words, "at most once")
        for tier in (Tier.QUERYABLE, Tier.OPAQUE)
    ),
)


def verdicts(command: tuple[str, ...]) -> tuple[Verdict, list[Verdict]]:
    (result,) = run((CASE,), command).cases
    return result.verdict, [finding.verdict for finding in result.findings]


def test_the_expected_answers_pass(script: Script) -> None:
    command = script('serve(claim={"type": "claimed", "words": "at most once"})')
    assert verdicts(command) == (Verdict.PASS, [Verdict.PASS] * 2)


def test_another_answer_fails_and_is_shown(script: Script) -> None:
    command = script('serve(claim={"type": "claimed", "words": "always"})')
    (result,) = run((CASE,), command).cases
    assert result.verdict is Verdict.FAIL
    assert {(each.expected, each.found) for each in result.findings} == {("at most once", "always")}


def test_an_error_where_an_answer_is_due_fails(script: Script) -> None:
    refuses = '{"type": "error", "code": "internal", "message": "oh", "definite": False}'
    assert verdicts(script(f"serve(claim={refuses})")) == (Verdict.FAIL, [Verdict.FAIL] * 2)


@pytest.mark.parametrize("body", ["serve()", 'serve(absent=["claim"])'])
def test_what_is_said_to_be_missing_is_not_implemented(script: Script, body: str) -> None:
    assert verdicts(script(body)) == (Verdict.NOT_IMPLEMENTED, [Verdict.NOT_IMPLEMENTED] * 2)


def test_a_process_that_dies_leaves_the_answer_unknown(script: Script) -> None:
    command = script("serve(claim=None)")
    assert verdicts(command) == (Verdict.UNKNOWN, [Verdict.UNKNOWN] * 2)
