"""What the leaves of the tables stand for: lists of what may happen, and effects on a world."""

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from effectspec.checker.layout import WORD_BITS, WORDS, Layout, Words
from effectspec.checker.table import FIRST_ROOM, Integers, grown, room

Writes: TypeAlias = tuple[tuple[int, int], ...]
"""Columns, and the number that each is given."""

_FULL = (1 << WORD_BITS) - 1


@dataclass(slots=True)
class Lists:
    """Lists of trees, each kept once."""

    starts: Integers = field(default_factory=room)
    lengths: Integers = field(default_factory=room)
    members: Integers = field(default_factory=room)
    _leaf_of: dict[tuple[int, ...], int] = field(default_factory=dict)
    _used: int = 0

    def leaf(self, trees: tuple[int, ...]) -> int:
        """The leaf that stands for a list."""
        found = self._leaf_of.get(trees)
        if found is not None:
            return found
        leaf = self._leaf_of[trees] = len(self._leaf_of)
        end = self._used + len(trees)
        self.starts = grown(self.starts, leaf + 1)
        self.lengths = grown(self.lengths, leaf + 1)
        self.members = grown(self.members, end)
        self.starts[leaf], self.lengths[leaf] = self._used, len(trees)
        self.members[self._used : end] = trees
        self._used = end
        return leaf


def _words() -> Words:
    return np.zeros((FIRST_ROOM, 2 * WORDS), np.uint64)


@dataclass(slots=True)
class Effects:
    """Effects of steps, each kept once.

    ``table``: for each word the bits that stay and those that are put. ``breaks``: the properties
    that are broken.
    """

    table: Words = field(default_factory=_words)
    breaks: Words = field(default_factory=lambda: np.zeros(FIRST_ROOM, np.uint64))
    _leaf_of: dict[tuple[Writes, int], int] = field(default_factory=dict)

    def leaf(self, writes: Writes, breaks: int, layout: Layout) -> int:
        """The leaf that stands for an effect; ``breaks`` has a bit for each property."""
        found = self._leaf_of.get((writes, breaks))
        if found is not None:
            return found
        leaf = self._leaf_of[writes, breaks] = len(self._leaf_of)
        self.table = grown(self.table, leaf + 1)
        self.breaks = grown(self.breaks, leaf + 1)
        self.breaks[leaf] = breaks
        self._encode(leaf, writes, layout)
        return leaf

    def encode(self, layout: Layout) -> None:
        """Encode every effect anew, since bits have moved."""
        for (writes, _), leaf in self._leaf_of.items():
            self._encode(leaf, writes, layout)

    def _encode(self, leaf: int, writes: Writes, layout: Layout) -> None:
        stay, put = [_FULL] * WORDS, [0] * WORDS
        for index, number in writes:
            word, shift, mask = layout.columns[index].place
            stay[word] &= ~(mask << shift)
            # A number that has no bits yet is encoded when its column gets them.
            put[word] |= (number & mask) << shift
        self.table[leaf] = [bits for both in zip(stay, put, strict=True) for bits in both]
