"""§11: digests against vectors that were computed elsewhere, or written by hand."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final, cast

import msgspec

from effectconform.ask import Question, Questions, question
from effectconform.vectors import (
    DigestVector,
    ProjectionVector,
    Refused,
    digest_vectors,
    projection_vectors,
)
from effectcrash.facts import NotTold
from effectspec.json_value import Json
from effectspec.protocol import Answer, Code, Digest, Digested, Error

DATA: Final = "data"
"""The key under which the refused arguments go: a request holds an object of them."""


def cases() -> Iterator[Questions]:
    """Every vector is met, and what canonical JSON cannot hold is refused (O-1)."""
    known = digest_vectors()
    yield Questions("X-2/vectors", tuple(map(_vector, known.vectors)))
    yield Questions("X-2/not-canonical", tuple(map(_refused, known.refused)))
    for clause, vectors in groupby(projection_vectors().vectors, lambda vector: vector.clause):
        yield Questions(f"{clause}/vectors", tuple(map(_projected, vectors)))


def _vector(vector: DigestVector) -> Question:
    return question(
        vector.clause,
        f"the digest of: {vector.name}",
        Digest(arguments=_verbatim(vector.arguments), secret_keys=vector.secret_keys),
        _digest,
        vector.digest,
    )


def _projected(vector: ProjectionVector) -> Question:
    return question(
        vector.clause,
        f"the digest of: {vector.name}",
        Digest(arguments=vector.arguments),
        _digest,
        vector.digest,
    )


def _refused(refused: Refused) -> Question:
    return question(
        "O-1",
        f"the digest of {refused.name} is refused with",
        Digest(arguments=_verbatim({DATA: msgspec.Raw(refused.arguments_text.encode())})),
        _refusal,
        Code.BAD_REQUEST,
    )


def _verbatim(arguments: Mapping[str, msgspec.Raw]) -> dict[str, Json]:
    """Arguments that go out as the text they were published as, or that no value could say."""
    return cast("dict[str, Json]", dict(arguments))


def _digest(answer: Answer) -> str:
    if not isinstance(answer, Digested):
        raise NotTold(f"no digest: {answer}")
    return answer.digest


def _refusal(answer: Answer) -> Code:
    if not isinstance(answer, Error):
        raise NotTold(f"no refusal: {answer}")
    return answer.code
