"""The three tiers of promise (§1): what each needs of a target and what may be claimed for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum


class Tier(IntEnum):
    """How much a target lets us know after a call went unanswered (T-2, T-3, T-4)."""

    KEYED = 1
    QUERYABLE = 2
    OPAQUE = 3


@dataclass(frozen=True, slots=True)
class TierRow:
    """One row of the tier table: what must hold of the target, and what is promised then."""

    clause: str
    precondition: str
    guarantee: str
    claim: str


TIERS: Mapping[Tier, TierRow] = {
    Tier.KEYED: TierRow(
        clause="T-2",
        precondition="the target honours a caller-supplied idempotency key",
        guarantee="safe retry under the same stored key",
        claim="exactly once",
    ),
    Tier.QUERYABLE: TierRow(
        clause="T-3",
        precondition="the target's outcome can be queried afterwards",
        guarantee="reconciled from a receipt, looked up by a reference minted at prepare",
        claim="exactly once after reconciliation",
    ),
    Tier.OPAQUE: TierRow(
        clause="T-4",
        precondition="none: opaque, not idempotent, no receipt",
        guarantee="one dispatch attempt, never retried automatically",
        claim="at most once",
    ),
}


def claim(tier: Tier) -> str:
    """The only words that a surface may use for the guarantee of ``tier`` (T-5)."""
    return TIERS[tier].claim


def effective_tier(declared: Tier, *, reconciler: bool, key_live: bool) -> Tier:
    """The tier whose promise can be kept now for an effect declared as ``declared``.

    ``reconciler``: one is registered for the tool (T-6). ``key_live``: the target still
    remembers the row's idempotency key when a request sent now arrives (reading 3); it says
    nothing about the other tiers.
    """
    if declared is Tier.OPAQUE or not reconciler:
        return Tier.OPAQUE
    if declared is Tier.KEYED and not key_live:
        return Tier.OPAQUE
    return declared


REQUEST_TRAVEL_ALLOWANCE_S = 60
"""Seconds a request may travel: a live key must outlive the request's arrival (reading 3)."""


def key_is_live(*, age_s: int, lifetime_s: int | None) -> bool:
    """Whether a key issued ``age_s`` seconds ago still binds a request that is sent now.

    ``lifetime_s`` is how long the target keeps a key; None means for ever (reading 3). A key from
    the future says that a clock was set back, so its age is not known.
    """
    if lifetime_s is None:
        return True
    return age_s >= 0 and age_s + REQUEST_TRAVEL_ALLOWANCE_S < lifetime_s


def may_send(*, keyed: bool, key_live: bool) -> bool:
    """Whether a call that was prepared may still leave its process.

    A sender can pause for longer than any allowance after its prepare, so it judges its key once
    more when it sends; one that is past is sent no more, and its outcome stays open (reading 3).
    """
    return key_live or not keyed
