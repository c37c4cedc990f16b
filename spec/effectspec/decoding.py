"""JSON that somebody else wrote: read, or refused with what is wrong and where."""

import re
from typing import Final, TypeVar

import msgspec

from effectspec.bounds import IN_WORDS

NESTING: Final = 256
"""Levels of a JSON value: more than people write, and few enough that no reader or writer meets
its own limit first, which in Python depends on how deep the caller's stack is."""

ENVELOPE: Final = 16
"""Levels that a message or a scenario may put around a value."""

_PAIR: Final = b" " * len(r"\udc00")
"""Room for the second half of a surrogate pair."""

_MARKS: Final = re.compile(rb'"(?:[^"\\]+|\\.)*"?|[\[{\]}]', re.DOTALL)
"""The strings of a text, whole or broken off, and the brackets between them."""

_T = TypeVar("_T")


class Unreadable(ValueError):
    """A text that is not what was asked for; the message says what it is instead, and where."""


def decoded(
    decoder: msgspec.json.Decoder[_T], text: bytes, *, levels: int = NESTING + ENVELOPE
) -> _T:
    """What a text holds. Raises :class:`Unreadable`, also beyond so many ``levels`` of nesting."""
    deep = _deeper(text, levels)
    if deep is not None:
        raise Unreadable(f"nested deeper than {levels} levels (byte {deep})")
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(_why(decoder, text, error)) from error


def _deeper(text: bytes, levels: int) -> int | None:
    """Where a text is nested deeper than this."""
    if text.count(b"[") + text.count(b"{") <= levels:
        return None
    depth = 0
    for mark in _MARKS.finditer(text):
        match mark[0]:
            case b"[" | b"{":
                depth += 1
                if depth > levels:
                    return mark.start()
            case b"]" | b"}":
                depth -= 1
            case _:
                pass
    return None


def _why(decoder: msgspec.json.Decoder[_T], text: bytes, error: Exception) -> str:
    try:
        text.decode()
        # Half of a surrogate pair at the end is taken for a text that breaks off.
        decoder.decode(text + _PAIR)
    except UnicodeDecodeError as bad:
        return f"not UTF-8 (byte {bad.start})"
    except msgspec.DecodeError as clearer:
        error = clearer
    why = str(error)
    for pattern, words in IN_WORDS.items():
        why = why.replace(f"`str` matching regex {pattern!r}", words)
    return why
