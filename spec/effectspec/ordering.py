"""The fixed order of a dispatch, and what a failure of each step means (§7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from effectspec.lifecycle import State


class Step(Enum):
    """The steps of a dispatch, in their order."""

    ADMISSION = "validate args, enforce policy, resolve approval"
    PREPARE = "durable prepare"
    DISPATCH = "dispatch to the target"
    SETTLE = "durable settle"
    AFTERMATH = (
        "output mapping, result bounding, event emission, post-dispatch abort, guard receipt"
    )
    LATER = "anything later in the node attempt"


class Ending(Enum):
    """How the node attempt ends."""

    ORDINARY_FAILURE = "fails; a retry is allowed while nothing was prepared"
    FINAL_FAILURE = "fails; never retried"
    ATTENTION = "the run ends with effect_needs_attention"


@dataclass(frozen=True, slots=True)
class FailureRow:
    """What it means that a step failed."""

    clause: str
    row: State | None
    effect_possible: bool
    ending: Ending


ORDERING: Mapping[Step, FailureRow] = {
    Step.ADMISSION: FailureRow("O-1", None, False, Ending.ORDINARY_FAILURE),
    Step.PREPARE: FailureRow("O-2", None, False, Ending.FINAL_FAILURE),
    Step.DISPATCH: FailureRow("O-3", State.AMBIGUOUS, True, Ending.ATTENTION),
    Step.SETTLE: FailureRow("O-4", State.PREPARED, True, Ending.ATTENTION),
    Step.AFTERMATH: FailureRow("O-5", State.COMMITTED, True, Ending.FINAL_FAILURE),
    Step.LATER: FailureRow("O-6", State.COMMITTED, True, Ending.FINAL_FAILURE),
}
"""Failed step → the row it leaves, whether the effect may exist, how the attempt ends."""


def failure(step: Step) -> FailureRow:
    """What it means that ``step`` failed (O-1 to O-6)."""
    return ORDERING[step]


def node_retryable(*, prepared_in_attempt: bool) -> bool:
    """Whether a failed node attempt may be run again by itself.

    After any prepare of the attempt no failure of it is retried, a later provider call's
    included (O-6).
    """
    return not prepared_in_attempt
