"""Text without the credentials whose shape is recognised in it (§11)."""

import re
from typing import Final

from effectspec.projection.assignments import masked_assignments
from effectspec.projection.media import masked_media
from effectspec.projection.schemes import masked_whole, masked_within
from effectspec.projection.urls import masked_userinfo

_JOINED: Final = re.compile(r"[=:\s]", re.ASCII)
"""What joins a credential to its name, flag, scheme or URL."""


def masked_text(text: str) -> str:
    """``text`` without what is recognised as a credential or a medium.

    A finite list of shapes, and no claim to find a secret without one (X-15). The order matters:
    what an earlier one leaves, a later one may not break open, so that a second pass finds nothing.
    """
    if _JOINED.search(text) is None:
        return text
    text = masked_media(text)
    text = masked_assignments(text)
    text = masked_within(text)
    text = masked_userinfo(text)
    return masked_whole(text)
