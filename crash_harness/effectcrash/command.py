"""``effectspec crash``: the crash matrix against an implementation."""

import sys
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console

from effectcrash.account import TargetError
from effectcrash.adapter_errors import AdapterError
from effectcrash.junit import junit
from effectcrash.matrix import run
from effectcrash.points import all_cases
from effectcrash.progress import watched
from effectcrash.report import report
from effectcrash.results import Results
from effectcrash.selection import UnknownCase, select
from effectspec.commands import fail

REFERENCE: Final = (sys.executable, "-m", "effectjournal.adapter")
"""The reference, as a command like any other."""


def crash(
    adapter: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ADAPTER", help="The command of an adapter, after --; else the reference."
        ),
    ] = None,
    *,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Only cases that begin so, such as C-3 or C-6/first."),
    ] = None,
    tier: Annotated[int | None, typer.Option(min=1, max=3, help="Only this tier.")] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON.")
    ] = None,
    xml: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write them as JUnit XML.")
    ] = None,
) -> None:
    """Kill real processes at every crash point, and say clause by clause what is found.

    Exits 0 only if every case passed.
    """
    for file in (json, xml):
        _check_writable(file)
    try:
        cases = select(all_cases(), only or (), tier)
        with watched(len(cases)) as told:
            results = run(cases, tuple(adapter or REFERENCE), told=told)
    except (UnknownCase, AdapterError, TargetError) as error:
        raise fail(str(error)) from None
    if json is not None:
        json.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=2) + b"\n")
    if xml is not None:
        xml.write_bytes(junit(results))
    report(results, Console(), default_command=REFERENCE)
    raise typer.Exit(_exit_status(results))


def _check_writable(file: Path | None) -> None:
    """Before the run: a minute's work must not be lost for want of a folder."""
    if file is None:
        return
    try:
        file.touch()
    except OSError as error:
        raise fail(f"{file}: cannot be written ({error.strerror}); give another file") from None


def _exit_status(results: Results) -> int:
    return 0 if results.verdict.green else 1
