"""Prints what the suite found: clause by clause, crash point by crash point, and what failed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from effectconform.allowed import Comparison
from effectconform.judgement import KINDS, ClauseVerdict
from effectconform.suite import CRASH_POINT
from effectcrash.report import STYLES, explain, introduce, repeat_line, say, tally
from effectcrash.results import CaseResult, Results
from effectspec.clauses import CLAUSES, Evidence
from effectspec.terminal import counted
from effectspec.verdict import Verdict, worst

NOTHING: Final = Text("–", "dim")

LOUD: Final = frozenset({Verdict.FAIL, Verdict.UNKNOWN, Verdict.NOT_REACHED})
"""The verdicts of a case that are explained one by one; nothing excuses them."""


def report(
    results: Results,
    verdicts: Sequence[ClauseVerdict],
    console: Console,
    *,
    lengths: Mapping[str, int],
    default_command: Sequence[str],
) -> None:
    """Print the tables, then each case that failed, the shortest first.

    ``lengths`` is how much each case does. A line that repeats a case names no adapter if that is
    the default one.
    """
    introduce(results.implementation, console)
    for table in (_clauses(verdicts), _points(verdicts, results.cases)):
        if table.row_count:
            console.print(table)
    for case in sorted(results.cases, key=lambda case: lengths[case.case]):
        if case.verdict in LOUD:
            explain(case, console, repeat_line("conform", case, results, default_command))
    _unsupported(results.cases, console)
    for line in _summary(results.cases, verdicts):
        say(console, line)


def complain(comparison: Comparison, console: Console) -> None:
    """Say what keeps the list of allowed verdicts from fitting."""
    for verdict in comparison.unexpected:
        say(
            console,
            f"{verdict.clause} {verdict.evidence.value}: {verdict.verdict.value}, and not in the "
            "list of what may be; add a case or a fault, or for another adapter give --allow",
            STYLES[Verdict.FAIL],
        )
    for verdict in comparison.stale:
        say(
            console,
            f"{verdict.clause} {verdict.evidence.value}: passes now; remove its line from the list",
            STYLES[Verdict.FAIL],
        )


def _clauses(verdicts: Iterable[ClauseVerdict]) -> Table:
    table = Table("clause", "title", *(kind.value for kind in KINDS), "cases")
    by_clause: dict[str, dict[Evidence, ClauseVerdict]] = {}
    for verdict in verdicts:
        if not verdict.clause.startswith(CRASH_POINT):
            by_clause.setdefault(verdict.clause, {})[verdict.evidence] = verdict
    for clause, kinds in by_clause.items():
        table.add_row(
            clause,
            CLAUSES[clause].title,
            *(_word(kinds[kind].verdict) if kind in kinds else NOTHING for kind in KINDS),
            str(max(verdict.cases for verdict in kinds.values())),
        )
    return table


def _points(verdicts: Iterable[ClauseVerdict], cases: Sequence[CaseResult]) -> Table:
    """A point is as good as its clause, and as everything else that its cases say."""
    table = Table("crash point", "title", "verdict", "cases")
    for verdict in verdicts:
        if verdict.clause.startswith(CRASH_POINT):
            here = [case.verdict for case in cases if case.point == verdict.clause]
            table.add_row(
                verdict.clause,
                CLAUSES[verdict.clause].title,
                _word(worst([verdict.verdict, *here])),
                str(len(here)),
            )
    return table


def _word(verdict: Verdict) -> Text:
    return Text(verdict.value, STYLES[verdict])


def _unsupported(cases: Iterable[CaseResult], console: Console) -> None:
    reasons = Counter(
        case.reason for case in cases if case.verdict is Verdict.NOT_IMPLEMENTED and case.reason
    )
    for reason, count in reasons.items():
        line = f"not implemented, {counted(count, 'case')}: {reason}"
        say(console, line, STYLES[Verdict.NOT_IMPLEMENTED])


def _summary(cases: Sequence[CaseResult], verdicts: Sequence[ClauseVerdict]) -> Iterator[str]:
    yield f"cases: {tally([case.verdict for case in cases])}"
    for kind in KINDS:
        if said := [each.verdict for each in verdicts if each.evidence is kind]:
            yield f"clauses, {kind.value}: {tally(said)}"
