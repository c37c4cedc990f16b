"""What a caller may give: each value is checked before anything is written (O-1).

Every message names the thing, what it is, and what to give instead. The checks take any object,
since a caller may have no type checker.
"""

import math
import os
import reprlib
from collections.abc import Iterator
from pathlib import Path

from effectjournal.library.misuse import BadValue
from effectspec.projection import masked

WHOLE_LIMIT = 2**63 - 1
"""The largest integer that the store holds."""

SAFE_INTEGER = 2**53 - 1
"""The largest integer that canonical JSON holds (reading 14)."""

NESTING = 256
"""Levels of JSON that a row may hold: more than people write, and few enough that the encoder's
own limit, which depends on the depth of the caller's stack, is not met first."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 100


def require(thing: str, given: object, instead: str, *, holds: bool) -> None:
    """Raise :class:`BadValue` for ``given`` unless what is demanded of it ``holds``."""
    if not holds:
        raise BadValue(f"{thing} is {shown(given)}; give {instead}")


def text(thing: str, given: object) -> str:
    """A text that the store can hold, as plain ``str``. Raises :class:`BadValue`."""
    if not isinstance(given, str):
        raise BadValue(f"{thing} is {shown(given)}; give a str")
    require(thing, given, "at least one character", holds=bool(given))
    at = _lone_surrogate(given)
    instead = f"text without the lone surrogate at {at}, which cannot be stored"
    require(thing, given, instead, holds=at is None)
    return str.__str__(given)


def whole(thing: str, given: object, *, least: int, most: int = WHOLE_LIMIT) -> int:
    """A whole number from ``least`` to ``most``. Raises :class:`BadValue`."""
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise BadValue(
            f"{thing} is {shown(given)}; give a whole number, as int, from {least} to {most}"
        )
    return given


def folder(given: object) -> Path:
    """The path of a journal's folder. Raises :class:`BadValue`."""
    path = os.fspath(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(path, str) or not path or "\0" in path or not _is_file_name(path):
        raise BadValue(
            f"the journal's folder is {shown(given)}; give a path, as str or pathlib.Path, of at "
            "least one character and without NUL"
        )
    return Path(path)


def shown(given: object) -> str:
    """A value as messages show it: masked, and then shortened, whatever it is (X-15)."""
    try:
        return _SHORT.repr(masked(given) if isinstance(given, str | list | dict) else given)
    except (ValueError, RecursionError):  # more digits, or more levels, than Python writes
        return f"<{type(given).__name__}>"


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────


def why_not_json(thing: str, given: object, *, integers: float = math.inf) -> str | None:
    """Why ``given`` is no JSON value and where in it, None if it is one.

    ``integers`` is the largest that is allowed. Nothing here recurses, however deep ``given`` is.
    """
    pending = [iter([(thing, given)])]
    above: list[object] = []
    while pending:
        for place, part in pending[-1]:
            why = _why_not(part, above, integers)
            if why is not None:
                return f"{place} {why}"
            if isinstance(part, list | tuple | dict):
                above.append(part)
                pending.append(_parts(place, part))
                break
        else:
            pending.pop()
            del above[-1:]
    return None


def _why_not(part: object, above: list[object], integers: float) -> str | None:
    match part:
        case None | bool():
            return None
        case int():
            return None if -integers <= part <= integers else _BEYOND
        case float():
            return None if math.isfinite(part) else f"is {part}, for which JSON has no number"
        case str():
            return _surrogate("has", part)
        case list() | tuple() | dict() if any(part is outer for outer in above):
            return "contains itself"
        case list() | tuple() | dict() if len(above) == NESTING:
            return f"is nested deeper than {NESTING} levels"
        case list() | tuple():
            return None
        case dict():
            return next(filter(None, map(_why_no_key, part)), None)
        case _:
            return f"is of type {type(part).__name__}, which JSON does not have"


_BEYOND = "is an integer beyond 2^53 - 1; give it as a str"


def _why_no_key(key: object) -> str | None:
    if not isinstance(key, str):
        return f"has the key {shown(key)}; the keys of an object are str"
    return _surrogate("has a key with", key)


def _surrogate(has: str, text_: str) -> str | None:
    at = _lone_surrogate(text_)
    return None if at is None else f"{has} a lone surrogate at {at}, which cannot be stored"


def _parts(
    place: str, container: list[object] | tuple[object, ...] | dict[object, object]
) -> Iterator[tuple[str, object]]:
    named = container.items() if isinstance(container, dict) else enumerate(container)
    return ((f"{place}[{shown(key)}]", part) for key, part in named)


def _lone_surrogate(text_: str) -> int | None:
    """Where a text has half of a surrogate pair, which UTF-8 has no bytes for."""
    try:
        text_.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


def _is_file_name(path: str) -> bool:
    # Names that are no UTF-8 have surrogates of their own, which stand for bytes.
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True
