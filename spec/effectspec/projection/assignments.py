"""Values that a text assigns to a credential's name (X-6): in queries, headers, JSON and flags."""

import re
from collections.abc import Iterator
from typing import Final

from effectspec.projection.flags import names_credential, names_user
from effectspec.projection.mask import REDACTED
from effectspec.projection.names import LONGEST_NAME, is_credential, is_signature
from effectspec.projection.schemes import masked_credential

_ASSIGNED: Final = re.compile(
    rf"""(?<![\w%.-])
    (?:(?P<flag>--?[A-Za-z][\w.-]{{0,{LONGEST_NAME}}}+)[ \t]++
      |(?P<name>[\w%.-]{{1,{LONGEST_NAME}}}+)(?P<closed>\\*+["'])?+[ \t]*+(?P<sign>[=:]++>?+)[ \t]*+
    )""",
    re.VERBOSE | re.ASCII,
)
"""A name begins where no name goes on, so that no letter is the start of two attempts."""

_OPENED: Final = re.compile(r"""\s*+(?P<escapes>\\*+)(?P<quote>["'`])""", re.ASCII)
_QUOTES: Final = {quote: re.compile(rf"(?<!\\)\\*+{quote}") for quote in "\"'`"}
_MASKED: Final = rf"(?:{re.escape(REDACTED)})*+"
_SCHEME: Final = r"(?:(?i:bearer|basic|token)[ \t]++)?+"
_PARAMETER: Final = re.compile(rf"""{_SCHEME}{_MASKED}[^&#\s"<>]*+""", re.ASCII)
_ARGUMENT: Final = re.compile(rf"{_SCHEME}\S*+", re.ASCII)
_USER: Final = re.compile(r"[^\s:]*+:\S*+", re.ASCII)
_ITEM: Final = re.compile(rf"{_MASKED}[^,}}\]\r\n]*+")
_LINE: Final = re.compile(r"[^\r\n]*+")

INDENT: Final = 64
"""Characters before a header or a YAML key: further back the beginning of a line is not sought."""

_MARGIN: Final = " \t<>*+-"
"""What stands before the first name of a line: indents, list marks, the arrows of a log."""

_OWN_HEADERS: Final = ("authorization", "cookie")
"""Names that only headers have: what follows one is its value, wherever in a line it stands."""


def masked_assignments(text: str) -> str:
    """Mask what ``text`` assigns to credentials, each value through its real end."""
    kept: list[str] = []
    copied = 0
    for start, end in _values(text):
        kept += text[copied:start], masked_credential(text[start:end])
        copied = end
    return "".join(kept) + text[copied:] if kept else text


def _values(text: str) -> Iterator[tuple[int, int]]:
    """Where the values of credentials begin and end."""
    position = 0
    while (found := _ASSIGNED.search(text, position)) is not None:
        position = found.end()
        span = _argument(text, found) if found["sign"] is None else _assigned(text, found)
        if span is not None and span[0] < span[1]:
            yield span
            position = span[1]


def _argument(text: str, found: re.Match[str]) -> tuple[int, int] | None:
    """The value behind a flag, as a command line has it."""
    if names_user(found["flag"]):
        user = _USER.match(text, found.end())
        return None if user is None else user.span()
    if not names_credential(found["flag"]):
        return None
    return _quoted(text, found.end()) or _span(_ARGUMENT, text, found.end())


def _assigned(text: str, found: re.Match[str]) -> tuple[int, int] | None:
    """The value behind ``=`` or ``:``."""
    before = text[found.start() - 1 : found.start()]
    is_parameter = before in ("?", "&") and text.startswith("=", found.end("name"))
    if not is_credential(found["name"]) and not (is_parameter and is_signature(found["name"])):
        return None
    quoted = _quoted(text, found.end())
    if quoted is not None:
        return quoted
    if found["sign"].startswith("="):
        return _span(_PARAMETER, text, found.end())
    if found["closed"] is not None:
        return _member(text, found.end())
    if before in _QUOTES:
        return found.end(), _closing(text, found.end(), _escapes(text, found.start() - 1), before)
    own = found["name"].lower().endswith(_OWN_HEADERS)
    return _span(_LINE, text, found.end()) if own or _begins_line(text, found.start()) else None


def _member(text: str, start: int) -> tuple[int, int]:
    """The value of a JSON member that is no string; a structure's end is not looked for."""
    is_structure = text.startswith(("[", "{"), start) and not text.startswith(REDACTED, start)
    return (start, len(text)) if is_structure else _span(_ITEM, text, start)


def _begins_line(text: str, start: int) -> bool:
    earlier = text[max(0, start - INDENT) : start].rstrip(_MARGIN)
    return earlier.endswith(("\n", "\r")) if earlier else start <= INDENT


def _quoted(text: str, start: int) -> tuple[int, int] | None:
    opened = _OPENED.match(text, start)
    if opened is None:
        return None
    inside = opened.end()
    return inside, _closing(text, inside, len(opened["escapes"]), opened["quote"])


def _closing(text: str, start: int, escapes: int, quote: str) -> int:
    """Where the text of a string ends whose quotes are written with ``escapes`` backslashes.

    JSON in a string in JSON escapes a quote once more at every depth: an escaped quote of depth
    ``n`` has ``n`` backslashes, and a backslash before it is written as ``n + 1`` of them. One
    with fewer ends a string around this one. Without any, all that follows belongs to the string.
    """
    for found in _QUOTES[quote].finditer(text, start):
        backslashes = found.end() - found.start() - 1
        if backslashes < escapes:
            return found.start()
        if (backslashes - escapes) % (2 * (escapes + 1)) == 0:
            return found.end() - 1 - escapes
    return len(text)


def _escapes(text: str, quote: int) -> int:
    """How many backslashes stand before the quote at that place."""
    before = text[max(0, quote - INDENT) : quote]
    return len(before) - len(before.rstrip("\\"))


def _span(pattern: re.Pattern[str], text: str, start: int) -> tuple[int, int]:
    found = pattern.match(text, start)
    return (start, start) if found is None else found.span()
