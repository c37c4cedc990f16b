"""A journaled call on its way to its row, and what its prepare comes to (O-2)."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from effectjournal import rows
from effectjournal.delivery import ResultPolicy, encode_policy, mapping_digest
from effectspec.admission import REFUSALS
from effectspec.contract import Contract
from effectspec.identity import (
    EffectAttemptId,
    EffectIdentity,
    NodeKey,
    carries_idempotency_key,
    carries_reference,
)
from effectspec.json_value import Json
from effectspec.ownership import Fence
from effectspec.protocol import Delivery
from effectspec.record import Ask, Decision, Record
from effectspec.tiers import Tier


class PlannedCall(msgspec.Struct, frozen=True):
    """A journaled call about to be prepared. ``key_lifetime_s`` as the target states it."""

    slot: int
    tool_id: str
    tier: Tier
    arguments: Mapping[str, Json]
    call_id: str
    policy: ResultPolicy
    secret_keys: tuple[str, ...] = ()
    key_lifetime_s: int | None = None
    provider_attempt: int = 1


class NodeStart(msgspec.Struct, frozen=True):
    """One start of a node. Every prepare of it carries it; what it re-delivered is kept here."""

    fence: Fence
    node_id: str
    start: int
    attempt: int
    delivered: set[int] = msgspec.field(default_factory=set)


class Dispatch(msgspec.Struct, frozen=True):
    """Prepared: send the call, once, with the handle its tier gives it. ``retry``: once more.

    ``key_issued_at`` and ``key_lifetime_s`` are the row's, in seconds; a row without a key has
    neither.
    """

    row_id: int
    key: str | None
    reference: str | None
    retry: bool
    key_issued_at: int | None
    key_lifetime_s: int | None


@dataclass(frozen=True, slots=True)
class Replay:
    """Recorded: deliver this and send nothing (G-2, G-7)."""

    row_id: int
    delivery: Delivery


@dataclass(frozen=True, slots=True)
class Refused:
    """Refused: send nothing. ``row_id`` stands in the way."""

    clause: str
    reason: str
    row_id: int | None


_mapping_digest_of = lru_cache(maxsize=256)(lambda items: mapping_digest(dict(items)))


def ask_of(contract: Contract, start: NodeStart, call: PlannedCall) -> Ask:
    """What the call asks of the journal. Raises ``NotCanonicalJson`` (O-1)."""
    fence = start.fence
    return Ask(
        EffectIdentity(NodeKey(fence.run_id, start.node_id), call.slot, call.tool_id),
        contract.digest(call.arguments, call.secret_keys),
        _mapping_digest_of(tuple(call.policy.mapping.items())),
        start.start,
        fence.generation,
        start.delivered,
    )


def mint() -> str:
    """A key or a reference: random, never derived from anything the model said (I-7, reading 9)."""
    return os.urandom(16).hex()


def new_row(
    start: NodeStart, call: PlannedCall, ask: Ask, *, reconciled: bool, at: int
) -> rows.NewRow:
    """The row of a call that is asked for the first time.

    ``reconciled``: its tool has a reconciler here. A tier 1 call without one gets no key: what is
    not sent under a key now must not be retried under it (T-6).
    """
    fence = start.fence
    return rows.NewRow(
        ask,
        EffectAttemptId(
            start.attempt, call.provider_attempt, call.call_id, fence.owner_id, fence.generation
        ),
        call.tier,
        rows.Handle(
            mint() if reconciled and carries_idempotency_key(call.tier) else None,
            mint() if carries_reference(call.tier) else None,
        ),
        encode_policy(call.policy),
        at,
        call.key_lifetime_s,
    )


def dispatch_of(record: Record, handle: rows.Handle, *, retry: bool) -> Dispatch:
    """What to send for a row that is prepared."""
    return Dispatch(
        record.row_id,
        handle.key,
        handle.reference,
        retry,
        record.key_issued_at,
        record.key_lifetime_s,
    )


def refusal(decision: Decision) -> Refused:
    """Why nothing is sent."""
    refused = REFUSALS[decision.bearing]
    row_id = None if decision.record is None else decision.record.row_id
    return Refused(refused.clause, refused.reason, row_id)
