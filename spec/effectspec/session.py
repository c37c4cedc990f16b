"""When a session's evidence may go, and which turn comes next (§8, §9, §11)."""

from collections.abc import Sequence
from enum import Enum

from effectspec.lifecycle import TERMINAL, State


class Acknowledgement(Enum):
    """What is known of a notice's way to its reader."""

    DELIVERED = "this very notice, whole, on the active surface"
    UNNEEDED = "there was nothing to tell"
    ANOTHER = "an older notice, however alike"
    CLIPPED = "a part of it"
    ENQUEUED = "it was handed over, and may not have arrived"
    FAILED = "it was not delivered"


def evidence_may_go(acknowledgement: Acknowledgement, *, owned: bool) -> bool:
    """Whether what the notice told of may be deleted (D-7, D-8, D-10).

    ``owned``: whoever asked for the notice is still the session's activation: it was not
    cancelled, torn down or swapped since.
    """
    delivered = acknowledgement in (Acknowledgement.DELIVERED, Acknowledgement.UNNEEDED)
    return owned and delivered


def session_sweepable(captured: State, found: State | None, *, same_address: bool) -> bool:
    """Whether a row that a session's read captured may be deleted, as it is found now (R-3).

    ``found`` is None where it is gone. ``same_address``: the id still belongs to the scope, slot
    and tool that were captured.
    """
    return same_address and found is captured and captured in TERMINAL


def one_shot_sweepable(state: State, *, reserved: bool) -> bool:
    """Whether a one-shot run deletes a row as it unwinds (R-5).

    ``reserved``: its turn was reserved by this very run, and not by whoever had it before.
    """
    return reserved and state in TERMINAL


def turn_floor(turns: Sequence[str]) -> int | None:
    """The turn that no row of a session has reached, or None where its history is no history.

    ``turns`` are those of its rows, as they are stored (X-14). Evidence is never guessed: one turn
    that is no number blocks the allocator of its session.
    """
    if not all(map(_is_turn, turns)):
        return None
    return max(map(int, turns), default=-1) + 1


def _is_turn(text: str) -> bool:
    return text.isascii() and text.isdigit() and text == str(int(text))
