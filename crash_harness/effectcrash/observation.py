"""What was seen while a scenario was played: the only thing that assertions are about."""

from collections.abc import Mapping
from dataclasses import dataclass

from effectcrash.child import Death
from effectcrash.ledger import Effect, Request
from effectspec.points import Point
from effectspec.protocol import Answer, EventView, RowView


@dataclass(frozen=True, slots=True)
class Scene:
    """The store and the world at one moment.

    Rows and events are what a process that did none of it reads; effects and requests are the
    target's own ledger.
    """

    rows: tuple[RowView, ...]
    events: tuple[EventView, ...]
    generation: int
    effects: tuple[Effect, ...]
    requests: tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class Life:
    """One process of the implementation.

    ``found`` is the scene before it did anything, None where nothing could have been there.
    ``answers`` are its answers to what it was told to do, in order; ``reached`` the points at which
    it stopped; ``death`` how it ended, None if it still ran after the last step.
    """

    found: Scene | None
    answers: tuple[Answer, ...]
    reached: tuple[Point, ...]
    death: Death | None


@dataclass(frozen=True, slots=True)
class Observation:
    """Every process by its name, and the scene after the last step, read by a fresh process."""

    lives: Mapping[str, Life]
    end: Scene
