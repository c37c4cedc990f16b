"""What is recorded of a result: the projections that a replay re-delivers as they are (G-7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec
from jsonpointer import JsonPointer, JsonPointerException

from effectspec.digest import hashed
from effectspec.json_value import Json
from effectspec.protocol import Delivery
from effectspec.scenario import DEFAULT_BOUND, DEFAULT_RETENTION


@dataclass(frozen=True, slots=True)
class ResultPolicy:
    """How a result is projected: stored with the row at prepare (reading 4).

    ``mapping``: output name → JSON Pointer into the answer. ``bound``: bytes of the answer that
    the model is shown. ``retention``: bytes of the projections that the row may hold.
    """

    mapping: Mapping[str, str]
    bound: int = DEFAULT_BOUND
    retention: int = DEFAULT_RETENTION


class ProjectionFailed(ValueError):
    """The projections of an answer cannot be derived (O-5)."""


def mapping_digest(mapping: Mapping[str, str]) -> str:
    """The identity of an output-mapping configuration (G-6)."""
    return hashed(dict(mapping))


def project(answer: Json, policy: ResultPolicy) -> Delivery:
    """Derive, once, all that may be delivered of ``answer``.

    The mapping reads the whole answer, never the preview: a replay must not put another value
    into the run's state than the original did (G-7). Raises :class:`ProjectionFailed`.
    """
    text = msgspec.json.encode(answer)
    output: dict[str, Json] = {}
    for name, pointer in policy.mapping.items():
        try:
            output[name] = JsonPointer(pointer).resolve(answer)
        except JsonPointerException as error:
            raise ProjectionFailed(
                f"output {name!r}: {pointer!r} does not resolve: {error}"
            ) from error
    truncated = len(text) > policy.bound
    value = text[: policy.bound].decode(errors="ignore") if truncated else answer
    return Delivery(
        value=value, truncated=truncated, summary=f"{len(text)} bytes of result", output=output
    )


def retain(delivery: Delivery, policy: ResultPolicy) -> bytes | None:
    """The projections as a row holds them, or None where they exceed what it may hold (G-5)."""
    text = msgspec.json.encode(delivery)
    return text if len(text) <= policy.retention else None


class Projected(msgspec.Struct, frozen=True):
    """A result's projections, as the row keeps them if it may, or why there are none."""

    delivery: Delivery | None
    retained: bytes | None
    shortfall: str | None


def projected_for_row(answer: Json, policy: ResultPolicy) -> Projected:
    """Derive a result's projections and decide whether the row may hold them."""
    try:
        delivery = project(answer, policy)
    except ProjectionFailed as error:
        return Projected(None, None, str(error))
    return Projected(delivery, retain(delivery, policy), None)


_deliveries = msgspec.json.Decoder(Delivery)


def recorded(text: bytes) -> Delivery:
    """The projections as they were recorded."""
    return _deliveries.decode(text)


_policies = msgspec.json.Decoder(ResultPolicy)


def encode_policy(policy: ResultPolicy) -> bytes:
    """A policy as the row holds it."""
    return msgspec.json.encode(policy)


@lru_cache(maxsize=256)
def decode_policy(text: bytes) -> ResultPolicy:
    """A policy as it was stored at prepare."""
    return _policies.decode(text)
