"""Breadth first through every world that a model can reach."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from time import monotonic

import numpy as np

from effectspec.checker import kernel
from effectspec.checker.exploration import (
    NO_LIMITS,
    Counterexample,
    Exploration,
    Limit,
    Limits,
    Progress,
    Step,
)
from effectspec.checker.kernel import Found, Store, Tables, Tally
from effectspec.checker.layout import WORDS, Packed, TooWide, repack
from effectspec.checker.table import Integers
from effectspec.checker.tabulation import Tabulation
from effectspec.model.actions import Action
from effectspec.model.model import Model
from effectspec.model.properties import AnyProperty
from effectspec.model.world import World

AT_ONCE = 1 << 14
"""Worlds that are followed at once: what they lead to should fit into a processor's cache."""

FIRST_ROOM = 1 << 12
"""Worlds for which there is room in the beginning."""

SLOTS_A_WORLD = 2
"""Slots of the hash table for each world that there is room for."""

FOUND = 1 << 17
MISSES = 1 << 13
BREAKS = 1 << 9
"""Room for what is found at once."""


def explore(
    model: Model,
    properties: Sequence[AnyProperty],
    *,
    limits: Limits = NO_LIMITS,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Exploration:
    """Visit every world of ``model``, and find the shortest way to each property's breaking."""
    with ThreadPoolExecutor() as threads:
        return _Explorer(model, properties, limits, progress, threads).run()


class _Explorer:
    """One exploration: several threads follow worlds, one sorts out what is new."""

    def __init__(
        self,
        model: Model,
        properties: Sequence[AnyProperty],
        limits: Limits,
        progress: Callable[[Progress], None],
        threads: ThreadPoolExecutor,
    ) -> None:
        self._model = model
        self._properties = tuple(properties)
        self._limits = limits
        self._progress = progress
        self._threads = threads
        self._tabulation = Tabulation(model, properties)
        self._asked = np.array(self._tabulation.roots, np.int64)
        self._store = _store(FIRST_ROOM)
        self._found = [_found() for _ in range(_threads_to_use())]
        self._known = np.zeros(1, np.uint64)
        # The world in which nothing has happened has number 0 in every column.
        self._count = 1
        self._steps = 0
        self._depth = 0
        self._broken: list[tuple[AnyProperty, int, Action | None]] = []
        self._began = monotonic()
        kernel.enter(self._store, self._count)

    def run(self) -> Exploration:
        """Explore until nothing new is found, or a limit is reached."""
        stopped: Limit | None = None
        low = 0
        try:
            while low < self._count and stopped is None:
                high = self._count
                stopped = self._layer(low, high)
                low = high
                self._depth += self._count > high
        except TooWide:
            stopped = Limit.WIDTH
        return Exploration(
            states=self._count,
            steps=self._steps,
            depth=self._depth,
            seconds=self._seconds,
            bytes=self._bytes,
            evaluations=self._tabulation.evaluations,
            stopped=stopped,
            counterexamples=tuple(self._counterexample(*broken) for broken in self._broken),
            coverage=self._tabulation.coverage,
        )

    # ── one layer ────────────────────────────────────────────────────────────────────────────────

    def _layer(self, low: int, high: int) -> Limit | None:
        """Follow the worlds from ``low`` up to ``high``; the limit at which that stopped."""
        at_once = len(self._found) * AT_ONCE
        for start in range(low, high, at_once):
            now = Progress(self._count, high - start, self._depth, self._seconds)
            self._progress(now)
            stopped = self._reached(now)
            if stopped is not None:
                return stopped
            todo = np.arange(start, min(start + at_once, high), dtype=np.int64)
            while len(todo):
                todo = self._expand(todo)
        return None

    def _expand(self, todo: Integers) -> Integers:
        """Follow these worlds, and give those that have to be followed again."""
        shares = np.array_split(todo, len(self._found))
        tallies = list(self._threads.map(self._follow, shares, self._found))
        again: list[Integers] = []
        # All is kept before anything is learnt, which may move the bits of what was found.
        for share, tally, found in zip(shares, tallies, self._found, strict=True):
            self._keep(tally, found)
            again += (found.again[: tally.again], share[tally.done :])
        for tally, found in zip(tallies, self._found, strict=True):
            for at, tree in found.misses[: tally.misses].tolist():
                self._tabulation.learn(tree, self._packed(at))
        if self._tabulation.layout.crowded:
            self._repack()
        return np.concatenate(again)

    def _follow(self, todo: Integers, found: Found) -> Tally:
        states = self._store.states
        return Tally(*kernel.follow(todo, states, self._tables(), self._known, found))

    def _keep(self, tally: Tally, found: Found) -> None:
        self._make_room(tally.worlds)
        self._count = kernel.insert(found, tally.worlds, self._store, self._count)
        self._steps += tally.steps
        for at, tree in found.broken[: tally.broken].tolist():
            self._note_broken(at, tree)

    def _note_broken(self, at: int, tree: int) -> None:
        first, second = self._store.states[at]
        leaf = kernel.leaf_of(tree, first, second, self._tables())
        breaks = int(self._tabulation.effects.breaks[leaf])
        told = {broken for broken, _, _ in self._broken}
        for bit, each in enumerate(self._properties):
            if breaks >> bit & 1 and each not in told:
                self._broken.append((each, at, self._tabulation.action(tree)))

    def _tables(self) -> Tables:
        tabulation = self._tabulation
        forest, lists, effects = tabulation.forest, tabulation.lists, tabulation.effects
        return Tables(
            asked=self._asked,
            acts=self._tabulation.acts,
            roots=forest.roots,
            nodes=forest.nodes,
            branches=forest.branches,
            starts=lists.starts,
            lengths=lists.lengths,
            members=lists.members,
            effects=effects.table,
            breaks=effects.breaks,
        )

    # ── room ─────────────────────────────────────────────────────────────────────────────────────

    def _make_room(self, more: int) -> None:
        room = len(self._store.states)
        if self._count + more > room:
            while self._count + more > room:
                room *= 2
            old, self._store = self._store, _store(room)
            self._store.states[: self._count] = old.states[: self._count]
            self._store.parents[: self._count] = old.parents[: self._count]
            kernel.enter(self._store, self._count)

    def _repack(self) -> None:
        """Let the columns have the bits that they need by now."""
        tabulation = self._tabulation
        before = tabulation.layout.places()
        tabulation.layout.spread()
        after = tabulation.layout.places()
        repack(self._store.states[: self._count], before, after)
        tabulation.forest.move(after)
        tabulation.effects.encode(tabulation.layout)
        self._store.slots[:] = 0
        kernel.enter(self._store, self._count)

    # ── limits ───────────────────────────────────────────────────────────────────────────────────

    @property
    def _seconds(self) -> float:
        return monotonic() - self._began

    @property
    def _bytes(self) -> int:
        return sum(array.nbytes for array in self._store)

    def _reached(self, now: Progress) -> Limit | None:
        if self._bytes >= self._limits.bytes:
            return Limit.BYTES
        return self._limits.reached(now)

    # ── traces ───────────────────────────────────────────────────────────────────────────────────

    def _packed(self, at: int) -> Packed:
        first, second = self._store.states[at].tolist()
        return first, second

    def _world(self, at: int) -> World:
        return self._tabulation.world(self._packed(at))

    def _counterexample(
        self, broken: AnyProperty, at: int, action: Action | None
    ) -> Counterexample:
        worlds = [self._world(each) for each in self._way(at)]
        steps = [self._step(*pair) for pair in pairwise(worlds)]
        if action is not None:
            after, _ = self._model.step(worlds[-1], action)
            steps.append(Step(action, after))
        return Counterexample(broken, tuple(steps))

    def _way(self, at: int) -> list[int]:
        """The worlds from the beginning to this one."""
        way = [at]
        while way[-1] != 0:
            way.append(int(self._store.parents[way[-1]]))
        return way[::-1]

    def _step(self, before: World, after: World) -> Step:
        for action in self._model.actions(before):
            if self._model.step(before, action)[0] == after:
                return Step(action, after)
        raise AssertionError("a world that was found was found by a step")


def _threads_to_use() -> int:
    return len(os.sched_getaffinity(0))


def _store(room: int) -> Store:
    return Store(
        states=np.zeros((room, WORDS), np.uint64),
        parents=np.zeros(room, np.int32),
        slots=np.zeros(SLOTS_A_WORLD * room, np.uint64),
    )


def _found() -> Found:
    return Found(
        worlds=np.zeros((FOUND, WORDS), np.uint64),
        hashes=np.zeros(FOUND, np.uint64),
        sources=np.zeros(FOUND, np.int32),
        again=np.zeros(AT_ONCE, np.int64),
        misses=np.zeros((MISSES, 2), np.int64),
        broken=np.zeros((BREAKS, 2), np.int64),
    )
