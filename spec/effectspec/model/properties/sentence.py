"""The three sorts of sentence that a model is asked: of a step, of a world, of where it ends."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from effectspec.model.properties.move import Move
from effectspec.model.world import Process, World


@dataclass(frozen=True, slots=True)
class Property:
    """A sentence of ``clause``, and whether it holds of a step.

    ``says`` is None where the sentence is about steps of another sort.
    """

    name: str
    clause: str
    says: Callable[[Move], bool | None]

    def holds(self, move: Move) -> bool:
        """Whether the step does not break it."""
        return self.says(move) is not False


@dataclass(frozen=True, slots=True)
class Invariant:
    """A sentence of ``clause``, and whether it holds of a world.

    ``says`` is None where the sentence is about worlds of another sort.
    """

    name: str
    clause: str
    says: Callable[[World], bool | None]

    def holds(self, move: Move) -> bool:
        """Whether the world after the step does not break it."""
        return self.says(move.after) is not False


@dataclass(frozen=True, slots=True)
class Ending:
    """A sentence of ``clause``, and whether it holds where no process can do anything of its own.

    It is told which of the processes that live there wait for nobody; None where none does.
    """

    name: str
    clause: str
    says: Callable[[World, Iterable[Process]], bool | None]


AnyProperty: TypeAlias = Property | Invariant | Ending


def every(answers: Iterable[bool]) -> bool | None:
    """Whether all of them are true; None if there are none."""
    said = list(answers)
    return all(said) if said else None
