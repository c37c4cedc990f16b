"""The catalogue as a table of fault and method, for a page of the documentation."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from effectspec.faults import Fault, Method

_PLACE: Final = re.compile(r"(<!-- faults -->\n).*?(<!-- end of faults -->)", re.DOTALL)


class NoPlace(ValueError):
    """A page that has no place for the table, or cannot be read; the message says which."""


def include(page: Path, faults: Iterable[Fault]) -> str:
    """The page with its table of faults filled anew. Raises :class:`NoPlace`."""
    try:
        text = page.read_text()
    except OSError as error:
        raise NoPlace(f"{page}: cannot be read ({error.strerror})") from error
    table = markdown(faults)
    filled, places = _PLACE.subn(lambda place: f"{place[1]}{table}{place[2]}", text)
    if places != 1:
        raise NoPlace(
            f"{page}: has {places} places for the table; "
            "give it one, <!-- faults --> and <!-- end of faults --> on lines of their own"
        )
    return filled


def markdown(faults: Iterable[Fault]) -> str:
    """One row a fault: what it is, what comes of it, and the clauses that each method turns red."""
    heads = ("fault", "clause", "what comes of it", *(method.value for method in Method))
    lines = [
        heads,
        ("---",) * len(heads),
        *(
            (
                f"`{fault.name}`",
                fault.clause,
                fault.danger + (f"; {fault.unseen}" if fault.unseen else ""),
                *(cell(fault, method) for method in Method),
            )
            for fault in faults
        ),
    ]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def cell(fault: Fault, method: Method) -> str:
    """The clauses that turn red: the fault's own first, the others counted."""
    if method not in fault.red:
        return ""
    red = fault.red[method]
    others = len(red - {fault.clause})
    if fault.clause in red:
        return f"{fault.clause} and {others} more" if others else fault.clause
    return f"{others} others" if others else "not seen"
