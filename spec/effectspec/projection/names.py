"""The names under which credentials go: of members, headers, flags, parameters and variables."""

from functools import lru_cache
from typing import Final
from urllib.parse import unquote

LONGEST_NAME: Final = 128
"""Characters: a longer name is nobody's, and looking at it takes time."""

WHOLE_NAMES: Final = frozenset({"token", "passcode", "sshkey", "xvaulttoken", "xgithubtoken"})
"""Names that are a credential's only as a whole: ``page_token`` and ``max_tokens`` are public."""

ENDINGS: Final = (
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "apikey",
    "apitoken",
    "accesstoken",
    "refreshtoken",
    "idtoken",
    "authtoken",
    "bearertoken",
    "sessiontoken",
    "securitytoken",
    "oauthtoken",
    "bottoken",
    "privatetoken",
    "secretkey",
    "accesskey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "authorization",
    "cookie",
    "credential",
    "credentials",
)
"""What a credential's name ends with: ``DB_PASSWORD``, ``X-Api-Key``, ``clientSecret``."""

QUERY_ENDINGS: Final = ("sig", "signature")
"""What only a parameter of a URL's query is called: the signature that opens a signed link."""

SEPARATORS: Final = "-_. "
"""What the words of a name are separated by, if by anything."""

_UNSPELLED: Final = str.maketrans("", "", SEPARATORS)


@lru_cache(maxsize=4096)
def is_credential(name: str) -> bool:
    """Whether a credential goes under ``name``, in any casing, with ``-``, ``_``, ``.`` or none."""
    plain = _plain(name)
    return plain in WHOLE_NAMES or plain.endswith(ENDINGS)


def is_signature(name: str) -> bool:
    """Whether a query's parameter of this name opens a signed link."""
    return _plain(name).endswith(QUERY_ENDINGS)


def _plain(name: str) -> str:
    if len(name) > LONGEST_NAME:
        return ""
    spelled = unquote(name) if "%" in name else name
    # Only ASCII has one lower case in every language: to some the Kelvin sign is a k.
    return spelled.translate(_UNSPELLED).lower() if spelled.isascii() else ""
