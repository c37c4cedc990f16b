"""The sub-commands that print what the specification says."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Printed

from effectspec.attention import ExitCode
from effectspec.clauses import CLAUSES, Clause, Evidence, UnknownClauseError, clause
from effectspec.coverage import coverage
from effectspec.tables import TABLES, Table, markdown
from effectspec.verdict import Verdict

_MARKS = {Verdict.PASS: "[green]✓[/]", Verdict.UNCOVERED: "[yellow]–[/]"}


def clauses(
    ids: Annotated[list[str] | None, typer.Argument(help="Clause ids, such as G-4.")] = None,
) -> None:
    """Print every clause with its source section, and what shows it so far."""
    try:
        chosen = [clause(id_) for id_ in ids] if ids else list(CLAUSES.values())
    except UnknownClauseError as error:
        raise fail(str(error)) from None
    console = Console()
    shown = coverage()
    console.print(_clause_table(chosen, shown))
    asked = [(clause_.id, kind) for clause_ in chosen for kind in clause_.shown_by]
    green = sum(shown[key].green for key in asked)
    console.print(
        f"{len(chosen)} clauses. ✓ covered: a fault in the clause turns that kind of evidence red; "
        f"– asked for, not covered yet. Covered: {green} of {len(asked)}."
    )


def _clause_table(chosen: list[Clause], shown: dict[tuple[str, Evidence], Verdict]) -> Printed:
    printed = Printed("clause", "source", "says", *(kind.value for kind in Evidence))
    for clause_ in chosen:
        marks = [
            _MARKS[shown[clause_.id, kind]] if kind in clause_.shown_by else "" for kind in Evidence
        ]
        printed.add_row(clause_.id, clause_.section, clause_.title, *marks)
    return printed


def tables(
    name: Annotated[str | None, typer.Argument(help=f"One of: {', '.join(TABLES)}.")] = None,
    *,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
) -> None:
    """Print the contract's tables from the data that decides."""
    if name is not None and name not in TABLES:
        raise fail(f"no table {name!r}; there are: {', '.join(TABLES)}")
    console = Console()
    for table in TABLES.values() if name is None else (TABLES[name],):
        if as_markdown:
            typer.echo(f"### {table.title}\n\n{markdown(table)}")
        else:
            console.print(_printed(table))


def _printed(table: Table) -> Printed:
    printed = Printed(*table.heads, title=table.title)
    for row in table.rows:
        printed.add_row(*row)
    return printed


def fail(message: str) -> typer.Exit:
    """Say what is wrong with an invocation; raise what comes back."""
    typer.echo(f"effectspec: {message}", err=True)
    return typer.Exit(ExitCode.WRONG_INVOCATION)
