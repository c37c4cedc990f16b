"""What every method says of every clause: one type, six answers, one of them green."""

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """The answer of a check. Ordered: the first that holds of a group is the group's."""

    FAIL = "fail"
    UNKNOWN = "unknown"
    NOT_REACHED = "not reached"
    NOT_IMPLEMENTED = "not implemented"
    UNCOVERED = "uncovered"
    PASS = "pass"  # noqa: S105  (the word for a green verdict, no password)

    @property
    def green(self) -> bool:
        """Whether this counts as shown. Only a pass does."""
        return self is Verdict.PASS


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a group; a group of nothing is uncovered."""
    said = frozenset(verdicts)
    return next((verdict for verdict in Verdict if verdict in said), Verdict.UNCOVERED)
