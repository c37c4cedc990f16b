"""What prepare answers (§4, §7): dispatch, re-deliver, retry, or refuse.

A re-run delivers what is recorded before it does anything new (reading 5), so the answer to one
call depends on every undiscarded row of its node. Each row bears on the call by itself
(:func:`bearing`); :func:`admit` combines what they say.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from effectspec.gate import GateVerdict, Standing


class Place(Enum):
    """Where a recorded effect stands relative to the call being prepared."""

    SAME_IDENTITY = "same slot, same tool"
    SAME_SLOT = "same slot, another tool"
    ELSEWHERE = "another slot of the node"


class Age(Enum):
    """Which start of the node wrote the row, and whether this start has delivered it."""

    THIS_START = "written in this start"
    DELIVERED = "written earlier, delivered or retried in this start"
    EARLIER = "written by another start, not delivered in this one"


class Likeness(Enum):
    """Whether the call asks the question that the row answers (G-6)."""

    SAME = "same digest, same output mapping"
    OTHER_ARGUMENTS = "other arguments, or a digest of an old version"
    OTHER_MAPPING = "same arguments, other output mapping"


class Hold(Enum):
    """Who may act on an unresolved row now (reading 4, reading 11)."""

    RETRYABLE = "marked by this generation's gate as retry-pending"
    IN_FLIGHT = "prepared, its sender may be alive"
    CLOSED = "for reconciliation or a human only"


class Bearing(Enum):
    """What one row says of the call."""

    SILENT = "does not bear on the call"
    REPLAY = "answers the call"
    RETRY = "is the call, unanswered, and may be sent again under its key"
    MISMATCH = "holds the slot with another question"
    DUPLICATE = "this very effect is already prepared"
    UNRESOLVED = "its outcome is unknown"
    UNDELIVERED = "committed earlier and not yet delivered in this start"
    PENDING = "retry-pending: no fresh dispatch beside it"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a row must tell for its bearing on a call. ``verdict`` is the gate's, read now."""

    place: Place
    age: Age
    likeness: Likeness
    standing: Standing
    verdict: GateVerdict
    hold: Hold


def bearing(row: Facts) -> Bearing:
    """How one undiscarded row of the node bears on the call being prepared."""
    if row.verdict is GateVerdict.IGNORE:
        return Bearing.SILENT
    match row.place:
        case Place.SAME_IDENTITY:
            return _bearing_of_the_same_identity(row)
        case Place.SAME_SLOT:
            # A slot names one call of a turn, so another tool there is another question,
            # whatever the tool (reading 5).
            return Bearing.MISMATCH
        case Place.ELSEWHERE:
            return _bearing_from_elsewhere(row)


def _bearing_of_the_same_identity(row: Facts) -> Bearing:
    if row.age is not Age.EARLIER or row.hold is Hold.IN_FLIGHT:
        return Bearing.DUPLICATE
    if row.likeness is not Likeness.SAME:
        return Bearing.MISMATCH
    match row.verdict:
        case GateVerdict.REDELIVER:
            return Bearing.REPLAY
        case GateVerdict.RETRY if row.hold is Hold.RETRYABLE:
            return Bearing.RETRY
        case _:
            return Bearing.UNRESOLVED


def _bearing_from_elsewhere(row: Facts) -> Bearing:
    match row.standing:
        case Standing.COMMITTED_RETAINED:
            return Bearing.UNDELIVERED if row.age is Age.EARLIER else Bearing.SILENT
        case Standing.COMMITTED_UNRETAINED:
            if row.age is not Age.EARLIER:
                return Bearing.SILENT
            return Bearing.PENDING if row.verdict is GateVerdict.RETRY else Bearing.UNDELIVERED
        case Standing.UNRESOLVED:
            if row.hold is Hold.IN_FLIGHT and row.age is Age.THIS_START:
                return Bearing.SILENT
            return Bearing.PENDING if row.hold is Hold.RETRYABLE else Bearing.UNRESOLVED
        case Standing.ATTENTION:
            return Bearing.UNRESOLVED
        case Standing.ABSENT:
            return Bearing.SILENT


class Admission(Enum):
    """The answer to a prepare."""

    DISPATCH = "prepared: send the call"
    REPLAY = "re-deliver the recorded result"
    RETRY = "send the call again under the stored key"
    REFUSE = "refused: nothing is sent"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a row stands in the way of a call, and the clause that says so."""

    clause: str
    reason: str


REFUSALS: Mapping[Bearing, Refusal] = {
    Bearing.MISMATCH: Refusal(
        "G-8", "another call, or the same with other arguments or mapping, is recorded at this slot"
    ),
    Bearing.DUPLICATE: Refusal("I-5", "this effect is already prepared"),
    Bearing.UNRESOLVED: Refusal("G-4", "the outcome of an effect of this node is unknown"),
    Bearing.UNDELIVERED: Refusal(
        "G-8", "a committed effect of an earlier start has not been re-delivered"
    ),
    Bearing.PENDING: Refusal("G-4", "an effect of this node waits to be retried under its key"),
}
"""The bearings that refuse a fresh dispatch, most telling first."""

_AGAINST_ANY_ANSWER = (Bearing.MISMATCH, Bearing.DUPLICATE)


def admit(bearings: Collection[Bearing]) -> tuple[Admission, Bearing]:
    """Combine what the node's rows say; the second part is the bearing that decided.

    A mismatch or a duplicate refuses whatever else is recorded. Re-delivery and a keyed retry of
    the very call are not fresh dispatches, so other rows do not hold them up (reading 4). A fresh
    dispatch needs every row silent (reading 5).
    """
    if not bearings:
        return Admission.DISPATCH, Bearing.SILENT
    said = frozenset(bearings)
    for bearing_ in _AGAINST_ANY_ANSWER:
        if bearing_ in said:
            return Admission.REFUSE, bearing_
    if Bearing.REPLAY in said:
        return Admission.REPLAY, Bearing.REPLAY
    if Bearing.RETRY in said:
        return Admission.RETRY, Bearing.RETRY
    for bearing_ in REFUSALS:
        if bearing_ in said:
            return Admission.REFUSE, bearing_
    return Admission.DISPATCH, Bearing.SILENT


def session_bearing(place: Place) -> Bearing:
    """How a session's row bears on a prepare: a matching one is always refused (G-11)."""
    return Bearing.DUPLICATE if place is Place.SAME_IDENTITY else Bearing.SILENT


class Completion(Enum):
    """What one row says of its node's completion."""

    CLEAR = "nothing stands in the way"
    UNDELIVERED = "completes, and names a committed effect that it never delivered"
    UNRESOLVED = "must not complete"


def completion(age: Age, record: Standing) -> Completion:
    """Whether a node may complete beside this row of its own (G-12, G-5, reading 17)."""
    match record:
        case Standing.UNRESOLVED | Standing.ATTENTION:
            return Completion.UNRESOLVED
        case Standing.COMMITTED_RETAINED:
            return Completion.UNDELIVERED if age is Age.EARLIER else Completion.CLEAR
        case Standing.COMMITTED_UNRETAINED:
            # Waved through by the gate only to be filled by a retry; unfilled it blocks as an
            # unresolved row does (G-5).
            return Completion.UNRESOLVED if age is Age.EARLIER else Completion.CLEAR
        case Standing.ABSENT:
            return Completion.CLEAR
