"""Test vectors that were computed outside of this project, read from the files beside."""

from importlib.resources import files

import msgspec

from effectspec.json_value import Json


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


class ProjectionVector(_Value, frozen=True):
    """Arguments with secrets in them, what is left, its RFC 8785 text, and its digest (§11)."""

    name: str
    clause: str
    arguments: dict[str, Json]
    projection: dict[str, Json]
    canonical: str
    digest: str


class ProjectionVectors(_Value, frozen=True):
    """The vectors, and how they were made."""

    made: str
    vectors: tuple[ProjectionVector, ...]


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
    return msgspec.json.decode(_text("digest.json"), type=DigestVectors)


def projection_vectors() -> ProjectionVectors:
    """The vectors of the projection."""
    return msgspec.json.decode(_text("projection.json"), type=ProjectionVectors)


def _text(name: str) -> bytes:
    return files(__package__).joinpath(name).read_bytes()
