"""What a text or a number that comes from outside may be; the JSON Schemas say the same."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that every reader of JSON holds: many have nothing but doubles (RFC 7493)."""

LATEST_S: Final = 10**11
"""Seconds that a clock may be moved: three thousand years, where a calendar still has a date."""

POINTER_PATTERN: Final = r"^(?![^/])([^~]|~[01])*$"
"""RFC 6901, section 3, as both Python and ECMAScript read it."""

PATH_PATTERN: Final = r"^[^\x00]+$"
"""No file system has a name with NUL in it."""

Text: TypeAlias = Annotated[str, Meta(min_length=1)]
"""At least one character."""

Count: TypeAlias = Annotated[int, Meta(ge=0, le=SAFE_INTEGER)]
"""A whole number from 0."""

Ordinal: TypeAlias = Annotated[int, Meta(ge=1, le=SAFE_INTEGER)]
"""A whole number from 1."""

Seconds: TypeAlias = Annotated[int, Meta(ge=0, le=LATEST_S)]
"""How far a clock is moved."""

Pointer: TypeAlias = Annotated[
    str, Meta(pattern=POINTER_PATTERN, description="A JSON Pointer (RFC 6901), such as /effect.")
]
"""A place in a JSON value; the empty one is the whole of it."""

FolderPath: TypeAlias = Annotated[
    str, Meta(min_length=1, pattern=PATH_PATTERN, description="The path of a folder.")
]
"""A path that an operating system can take."""

IN_WORDS: Final = {
    POINTER_PATTERN: "a JSON Pointer, such as /effect",
    PATH_PATTERN: "a path without NUL",
}
"""What a text must be to match each pattern."""
