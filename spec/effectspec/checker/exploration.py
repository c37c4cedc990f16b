"""What an exploration may use up, and what it found."""

from dataclasses import dataclass
from enum import Enum

from effectspec.checker.coverage import Coverage
from effectspec.model.actions import Action
from effectspec.model.liveness import Sentence
from effectspec.model.world import World
from effectspec.verdict import Verdict

MOST_STATES = 1 << 31
"""Worlds that can be numbered."""


class Limit(Enum):
    """What an exploration may use up, at which its verdict is unknown."""

    STATES = "states"
    BYTES = "bytes"
    SECONDS = "seconds"
    WIDTH = "width of a world"


@dataclass(frozen=True, slots=True)
class Limits:
    """How far an exploration may go. Memory is that of the worlds and their table."""

    states: int = MOST_STATES
    bytes: int = 1 << 62
    seconds: float = float("inf")

    def reached(self, now: "Progress") -> Limit | None:
        """The limit that has been reached, if one has."""
        if now.states >= self.states:
            return Limit.STATES
        return Limit.SECONDS if now.seconds >= self.seconds else None


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace: the world after the action."""

    action: Action
    after: World


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A way from the beginning to what breaks ``broken``; of a safety property, the shortest.

    If ``loop`` is there, the last step leads back to where ``loop`` steps had led, and so on for
    ever; a loop without steps is a world in which nothing more has to happen.
    """

    broken: Sentence
    steps: tuple[Step, ...]
    loop: int | None = None

    @property
    def actions(self) -> tuple[Action, ...]:
        """What happens, in order."""
        return tuple(step.action for step in self.steps)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an exploration has come."""

    states: int
    frontier: int
    depth: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Exploration:
    """What an exploration found.

    ``steps`` counts every step from every world, ``depth`` the steps to the farthest world,
    ``bytes`` the worlds and their table, 0 where they were not packed.
    """

    states: int
    steps: int
    depth: int
    seconds: float
    bytes: int
    evaluations: int
    stopped: Limit | None
    counterexamples: tuple[Counterexample, ...]
    coverage: Coverage

    @property
    def verdict(self) -> Verdict:
        """Unknown where a limit was reached, whatever was not found until then."""
        if self.counterexamples:
            return Verdict.FAIL
        return Verdict.PASS if self.stopped is None else Verdict.UNKNOWN
