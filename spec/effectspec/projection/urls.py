"""Userinfo in URLs (X-6): masked through the last ``@`` of the authority, the rest stays."""

import re
from typing import Final

from effectspec.projection.mask import REDACTED

_OPENING: Final = "://"
_AUTHORITY: Final = re.compile(r"[^/?#\r\n]*+")
"""As far as an authority can reach: some write spaces and quotes into a password."""

_WORD: Final = re.compile(r"""[^/?#\s"<>]*+""", re.ASCII)
"""As far as an authority reaches if it is written as it should be."""

_HOST: Final = re.compile(r"(?:\[[^\]]*+\]|[^:]*+)(?::[0-9]*+)?+")


def masked_userinfo(text: str) -> str:
    """Mask the userinfo of every URL in ``text``.

    An authority that has no userinfo and names no host and port either, as in
    ``https://user:pa/ss@host``, is part of a password that broke it off. What then follows cannot
    be told from the password and is masked whole, if there is an ``@`` in it.
    """
    last = text.rfind("@")
    kept: list[str] = []
    copied = 0
    opening = text.find(_OPENING)
    while 0 <= opening < last:
        start = opening + len(_OPENING)
        end = _reach(_AUTHORITY, text, start)
        word = text[start : _reach(_WORD, text, start)]
        if "@" in word:
            kept += text[copied:start], REDACTED
            copied = text.rindex("@", start, end)
        elif _HOST.fullmatch(word) is None:
            kept += text[copied:start], REDACTED
            copied = len(text)
            break
        opening = text.find(_OPENING, start)
    return "".join(kept) + text[copied:] if kept else text


def _reach(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return start if found is None else found.end()
