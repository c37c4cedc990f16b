"""What the crash harness found, as a value that can be written to a file and read back."""

from typing import Final

import msgspec

from effectspec.verdict import Verdict, worst

SCHEMA: Final = 1
"""The version of this shape; it grows when a field changes its meaning or goes away."""


class _Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the results."""


class Finding(_Value, frozen=True):
    """One assertion: the clause it is about, the fact, and the two values as text."""

    clause: str
    fact: str
    verdict: Verdict
    expected: str
    found: str


class CaseResult(_Value, frozen=True):
    """One case. ``reason`` says why a case that is neither pass nor fail tells nothing."""

    case: str
    point: str
    tier: int
    verdict: Verdict
    findings: tuple[Finding, ...]
    seconds: float
    reason: str = ""

    @property
    def complaints(self) -> list[str]:
        """What is wrong, line by line: the reason, or else every finding that is no pass."""
        return self.reason.splitlines() or [
            f"{finding.clause}: {finding.fact}: expected {finding.expected}, found {finding.found}"
            for finding in self.findings
            if not finding.verdict.green
        ]


class Implementation(_Value, frozen=True):
    """Who was examined: as its hello says, and the command that starts it."""

    name: str
    version: str
    language: str
    contract: str
    command: tuple[str, ...]


class Results(_Value, frozen=True):
    """A whole examination, its cases in the order in which they are listed."""

    implementation: Implementation
    cases: tuple[CaseResult, ...]
    schema: int = SCHEMA

    def by_clause(self) -> dict[str, Verdict]:
        """The verdict on each clause that an assertion names."""
        said: dict[str, list[Verdict]] = {}
        for case in self.cases:
            for finding in case.findings:
                said.setdefault(finding.clause, []).append(finding.verdict)
        return {clause: worst(verdicts) for clause, verdicts in said.items()}

    @property
    def verdict(self) -> Verdict:
        """The verdict on all of it."""
        return worst(case.verdict for case in self.cases)
