"""A model's functions as tables that grow: what may happen in a world, and what comes of it."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from effectspec.checker.coverage import Coverage
from effectspec.checker.layout import Layout, Packed
from effectspec.checker.leaves import Effects, Lists
from effectspec.checker.table import FIRST_ROOM, Forest, Look, grown
from effectspec.checker.tracing import Traced
from effectspec.model.actions import OWN_ACTS, Action
from effectspec.model.model import Model, Source
from effectspec.model.parts import Part, Whole
from effectspec.model.properties import AnyProperty, Ending, Invariant, Move, Property
from effectspec.model.world import World


class Tabulation:
    """The tables of one model under some properties.

    The invariants are a source, too, and so are the endings: in a world that breaks one, what
    happens is just that.
    """

    def __init__(self, model: Model, properties: Sequence[AnyProperty]) -> None:
        self.layout = Layout()
        self.forest = Forest()
        self.lists = Lists()
        self.effects = Effects()
        self.coverage = Coverage()
        self.evaluations = 0
        self._model = self.coverage.watched(model)
        self._steps = [
            (bit, each) for bit, each in enumerate(properties) if isinstance(each, Property)
        ]
        self._sources: dict[int, Source] = {
            self.forest.plant(): source for source in self._model.sources()
        }
        self._invariants = [
            (each, self._breaking(bit))
            for bit, each in enumerate(properties)
            if isinstance(each, Invariant)
        ]
        self._endings = [
            (each, self._breaking(bit))
            for bit, each in enumerate(properties)
            if isinstance(each, Ending)
        ]
        self._judge = self.forest.plant()
        self._judge_of_ends = self.forest.plant()
        self.acts = np.zeros(FIRST_ROOM, np.bool_)
        """Of each tree, whether it is what a process does of its own."""
        self._tree_of: dict[Action, int] = {}
        self._action_of: dict[int, Action] = {}

    @property
    def roots(self) -> tuple[int, ...]:
        """The trees to ask of every world."""
        return (*self._sources, self._judge, self._judge_of_ends)

    def action(self, tree: int) -> Action | None:
        """The action whose effect a tree gives, None for the breaking of an invariant."""
        return self._action_of.get(tree)

    def world(self, state: Packed) -> World:
        """A packed world, all of it."""
        layout = self.layout
        values = {
            column.part: layout.value(index, state) for index, column in enumerate(layout.columns)
        }
        parts = Whole()
        for part, value in values.items():
            parts = parts.having(part, value)
        return World(parts)

    def learn(self, tree: int, state: Packed) -> None:
        """Learn what a tree gives in a world."""
        columns = self.layout.columns

        def value_of(index: int) -> tuple[int, object]:
            number = columns[index].number(state)
            return number, columns[index].values[number]

        if not self.forest.known(tree, value_of):
            self._evaluate(tree, state)

    def _evaluate(self, tree: int, state: Packed) -> None:
        self.evaluations += 1
        parts = Traced(partial(self._read, state))
        world = World(parts)
        if tree in self._sources:
            leaf = self.lists.leaf(tuple(map(self._tree, self._sources[tree](world))))
        elif tree == self._judge:
            leaf = self.lists.leaf(tuple(self._broken(world)))
        elif tree == self._judge_of_ends:
            leaf = self.lists.leaf(tuple(self._broken_by_its_end(world)))
        else:
            leaf = self._taken(self._action_of[tree], world)
        self.forest.learn(tree, list(self._looks(parts, state)), leaf)

    def _read(self, state: Packed, part: Part[Any]) -> Any:  # noqa: ANN401  (the part says)
        layout = self.layout
        return layout.value(layout.index(part), state)

    def _looks(self, parts: Traced, state: Packed) -> Iterator[Look]:
        for (part, question), answer in parts.reads.items():
            index = self.layout.index(part)
            column = self.layout.columns[index]
            yield Look(
                index, column.place, column.number(state), len(column.values), question, answer
            )

    def _tree(self, action: Action) -> int:
        tree = self._tree_of.get(action)
        if tree is None:
            tree = self._tree_of[action] = self.forest.plant()
            self._action_of[tree] = action
            self.acts = grown(self.acts, tree + 1)
            self.acts[tree] = isinstance(action, OWN_ACTS)
        return tree

    def _breaking(self, bit: int) -> int:
        tree = self.forest.plant()
        self.forest.learn(tree, (), self.effects.leaf((), 1 << bit, self.layout))
        return tree

    def _broken(self, world: World) -> Iterator[int]:
        for invariant, breaking in self._invariants:
            said = invariant.says(world)
            if said is not None:
                self.coverage.antecedent(invariant)
            if said is False:
                yield breaking

    def _broken_by_its_end(self, world: World) -> Iterator[int]:
        for ending, breaking in self._endings:
            said = ending.says(world, self._model.waiting_for_nobody(world))
            if said is not None:
                self.coverage.antecedent(ending)
            if said is False:
                yield breaking

    def _taken(self, action: Action, world: World) -> int:
        after, answer = self._model.step(world, action)
        move = Move(world, action, after)
        self.coverage.step(move, answer)
        breaks = 0
        for bit, each in self._steps:
            said = each.says(move)
            if said is not None:
                self.coverage.antecedent(each)
            if said is False:
                breaks |= 1 << bit
        assert isinstance(after.parts, Traced)
        writes = tuple(
            sorted(
                (index, self.layout.number(index, value))
                for part, value in after.parts.written.items()
                for index in (self.layout.index(part),)
            )
        )
        return self.effects.leaf(writes, breaks, self.layout)
