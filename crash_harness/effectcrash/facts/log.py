"""What the run's log holds."""

from collections.abc import Mapping
from typing import Final

from effectcrash.facts.fact import AT_THE_END, Fact, Subject, When, last_of
from effectcrash.observation import Scene
from effectspec.attention import ErrorCode
from effectspec.json_value import Json
from effectspec.protocol import EventView

COMPLETED: Final = "run:completed"
PAUSED: Final = "run:paused"


def failed(code: ErrorCode) -> str:
    """A failed terminal with its code, as :func:`terminals` and :func:`last_event` tell it."""
    return f"run:failed {code.value}"


NEEDS_ATTENTION: Final = failed(ErrorCode.EFFECT_NEEDS_ATTENTION)


def terminals(when: When = AT_THE_END) -> Fact[tuple[str, ...]]:
    """The terminals of the run's incarnations, in order."""
    return when.tells(
        Subject.EVENTS,
        "terminals",
        lambda scene: tuple(
            _named(event) for event in scene.events if event.name in ("run:completed", "run:failed")
        ),
    )


def last_event(when: When = AT_THE_END) -> Fact[str]:
    """The event that was written last."""
    return when.tells(
        Subject.EVENTS, "the last event", lambda scene: _named(last_of(scene.events, "event"))
    )


def count_of(name: str, when: When = AT_THE_END) -> Fact[int]:
    """How many events have a name."""
    return when.tells(
        Subject.EVENTS,
        f"{name} events",
        lambda scene: sum(event.name == name for event in scene.events),
    )


def output(when: When = AT_THE_END) -> Fact[Mapping[str, Json]]:
    """The output of the node that completed last."""

    def read(scene: Scene) -> Mapping[str, Json]:
        completions = [event for event in scene.events if event.name == "node:completed"]
        return last_of(completions, "node:completed event").output

    return when.tells(Subject.EVENTS, "the node's output", read)


def _named(event: EventView) -> str:
    return f"{event.name} {event.code}" if event.code else event.name


def generation(when: When = AT_THE_END) -> Fact[int]:
    """The generation that owns the run."""
    return when.tells(Subject.EVENTS, "the run's generation", lambda scene: scene.generation)
