"""``effectspec crash``: the crash matrix against an implementation."""

import msgspec
import typer
from rich.console import Console

from effectcrash.account import TargetError
from effectcrash.adapter_errors import AdapterError
from effectcrash.junit import junit
from effectcrash.options import REFERENCE, AdapterCommand, JsonFile, JunitFile, Only, OnlyTier
from effectcrash.points import all_cases
from effectcrash.progress import watched
from effectcrash.report import report
from effectcrash.results import Results
from effectcrash.runner import run
from effectcrash.selection import UnknownCase, select
from effectspec.outputs import NotWritable, opened, refuse_one_for_two
from effectspec.terminal import fail
from effectspec.tiers import Tier


def crash(
    adapter: AdapterCommand = None,
    *,
    only: Only = None,
    tier: OnlyTier = None,
    json: JsonFile = None,
    xml: JunitFile = None,
) -> None:
    """Kill real processes at every crash point, and say clause by clause what is found.

    Exits 0 only if every case passed.
    """
    try:
        cases = select(all_cases(), only or (), Tier(tier) if tier else None).cases
        with opened(json) as write_json, opened(xml) as write_junit:
            refuse_one_for_two({"JSON": json, "JUnit XML": xml})
            with watched(len(cases)) as told:
                results = run(cases, tuple(adapter or REFERENCE), told=told)
            try:
                report(results, Console(), default_command=REFERENCE)
            finally:
                write_json(_as_json(results))
                write_junit(junit(results, "crash"))
    except (UnknownCase, NotWritable, AdapterError, TargetError) as error:
        raise fail(str(error)) from None
    raise typer.Exit(_exit_status(results))


def _as_json(results: Results) -> bytes:
    return msgspec.json.format(msgspec.json.encode(results), indent=2) + b"\n"


def _exit_status(results: Results) -> int:
    return 0 if results.verdict.green else 1
