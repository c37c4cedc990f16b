"""How a world is packed into two machine words: each part has a column, with some of the bits."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from effectspec.model.parts import Part

WORDS = 2
WORD_BITS = 64

Words: TypeAlias = NDArray[np.uint64]
"""Packed worlds, ``WORDS`` to each."""

Packed: TypeAlias = tuple[int, ...]
"""One packed world."""


Place: TypeAlias = tuple[int, int, int]
"""Where the bits of a part lie: word, shift, mask."""


class TooWide(Exception):
    """The parts of the world have more values than ``WORDS`` words can tell apart."""


@dataclass(slots=True)
class Column:
    """The values that a part has been seen to have; number 0 is its default."""

    part: Part[Any]
    values: list[Any]
    numbers: dict[Any, int]
    word: int = 0
    shift: int = 0

    mask: int = 0
    """The bits of the column, at the low end."""

    @property
    def place(self) -> Place:
        """Where its bits lie."""
        return self.word, self.shift, self.mask

    def number(self, state: Packed) -> int:
        """The number of the part's value in a packed world."""
        return state[self.word] >> self.shift & self.mask


@dataclass(slots=True)
class Layout:
    """The columns of the parts that have been met."""

    columns: list[Column] = field(default_factory=list)
    crowded: bool = False
    """Whether a column has more values than its bits can tell apart."""
    _index: dict[Part[Any], int] = field(default_factory=dict)

    def index(self, part: Part[Any]) -> int:
        """The number of a part's column, which takes no bits before there is a second value."""
        found = self._index.get(part)
        if found is None:
            found = self._index[part] = len(self.columns)
            self.columns.append(Column(part, [part.default], {part.default: 0}))
        return found

    def number(self, index: int, value: object) -> int:
        """The number of a value of a part; a new one may make the column crowded."""
        column = self.columns[index]
        found = column.numbers.get(value)
        if found is None:
            found = column.numbers[value] = len(column.values)
            column.values.append(value)
            self.crowded |= found > column.mask
        return found

    def value(self, index: int, state: Packed) -> Any:  # noqa: ANN401  (its part says what it is)
        """The value of a part in a packed world."""
        column = self.columns[index]
        return column.values[column.number(state)]

    def spread(self) -> None:
        """Give every column as many bits as it needs, and one to grow where there is room.

        Raises :class:`TooWide`.
        """
        needed = [(len(column.values) - 1).bit_length() for column in self.columns]
        for spare in (1, 0):
            widths = [bits + spare if bits else 0 for bits in needed]
            places = _fitted(widths)
            if places is not None:
                break
        else:
            raise TooWide(
                f"its parts need {sum(needed)} bits, there are {WORDS * WORD_BITS}; "
                "make the configuration smaller"
            )
        for column, bits, (word, shift) in zip(self.columns, widths, places, strict=True):
            column.mask, column.word, column.shift = (1 << bits) - 1, word, shift
        self.crowded = False

    def places(self) -> tuple[Place, ...]:
        """Where the columns lie."""
        return tuple(column.place for column in self.columns)


def repack(states: Words, before: Sequence[Place], after: Sequence[Place]) -> None:
    """Pack worlds anew whose columns have moved. Columns that are new have their number 0."""
    packed = np.zeros_like(states)
    for (word, shift, mask), (to_word, to_shift, _) in zip(before, after, strict=False):
        numbers = states[:, word] >> np.uint64(shift) & np.uint64(mask)
        packed[:, to_word] |= numbers << np.uint64(to_shift)
    states[:] = packed


def _fitted(widths: list[int]) -> list[tuple[int, int]] | None:
    """A word and a shift for each width, none over the edge of a word: the widest first."""
    places = [(0, 0)] * len(widths)
    used = [0] * WORDS
    for index in sorted(range(len(widths)), key=lambda each: -widths[each]):
        width = widths[index]
        word = next((word for word, bits in enumerate(used) if bits + width <= WORD_BITS), None)
        if word is None:
            return None
        if width:
            places[index] = (word, used[word])
            used[word] += width
    return places
