"""What an exploration has come to: actions, antecedents, cells of the tables, ways of a row.

Every case that the tables tell apart is evaluated once, so noting it there misses nothing. What
was never reached shows that a configuration is too small, or that a rule says nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import ParamSpec, TypeVar

from effectspec.model.actions import Action
from effectspec.model.answers import Answer, Prepared, Settled
from effectspec.model.model import Model
from effectspec.model.properties import AnyProperty, Move
from effectspec.model.world import Row

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(slots=True)
class Coverage:
    """What was reached."""

    actions: set[type[Action]] = field(default_factory=set)
    antecedents: set[str] = field(default_factory=set)
    cells: set[tuple[object, ...]] = field(default_factory=set)
    ways: set[tuple[object, ...]] = field(default_factory=set)
    answers: set[object] = field(default_factory=set)

    def add(self, other: "Coverage") -> None:
        """Note what another exploration has reached, too."""
        self.actions |= other.actions
        self.antecedents |= other.antecedents
        self.cells |= other.cells
        self.ways |= other.ways
        self.answers |= other.answers

    def watched(self, model: Model) -> Model:
        """The model, with its contract's tables watched."""
        contract = model.contract
        return replace(model, contract=replace(contract, gate=self._watched(contract.gate)))

    def _watched(self, function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def watched(*args: P.args, **kwargs: P.kwargs) -> R:
            self.cells.add(args)
            return function(*args, **kwargs)

        return watched

    def antecedent(self, of: AnyProperty) -> None:
        """Note that a property was about something."""
        self.antecedents.add(of.name)

    def step(self, move: Move, answer: Answer) -> None:
        """Note a step."""
        self.actions.add(type(move.action))
        for was, now in move.changed_rows:
            if isinstance(was, Row):
                self.ways.add((was.record.state, now.record.state))
        match answer:
            case Prepared(bearing=bearing):
                self.answers.add(bearing)
            case Settled(settlement=settlement):
                self.answers.add(settlement)
            case _:
                pass
