"""A JSON value as Python holds it."""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
else:
    # msgspec reads annotations at run time and has no recursive alias; any JSON is its Any.
    Json: TypeAlias = Any
"""``null``, a truth value, a number, a text, a list, or an object with texts as its keys."""
