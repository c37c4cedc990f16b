"""What is filed of an effect and its run: all that an operator may see, no argument or result."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

import msgspec

from effectjournal.storage import Fields, Transaction
from effectspec.lifecycle import Resolution, State
from effectspec.retention import RESUMABLE, RunPhase
from effectspec.tiers import Tier

NEAREST: Final = 3
"""Ids that are offered for one that is not there."""


class Late(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that came when the row could not take it any more (reading 11)."""

    at: str
    generation: int
    outcome: str


class Filed(msgspec.Struct, frozen=True, kw_only=True):
    """One effect. Times are in UTC, None where an older version kept none.

    ``owner`` prepared it; ``run_owner`` owns its run now, and ``owned`` says whether that lives.
    ``marked``: when a resume last moved it, ``marked_in`` under which generation. ``landed``: late
    evidence shows the effect. ``undelivered``: its node completed without it (reading 17).
    ``phase``: where its run stands, as the store names it.
    """

    effect: int
    run: str
    node: str
    slot: int
    tool: str
    tier: Tier
    state: State
    retained: bool
    digest: str
    generation: int
    owner: str
    attempt: int
    provider_attempt: int
    call_id: str
    key: str | None
    reference: str | None
    prepared: str | None
    settled: str | None
    marked: str | None
    marked_in: int | None
    resolution: Resolution | None
    resolved_by: str | None
    resolved: str | None
    note: str | None
    landed: bool
    undelivered: bool
    phase: str | None
    run_owner: str | None
    owned: bool
    late: tuple[Late, ...]

    @property
    def is_resumable(self) -> bool:
        """Whether its run can still be resumed (reading 6)."""
        return self.phase is not None and RunPhase[self.phase.upper()] in RESUMABLE


IsOwned = Callable[[str, int], bool]
"""Whether the owner of a run's generation lives."""

_FIELDS = (
    "id, scope_id, unit, slot, tool_id, tier, state, result IS NOT NULL, digest, "
    "run_effects.generation, run_effects.owner_id, attempt, provider_attempt, tool_call_id, "
    "idempotency_key, reference, prepared_at, settled_at, marked_at, marked_in, resolution, "
    "resolved_by, resolved_at, note, landed, undelivered, phase, runs.owner_id, runs.generation"
)
_FROM = "FROM run_effects LEFT JOIN runs ON run_id = scope_id"
_OPEN = (
    "state IN ('prepared', 'ambiguous', 'needs_attention') OR undelivered = 1 "
    "OR (result IS NULL AND resolution IS NOT 'discarded')"
)


def every(transaction: Transaction, is_owned: IsOwned) -> Iterator[Filed]:
    """Every effect, oldest first."""
    return _read(transaction, is_owned, "", ())


def unfinished(transaction: Transaction, is_owned: IsOwned) -> Iterator[Filed]:
    """The effects about which something may be left to do, oldest first (R-7)."""
    return _read(transaction, is_owned, f"WHERE {_OPEN}", ())


def of_run(transaction: Transaction, is_owned: IsOwned, run: str) -> Iterator[Filed]:
    """The effects of one run, oldest first."""
    return _read(transaction, is_owned, "WHERE scope_id = ?", (run,))


def one(transaction: Transaction, is_owned: IsOwned, effect: int) -> Filed | None:
    """One effect."""
    return next(_read(transaction, is_owned, "WHERE id = ?", (effect,)), None)


def nearest(transaction: Transaction, effect: int) -> tuple[int, ...]:
    """The ids nearest to one that is not there."""
    found = transaction.query(
        "SELECT id FROM run_effects ORDER BY abs(id - ?) LIMIT ?", (effect, NEAREST)
    )
    return tuple(sorted(id_ for (id_,) in found))


def runs(transaction: Transaction) -> tuple[str, ...]:
    """The ids of all runs."""
    return tuple(run for (run,) in transaction.query("SELECT run_id FROM runs ORDER BY run_id"))


def _read(
    transaction: Transaction, is_owned: IsOwned, where: str, values: tuple[str | int, ...]
) -> Iterator[Filed]:
    for fields in transaction.query(f"SELECT {_FIELDS} {_FROM} {where} ORDER BY id", values):
        yield _filed(fields, is_owned, _late(transaction, fields[0]))


def _late(transaction: Transaction, effect: int) -> tuple[Late, ...]:
    found = transaction.query(
        "SELECT at, generation, outcome FROM effect_evidence WHERE effect_id = ? ORDER BY id",
        (effect,),
    )
    return tuple(
        Late(at=_told(at) or "", generation=generation, outcome=outcome)
        for at, generation, outcome in found
    )


def _filed(fields: Fields, is_owned: IsOwned, late: tuple[Late, ...]) -> Filed:
    (effect, run, node, slot, tool, tier, state, retained, digest, generation) = fields[:10]
    (owner, attempt, provider_attempt, call_id, key, reference) = fields[10:16]
    (prepared, settled, marked, marked_in, resolution, by, resolved, note) = fields[16:24]
    (landed, undelivered, phase, run_owner, run_generation) = fields[24:]
    return Filed(
        effect=effect,
        run=run,
        node=node,
        slot=slot,
        tool=tool,
        tier=Tier(tier),
        state=State(state),
        retained=bool(retained),
        digest=digest,
        generation=generation,
        owner=owner,
        attempt=attempt,
        provider_attempt=provider_attempt,
        call_id=call_id,
        key=key,
        reference=reference,
        prepared=_told(prepared),
        settled=_told(settled),
        marked=_told(marked),
        marked_in=marked_in,
        resolution=None if resolution is None else Resolution(resolution),
        resolved_by=by,
        resolved=_told(resolved),
        note=note,
        landed=bool(landed),
        undelivered=bool(undelivered),
        phase=phase,
        run_owner=run_owner,
        owned=run_generation is not None and is_owned(run, run_generation),
        late=late,
    )


def _told(at: int | None) -> str | None:
    return None if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%S}Z"
