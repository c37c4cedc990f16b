"""The whole suite: the cases of the crash matrix, those beyond it, and what each of them shows."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

import msgspec

from effectconform.ask import Questions, examine
from effectconform.cases import asked, played
from effectcrash import matrix
from effectcrash.adapter import LIMITS, Limits
from effectcrash.case import Case
from effectcrash.points import all_cases
from effectcrash.results import CaseResult, Results
from effectspec.clauses import Evidence
from effectspec.scenario import Kill, Scenario, Start, Target

AnyCase: TypeAlias = Case | Questions

CRASH_POINT: Final = "C-"
"""How the clauses of §12 begin, whose cases are kills by what they are (C-7, C-8)."""


def every_case() -> tuple[AnyCase, ...]:
    """Every case, the questions first: they are quick, and a wrong answer explains much else."""
    return (*asked(), *all_cases(), *played())


def clauses_of(case: AnyCase) -> frozenset[str]:
    """The clauses that a case speaks of."""
    match case:
        case Questions(asked=asked_):
            return frozenset(question.clause for question in asked_)
        case Case(assertions=assertions):
            return frozenset(assertion.clause for assertion in assertions)


def length_of(case: AnyCase) -> int:
    """How much is done until the case can tell: its questions or its steps."""
    match case:
        case Questions(asked=asked_):
            return len(asked_)
        case Case(scenario=scenario):
            return len(scenario.steps)


def shows(case: AnyCase) -> frozenset[Evidence]:
    """The kinds of evidence that a case gives: conformance, and by a real kill or a real fault."""
    if isinstance(case, Case) and (case.id.startswith(CRASH_POINT) or _harms(case.scenario)):
        return frozenset({Evidence.CONF, Evidence.KILL})
    return frozenset({Evidence.CONF})


def _harms(scenario: Scenario) -> bool:
    return any(
        isinstance(step, Kill | Target) or (isinstance(step, Start) and bool(step.failures))
        for step in scenario.steps
    )


def run(
    cases: Iterable[AnyCase],
    command: Sequence[str],
    *,
    told: Callable[[CaseResult], None] = lambda _: None,
    limits: Limits = LIMITS,
) -> Results:
    """Examine an implementation by ``cases``. ``told`` and what is raised as for ``matrix.run``."""
    chosen = tuple(cases)
    questions = [case for case in chosen if isinstance(case, Questions)]
    answered = []
    if questions:
        welcome = matrix.greet(command, limits)
        for case in questions:
            answered.append(examine(case, command, welcome, limits))
            told(answered[-1])
    scenarios = [case for case in chosen if isinstance(case, Case)]
    results = matrix.run(scenarios, command, told=told, limits=limits)
    return msgspec.structs.replace(results, cases=(*answered, *results.cases))
