"""What each method says of an implementation with one fault of the catalogue in it."""

import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from effectconform.suite import AnyCase, every_case, shows
from effectcrash.results import CaseResult
from effectcrash.runner import run
from effectspec.clauses import Evidence
from effectspec.contract import CONTRACT
from effectspec.faults import Fault, Method
from effectspec.laws import violations
from effectspec.verdict import Verdict

FAULTY: Final = Path("adapters") / "faulty"
"""The adapter that takes a fault's name; it belongs to a checkout and is not installed."""

SAMPLE: Final = 2
"""Cases beside the witnesses in a short run: over the catalogue about a third of the suite, which
a test can wait for; other seeds draw others."""

FROM_OUTSIDE: Final[Mapping[Method, Evidence]] = {
    Method.CONFORMANCE: Evidence.CONF,
    Method.KILLS: Evidence.KILL,
}
"""The methods that need a process with the fault in it, and the evidence that they look at."""


class NoFaultyAdapter(Exception):
    """The present folder is no checkout; the message says so."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of one fault: the clauses that turned red, method by method.

    ``failed`` are the ids of the cases that failed, and ``quiet`` counts those that could tell
    nothing, because their scenario did not happen.
    """

    fault: Fault
    red: Mapping[Method, frozenset[str]]
    failed: frozenset[str]
    quiet: int

    @property
    def surprises(self) -> Mapping[Method, tuple[frozenset[str], frozenset[str]]]:
        """By method, where seen and expected differ: what is missing, and what is too much."""
        expected = {method: self.fault.red.get(method, frozenset()) for method in self.red}
        return {
            method: (expected[method] - seen, seen - expected[method])
            for method, seen in self.red.items()
            if seen != expected[method]
        }


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What a short run saw: witnesses that did not fail, and clauses red without being expected."""

    fault: Fault
    blind: tuple[str, ...]
    too_much: frozenset[str]

    @property
    def as_expected(self) -> bool:
        """Whether the witnesses failed and nothing else did."""
        return not self.blind and not self.too_much


def command_of(fault: Fault) -> tuple[str, ...]:
    """The adapter with the fault in it. Raises :class:`NoFaultyAdapter`."""
    if not FAULTY.is_dir():
        raise NoFaultyAdapter(
            f"{FAULTY} is not here: the faulty adapters are not installed; "
            "run this in a checkout of the project"
        )
    return (sys.executable, str(FAULTY), fault.name)


def broken_laws(fault: Fault) -> frozenset[str]:
    """The clauses whose laws the fault's rule breaks; a conduct fault changes no rule."""
    return violations(fault.rule(CONTRACT)) if fault.rule else frozenset()


def see(fault: Fault, *, told: Callable[[CaseResult], None] = lambda _: None) -> Seen:
    """Run the whole suite against the fault, and the laws. Raises as ``runner.run`` does."""
    cases = every_case()
    results = run(cases, command_of(fault), told=told).cases
    return Seen(
        fault=fault,
        red={
            Method.CONTRACTS: broken_laws(fault),
            **{method: _red(results, cases, kind) for method, kind in FROM_OUTSIDE.items()},
        },
        failed=_failed(results),
        quiet=sum(
            case.verdict in {Verdict.UNKNOWN, Verdict.NOT_REACHED, Verdict.NOT_IMPLEMENTED}
            for case in results
        ),
    )


def glimpse(fault: Fault, seed: str) -> Glimpse:
    """Run the fault's witnesses and a sample of the other cases, which ``seed`` decides."""
    chosen = sample(fault, seed)
    results = run(chosen, command_of(fault)).cases
    failed = _failed(results)
    return Glimpse(
        fault=fault,
        blind=tuple(id_ for id_ in fault.witness if id_ not in failed),
        too_much=_red(results, chosen, Evidence.CONF)
        - fault.red.get(Method.CONFORMANCE, frozenset()),
    )


def sample(fault: Fault, seed: str) -> Sequence[AnyCase]:
    """The witnesses of a fault, and :data:`SAMPLE` of the other cases."""
    cases = every_case()
    others = [case for case in cases if case.id not in fault.witness]
    drawn = random.Random(f"{seed}/{fault.name}").sample(others, SAMPLE)  # noqa: S311  (no secret)
    return [*(case for case in cases if case.id in fault.witness), *drawn]


def _red(results: Iterable[CaseResult], cases: Iterable[AnyCase], kind: Evidence) -> frozenset[str]:
    kinds = {case.id: shows(case) for case in cases}
    return frozenset(
        finding.clause
        for case in results
        if kind in kinds[case.case]
        for finding in case.findings
        if finding.verdict is Verdict.FAIL
    )


def _failed(results: Iterable[CaseResult]) -> frozenset[str]:
    return frozenset(case.case for case in results if case.verdict is Verdict.FAIL)
