"""Functions of a world as tables: a tree for each, which asks for one part after another.

A function reads parts one by one, and which it reads next depends on what it has read. That is a
tree: an inner node names a part and has a branch for each value, a leaf is what the function gave.
Trees grow as functions are evaluated; what no tree knows yet is a *miss*.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from effectspec.checker.layout import Place
from effectspec.checker.tracing import Question

UNKNOWN = 0
"""A branch that nobody has evaluated. A node is positive, a leaf negative."""

ASKED = -(1 << 31)
"""A branch that nobody has evaluated, and that somebody has asked for."""

ROOTS = 0
"""No node: the roots of all trees are its branches."""

FIRST_ROOM = 64
"""Elements that an array has room for in the beginning."""

BASE, SIZE, WORD, SHIFT, MASK = range(5)
FIELDS = 5
"""What stands of a node: where its branches begin, how many there are, and where the bits of its
part lie."""

Integers = NDArray[np.int64]
Branches = NDArray[np.int32]
Scalar = TypeVar("Scalar", np.bool_, np.int32, np.int64, np.uint64)


def room() -> Integers:
    """An array of zeros that may have to grow."""
    return np.zeros(FIRST_ROOM, np.int64)


def _branches() -> Branches:
    return np.zeros(FIRST_ROOM, np.int32)


def grown(array: NDArray[Scalar], size: int) -> NDArray[Scalar]:
    """The array, or one with twice the room, the rest zero, where ``size`` does not fit."""
    if size <= len(array):
        return array
    larger = np.zeros((max(size, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a part: its number, that of its value, and how many values it has had.

    ``place``: word, shift and mask of the part's bits.

    ``question`` is all that was asked, and ``answer`` all that was learnt; without a question the
    value itself was.
    """

    part: int
    place: Place
    value: int
    values: int
    question: Question | None
    answer: object


@dataclass(slots=True)
class Forest:
    """All trees. A tree is known by its number; its leaves are numbered by whoever plants them.

    Values that give one answer to the question of a node share a branch.
    """

    roots: Branches = field(default_factory=_branches)
    nodes: Integers = field(default_factory=lambda: np.zeros((FIRST_ROOM, FIELDS), np.int64))
    branches: Branches = field(default_factory=_branches)
    _parts: Integers = field(default_factory=room)
    _trees: int = 0
    _nodes: int = 1
    _used: int = 0
    _questions: dict[int, Question] = field(default_factory=dict)
    _shared: dict[tuple[int, object], int] = field(default_factory=dict)

    def plant(self) -> int:
        """A new tree, of which nothing is known."""
        self._trees += 1
        self.roots = grown(self.roots, self._trees)
        return self._trees - 1

    def learn(self, tree: int, looks: Sequence[Look], leaf: int) -> None:
        """Note that ``tree``, after these looks, is at ``leaf``."""
        nodes = []
        cell = _Cell(ROOTS, tree)
        for look in looks:
            node = self._at(cell)
            if node in {UNKNOWN, ASKED}:
                node = self._node(look)
                self._put(cell, node)
            assert self._parts[node] == look.part, "what is read next depends on what was read"
            if look.value >= self.nodes[node, SIZE]:
                self._widen(node, look.values)
            cell = _Cell(node, int(self.nodes[node, BASE]) + look.value)
            if look.question is not None and self._at(cell) in {UNKNOWN, ASKED}:
                self._put(cell, self._shared.get((node, look.answer), UNKNOWN))
            nodes.append((cell, look))
        self._put(cell, -1 - leaf)
        for cell, look in nodes:
            if look.question is not None:
                self._shared[cell.node, look.answer] = self._at(cell)

    def known(self, tree: int, value_of: Callable[[int], tuple[int, object]]) -> bool:
        """Whether the tree is at a leaf, by what other values have answered to its questions.

        ``value_of`` gives the number of a part's value, and the value.
        """
        cell = _Cell(ROOTS, tree)
        while (node := self._at(cell)) > 0:
            number, value = value_of(int(self._parts[node]))
            if number >= self.nodes[node, SIZE]:
                self._widen(node, number + 1)
            cell = _Cell(node, int(self.nodes[node, BASE]) + number)
            question = self._questions.get(node)
            if question is not None and self._at(cell) in {UNKNOWN, ASKED}:
                self._put(cell, self._shared.get((node, question(value)), UNKNOWN))
        return node not in {UNKNOWN, ASKED}

    def move(self, places: Sequence[Place]) -> None:
        """Let the nodes look where the bits of the parts lie by now."""
        used = slice(1, self._nodes)
        self.nodes[used, WORD:] = np.array(places, np.int64)[self._parts[used]]

    def _at(self, cell: "_Cell") -> int:
        return int((self.roots if cell.node == ROOTS else self.branches)[cell.at])

    def _put(self, cell: "_Cell", value: int) -> None:
        (self.roots if cell.node == ROOTS else self.branches)[cell.at] = value

    def _node(self, look: Look) -> int:
        node = self._nodes
        self._nodes += 1
        self.nodes = grown(self.nodes, self._nodes)
        self._parts = grown(self._parts, self._nodes)
        self._parts[node] = look.part
        self.nodes[node, WORD:] = look.place
        if look.question is not None:
            self._questions[node] = look.question
        self._place(node, look.values)
        return node

    def _place(self, node: int, size: int) -> None:
        self.nodes[node, BASE], self.nodes[node, SIZE] = self._used, size
        self._used += size
        self.branches = grown(self.branches, self._used)

    def _widen(self, node: int, values: int) -> None:
        old, size = self.nodes[node, :WORD].tolist()
        self._place(node, max(values, 2 * size))
        new = int(self.nodes[node, BASE])
        self.branches[new : new + size] = self.branches[old : old + size]


class _Cell(NamedTuple):
    """A place for a branch: of a node, or of ``ROOTS``."""

    node: int
    at: int
