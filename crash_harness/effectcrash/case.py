"""A case: a scenario, and what the contract says must be found when it has been played."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

import msgspec

from effectcrash.account import TargetError
from effectcrash.adapter_errors import AdapterError
from effectcrash.child import printable
from effectcrash.examinable import Stage, point_of
from effectcrash.facts import Fact, NotTold
from effectcrash.ledger import LedgerError
from effectcrash.needs import lacking
from effectcrash.observation import Observation
from effectcrash.play import NoScene, NotReached, Unsupported, play
from effectcrash.results import CaseResult, Finding
from effectspec.attention import ExitCode
from effectspec.protocol import Welcome
from effectspec.scenario import Job, Scenario
from effectspec.tiers import Tier
from effectspec.verdict import Verdict, worst

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Assertion:
    """What one clause says of one fact; :func:`expect` builds it, so that both have one type."""

    clause: str
    fact: Fact[Any]
    expected: Any


def expect(clause: str, fact: Fact[T], expected: T) -> Assertion:
    """``clause`` says that ``fact`` is ``expected``."""
    return Assertion(clause, fact, expected)


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario and its assertions. ``id`` begins with the crash point or clause it is about.

    ``elsewhere``: processes of the scenario that work on another run of the same store.
    """

    id: str
    tier: Tier
    scenario: Scenario
    assertions: tuple[Assertion, ...]
    elsewhere: Mapping[str, Job] = field(default_factory=dict)

    @property
    def clauses(self) -> frozenset[str]:
        """The clauses that it speaks of."""
        return frozenset(assertion.clause for assertion in self.assertions)

    def examine(self, stage: Stage, welcome: Welcome) -> CaseResult:
        """Play and judge what is found. Raises nothing that the implementation can cause."""
        begun = time.monotonic()
        findings, reason = _findings(self, stage, welcome)
        return CaseResult(
            case=self.id,
            point=point_of(self.id),
            tier=self.tier.value,
            verdict=worst(finding.verdict for finding in findings),
            reason=reason,
            findings=findings,
            seconds=round(time.monotonic() - begun, 3),
        )


def _findings(case: Case, stage: Stage, welcome: Welcome) -> tuple[tuple[Finding, ...], str]:
    missing = lacking(case.scenario, welcome)
    if missing is not None:
        return _untold(case, Verdict.NOT_IMPLEMENTED), missing
    try:
        observation = play(case.scenario, stage, case.elsewhere)
    except Unsupported as reason:
        return _untold(case, Verdict.NOT_IMPLEMENTED), str(reason)
    except NotReached as reason:
        return _untold(case, Verdict.NOT_REACHED), str(reason)
    except (AdapterError, NoScene, TargetError, LedgerError) as reason:
        return _untold(case, Verdict.UNKNOWN), str(reason)
    gravest_first = sorted(case.assertions, key=lambda assertion: assertion.fact.subject)
    return tuple(_judge(assertion, observation) for assertion in gravest_first), ""


def _untold(case: Case, verdict: Verdict) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            clause=assertion.clause,
            fact=assertion.fact.words,
            verdict=verdict,
            expected=show(assertion.expected),
            found="nothing was seen",
        )
        for assertion in case.assertions
    )


def _judge(assertion: Assertion, observation: Observation) -> Finding:
    try:
        value = assertion.fact.read(observation)
    except NotTold as reason:
        verdict, found = Verdict.UNKNOWN, str(reason)
    else:
        verdict = Verdict.PASS if value == assertion.expected else Verdict.FAIL
        found = show(value)
    return Finding(
        clause=assertion.clause,
        fact=assertion.fact.words,
        verdict=verdict,
        expected=show(assertion.expected),
        found=found,
    )


def show(value: object) -> str:
    """A fact's value as a report shows it."""
    match value:
        case ExitCode():
            return f"exit {value.value} ({value.name.lower().replace('_', ' ')})"
        case Enum():
            return str(value.value)
        case bool():
            return "yes" if value else "no"
        case None | ():
            return "none"
        case tuple():
            return ", ".join(map(show, value))
        case Mapping():
            return msgspec.json.encode(value).decode()
        case _:
            return printable(str(value))
