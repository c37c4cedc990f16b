"""The sub-commands that print what the specification says."""

import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Printed
from rich.text import Text

from effectspec.clauses import CLAUSES, MEANINGS, Clause, Evidence, UnknownClauseError, clause
from effectspec.coverage import coverage
from effectspec.tables import TABLES, Table, markdown
from effectspec.terminal import counted, fail
from effectspec.verdict import Verdict

MARKS: Final = {Verdict.PASS: "[green]✓[/]", Verdict.UNCOVERED: "[yellow]–[/]"}

INDENT: Final = (0, 0, 1, 2)
"""Of a clause's text, with a blank line after it."""

LEGEND: Final = """\
✓ covered: a fault in the clause is known to turn this kind of evidence red
– not yet: the clause asks for it, and no such fault is known"""


def clauses(
    ids: Annotated[list[str] | None, typer.Argument(help="Clause ids, such as G-4.")] = None,
) -> None:
    """Print every clause with its source section, and what shows it so far.

    Of the clauses that are named, print the text as well.
    """
    try:
        named = [clause(id_) for id_ in ids or ()]
    except UnknownClauseError as error:
        raise fail(str(error)) from None
    console = Console()
    for each in named:
        console.print(f"{each.id} ({each.section}) {each.title}", markup=False)
        console.print(Padding(Text(each.text), INDENT))
    chosen = named or list(CLAUSES.values())
    shown = coverage()
    console.print(_clause_table(chosen, shown))
    console.print(f"{_kinds()}\n{LEGEND}", highlight=False)
    asked = [(each.id, kind) for each in chosen for kind in each.shown_by]
    green = sum(shown[key].green for key in asked)
    console.print(f"{counted(len(chosen), 'clause')}. Covered: {green} of {len(asked)}.")


def _clause_table(chosen: Sequence[Clause], shown: dict[tuple[str, Evidence], Verdict]) -> Printed:
    printed = Printed("clause", "source", "says", *(kind.value for kind in Evidence))
    for each in chosen:
        marks = [MARKS[shown[each.id, kind]] if kind in each.shown_by else "" for kind in Evidence]
        printed.add_row(each.id, each.section, each.title, *marks)
    return printed


def _kinds() -> str:
    width = max(map(len, Evidence))
    return "\n".join(f"{kind.value:<{width}} {meaning}" for kind, meaning in MEANINGS.items())


def tables(
    name: Annotated[str | None, typer.Argument(help=f"One of: {', '.join(TABLES)}.")] = None,
    *,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
) -> None:
    """Print the contract's tables from the data that decides."""
    if name is not None and name.lower() not in TABLES:
        raise fail(f"no table {name!r}; there are: {', '.join(TABLES)}")
    console = Console()
    for table in TABLES.values() if name is None else (TABLES[name.lower()],):
        if as_markdown:
            sys.stdout.write(f"### {table.title}\n\n{markdown(table)}\n")
        else:
            console.print(_printed(table))


def _printed(table: Table) -> Printed:
    printed = Printed(*table.heads, title=table.title)
    for row in table.rows:
        printed.add_row(*row)
    return printed
