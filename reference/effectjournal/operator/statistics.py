"""How much a journal holds, and how much of it waits (R-7)."""

from collections import Counter
from pathlib import Path

import msgspec

from effectjournal.operator.desk import Desk
from effectjournal.operator.filed import unfinished
from effectjournal.operator.need import need


class Statistics(msgspec.Struct, frozen=True):
    """Counts by what they count, and the bytes of the files.

    ``waiting`` counts effects by what is left to do about them; ``oldest`` is when the oldest of
    them was prepared.
    """

    effects: dict[str, int]
    runs: dict[str, int]
    waiting: dict[str, int]
    oldest: str | None
    bytes: dict[str, int]


def statistics(desk: Desk) -> Statistics:
    """Count a journal."""
    waiting = [(need(each), each.prepared) for each in unfinished(desk.seen, desk.is_owned)]
    states = desk.seen.query("SELECT state, count(*) FROM run_effects GROUP BY state ORDER BY 1")
    phases = desk.seen.query("SELECT phase, count(*) FROM runs GROUP BY phase ORDER BY 1")
    times = [prepared for _, prepared in waiting if prepared is not None]
    file = desk.place.file
    return Statistics(
        effects=dict(states),
        runs=dict(phases),
        waiting=dict(Counter(left.value for left, _ in waiting)),
        oldest=min(times, default=None),
        bytes={"file": _size(file), "log": _size(file.with_name(f"{file.name}-wal"))},
    )


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
