"""What must hold of every step of the world, each under its clause.

A property never asks the contract's functions or tables: it says in its own words what they are
for, so that a wrong cell breaks it instead of redefining it.
"""

from typing import Final

from effectspec.model.properties.effects import EFFECTS
from effectspec.model.properties.move import Move
from effectspec.model.properties.nodes import NODES
from effectspec.model.properties.prepare import PREPARE
from effectspec.model.properties.rows import ROWS
from effectspec.model.properties.run import ENDINGS, RUN
from effectspec.model.properties.sentence import AnyProperty, Ending, Invariant, Property

__all__ = [
    "ENDINGS",
    "PROPERTIES",
    "SAFETY",
    "AnyProperty",
    "Ending",
    "Invariant",
    "Move",
    "Property",
]

PROPERTIES: Final = (*EFFECTS, *PREPARE, *NODES, *ROWS, *RUN)
"""What holds of every step and of every world."""

SAFETY: Final[tuple[AnyProperty, ...]] = (*PROPERTIES, *ENDINGS)
"""Every safety property of the model."""
