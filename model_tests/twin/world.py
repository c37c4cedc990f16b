"""A world of the twin: what its ``.cfg`` file says, and variations on it."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

TWIN: Final = Path(__file__).parents[2] / "spec" / "tla"
"""The folder of the twin: its modules, and a ``.cfg`` file for each world."""


@dataclass(frozen=True, slots=True)
class World:
    """What TLC is told of a world: its constants, and what has to hold in it.

    An invariant is about every state, a property about every step.
    """

    constants: str
    invariants: tuple[str, ...]
    properties: tuple[str, ...]

    @classmethod
    def named(cls, name: str) -> "World":
        """The world of that name, as its file has it."""
        text = (TWIN / f"{name}.cfg").read_text(encoding="utf-8")
        constants, asked = text.split("INVARIANTS\n")
        invariants, properties = asked.split("PROPERTIES\n")
        return cls(constants, tuple(invariants.split()), tuple(properties.split()))

    @property
    def text(self) -> str:
        """The world as TLC reads it."""
        return "\n  ".join(
            (f"{self.constants}INVARIANTS", *self.invariants, "\nPROPERTIES", *self.properties)
        )

    def having(self, constant: str, value: str) -> "World":
        """The world with another value of one constant, in TLA+; ValueError if it has none such."""
        constants, found = re.subn(
            rf"(?m)^(  {constant} = ).*$", lambda line: line[1] + value, self.constants
        )
        if found != 1:
            raise ValueError(f"the world has no constant {constant!r}:\n{self.constants}")
        return replace(self, constants=constants)

    def asking(self, *names: str) -> "World":
        """The world in which nothing has to hold but what ``names`` name."""
        return replace(
            self,
            invariants=tuple(each for each in self.invariants if each in names),
            properties=tuple(each for each in self.properties if each in names),
        )
