"""Prints results: a matrix of crash points and tiers, the clauses, and what went wrong."""

import shlex
from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from effectcrash.child import printable
from effectcrash.results import CaseResult, Results
from effectspec.tiers import Tier
from effectspec.verdict import Verdict, worst

STYLES: Final = {
    Verdict.PASS: "green",
    Verdict.FAIL: "red",
    Verdict.UNKNOWN: "red",
    Verdict.NOT_REACHED: "red",
    Verdict.NOT_IMPLEMENTED: "yellow",
    Verdict.UNCOVERED: "yellow",
}


def report(results: Results, console: Console, *, default_command: Sequence[str]) -> None:
    """Print all of it. A repeat command names no adapter if that is the default one."""
    who = results.implementation
    _say(console, f"{who.name} {who.version} ({who.language}), contract {who.contract}")
    console.print(_matrix(results.cases))
    for verdict, clauses in _clauses(results).items():
        _say(console, f"{verdict.value}: {' '.join(clauses)}", STYLES[verdict])
    command = () if who.command == tuple(default_command) else ("--", *who.command)
    for case in results.cases:
        if not case.verdict.green:
            _explain(case, console, command)
    _say(console, _summary(results.cases))


def _matrix(cases: Sequence[CaseResult]) -> Table:
    matrix = Table("point", *(f"tier {tier.value}" for tier in Tier))
    for point in dict.fromkeys(case.point for case in cases):
        here = [case for case in cases if case.point == point]
        matrix.add_row(
            point, *(_cell([case for case in here if case.tier == tier]) for tier in Tier)
        )
    return matrix


def _cell(cases: Sequence[CaseResult]) -> Text:
    if not cases:
        return Text("–", "dim")
    verdict = worst(case.verdict for case in cases)
    green = sum(case.verdict.green for case in cases)
    count = str(green) if verdict.green else f"{green} of {len(cases)}: {verdict.value}"
    return Text(count, STYLES[verdict])


def _clauses(results: Results) -> dict[Verdict, list[str]]:
    said = results.by_clause()
    by_verdict = {
        verdict: sorted((clause for clause in said if said[clause] is verdict), key=_in_order)
        for verdict in Verdict
    }
    return {verdict: clauses for verdict, clauses in by_verdict.items() if clauses}


def _in_order(clause: str) -> tuple[str, int]:
    letter, _, number = clause.partition("-")
    return letter, int(number)


def _explain(case: CaseResult, console: Console, command: Iterable[str]) -> None:
    told = case.reason.splitlines() or [
        f"{finding.clause}: {finding.fact}: expected {finding.expected}, found {finding.found}"
        for finding in case.findings
        if not finding.verdict.green
    ]
    repeat = shlex.join(("effectspec", "crash", "--only", case.case, *command))
    _say(console, f"{case.verdict.value}: {case.case}", STYLES[case.verdict])
    for line in (*told, f"repeat: {repeat}"):
        _say(console, f"  {line}", STYLES[case.verdict])


def _say(console: Console, line: str, style: str = "") -> None:
    """One line as it is: what an implementation says is neither markup nor moves the cursor."""
    console.print(printable(line), style=style, markup=False, highlight=False, soft_wrap=True)


def _summary(cases: Sequence[CaseResult]) -> str:
    counts = {verdict: sum(case.verdict is verdict for case in cases) for verdict in Verdict}
    told = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count)
    return f"{len(cases)} cases: {told or 'none'}"
