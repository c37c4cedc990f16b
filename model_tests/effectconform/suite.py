"""The whole suite: the cases of the crash matrix, those beyond it, and what each of them shows."""

from typing import Final, TypeAlias

from effectconform.ask import Questions
from effectconform.cases import asked, played
from effectcrash.case import Case
from effectcrash.points import all_cases
from effectspec.clauses import Evidence
from effectspec.scenario import Kill, Scenario, Start, Target

AnyCase: TypeAlias = Case | Questions

CRASH_POINT: Final = "C-"
"""How the clauses of §12 begin, whose cases are kills by what they are (C-7, C-8)."""


def every_case() -> tuple[AnyCase, ...]:
    """Every case, the questions first: they are quick, and a wrong answer explains much else."""
    return (*asked(), *all_cases(), *played())


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
