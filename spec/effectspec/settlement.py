"""What settle answers (§6, readings 10 and 11): a compare-and-set, and evidence when it is late."""

from collections.abc import Mapping
from enum import Enum

from effectspec.lifecycle import Resolution, State, Transition


class Outcome(Enum):
    """What an answer means, as the tool classifies it (reading 10)."""

    DONE = "done"
    NOT_DONE = "not_done"
    UNKNOWN = "unknown"


OUTCOMES: Mapping[Outcome, Transition] = {
    Outcome.DONE: Transition.ANSWER,
    Outcome.NOT_DONE: Transition.ANSWER,
    Outcome.UNKNOWN: Transition.NO_ANSWER,
}
"""Done and not done are both results; only unknown leaves the outcome open (O-3)."""


class Writer(Enum):
    """Who settles, relative to the row's owner."""

    OWNER = "the generation that prepared the row, still the run's"
    RETRIER = "the generation that is retrying the row, still the run's"
    FENCED = "a generation that has been superseded, or never held the row"


class Settlement(Enum):
    """What a settle does."""

    COMMIT = "committed"
    MARK_AMBIGUOUS = "ambiguous"
    FILL = "the absent result is written"
    ALIKE = "already settled just so: answered alike, nothing written"
    EVIDENCE = "late: state unchanged, kept as evidence beside the row"


def settle(
    state: State,
    resolution: Resolution | None,
    outcome: Outcome,
    writer: Writer,
    *,
    retained: bool,
    repeated: bool,
) -> Settlement:
    """What a settle with ``outcome`` does to a row in ``state``.

    ``retained``: the row holds a result. ``repeated``: the row was settled by this writer with
    this outcome and result before.
    """
    if repeated:
        return Settlement.ALIKE
    if writer is Writer.FENCED or resolution is Resolution.DISCARDED:
        return Settlement.EVIDENCE
    answered = OUTCOMES[outcome] is Transition.ANSWER
    match state, writer:
        case ((State.PREPARED | State.DISPATCHED), Writer.OWNER) | (
            State.AMBIGUOUS,
            Writer.RETRIER,
        ):
            return Settlement.COMMIT if answered else Settlement.MARK_AMBIGUOUS
        case ((State.COMMITTED | State.RESOLVED), Writer.RETRIER) if answered and not retained:
            return Settlement.FILL
        case _:
            return Settlement.EVIDENCE
