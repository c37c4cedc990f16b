"""What a row keeps of the arguments (§11): a digest of their projection, never their bytes."""

import hashlib
from collections.abc import Collection, Mapping
from typing import Final, NoReturn

import msgspec
import rfc8785

from effectspec.json_value import Json
from effectspec.projection import admitted, has_signs, projection

DIGEST_VERSION = "v5"
"""The only version whose projection is complete; older digests prove nothing (X-3)."""

_SORTED: Final = msgspec.json.Encoder(order="sorted")
_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")
_LONG: Final = b"0000000000000000"
"""As many digits as the first integer has that not every reader of a number holds exactly."""

_BEYOND_BASIC: Final = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")
"""Whatever UTF-8 begins with one of them sorts otherwise in UTF-16."""


class _Fraction(Exception):
    """A number with a fraction or an exponent."""


def _refuse_fraction(text: str) -> NoReturn:
    raise _Fraction(text)


_READ: Final = msgspec.json.Decoder(float_hook=_refuse_fraction)


class NotCanonicalJson(ValueError):
    """An argument that canonical JSON cannot hold; refused before the prepare (reading 14)."""


def canonical(value: Json) -> bytes:
    """The RFC 8785 bytes of ``value`` (X-2, reading 14).

    Raises :class:`NotCanonicalJson` for NaN, infinities, integers beyond 2^53, lone surrogates
    and anything that is not JSON.
    """
    quick = _quick(value)
    if quick is not None:
        return quick
    try:
        return rfc8785.dumps(value)
    except (ValueError, RecursionError) as error:
        raise _not_canonical(error) from error


def digest(arguments: Mapping[str, Json], secret_keys: Collection[str] = ()) -> str:
    """The persisted form: ``v5:`` and the SHA-256 of the canonical projection, in hex (X-2).

    Tool id, call ids and transport envelope are not part of it (reading 15).
    """
    quick = _quick(admitted(arguments, secret_keys))
    if quick is not None and not has_signs(quick):
        return _persisted(quick)
    try:
        projected = projection(arguments, secret_keys)
    except RecursionError as error:
        raise _not_canonical(error) from error
    return hashed(projected)


def hashed(value: Json) -> str:
    """``value`` itself in the persisted form, for what holds no secrets."""
    return _persisted(canonical(value))


def _persisted(text: bytes) -> str:
    return f"{DIGEST_VERSION}:{hashlib.sha256(text).hexdigest()}"


def comparable(stored: str) -> bool:
    """Whether a stored digest may be compared with a new one at all (X-3)."""
    return stored.startswith(f"{DIGEST_VERSION}:")


def _quick(value: Json) -> bytes | None:
    """The bytes of the fast serialiser where they are those of RFC 8785, or None (reading 14).

    Fractions and long integers are written in other ways, and keys beyond the basic plane sorted
    otherwise; text that may hold one of them is left to the canonicaliser. What the bytes say has
    to be the very value, since the serialiser also writes what is no JSON: sets, bytes, NaN.
    """
    try:
        text = _SORTED.encode(value)
        told = _READ.decode(text)
    except (TypeError, ValueError, RecursionError, _Fraction):
        return None
    in_question = _LONG in text.translate(_DIGITS) or any(lead in text for lead in _BEYOND_BASIC)
    return text if told == value and not in_question else None


def _not_canonical(error: Exception) -> NotCanonicalJson:
    return NotCanonicalJson(f"arguments that canonical JSON cannot hold: {error}")
