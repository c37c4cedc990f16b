"""The contract's tables, printed from the data that decides."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from effectspec.attention import EXITS
from effectspec.disclosure import DISCLOSURE, SessionStanding
from effectspec.gate import GATE, Standing
from effectspec.journaling import EXTERNAL_MUTATION
from effectspec.lifecycle import LIFECYCLE
from effectspec.ordering import ORDERING
from effectspec.terminal import fail
from effectspec.tiers import TIERS, Tier
from effectspec.transcript import Attribution


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is printed: a title, column heads, and rows of text."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def _gate_rows() -> tuple[tuple[str, ...], ...]:
    """One row per standing and group of tiers that share a verdict, as §4 prints it."""
    rows = []
    for standing in Standing:
        groups: dict[tuple[str, str], list[Tier]] = {}
        for tier in Tier:
            cell = GATE[standing, tier]
            groups.setdefault((cell.verdict.value, cell.clause), []).append(tier)
        for (verdict, clause), tiers in groups.items():
            which = "any" if len(tiers) == len(Tier) else ", ".join(str(int(t)) for t in tiers)
            rows.append((standing.value, which, verdict, clause))
    return tuple(rows)


def _disclosure_rows() -> tuple[tuple[str, ...], ...]:
    """One row per standing that history cannot change, and else one for each thing it can say."""
    rows = []
    for record in SessionStanding:
        cells = {turn: DISCLOSURE[record, turn] for turn in Attribution}
        if len(set(cells.values())) == 1:
            cell = cells[Attribution.COMPLETED]
            rows.append((record.value, "anything", cell.disclosure.value, cell.clause))
        else:
            rows.extend(
                (record.value, turn.value, cell.disclosure.value, cell.clause)
                for turn, cell in cells.items()
            )
    return tuple(rows)


def _yes(value: bool) -> str:  # noqa: FBT001  (the cell of a table)
    return "yes" if value else "no"


TABLES: Mapping[str, Table] = {
    "tiers": Table(
        "The tiers (§1)",
        ("tier", "precondition", "guarantee", "may be called", "clause"),
        tuple(
            (str(int(tier)), row.precondition, row.guarantee, row.claim, row.clause)
            for tier, row in TIERS.items()
        ),
    ),
    "journaling": Table(
        "What changes state outside this process (§3)",
        ("tool", "call", "external mutation", "why", "clause"),
        tuple(
            (kind.value, shape.value, _yes(row.mutates), row.why, row.clause)
            for (kind, shape), row in EXTERNAL_MUTATION.items()
        ),
    ),
    "gate": Table(
        "The resume gate (§4)",
        ("record", "tier", "verdict", "clause"),
        _gate_rows(),
    ),
    "lifecycle": Table(
        "The transitions of one effect (§6, S-1)",
        ("from", "what happens", "to"),
        tuple(
            ("(no row)" if state is None else state.value, transition.value, after.value)
            for (state, transition), after in LIFECYCLE.items()
        ),
    ),
    "ordering": Table(
        "The order of a dispatch (§7)",
        ("step", "on failure the row is", "effect possible", "the node attempt", "clause"),
        tuple(
            (
                step.value,
                "(no row)" if row.row is None else row.row.value,
                _yes(row.effect_possible),
                row.ending.value,
                row.clause,
            )
            for step, row in ORDERING.items()
        ),
    ),
    "disclosure": Table(
        "What a resumed session is told (§8)",
        ("record", "what history says", "told", "clause"),
        _disclosure_rows(),
    ),
    "exits": Table(
        "Exit codes, the first that holds wins (§8, reading 22)",
        ("exit", "means", "what to do", "clause"),
        tuple((str(int(code)), row.means, row.remedy, row.clause) for code, row in EXITS.items()),
    ),
}
"""Every table, by the name that prints it."""


def markdown(table: Table) -> str:
    """A table as GitHub prints it."""
    lines = [table.heads, ("---",) * len(table.heads), *table.rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


_PLACE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def include(page: str) -> str:
    """A Markdown page with each ``<!-- table: NAME -->`` place filled anew.

    Raises ``KeyError`` for a name that is no table's.
    """
    return _PLACE.sub(lambda place: f"{place[1]}{markdown(TABLES[place[2]])}{place[3]}", page)


def fill(pages: Annotated[list[Path], typer.Argument(help="Markdown files.")]) -> None:
    """Fill the tables of Markdown pages anew, from the data that decides."""
    for page in pages:
        try:
            page.write_text(include(page.read_text(encoding="utf-8")), encoding="utf-8")
        except OSError as error:
            raise fail(f"{page}: {error.strerror}; name a Markdown file") from None
        except UnicodeDecodeError as error:
            raise fail(f"{page}: not UTF-8 (byte {error.start}); name a Markdown file") from None
        except KeyError as unknown:
            raise fail(f"{page}: no table {unknown}; there are: {', '.join(TABLES)}") from None


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(fill)
    app()
