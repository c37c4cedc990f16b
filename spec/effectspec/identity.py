"""The five identities (§2). Each answers a question of its own; none is "the key"."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

import msgspec

from effectspec.tiers import Tier


@dataclass(frozen=True, slots=True)
class RunCorrelation:
    """The run, node and node-retry attempt that an effect belongs to (I-1)."""

    run_id: str
    node_id: str
    attempt: int


@dataclass(frozen=True, slots=True)
class SessionCorrelation:
    """The session and turn that an effect belongs to (I-1)."""

    session_id: str
    turn: int


EffectCorrelation = RunCorrelation | SessionCorrelation


@dataclass(frozen=True, slots=True)
class NodeKey:
    """A run correlation without its attempt: what the gate looks up (I-2, G-1)."""

    run_id: str
    node_id: str


@dataclass(frozen=True, slots=True)
class TurnKey:
    """A session correlation as the journal addresses it."""

    session_id: str
    turn: int


CorrelationKey = NodeKey | TurnKey


def correlation_key(correlation: EffectCorrelation) -> CorrelationKey:
    """Drop what is audit only: the attempt restarts at 1 on a crash-resume (I-2)."""
    match correlation:
        case RunCorrelation(run_id, node_id, _):
            return NodeKey(run_id, node_id)
        case SessionCorrelation(session_id, turn):
            return TurnKey(session_id, turn)
        case _:
            assert_never(correlation)


@dataclass(frozen=True, slots=True)
class EffectIdentity:
    """What is unique among the undiscarded rows of a journal (I-5).

    ``slot`` counts all tool calls of a turn from zero, journaled or not; a session's ``!``
    commands count down from -1 (I-3).
    """

    correlation: CorrelationKey
    slot: int
    tool_id: str


class EffectAttemptId(msgspec.Struct, frozen=True):
    """Which occurrence this was. For audit, never to deduplicate (I-6)."""

    attempt: int
    provider_attempt: int
    tool_call_id: str
    owner_id: str
    generation: int


LEGACY_PLACEHOLDERS = ("session", "home", "agent-run")
"""Call ids that old wiring wrote for want of a real one (I-9)."""


def can_prove_completion(tool_call_id: str) -> bool:
    """Whether a call id may join an effect to a completed exchange (I-9)."""
    return tool_call_id != "" and tool_call_id not in LEGACY_PLACEHOLDERS


def slots(rounds: Sequence[int]) -> list[range]:
    """The slots of each provider round of one turn, given how many calls each round made (I-3)."""
    start = 0
    assigned = []
    for calls in rounds:
        assigned.append(range(start, start + calls))
        start += calls
    return assigned


def carries_idempotency_key(tier: Tier) -> bool:
    """Whether the journal mints an idempotency key at prepare: tier 1 only (I-7)."""
    return tier is Tier.KEYED


def carries_reference(tier: Tier) -> bool:
    """Whether the journal mints a receipt reference at prepare: tier 2 only (T-3, reading 9)."""
    return tier is Tier.QUERYABLE
