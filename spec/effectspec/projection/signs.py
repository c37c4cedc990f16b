"""A glance over canonical text: whether anything in it can be of a shape that is masked.

Every shape needs a sign, and what has none is its own projection. Most arguments have none, and a
glance takes a hundredth of the time that a walk through them does.
"""

import re
from typing import Final

from effectspec.projection.media import DATA, TYPE_NAMES
from effectspec.projection.names import ENDINGS, QUERY_ENDINGS, SEPARATORS, WHOLE_NAMES

_NAMES: Final = {
    *ENDINGS,
    *WHOLE_NAMES,
    *(f"{name}=" for name in QUERY_ENDINGS),
    "bearer",
    "basic",
    ";base64,",
}
_SHARED: Final = ("key", "pass")
"""Parts that many of the names share: looked for first, they spare looking for each."""

_SIGNS: Final = {
    part.encode(): tuple(name.encode() for name in _NAMES if part in name)
    for part in (*_SHARED, *(name for name in _NAMES if not any(map(name.__contains__, _SHARED))))
    if not any(other in part for other in _NAMES - {part})
}
"""What a sign contains → the signs; names that contain another one are told by that."""

_TYPES: Final = frozenset(
    name.lower().translate(str.maketrans("", "", SEPARATORS)).encode() for name in TYPE_NAMES
)
_DATA: Final = f'"{DATA}":'.encode()
_URL: Final = re.compile(rb'://[^/?#" @:]*+[@:]')
"""With more than a host before its path; a port is enough to look closer."""

_FLAGS: Final = re.compile(rb"-(?:p|u|-user|-proxy-user)\b")
_SEPARATORS: Final = SEPARATORS.encode()


def has_signs(canonical: bytes) -> bool:
    """Whether something in a canonical text may have to be masked."""
    plain = canonical.translate(None, _SEPARATORS).lower()
    return (
        any(part in plain and any(map(plain.__contains__, _SIGNS[part])) for part in _SIGNS)
        or (b"@" in canonical and _URL.search(canonical) is not None)
        or (_DATA in canonical and any(name in plain for name in _TYPES))
        or b"%" in canonical
        or _FLAGS.search(canonical) is not None
    )
