"""A session's rows of ``run_effects``: how they are written, settled and deleted."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from effectjournal import rows
from effectjournal.delivery import ResultPolicy, encode_policy
from effectjournal.storage import Transaction
from effectspec.lifecycle import State
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

CHUNK: Final = 500
"""Rows that one statement deletes; the chunks of a sweep commit together (R-4)."""

_NO_POLICY: Final = encode_policy(ResultPolicy({}))
"""A session's result is kept by nobody, so there is nothing to say of its keeping (X-10)."""


class SessionCall(msgspec.Struct, frozen=True):
    """A journaled call of a session. ``call_id`` is the engine's, never the model's (I-8)."""

    slot: int
    tool_id: str
    tier: Tier
    digest: str
    call_id: str
    provider_attempt: int


def insert(
    transaction: Transaction,
    session_id: str,
    turn: int,
    call: SessionCall,
    handle: rows.Handle,
    *,
    at: int,
) -> int:
    """Write a prepared row; its id. Raises ``Duplicate`` where its identity is taken (I-5)."""
    return transaction.insert(
        "INSERT INTO run_effects (scope_kind, scope_id, unit, slot, tool_id, start, generation, "
        "owner_id, attempt, provider_attempt, tool_call_id, tier, digest, mapping, policy, state, "
        "idempotency_key, reference, key_issued_at, prepared_at) "
        "VALUES ('session', ?, ?, ?, ?, 1, 0, '', 1, ?, ?, ?, ?, '', ?, 'prepared', ?, ?, ?, ?)",
        (
            session_id,
            str(turn),
            call.slot,
            call.tool_id,
            call.provider_attempt,
            call.call_id,
            call.tier.value,
            call.digest,
            _NO_POLICY,
            handle.key,
            handle.reference,
            None if handle.key is None else at,
            at,
        ),
    )


def settle(
    transaction: Transaction, row_id: int, state: State, fingerprint: str, *, at: int
) -> bool:
    """Settle a row that is still prepared: a compare-and-set; its result stays NULL (X-10)."""
    changed = transaction.write(
        "UPDATE run_effects SET state = ?, settled_as = ?, settled_at = ? "
        "WHERE id = ? AND scope_kind = 'session' AND state = 'prepared'",
        (state.value, fingerprint, at, row_id),
    )
    return changed == 1


def settled_as(transaction: Transaction, row_id: int) -> tuple[State, str | None] | None:
    """A row's state and the fingerprint of its settle; None if it is no effect of a session."""
    found = transaction.query(
        "SELECT state, settled_as FROM run_effects WHERE id = ? AND scope_kind = 'session'",
        (row_id,),
    )
    return (State(found[0][0]), found[0][1]) if found else None


def keep_evidence(
    transaction: Transaction, row_id: int, outcome: Outcome, fingerprint: str, *, at: int
) -> None:
    """Keep a late settle beside its row, without its result (reading 11, X-10)."""
    rows.keep_evidence(transaction, rows.Evidence(row_id, at, 0, outcome, fingerprint, None))


def delete(transaction: Transaction, row_ids: Sequence[int]) -> int:
    """Delete rows and the evidence beside them, chunk by chunk; how many rows there were."""
    deleted = 0
    for chunk in _chunks(row_ids):
        marks = ", ".join("?" * len(chunk))
        transaction.write(f"DELETE FROM effect_evidence WHERE effect_id IN ({marks})", chunk)
        deleted += transaction.write(
            f"DELETE FROM run_effects WHERE scope_kind = 'session' AND id IN ({marks})", chunk
        )
    return deleted


def _chunks(row_ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (row_ids[start : start + CHUNK] for start in range(0, len(row_ids), CHUNK))
