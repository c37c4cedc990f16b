"""``effectspec conform``: the whole suite against an implementation."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from effectconform.allowed import BadList, Comparison, compare, from_file, of_the_suite
from effectconform.judgement import ClauseVerdict, judge
from effectconform.report import LOUD, complain, report
from effectconform.suite import every_case, length_of
from effectcrash.account import TargetError
from effectcrash.adapter_errors import AdapterError
from effectcrash.junit import junit
from effectcrash.options import REFERENCE, AdapterCommand, JsonFile, JunitFile, Only, OnlyTier
from effectcrash.progress import watched
from effectcrash.results import Results
from effectcrash.runner import run
from effectcrash.selection import UnknownCase, select
from effectspec.outputs import NotWritable, opened, refuse_one_for_two
from effectspec.terminal import fail
from effectspec.tiers import Tier


class Conformance(msgspec.Struct, frozen=True, kw_only=True):
    """What ``--json`` writes: the verdict on each clause, and every case behind it."""

    clauses: tuple[ClauseVerdict, ...]
    results: Results


def conform(
    adapter: AdapterCommand = None,
    *,
    only: Only = None,
    tier: OnlyTier = None,
    allow: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What else may be uncovered or not implemented."),
    ] = None,
    json: JsonFile = None,
    xml: JunitFile = None,
) -> None:
    """Say, clause by clause and crash point by crash point, what an implementation does.

    Exits 0 only if every case passed, apart from clauses that a list allows to be uncovered or not
    implemented.
    """
    try:
        selection = select(every_case(), only or (), Tier(tier) if tier else None)
        cases = selection.cases
        allowed = of_the_suite() | (from_file(allow) if allow else frozenset())
        with opened(json) as write_json, opened(xml) as write_junit:
            refuse_one_for_two({"JSON": json, "JUnit XML": xml})
            with watched(len(cases)) as told:
                results = run(cases, tuple(adapter or REFERENCE), told=told)
            verdicts = judge(results, cases, selection.clauses)
            comparison = compare(verdicts, allowed)
            try:
                console = Console()
                lengths = {case.id: length_of(case) for case in cases}
                report(results, verdicts, console, lengths=lengths, default_command=REFERENCE)
                complain(comparison, console)
            finally:
                write_json(_as_json(Conformance(clauses=verdicts, results=results)))
                write_junit(junit(results, "conform"))
    except (UnknownCase, BadList, NotWritable, AdapterError, TargetError) as error:
        raise fail(str(error)) from None
    raise typer.Exit(_exit_status(results, verdicts, comparison))


def _as_json(found: Conformance) -> bytes:
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


def _exit_status(
    results: Results, verdicts: tuple[ClauseVerdict, ...], comparison: Comparison
) -> int:
    """A list excuses clauses, so where no clause is judged nothing but a pass is green."""
    wrong = any(case.verdict in LOUD for case in results.cases)
    inexcusable = not verdicts and not results.verdict.green
    return 1 if wrong or inexcusable or comparison.unexpected or comparison.stale else 0
