"""What a prepare-and-settle pair costs beside two bare commits of the same bytes.

"Bare" is two commits on the same table with the same indexes, bytes and random keys, no digest
and no checks. The result is retained. Both run in turn, on files of their own, and the figure is
the median of the ratios round by round.
"""

import secrets
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from effectjournal.delivery import ResultPolicy
from effectjournal.journal import Expect, Journal
from effectjournal.preparation import Dispatch, NodeStart, PlannedCall
from effectjournal.reconcilers import Reconcilers
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

ROUNDS = 100
PAIRS = 100
RESULT = {"receipt": "r" * 400}
ARGUMENTS = {"amount": 12, "to": "b" * 64}


class Reference:
    """The reference journal, one fresh node per pair."""

    def __init__(self, folder: Path) -> None:
        self._journal = Journal.open(folder)
        self._run = self._journal.take_over("run", "bench", Reconcilers(), expect=Expect.NEW)
        self._call = PlannedCall(0, "pay", Tier.OPAQUE, ARGUMENTS, "call", ResultPolicy({}))

    def pair(self, unit: str) -> None:
        start = NodeStart(self._run.fence, unit, 1, 1)
        prepared = self._run.prepare(start, self._call)
        assert isinstance(prepared, Dispatch)
        self._run.settle(prepared.row_id, Outcome.DONE, RESULT)


class Bare:
    """The same two statements on the same table, each in a transaction of its own."""

    def __init__(self, folder: Path) -> None:
        journal = Journal.open(folder)
        self._store = journal.store
        reference = Reference(folder / "sample")
        reference.pair("0" * 16)
        with reference._journal.store.snapshot() as snapshot:  # noqa: SLF001  (its bytes are the measure)
            (row,) = snapshot.query("SELECT * FROM run_effects")
        names = [
            name for (name,) in self._query("SELECT name FROM pragma_table_info('run_effects')")
        ]
        self._row = dict(zip(names, row, strict=True))
        settled = ("state", "result", "settled_as", "settled_at")
        self._settled = tuple(self._row[name] for name in settled)
        prepared = self._row | {"state": "prepared"} | dict.fromkeys(settled[1:])
        del prepared["id"]
        self._insert = (
            f"INSERT INTO run_effects ({', '.join(prepared)}) "
            f"VALUES ({', '.join('?' * len(prepared))})"
        )
        self._update = (
            "UPDATE run_effects SET "
            + ", ".join(f"{name} = ?" for name in settled)
            + " WHERE id = ?"
        )
        self._prepared = prepared

    def _query(self, sql: str) -> list[tuple[str]]:
        with self._store.snapshot() as snapshot:
            return snapshot.query(sql)

    def pair(self, unit: str) -> None:
        self._prepared["unit"] = unit
        with self._store.transaction() as transaction:
            row_id = transaction.insert(self._insert, tuple(self._prepared.values()))
        with self._store.transaction() as transaction:
            transaction.write(self._update, (*self._settled, row_id))


def _seconds(pair: Callable[[str], None]) -> float:
    units = [secrets.token_hex(8) for _ in range(PAIRS)]
    began = time.perf_counter()
    for unit in units:
        pair(unit)
    return time.perf_counter() - began


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bare, reference = Bare(Path(folder) / "bare"), Reference(Path(folder) / "reference")
        rounds = [(_seconds(bare.pair), _seconds(reference.pair)) for _ in range(ROUNDS)]
        ratio = statistics.median(bare_s / reference_s for bare_s, reference_s in rounds)
        bare_us = statistics.median(bare_s for bare_s, _ in rounds) / PAIRS * 1e6
        reference_us = statistics.median(reference_s for _, reference_s in rounds) / PAIRS * 1e6
    print(
        f"bare {bare_us:.0f} µs, reference {reference_us:.0f} µs a pair; speed {ratio:.2f} of bare"
    )


if __name__ == "__main__":
    main()
