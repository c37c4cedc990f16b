"""The cases that need no scenario: questions, and what a clause says of each answer."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from effectcrash.adapter import Adapter
from effectcrash.adapter_errors import AdapterError
from effectcrash.case import show
from effectcrash.examinable import Stage, point_of
from effectcrash.facts import NotTold
from effectcrash.results import CaseResult, Finding
from effectspec.protocol import Answer, Code, Error, Request, Welcome
from effectspec.verdict import Verdict, worst

T = TypeVar("T")

NO_TIER: Final = 0
"""The tier in the result of a case that is about no effect."""


@dataclass(frozen=True, slots=True)
class Question:
    """One request, and what ``clause`` says of its answer; :func:`question` builds it.

    ``read`` raises ``NotTold`` for an answer that does not tell.
    """

    clause: str
    words: str
    request: Request
    read: Callable[[Answer], Any]
    expected: Any


def question(
    clause: str, words: str, request: Request, read: Callable[[Answer], T], expected: T
) -> Question:
    """``clause`` says that what ``read`` finds in the answer to ``request`` is ``expected``."""
    return Question(clause, words, request, read, expected)


@dataclass(frozen=True, slots=True)
class Questions:
    """A case: questions that one process is asked, in order. ``id`` begins with its clause."""

    id: str
    asked: tuple[Question, ...]

    @property
    def tier(self) -> None:
        """None: a question is about no effect."""
        return

    @property
    def clauses(self) -> frozenset[str]:
        """The clauses that it speaks of."""
        return frozenset(question.clause for question in self.asked)

    def examine(self, stage: Stage, welcome: Welcome) -> CaseResult:
        """Ask and judge. Raises nothing that the implementation can cause."""
        begun = time.monotonic()
        findings, reason = _findings(self, stage, welcome)
        return CaseResult(
            case=self.id,
            point=point_of(self.id),
            tier=NO_TIER,
            verdict=worst(finding.verdict for finding in findings),
            reason=reason,
            findings=findings,
            seconds=round(time.monotonic() - begun, 3),
        )


def _findings(case: Questions, stage: Stage, welcome: Welcome) -> tuple[tuple[Finding, ...], str]:
    absent = {absence.capability: absence.reason for absence in welcome.absent}
    for each in case.asked:
        operation = str(type(each.request).__struct_config__.tag)
        if operation in absent:
            return _untold(case, Verdict.NOT_IMPLEMENTED), f"{operation}: {absent[operation]}"
    try:
        with Adapter(stage.command, stage.limits) as adapter:
            findings = tuple(_judge(each, adapter.ask(each.request)) for each in case.asked)
            adapter.end()
    except AdapterError as reason:
        return _untold(case, Verdict.UNKNOWN), str(reason)
    return findings, ""


def _untold(case: Questions, verdict: Verdict) -> tuple[Finding, ...]:
    return tuple(_finding(each, verdict, "nothing was said") for each in case.asked)


def _judge(asked: Question, answer: Answer) -> Finding:
    if isinstance(answer, Error) and answer.code is Code.UNSUPPORTED:
        return _finding(asked, Verdict.NOT_IMPLEMENTED, answer.message)
    try:
        value = asked.read(answer)
    except NotTold as reason:
        return _finding(asked, Verdict.FAIL, str(reason))
    verdict = Verdict.PASS if value == asked.expected else Verdict.FAIL
    return _finding(asked, verdict, show(value))


def _finding(asked: Question, verdict: Verdict, found: str) -> Finding:
    return Finding(
        clause=asked.clause,
        fact=asked.words,
        verdict=verdict,
        expected=show(asked.expected),
        found=found,
    )
