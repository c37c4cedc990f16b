"""One step of the model, as a property looks at it."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from effectspec.model.actions import Action
from effectspec.model.properties.standing import SETTLED
from effectspec.model.world import Fate, Row, World


class Swept(NamedTuple):
    """What bears on a row's being swept."""

    settled: bool
    undelivered: bool


@dataclass(frozen=True)
class Move:
    """One step: an action, the world before it and the world after it."""

    before: World
    action: Action
    after: World

    def changed(self, kind: str) -> bool:
        """Whether the step has changed any part of a kind."""
        return bool(self.after.parts.changed(self.before.parts, kind))

    @cached_property
    def changed_rows(self) -> tuple[tuple[Row | Fate, Row], ...]:
        """Every row that the step has changed and left there, as it was and as it is."""
        return tuple(
            (self.before.parts.read(part), now)
            for part in self.after.parts.changed(self.before.parts, "row")
            if isinstance(now := self.after.parts.read(part), Row)
        )

    @cached_property
    def swept(self) -> tuple[Swept, ...]:
        """What can be said of every row that the step has swept."""
        return tuple(
            said
            for part in self.after.parts.changed(self.before.parts, "row")
            if self.after.parts.read(part) is Fate.SWEPT
            and (said := self.before.parts.ask(part, _to_sweep)) is not None
        )


def _to_sweep(row: Row | Fate) -> Swept | None:
    if isinstance(row, Fate):
        return None
    return Swept(row.record.state in SETTLED, row.record.undelivered)
