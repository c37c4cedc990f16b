"""Test vectors that were computed outside of this project, read from the files beside."""

from importlib.resources import files

import msgspec


class _Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class DigestVector(_Value, frozen=True):
    """Arguments, the RFC 8785 text of their projection, and their digest (X-1, X-2).

    The arguments are kept as the JSON text that they were published as: 1E30 is not 1e+30 yet.
    """

    name: str
    clause: str
    source: str
    arguments: dict[str, msgspec.Raw]
    secret_keys: tuple[str, ...]
    canonical: str
    digest: str


class Refused(_Value, frozen=True):
    """Arguments, as JSON text, that canonical JSON cannot hold (reading 14)."""

    name: str
    arguments_text: str


class DigestVectors(_Value, frozen=True):
    """The vectors, and how they were made."""

    made: str
    vectors: tuple[DigestVector, ...]
    refused: tuple[Refused, ...]


def digest_vectors() -> DigestVectors:
    """The vectors of the digest."""
    text = files(__package__).joinpath("digest.json").read_bytes()
    return msgspec.json.decode(text, type=DigestVectors)
