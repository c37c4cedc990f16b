"""What the run's rows hold."""

from collections.abc import Callable
from typing import TypeVar

from effectcrash.facts.fact import AT_THE_END, Fact, Subject, When
from effectcrash.observation import Observation
from effectspec.lifecycle import Resolution, State
from effectspec.protocol import RowView
from effectspec.tiers import Tier

T = TypeVar("T")


def of_rows(when: When, words: str, read: Callable[[RowView], T]) -> Fact[tuple[T, ...]]:
    """What each row holds of something, oldest first."""
    return when.tells(Subject.ROWS, words, lambda scene: tuple(read(row) for row in scene.rows))


def states(when: When = AT_THE_END) -> Fact[tuple[State, ...]]:
    """The states of the run's rows, oldest first."""
    return of_rows(when, "row states", lambda row: row.state)


def retained(when: When = AT_THE_END) -> Fact[tuple[bool, ...]]:
    """Whether each row holds a result."""
    return of_rows(when, "rows hold a result", lambda row: row.retained)


def resolutions(when: When = AT_THE_END) -> Fact[tuple[Resolution | None, ...]]:
    """What an operator said of each row."""
    return of_rows(when, "resolutions", lambda row: row.resolution)


def late_evidence(when: When = AT_THE_END) -> Fact[tuple[int, ...]]:
    """How many late answers are kept beside each row (reading 11)."""
    return of_rows(when, "late answers kept beside each row", lambda row: row.late_evidence)


def resolvers(when: When = AT_THE_END) -> Fact[tuple[str | None, ...]]:
    """Who resolved each row."""
    return of_rows(when, "rows resolved by", lambda row: row.resolved_by)


def resolution_times_written(when: When = AT_THE_END) -> Fact[tuple[bool, ...]]:
    """Whether each row says when it was resolved."""
    return of_rows(when, "rows say when they were resolved", lambda row: bool(row.resolved_at))


def tiers(when: When = AT_THE_END) -> Fact[tuple[Tier, ...]]:
    """The tier that each row was prepared under."""
    return of_rows(when, "tiers of the rows", lambda row: row.tier)


def attempts(when: When = AT_THE_END) -> Fact[tuple[int, ...]]:
    """The node-retry attempt that wrote each row, for audit (I-2)."""
    return of_rows(when, "attempts that wrote the rows", lambda row: row.attempt)


def unchanged(since: When, until: When = AT_THE_END) -> Fact[bool]:
    """Whether nothing was written on a row or in the log between two moments."""

    def read(seen: Observation) -> bool:
        then, now = since.scene(seen), until.scene(seen)
        return (then.rows, then.events) == (now.rows, now.events)

    return Fact(Subject.ROWS, f"rows and events {until.words} are those {since.words}", read)
