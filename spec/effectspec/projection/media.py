"""Media inside the arguments (X-15): masked, since bytes by the megabyte identify no call."""

import re
from collections.abc import Mapping
from typing import Final

from effectspec.projection.mask import REDACTED

_DATA_URL: Final = re.compile(
    r"(data:[\w.+/-]*+(?:;(?!base64,)[\w.=+-]++)*+;base64,)[\w+/=%-]++", re.IGNORECASE | re.ASCII
)
TYPE_NAMES: Final = ("mimeType", "mime_type", "mediaType", "media_type")
"""What the member is called that names the type of the bytes beside it."""

DATA: Final = "data"
"""The member that holds the bytes, beside one that names their type."""


def masked_media(text: str) -> str:
    """Mask what a data URL carries in base64; its type stays."""
    return _DATA_URL.sub(rf"\1{REDACTED}", text)


def holds_media(members: Mapping[str, object]) -> bool:
    """Whether an object is a medium: a text called ``data`` beside the name of its type."""
    return isinstance(members.get(DATA), str) and any(name in members for name in TYPE_NAMES)
