"""What a row can keep of an answer: JSON that a re-run reads back as the same value (G-7)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

import msgspec

from effectjournal.delivery import ResultPolicy
from effectjournal.library.given import NESTING, shown, why_not_json
from effectjournal.library.misuse import BadValue
from effectspec.json_value import Json

T = TypeVar("T")


class NotKept(ValueError):
    """A value that is nested too deep, or that comes back from JSON as another one."""


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """An answer as the row keeps it and as the caller is given it, now and in every re-run."""

    recorded: Json
    value: T


def keepable(answer: T, kind: type[T] | None) -> Kept[T]:
    """The answer as it can be kept. Raises what the encoder or the answer itself raises."""
    recorded = msgspec.json.decode(msgspec.json.encode(answer))
    if _is_too_deep(recorded):
        raise NotKept(f"it is nested deeper than {NESTING} levels")
    value = read(recorded, kind)
    # Values that compare by identity cannot be compared, only converted.
    if type(answer).__eq__ is not object.__eq__ and value != answer:
        raise NotKept(f"a re-run would be given {shown(value)} instead of {shown(answer)}")
    return Kept(recorded, value)


def why_not_kept(thing: str, answer: object, error: Exception) -> str:
    """What is wrong with plain JSON for which :func:`keepable` raised ``error``, and where."""
    return why_not_json(thing, answer) or f"{thing}: {error}"


def _is_too_deep(recorded: Json) -> bool:
    level: list[Json] = [recorded]
    for _ in range(NESTING):
        level = [
            part
            for outer in level
            if isinstance(outer, list | dict)
            for part in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return any(isinstance(part, list | dict) for part in level)


def check_kind(place: str, kind: object) -> None:
    """Raise :class:`BadValue` for what no answer can be read as: later, it would lose one."""
    try:
        _find_reader(kind)
    except Exception as error:
        raise BadValue(
            f"{place}: answer is {shown(kind)}: {error}; give a type that JSON is read as, such as "
            "a dataclass"
        ) from error


@lru_cache(maxsize=256)
def _find_reader(kind: object) -> None:
    msgspec.json.schema(kind, schema_hook=_schema_of_unknown)


def _schema_of_unknown(kind: type) -> dict[str, Any]:
    if kind is object:
        return {"title": "any JSON"}
    raise TypeError(f"{kind.__name__} is not read from JSON")


def read(recorded: Json, kind: type[T] | None) -> T:
    """A recorded answer as a ``kind``, or as plain JSON. Raises ``msgspec.ValidationError``."""
    return cast("T", recorded) if kind is None else msgspec.convert(recorded, kind)


def too_large(policy: ResultPolicy) -> str:
    """Stands in for an answer that cannot be encoded: no row of this policy keeps it (G-5)."""
    return " " * (policy.retention + 1)
