"""When a run's rows may be deleted (§9)."""

from enum import Enum

from effectspec.lifecycle import TERMINAL, State


class RunPhase(Enum):
    """Where a run stands, for retention."""

    OPEN = "no terminal yet: it can be resumed"
    NEEDS_ATTENTION = "its last incarnation ended in effect_needs_attention"
    ENDED = "completed, failed or cancelled: it can no longer be resumed"
    CLOSED = "closed by an operator"


RESUMABLE = frozenset({RunPhase.OPEN, RunPhase.NEEDS_ATTENTION})
"""A needs-attention terminal ends an incarnation, not the run (reading 6)."""


def may_resume(phase: RunPhase) -> bool:
    """Whether a resume may enter the gate (reading 6)."""
    return phase in RESUMABLE


def sweepable(state: State, phase: RunPhase, *, undelivered: bool) -> bool:
    """Whether a run's row may be swept.

    Never while unresolved, whatever its age (R-1); a committed or resolved one only once the run
    cannot be resumed (R-2). ``undelivered``: the node completed without delivering the row, which
    then stays until an operator closes the run (reading 17).
    """
    if state not in TERMINAL or phase in RESUMABLE:
        return False
    return phase is RunPhase.CLOSED or not undelivered
