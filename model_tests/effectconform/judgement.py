"""What the results say of each clause, kind of evidence by kind of evidence."""

from collections.abc import Collection, Iterable, Mapping

import msgspec

from effectconform.suite import AnyCase, shows
from effectcrash.results import Finding, Results
from effectspec.clauses import CLAUSES, Evidence
from effectspec.coverage import coverage
from effectspec.verdict import Verdict, worst

KINDS = (Evidence.CONF, Evidence.KILL)
"""The kinds of evidence that a suite can give from outside."""


class ClauseVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on a clause by one kind of evidence, and how many cases it rests on.

    A clause whose cases all pass is uncovered all the same if no fault of the catalogue is known
    to turn them red.
    """

    clause: str
    evidence: Evidence
    verdict: Verdict
    cases: int


def judge(
    results: Results, cases: Iterable[AnyCase], clauses: Collection[str] = CLAUSES
) -> tuple[ClauseVerdict, ...]:
    """The verdicts on those of ``clauses`` that ask for evidence from outside."""
    kinds = {case.id: shows(case) for case in cases}
    covered = coverage()
    return tuple(
        _verdict(results, kinds, clause.id, kind, covered=covered[clause.id, kind].green)
        for clause in CLAUSES.values()
        if clause.id in clauses
        for kind in KINDS
        if kind in clause.shown_by
    )


def _verdict(
    results: Results,
    kinds: Mapping[str, frozenset[Evidence]],
    clause: str,
    kind: Evidence,
    *,
    covered: bool,
) -> ClauseVerdict:
    said = [
        worst(finding.verdict for finding in about)
        for case in results.cases
        if kind in kinds[case.case] and (about := _about(clause, case.findings))
    ]
    verdict = worst(said)
    if verdict.green and not covered:
        verdict = Verdict.UNCOVERED
    return ClauseVerdict(clause=clause, evidence=kind, verdict=verdict, cases=len(said))


def _about(clause: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.clause == clause)
