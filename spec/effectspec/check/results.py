"""What a check found, as values that can be written to a file."""

from typing import Final

import msgspec

from effectspec.verdict import Verdict, worst

SCHEMA: Final = 1
"""The version of this shape; it grows when a field changes its meaning or goes away."""


class _Value(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the results."""


class Said(_Value, frozen=True):
    """What a world says of a property, and the shortest way to its breaking, action by action."""

    property: str
    clause: str
    verdict: Verdict
    steps: tuple[str, ...] = ()


class WorldResult(_Value, frozen=True):
    """One world: what was visited, and what it says. ``stopped`` names the limit, if one was."""

    world: str
    states: int
    steps: int
    depth: int
    seconds: float
    bytes: int
    said: tuple[Said, ...]
    stopped: str | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict on all that was asked."""
        return worst(each.verdict for each in self.said)


class CheckResults(_Value, frozen=True):
    """A whole check.

    ``unreached`` is what no world came to, None where not every small world was explored to its
    end for every property under the contract.
    """

    fault: str | None
    worlds: tuple[WorldResult, ...]
    unreached: tuple[str, ...] | None
    schema: int = SCHEMA

    @property
    def verdict(self) -> Verdict:
        """The verdict on all of it; what nothing came to is uncovered."""
        said = [world.verdict for world in self.worlds]
        return worst([*said, Verdict.UNCOVERED] if self.unreached else said)
