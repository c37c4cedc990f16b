"""Parts of a world that note what is asked of them.

What a function of a world gives depends on the parts that it read, and on nothing else. So its
value is looked up, not computed, wherever those parts are found the same: the readable functions
are tabulated as they are, and no footprint has to be declared, which could be wrong.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from effectspec.model.parts import Part, Parts

T = TypeVar("T")
A = TypeVar("A")

Reader = Callable[[Part[Any]], Any]
"""Gives the value of a part."""

Question = Callable[[Any], Any]

Reads = dict[tuple[Part[Any], Question | None], Any]
"""What was asked, in order, and the answers. Without a question it is all of the part."""


@dataclass(frozen=True, slots=True)
class _Equals:
    """Asks whether a value equals another."""

    other: object

    def __call__(self, value: object) -> bool:
        return value == self.other


class Traced:
    """Parts that are read through ``reader``; ``reads`` is what was read before it was written."""

    __slots__ = ("_reader", "reads", "written")

    def __init__(
        self,
        reader: Reader,
        reads: Reads | None = None,
        written: Mapping[Part[Any], Any] = MappingProxyType({}),
    ) -> None:
        self._reader = reader
        self.reads: Reads = {} if reads is None else reads
        self.written = written

    def read(self, part: Part[T]) -> T:
        """The present value of a part."""
        if part in self.written:
            value: T = self.written[part]
            return value
        return self._before(part)

    def ask(self, part: Part[T], question: Callable[[T], A]) -> A:
        """The answer to a question about a part, which is all that is noted of it."""
        if part in self.written or (part, None) in self.reads:
            return question(self.read(part))
        if (part, question) not in self.reads:
            self.reads[part, question] = question(self._reader(part))
        answer: A = self.reads[part, question]
        return answer

    def having(self, part: Part[T], value: T) -> "Traced":
        """These parts, with another value of one of them; what is read of both is noted as one."""
        return Traced(self._reader, self.reads, {**self.written, part: value})

    def changed(self, since: Parts, kind: str) -> tuple[Part[Any], ...]:
        """The parts of a kind with other values than before anything was written: in ``since``."""
        assert isinstance(since, Traced)
        assert since.reads is self.reads
        assert not since.written
        return tuple(
            part
            for part, value in self.written.items()
            if part.kind == kind and not since.ask(part, _Equals(value))
        )

    def _before(self, part: Part[T]) -> T:
        if (part, None) not in self.reads:
            self.reads[part, None] = self._reader(part)
        value: T = self.reads[part, None]
        return value
