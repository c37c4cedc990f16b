"""What is left of a run's effects for a person to look at, whatever its terminal says (A-2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from effectjournal.journal import Journal
from effectspec.lifecycle import UNRESOLVED
from effectspec.protocol import RowView


@dataclass(frozen=True, slots=True)
class Health:
    """A run's effects by row id, the unresolved ones, and those that were never delivered."""

    rows: Mapping[int, RowView] = field(default_factory=dict)
    unresolved: tuple[int, ...] = ()
    undelivered: tuple[int, ...] = ()


def examine(journal: Journal, run_id: str) -> Health:
    """Read the health of a run's effects. Raises ``StoreFailed`` or ``Busy``."""
    rows = {row.row_id: row for row in journal.rows(run_id)}
    # A completion names what its node never delivered; the row stays until the run is closed.
    named = {
        row_id
        for event in journal.events(run_id).events
        if event.name == "node:completed"
        for row_id in event.rows
    }
    return Health(
        rows=rows,
        unresolved=tuple(row_id for row_id, row in rows.items() if row.state in UNRESOLVED),
        undelivered=tuple(row_id for row_id in rows if row_id in named),
    )
