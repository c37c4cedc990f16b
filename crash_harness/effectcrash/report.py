"""Prints results: a matrix of crash points and tiers, the clauses, and what went wrong."""

import shlex
from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from effectcrash.child import printable
from effectcrash.results import CaseResult, Implementation, Results
from effectspec.protocol import CONTRACT_VERSION
from effectspec.terminal import counted
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
    introduce(results.implementation, console)
    console.print(_matrix(results.cases))
    for verdict, clauses in _clauses(results).items():
        say(console, f"{verdict.value}: {' '.join(clauses)}", STYLES[verdict])
    for case in results.cases:
        if not case.verdict.green:
            explain(case, console, repeat_line("crash", case, results, default_command))
    verdicts = [case.verdict for case in results.cases]
    say(console, f"{counted(len(verdicts), 'case')}: {tally(verdicts) or 'none'}")


def introduce(who: Implementation, console: Console) -> None:
    """Say who was examined, and whether it means another edition of the contract."""
    say(console, f"{who.name} {who.version} ({who.language}), contract {who.contract}")
    if who.contract != CONTRACT_VERSION:
        say(
            console,
            f"that is another edition of the contract: every case here is of {CONTRACT_VERSION}",
            STYLES[Verdict.UNKNOWN],
        )


def explain(case: CaseResult, console: Console, repeat: str) -> None:
    """Say what is wrong with a case, and the command that repeats it."""
    say(console, f"{case.verdict.value}: {case.case}", STYLES[case.verdict])
    for line in (*case.complaints, f"repeat: {repeat}"):
        say(console, f"  {line}", STYLES[case.verdict])


def repeat_line(
    command: str, case: CaseResult, results: Results, default_command: Sequence[str]
) -> str:
    """The command line that runs one case again."""
    theirs = results.implementation.command
    adapter = () if theirs == tuple(default_command) else ("--", *theirs)
    return shlex.join(("effectspec", command, "--only", case.case, *adapter))


def say(console: Console, line: str, style: str = "") -> None:
    """One line as it is: what an implementation says is neither markup nor moves the cursor."""
    console.print(printable(line), style=style, markup=False, highlight=False, soft_wrap=True)


def tally(verdicts: Sequence[Verdict]) -> str:
    """How often each verdict was given, the worst first."""
    counts = {verdict: verdicts.count(verdict) for verdict in Verdict}
    return ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count)


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
