"""How a run ends, and what its exit code tells a caller (§8)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum


class ErrorCode(Enum):
    """The codes that ``run:failed`` carries."""

    EFFECT_NEEDS_ATTENTION = "effect_needs_attention"
    BUDGET_EXCEEDED = "budget_exceeded"
    NODE_FAILED = "node_failed"


class ExitCode(IntEnum):
    """What the process that ran the run says (A-3, reading 22)."""

    COMPLETED = 0
    FAILED = 1
    WRONG_INVOCATION = 2
    PAUSED = 3
    TERMINAL_HELD = 5
    OWNED_BY_ANOTHER = 6
    EFFECT_ATTENTION = 7
    MONEY_UNCERTAIN = 8


@dataclass(frozen=True, slots=True)
class ExitRow:
    """One row of the exit table."""

    clause: str
    means: str
    remedy: str


EXITS: Mapping[ExitCode, ExitRow] = {
    ExitCode.WRONG_INVOCATION: ExitRow(
        "A-3", "the invocation is wrong", "correct the command; nothing was done"
    ),
    ExitCode.OWNED_BY_ANOTHER: ExitRow(
        "F-1", "another process owns the run", "wait for it to end, then resume"
    ),
    ExitCode.MONEY_UNCERTAIN: ExitRow(
        "A-3", "what was spent is unknown", "check the provider's bill before anything is repeated"
    ),
    ExitCode.EFFECT_ATTENTION: ExitRow(
        "A-3",
        "the outcome of an effect is unknown",
        "look at the target first, then resolve the effect as accepted or discarded; do not repeat",
    ),
    ExitCode.TERMINAL_HELD: ExitRow(
        "A-2", "the terminal is held in the outbox", "start again: it is retried by itself"
    ),
    ExitCode.FAILED: ExitRow("A-3", "the run failed", "read the run's last event"),
    ExitCode.PAUSED: ExitRow("B-2", "the run is paused", "approve or cancel it"),
    ExitCode.COMPLETED: ExitRow("A-3", "the run completed", "nothing to do"),
}
"""The exit codes, the one that wins first when several hold (reading 22)."""


def exit_code(holding: frozenset[ExitCode]) -> ExitCode:
    """The exit code when all of ``holding`` hold, chosen after all work has joined (A-3)."""
    for code in EXITS:
        if code in holding:
            return code
    return ExitCode.COMPLETED
