"""The resume gate (§4): what a resumed run does with each effect it finds."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from effectspec.lifecycle import Resolution, State
from effectspec.tiers import Tier


class Standing(Enum):
    """What the gate needs to know of a record."""

    COMMITTED_RETAINED = "committed, result retained"
    COMMITTED_UNRETAINED = "committed, result not retained"
    UNRESOLVED = "prepared / dispatched / ambiguous"
    ATTENTION = "needs_attention"
    ABSENT = "discarded by an operator"


class GateVerdict(Enum):
    """What the gate says of one record."""

    REDELIVER = "re-deliver the recorded result; do not execute"
    RETRY = "retry-pending: only the same call may be sent again, under the stored key"
    RECONCILE = "look up the receipt, then decide"
    ATTENTION = "needs_attention: refuse the node"
    IGNORE = "evidence only; the node may run again"


@dataclass(frozen=True, slots=True)
class GateCell:
    """One cell of the gate table."""

    clause: str
    verdict: GateVerdict


GATE: Mapping[tuple[Standing, Tier], GateCell] = {
    (Standing.COMMITTED_RETAINED, Tier.KEYED): GateCell("G-2", GateVerdict.REDELIVER),
    (Standing.COMMITTED_RETAINED, Tier.QUERYABLE): GateCell("G-2", GateVerdict.REDELIVER),
    (Standing.COMMITTED_RETAINED, Tier.OPAQUE): GateCell("G-2", GateVerdict.REDELIVER),
    (Standing.COMMITTED_UNRETAINED, Tier.KEYED): GateCell("G-3", GateVerdict.RETRY),
    (Standing.COMMITTED_UNRETAINED, Tier.QUERYABLE): GateCell("G-3", GateVerdict.RECONCILE),
    (Standing.COMMITTED_UNRETAINED, Tier.OPAQUE): GateCell("G-3", GateVerdict.ATTENTION),
    (Standing.UNRESOLVED, Tier.KEYED): GateCell("G-4", GateVerdict.RETRY),
    (Standing.UNRESOLVED, Tier.QUERYABLE): GateCell("G-4", GateVerdict.RECONCILE),
    (Standing.UNRESOLVED, Tier.OPAQUE): GateCell("G-4", GateVerdict.ATTENTION),
    (Standing.ATTENTION, Tier.KEYED): GateCell("A-4", GateVerdict.ATTENTION),
    (Standing.ATTENTION, Tier.QUERYABLE): GateCell("A-4", GateVerdict.ATTENTION),
    (Standing.ATTENTION, Tier.OPAQUE): GateCell("A-4", GateVerdict.ATTENTION),
    (Standing.ABSENT, Tier.KEYED): GateCell("A-5", GateVerdict.IGNORE),
    (Standing.ABSENT, Tier.QUERYABLE): GateCell("A-5", GateVerdict.IGNORE),
    (Standing.ABSENT, Tier.OPAQUE): GateCell("A-5", GateVerdict.IGNORE),
}
"""Standing of the record × tier whose promise can be kept now → verdict (G-2, G-3, G-4)."""


def standing(state: State, resolution: Resolution | None, *, retained: bool) -> Standing:
    """Read a record as the gate does; an accepted row reads as committed (reading 20)."""
    match state:
        case State.PREPARED | State.DISPATCHED | State.AMBIGUOUS:
            return Standing.UNRESOLVED
        case State.NEEDS_ATTENTION:
            return Standing.ATTENTION
        case State.RESOLVED if resolution is Resolution.DISCARDED:
            return Standing.ABSENT
        case State.COMMITTED | State.RESOLVED:
            return Standing.COMMITTED_RETAINED if retained else Standing.COMMITTED_UNRETAINED


def gate(record: Standing, tier: Tier) -> GateVerdict:
    """The verdict on one record, by the tier that is effective now (G-2, G-3, G-4, A-4)."""
    return GATE[record, tier].verdict


class Lookup(Enum):
    """What a receipt look-up came back with (T-3)."""

    FOUND = "a receipt"
    NOTHING = "no receipt"
    FAILED = "no answer"


def after_lookup(lookup: Lookup) -> GateVerdict:
    """The decision after a receipt look-up.

    No receipt is no proof of absence: the request may still be in flight, and a target may show
    receipts late (reading 2).
    """
    return GateVerdict.REDELIVER if lookup is Lookup.FOUND else GateVerdict.ATTENTION


class GateRead(Enum):
    """Whether the gate could read what it must judge."""

    READ = "read"
    FAILED = "failed"


def may_schedule(read: GateRead, verdicts: tuple[GateVerdict, ...]) -> bool:
    """Whether anything may be scheduled, given the final verdicts on every re-runnable node.

    A gate read that fails is a refusal (G-10); one record that needs attention blocks (G-9);
    a look-up that is still to be made is not a pass.
    """
    return read is GateRead.READ and not (
        GateVerdict.ATTENTION in verdicts or GateVerdict.RECONCILE in verdicts
    )
