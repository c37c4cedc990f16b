"""The vectors of the digest are what they say they are."""

import hashlib
import json

import pytest

from effectconform.vectors import (
    DigestVector,
    ProjectionVector,
    digest_vectors,
    projection_vectors,
)

VECTORS = digest_vectors()
PROJECTIONS = projection_vectors()


@pytest.mark.parametrize("vector", VECTORS.vectors, ids=lambda vector: vector.name)
def test_x2_a_vectors_digest_is_the_sha_256_of_its_canonical_text(vector: DigestVector) -> None:
    hashed = hashlib.sha256(vector.canonical.encode()).hexdigest()
    assert vector.digest == f"v5:{hashed}"


@pytest.mark.parametrize("vector", PROJECTIONS.vectors, ids=lambda vector: vector.name)
def test_x1_a_projections_digest_is_the_sha_256_of_its_canonical_text(
    vector: ProjectionVector,
) -> None:
    hashed = hashlib.sha256(vector.canonical.encode()).hexdigest()
    assert vector.digest == f"v5:{hashed}"
    assert json.loads(vector.canonical) == vector.projection


def test_no_two_vectors_share_a_name() -> None:
    names = [*(each.name for each in VECTORS.vectors), *(each.name for each in VECTORS.refused)]
    names += [each.name for each in PROJECTIONS.vectors]
    assert sorted(set(names)) == sorted(names)


def test_every_vector_fits_on_one_line_of_the_protocol() -> None:
    texts = [bytes(value) for vector in VECTORS.vectors for value in vector.arguments.values()]
    assert not any(b"\n" in text for text in texts)
    assert not any("\n" in refused.arguments_text for refused in VECTORS.refused)


def test_x4_the_long_values_differ_only_behind_a_long_beginning() -> None:
    one, other = (each for each in VECTORS.vectors if each.clause == "X-4")
    assert one.canonical[:500] == other.canonical[:500]
    assert one.digest != other.digest


def test_l3_what_is_declared_secret_leaves_no_trace_in_the_digest() -> None:
    without = {
        vector.digest
        for vector in VECTORS.vectors
        if vector.secret_keys and vector.canonical == '{"invoice":"A"}'
    }
    assert len(without) == 1
