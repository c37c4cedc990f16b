"""What a prepare costs in a journal of a million rows beside one of a thousand.

Both journals are filled by one statement with the rows of other runs, under random node ids. Each
round times prepares in both; the figure is the median of the ratios.
"""

import secrets
import statistics
import tempfile
import time
from pathlib import Path

from effectjournal.delivery import ResultPolicy
from effectjournal.journal import Expect, Journal
from effectjournal.owned import OwnedRun
from effectjournal.preparation import NodeStart, PlannedCall
from effectjournal.reconcilers import Reconcilers
from effectspec.tiers import Tier

SMALL = 1_000
LARGE = 1_000_000
ROUNDS = 60
PREPARES = 100

CALL = PlannedCall(0, "pay", Tier.OPAQUE, {"amount": 12}, "call", ResultPolicy({}))

FILL = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
    INSERT INTO run_effects (scope_kind, scope_id, unit, slot, tool_id, start, generation,
        owner_id, attempt, provider_attempt, tool_call_id, tier, digest, mapping, policy, state,
        result, key_issued_at)
    SELECT 'run', 'run-' || (i % 1000), lower(hex(randomblob(8))), 0, 'pay', 1, 1, 'bench', 1, 1,
        'call', 3, 'v5:' || hex(randomblob(32)), 'v5:', x'7b7d', 'committed', randomblob(400), 0
    FROM n
"""


def filled(folder: Path, count: int) -> OwnedRun:
    journal = Journal.open(folder)
    run = journal.take_over("run", "bench", Reconcilers(), expect=Expect.NEW)
    with journal.store.transaction() as transaction:
        transaction.write(FILL, (count,))
    with journal.store.snapshot() as snapshot:
        snapshot.query("SELECT count(digest) FROM run_effects")
    return run


def seconds(run: OwnedRun) -> float:
    starts = [NodeStart(run.fence, secrets.token_hex(8), 1, 1) for _ in range(PREPARES)]
    began = time.perf_counter()
    for start in starts:
        run.prepare(start, CALL)
    return time.perf_counter() - began


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        small = filled(Path(folder) / "small", SMALL)
        large = filled(Path(folder) / "large", LARGE)
        ratio = statistics.median(seconds(large) / seconds(small) for _ in range(ROUNDS))
    print(f"prepare at {LARGE:,} rows: {ratio:.2f} times prepare at {SMALL:,}")


if __name__ == "__main__":
    main()
