"""The parts that a world is made of, each readable and writable apart from the rest."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
A = TypeVar("A")


@dataclass(frozen=True, slots=True, eq=False)
class Part(Generic[T]):
    """One part of a world, such as a row, and what it is before anything has written it.

    Two parts are the same if they are one object: they are looked up more often than anything.
    """

    kind: str
    key: str | int = ""
    default: T = field(kw_only=True)

    def __str__(self) -> str:
        """The part as a trace names it."""
        return f"{self.kind} {self.key}".rstrip()


class Parts(Protocol):
    """Whoever can be asked for the parts of a world."""

    def read(self, part: Part[T]) -> T:
        """The present value of a part."""

    def ask(self, part: Part[T], question: Callable[[T], A]) -> A:
        """The answer to a question about the value of a part, where no more need be known of it.

        The question is always the same function, and depends on nothing else.
        """

    def having(self, part: Part[T], value: T) -> "Parts":
        """These parts, with another value of one of them."""

    def changed(self, since: "Parts", kind: str) -> tuple[Part[Any], ...]:
        """The parts of a kind with other values than in ``since``, from which these have come."""


@dataclass(frozen=True, slots=True)
class Whole:
    """The parts of a world that is all there; what equals its default is not kept."""

    values: Mapping[Part[Any], object] = field(default_factory=lambda: MappingProxyType({}))

    def read(self, part: Part[T]) -> T:
        """The present value of a part."""
        value: T = self.values.get(part, part.default)  # type: ignore[assignment]  # its part's
        return value

    def ask(self, part: Part[T], question: Callable[[T], A]) -> A:
        """The answer to a question about the value of a part."""
        return question(self.read(part))

    def having(self, part: Part[T], value: T) -> "Whole":
        """These parts, with another value of one of them."""
        values = dict(self.values)
        if value == part.default:
            values.pop(part, None)
        else:
            values[part] = value
        return Whole(MappingProxyType(values))

    def of_kind(self, kind: str) -> tuple[Any, ...]:
        """The values of every part of a kind that is not as it was in the beginning."""
        return tuple(
            value
            for _, value in sorted(
                (str(part.key), value) for part, value in self.values.items() if part.kind == kind
            )
        )

    def changed(self, since: Parts, kind: str) -> tuple[Part[Any], ...]:
        """The parts of a kind with other values than in ``since``."""
        before = since.values if isinstance(since, Whole) else {}
        return tuple(
            part
            for part in dict.fromkeys((*before, *self.values))
            if part.kind == kind and self.read(part) != since.read(part)
        )

    def __hash__(self) -> int:
        """A hash of the values, whatever order they were written in."""
        return hash(frozenset(self.values.items()))


BEGINNING = Whole()
"""The parts of a world in which nothing has happened."""
