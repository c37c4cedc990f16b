"""What an exploration found broken, as a value that can be told, written down and stepped through.

Whoever reads a trace needs neither the model nor the explorer: the journal's answers are in it.
"""

from dataclasses import dataclass

from effectspec.checker.exploration import Counterexample
from effectspec.model.actions import Action
from effectspec.model.answers import Answer
from effectspec.model.configuration import Configuration
from effectspec.model.model import Model
from effectspec.model.world import World

BEGINNING = World()
"""The world that every trace begins in: nothing has happened."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step: what happens, what the journal answers, and the world after it."""

    action: Action
    answer: Answer
    after: World


@dataclass(frozen=True, slots=True)
class Trace:
    """A way from the beginning of a world to what breaks a property of ``clause``.

    ``sentence`` is the property's name, ``fault`` the name of the fault that the world was explored
    under, None for the contract itself. If ``loop`` is there, the steps from that index on, counted
    from 0, come round and round; if there are none from there on, the last world is the end.
    """

    configuration: Configuration
    fault: str | None
    sentence: str
    clause: str
    steps: tuple[TraceStep, ...]
    loop: int | None = None

    @classmethod
    def of(cls, counterexample: Counterexample, model: Model, fault: str | None = None) -> "Trace":
        """The trace of a counterexample that was found in ``model``."""
        before, steps = BEGINNING, []
        for step in counterexample.steps:
            _, answer = model.step(before, step.action)
            steps.append(TraceStep(step.action, answer, step.after))
            before = step.after
        broken = counterexample.broken
        return cls(
            configuration=model.configuration,
            fault=fault,
            sentence=broken.name,
            clause=broken.clause,
            steps=tuple(steps),
            loop=counterexample.loop,
        )

    @property
    def worlds(self) -> tuple[World, ...]:
        """Every world of it: as many steps lead to the one at an index as the index says."""
        return (BEGINNING, *(step.after for step in self.steps))

    @property
    def actions(self) -> tuple[Action, ...]:
        """What happens, in order."""
        return tuple(step.action for step in self.steps)

    @property
    def where(self) -> str:
        """The world, and the fault that it is under."""
        name = self.configuration.name
        return name if self.fault is None else f"{name}, under {self.fault}"

    @property
    def breaks(self) -> str:
        """What it shows."""
        return f"breaks {self.clause}: {self.sentence}"
