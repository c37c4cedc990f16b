"""What a resumed session is told of each effect it finds (§8): it discloses and does not block."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from effectspec.lifecycle import State
from effectspec.transcript import Attribution


class SessionStanding(Enum):
    """What disclosure needs to know of a record."""

    UNRESOLVED = "prepared / dispatched / ambiguous / needs_attention"
    COMMITTED = "committed, by a model's call"
    COMMAND = "committed, by a ! command"
    RESOLVED = "resolved by an operator"


class Disclosure(Enum):
    """What the reader is told."""

    UNKNOWN = "its outcome is unknown"
    LANDED = "it landed, in a turn that did not complete"
    DOUBTFUL = "it landed, in a turn that may not have completed"
    SILENT = "nothing"


@dataclass(frozen=True, slots=True)
class DisclosureCell:
    """One cell of the disclosure table."""

    clause: str
    disclosure: Disclosure


_UNKNOWN = DisclosureCell("D-3", Disclosure.UNKNOWN)
_COMMAND = DisclosureCell("D-6", Disclosure.SILENT)
_RESOLVED = DisclosureCell("D-3", Disclosure.SILENT)

DISCLOSURE: Mapping[tuple[SessionStanding, Attribution], DisclosureCell] = {
    (SessionStanding.UNRESOLVED, Attribution.COMPLETED): _UNKNOWN,
    (SessionStanding.UNRESOLVED, Attribution.NOT_COMPLETED): _UNKNOWN,
    (SessionStanding.UNRESOLVED, Attribution.DOUBTFUL): _UNKNOWN,
    (SessionStanding.COMMITTED, Attribution.COMPLETED): DisclosureCell("D-4", Disclosure.SILENT),
    (SessionStanding.COMMITTED, Attribution.NOT_COMPLETED): DisclosureCell(
        "D-4", Disclosure.LANDED
    ),
    (SessionStanding.COMMITTED, Attribution.DOUBTFUL): DisclosureCell("D-5", Disclosure.DOUBTFUL),
    (SessionStanding.COMMAND, Attribution.COMPLETED): _COMMAND,
    (SessionStanding.COMMAND, Attribution.NOT_COMPLETED): _COMMAND,
    (SessionStanding.COMMAND, Attribution.DOUBTFUL): _COMMAND,
    (SessionStanding.RESOLVED, Attribution.COMPLETED): _RESOLVED,
    (SessionStanding.RESOLVED, Attribution.NOT_COMPLETED): _RESOLVED,
    (SessionStanding.RESOLVED, Attribution.DOUBTFUL): _RESOLVED,
}
"""Standing of the record × what history says of its turn → what is told (D-3 to D-6)."""


def session_standing(state: State, slot: int) -> SessionStanding:
    """Read a session's record; ``!`` commands have the negative slots (I-3)."""
    match state:
        case State.PREPARED | State.DISPATCHED | State.AMBIGUOUS | State.NEEDS_ATTENTION:
            return SessionStanding.UNRESOLVED
        case State.COMMITTED:
            return SessionStanding.COMMAND if slot < 0 else SessionStanding.COMMITTED
        case State.RESOLVED:
            return SessionStanding.RESOLVED


def disclosure(record: SessionStanding, turn: Attribution) -> Disclosure:
    """What is told of one record (D-3, D-4, D-5, D-6)."""
    return DISCLOSURE[record, turn].disclosure
