"""What a row keeps of the arguments (§11): a digest of a redacted projection, never their bytes."""

import hashlib
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import rfc8785

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
else:
    # msgspec reads annotations at run time and has no recursive alias; any JSON is its Any.
    Json: TypeAlias = Any
"""A JSON value as Python holds it."""

DIGEST_VERSION = "v5"
"""The only version whose projection is complete; older digests prove nothing (X-3)."""


class NotCanonicalJson(ValueError):
    """An argument that canonical JSON cannot hold; refused before the prepare (reading 14)."""


def projection(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> dict[str, Json]:
    """The arguments without the declared secret ones (X-1).

    Excluded before hashing, not hashed and hidden: a digest is a permanent equality oracle.
    """
    return {key: value for key, value in arguments.items() if key not in secret_keys}


def canonical(value: Json) -> bytes:
    """The RFC 8785 bytes of ``value`` (X-2, reading 14).

    Raises :class:`NotCanonicalJson` for NaN, infinities, integers beyond 2^53, lone surrogates
    and anything that is not JSON.
    """
    try:
        return rfc8785.dumps(value)
    except (ValueError, RecursionError) as error:
        raise NotCanonicalJson(f"arguments that canonical JSON cannot hold: {error}") from error


def digest(arguments: Mapping[str, Json], secret_keys: Collection[str] = ()) -> str:
    """The persisted form: ``v5:`` and the SHA-256 of the canonical projection, in hex (X-2).

    Tool id, call ids and transport envelope are not part of it (reading 15).
    """
    hashed = hashlib.sha256(canonical(projection(arguments, secret_keys)))
    return f"{DIGEST_VERSION}:{hashed.hexdigest()}"


def comparable(stored: str) -> bool:
    """Whether a stored digest may be compared with a new one at all (X-3)."""
    return stored.startswith(f"{DIGEST_VERSION}:")
