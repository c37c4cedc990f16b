"""Credentials behind the name of their scheme: Bearer, Basic and Token (X-7)."""

import re
from typing import Final

from effectspec.projection.mask import REDACTED

_FLAGS: Final = re.IGNORECASE | re.ASCII
_ANCHORED: Final = re.compile(r"\s*+(bearer|basic|token)\s++\S.*", _FLAGS | re.DOTALL)
_WHOLE: Final = re.compile(r"\s*+(bearer|basic|token)\s++\S++\s*+", _FLAGS)
_WITHIN: Final = re.compile(
    r"""(?<![\w-])(bearer|basic|token)[ \t]++(?=[^\s"'<>]*\d)[^\s"'<>]{8,}+""", _FLAGS
)
"""In prose a credential is a word of eight characters or more with a digit in it."""


def masked_credential(value: object) -> str:
    """All that is left of a value under a credential's name: its scheme, if it begins with one."""
    anchored = _ANCHORED.fullmatch(value) if isinstance(value, str) else None
    return REDACTED if anchored is None else f"{anchored[1].capitalize()} {REDACTED}"


def masked_whole(text: str) -> str:
    """Mask a text that is a scheme and one credential, and nothing else."""
    return text if _WHOLE.fullmatch(text) is None else masked_credential(text)


def masked_within(text: str) -> str:
    """Mask the credentials that stand behind their scheme somewhere in a text."""
    return _WITHIN.sub(lambda found: f"{found[1].capitalize()} {REDACTED}", text)
