"""``effectspec laws``: CrossHair over the laws of the contract, as a table."""

from collections import Counter, defaultdict

import typer
from rich.console import Console
from rich.table import Table

from effectconform.crosshair import OPEN, CrossHairMissing, Report, confirm
from effectspec.terminal import fail
from effectspec.verdict import Verdict


def laws() -> None:
    """Let CrossHair confirm the laws of the contract; takes about a minute.

    Exits 1 when a law is refuted, is not confirmed any more or is not pinned.
    """
    console = Console()
    try:
        with console.status("CrossHair is looking for an answer that breaks a law"):
            report = confirm()
    except CrossHairMissing as missing:
        raise fail(str(missing)) from missing
    console.print(summary(report))
    for line in report.red:
        finding = line.finding
        console.print(
            f"{line.verdict.value}: {finding.function}\n  {finding.sentence}\n  {line.why}",
            style="red",
            markup=False,
        )
    if report.red:
        raise typer.Exit(1)


def summary(report: Report) -> Table:
    """How many laws of each function are confirmed, and why the others are not."""
    counts: dict[str, Counter[Verdict]] = defaultdict(Counter)
    for line in report.lines:
        counts[line.finding.function][line.verdict] += 1
    table = Table("function", "confirmed", "open", "red", "why open")
    for function in sorted(counts):
        table.add_row(
            function.removeprefix("effectspec.laws."),
            *_cells(counts[function]),
            OPEN.get(function, ""),
        )
    table.add_section()
    table.add_row("all", *_cells(Counter(line.verdict for line in report.lines)), "")
    return table


def _cells(verdicts: Counter[Verdict]) -> tuple[str, str, str]:
    confirmed, uncovered = verdicts[Verdict.PASS], verdicts[Verdict.UNCOVERED]
    return str(confirmed), str(uncovered), str(verdicts.total() - confirmed - uncovered)
