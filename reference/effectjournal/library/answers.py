"""What a row can keep of an answer: JSON that a re-run reads back as the same value (G-7)."""

from dataclasses import dataclass
from typing import Generic, TypeVar, cast

import msgspec

from effectjournal.delivery import ResultPolicy
from effectspec.digest import Json

T = TypeVar("T")


class NotTheSame(ValueError):
    """A value that comes back from JSON as another one."""


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """An answer as the row keeps it and as the caller is given it, now and in every re-run."""

    recorded: Json
    value: T


def keepable(answer: T, kind: type[T] | None) -> Kept[T]:
    """The answer as it can be kept. Raises what the encoder or the answer itself raises."""
    recorded = msgspec.json.decode(msgspec.json.encode(answer))
    value = read(recorded, kind)
    # Values that compare by identity cannot be compared, only converted.
    if type(answer).__eq__ is not object.__eq__ and value != answer:
        raise NotTheSame(f"a re-run would be given {value!r} instead of {answer!r}")
    return Kept(recorded, value)


def read(recorded: Json, kind: type[T] | None) -> T:
    """A recorded answer as a ``kind``, or as plain JSON. Raises ``msgspec.ValidationError``."""
    return cast("T", recorded) if kind is None else msgspec.convert(recorded, kind)


def too_large(policy: ResultPolicy) -> str:
    """Stands in for an answer that cannot be encoded: no row of this policy keeps it (G-5)."""
    return " " * (policy.retention + 1)
