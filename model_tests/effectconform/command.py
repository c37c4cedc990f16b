"""``effectspec conform``: the whole suite against an implementation."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from effectconform.allowed import BadList, compare, from_file, of_the_suite
from effectconform.judgement import ClauseVerdict, judge
from effectconform.report import LOUD, complain, report
from effectconform.selection import select
from effectconform.suite import every_case, length_of, run
from effectcrash.account import TargetError
from effectcrash.adapter_errors import AdapterError
from effectcrash.command import REFERENCE
from effectcrash.junit import junit
from effectcrash.progress import watched
from effectcrash.results import Results
from effectcrash.selection import UnknownCase
from effectspec.clauses import UnknownClauseError, clause
from effectspec.commands import fail


class Conformance(msgspec.Struct, frozen=True, kw_only=True):
    """What ``--json`` writes: the verdict on each clause, and every case behind it."""

    clauses: tuple[ClauseVerdict, ...]
    results: Results


def conform(
    adapter: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ADAPTER", help="The command of an adapter, after --; else the reference."
        ),
    ] = None,
    *,
    clauses: Annotated[
        list[str] | None,
        typer.Option("--clause", metavar="ID", help="Only cases of this clause, such as G-4."),
    ] = None,
    ids: Annotated[
        list[str] | None, typer.Option("--case", metavar="ID", help="Only this case.")
    ] = None,
    allow: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What else may be uncovered or not implemented."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON.")
    ] = None,
    xml: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write them as JUnit XML.")
    ] = None,
) -> None:
    """Say, clause by clause and crash point by crash point, what an implementation does.

    Exits 0 only if every case passed and nothing is uncovered or not implemented that is not
    listed as such.
    """
    try:
        for id_ in clauses or ():
            clause(id_)
        cases = select(every_case(), clauses or (), ids or ())
        allowed = of_the_suite() | (from_file(allow) if allow else frozenset())
        outputs = [_writer(json, _as_json), _writer(xml, _as_junit)]
        with watched(len(cases)) as told:
            results = run(cases, tuple(adapter or REFERENCE), told=told)
    except (UnknownClauseError, UnknownCase, BadList, AdapterError, TargetError) as error:
        raise fail(str(error)) from None
    verdicts = () if ids else judge(results, cases, clauses or ())
    for write in outputs:
        write(Conformance(clauses=verdicts, results=results))
    console = Console()
    lengths = {case.id: length_of(case) for case in cases}
    report(results, verdicts, console, lengths=lengths, default_command=REFERENCE)
    comparison = compare(verdicts, allowed)
    complain(comparison, console)
    wrong = any(case.verdict in LOUD for case in results.cases)
    raise typer.Exit(1 if wrong or comparison.unexpected or comparison.stale else 0)


def _as_json(found: Conformance) -> bytes:
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


def _as_junit(found: Conformance) -> bytes:
    return junit(found.results)


def _writer(
    file: Path | None, text: Callable[[Conformance], bytes]
) -> Callable[[Conformance], object]:
    """Opened before the run: a minute's work must not be lost for want of a folder."""
    if file is None:
        return lambda _: None
    try:
        file.touch()
    except OSError as error:
        raise fail(f"{file}: cannot be written ({error.strerror}); give another file") from None
    return lambda found: file.write_bytes(text(found))
