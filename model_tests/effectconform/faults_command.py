"""``effectspec faults``: every fault of the catalogue against every method that can notice it."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from effectconform.fault_run import (
    Glimpse,
    NoFaultyAdapter,
    Seen,
    command_of,
    glimpse,
    see,
)
from effectconform.fault_table import NoPlace, include
from effectconform.suite import every_case
from effectcrash.account import TargetError
from effectcrash.adapter_errors import AdapterError
from effectcrash.progress import watched
from effectspec.faults import FAULTS, Fault, Method, UnknownFault, fault
from effectspec.outputs import NotWritable, opened
from effectspec.terminal import counted, fail


def faults(
    *,
    only: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this fault.")] = None,
    sample: Annotated[
        str | None,
        typer.Option(
            metavar="SEED",
            help="A short run: the witnesses of each fault, and some other cases. Any text is a "
            "seed; the same one draws the same cases.",
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the table into this page if all is as expected."),
    ] = None,
) -> None:
    """Run the suite against the reference with one fault at a time, and compare what turns red.

    Exits 0 only if every fault turns exactly the expected clauses red. The whole catalogue is
    slow, two minutes or so a fault; --sample takes two minutes for all of them.
    """
    console = Console()
    try:
        chosen = [fault(name) for name in only] if only else list(FAULTS.values())
        page = "" if table is None else include(table, FAULTS.values())
        command_of(chosen[0])
        with opened(table) as write_table:
            if sample is not None:
                as_expected = _glimpsed(chosen, sample, console)
            else:
                as_expected = _seen(chosen, console)
            if as_expected:
                write_table(page.encode())
    except (
        UnknownFault,
        NoPlace,
        NotWritable,
        NoFaultyAdapter,
        AdapterError,
        TargetError,
    ) as error:
        raise fail(str(error)) from None
    raise typer.Exit(0 if as_expected else 1)


# ── the whole run ────────────────────────────────────────────────────────────────────────────────


def _seen(chosen: list[Fault], console: Console) -> bool:
    every = []
    for each in chosen:
        with watched(len(every_case())) as told:
            seen = see(each, told=told)
        every.append(seen)
        _say(seen, console)
    console.print(_table(every))
    return not any(seen.surprises for seen in every)


def _say(seen: Seen, console: Console) -> None:
    name = seen.fault.name
    if not seen.surprises:
        failed = counted(len(seen.failed), "case")
        console.print(f"{name}: as expected, {failed} failed", highlight=False)
    for method, (missing, too_much) in seen.surprises.items():
        for what, clauses in (("expected and not red", missing), ("red too", too_much)):
            if clauses:
                line = f"{name}, {method.value}: {what}: {' '.join(sorted(clauses))}"
                console.print(line, style="red", markup=False, soft_wrap=True)


def _table(every: list[Seen]) -> Table:
    methods = list(every[0].red)
    table = Table("fault", "clause", *(method.value for method in methods), "cases failed")
    for seen in every:
        table.add_row(
            seen.fault.name,
            seen.fault.clause,
            *(_cell(seen, method) for method in methods),
            str(len(seen.failed)) + (f", {seen.quiet} could not tell" if seen.quiet else ""),
        )
    return table


def _cell(seen: Seen, method: Method) -> Text:
    count = str(len(seen.red[method])) if seen.red[method] else "–"
    return Text(count, "red" if method in seen.surprises else "green")


# ── the short run ────────────────────────────────────────────────────────────────────────────────


def _glimpsed(chosen: list[Fault], seed: str, console: Console) -> bool:
    every = [glimpse(each, seed) for each in chosen]
    for each in every:
        _say_glimpse(each, console)
    wrong = sum(not each.as_expected for each in every)
    told = f"{counted(len(every), 'fault')}, seed {seed}: {wrong} not as expected"
    console.print(told, markup=False, highlight=False)
    return not wrong


def _say_glimpse(seen: Glimpse, console: Console) -> None:
    for case in seen.blind:
        _alarm(console, f"{seen.fault.name}: its witness {case} does not fail")
    if seen.too_much:
        clauses = " ".join(sorted(seen.too_much))
        _alarm(console, f"{seen.fault.name}: red without being expected: {clauses}")


def _alarm(console: Console, line: str) -> None:
    console.print(line, style="red", markup=False, soft_wrap=True)
