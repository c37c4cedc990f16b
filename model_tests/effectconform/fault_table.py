"""The catalogue as a table of fault and method, for a page of the documentation."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from effectspec.clauses import CLAUSES
from effectspec.faults import Fault, Method

NAMED: Final = 3
"""Clauses that a cell names: the rest would hide which fault it is."""

_PLACE: Final = re.compile(r"(<!-- faults -->\n).*?(<!-- end of faults -->)", re.DOTALL)


class NoPlace(ValueError):
    """A page that has no place for the table, or cannot be read; the message says which."""


def include(page: Path, faults: Iterable[Fault]) -> str:
    """The page with its table of faults filled anew. Raises :class:`NoPlace`."""
    try:
        text = page.read_text()
    except OSError as error:
        raise NoPlace(f"{page}: cannot be read ({error.strerror}); give a page") from error
    except UnicodeDecodeError as error:
        raise NoPlace(f"{page}: is no text in UTF-8; give a page in Markdown") from error
    table = markdown(faults)
    filled, places = _PLACE.subn(lambda place: f"{place[1]}{table}{place[2]}", text)
    if places != 1:
        raise NoPlace(
            f"{page}: has {places} places for the table; "
            "give it one, <!-- faults --> and <!-- end of faults --> on lines of their own"
        )
    return filled


def markdown(faults: Iterable[Fault]) -> str:
    """A row a fault: what it is, what comes of it, and the clauses that each method turns red.

    Below the table, why some faults are not seen by some method.
    """
    catalogue = tuple(faults)
    heads = ("fault", "clause", "what comes of it", *(method.value for method in Method))
    rows = [heads, ("---",) * len(heads), *map(_row, catalogue)]
    notes = [f"- `{fault.name}`: {fault.unseen}." for fault in catalogue if fault.unseen]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in rows)
    return table + "\n" + "\n".join(("Not seen, and why:", "", *notes)) + "\n"


def _row(fault: Fault) -> tuple[str, ...]:
    cells = (cell(fault, method) for method in Method)
    return (f"`{fault.name}`", fault.clause, fault.danger, *cells)


def cell(fault: Fault, method: Method) -> str:
    """The clauses that turn red, the fault's own first; beyond :data:`NAMED` they are counted."""
    if method not in fault.red:
        return ""
    red = sorted(fault.red[method], key=lambda clause: (clause != fault.clause, _place(clause)))
    if not red:
        return "not seen"
    named, more = ", ".join(red[:NAMED]), len(red[NAMED:])
    return f"{named} and {more} more" if more else named


def _place(clause: str) -> int:
    return tuple(CLAUSES).index(clause)
