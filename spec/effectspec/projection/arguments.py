"""The projection of a call's arguments, of which the digest is taken (X-1, §11)."""

from collections.abc import Collection, Mapping
from typing import Any

from effectspec.json_value import Json
from effectspec.projection.flags import masked_vector
from effectspec.projection.mask import REDACTED
from effectspec.projection.media import DATA, holds_media
from effectspec.projection.names import is_credential
from effectspec.projection.schemes import masked_credential
from effectspec.projection.text import masked_text

HEADER_NAMES = ("name", "key")
"""How the members are called that name a header, in lists of headers with a ``value`` each."""


def admitted(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> dict[str, Json]:
    """The arguments without the declared secret ones (X-1).

    Excluded before hashing, not hashed and hidden: a digest is a permanent equality oracle.
    """
    return {key: value for key, value in arguments.items() if key not in secret_keys}


def projection(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> dict[str, Json]:
    """The admitted arguments, with recognised credentials and media masked (X-5 to X-9, X-15).

    A new value: the arguments that are dispatched stay as they are.
    """
    return _members(admitted(arguments, secret_keys))


def masked(value: Any) -> Any:  # noqa: ANN401  (what is no JSON passes through)
    """Any value without what is recognised in it; what is no JSON stays as it is."""
    if isinstance(value, str):
        return masked_text(value)
    if isinstance(value, dict):
        return _members(value)
    if isinstance(value, list):
        return [
            element if element is REDACTED else masked(element) for element in masked_vector(value)
        ]
    # A tuple is no JSON, and yet some serialisers take it for a list.
    return tuple(masked(list(value))) if isinstance(value, tuple) else value


def _members(members: Mapping[str, Json]) -> dict[str, Json]:
    left = {
        name: masked_credential(value) if _names_credential(name) else masked(value)
        for name, value in members.items()
    }
    if "value" in members and any(_names_credential(members.get(name)) for name in HEADER_NAMES):
        left["value"] = masked_credential(members["value"])
    if holds_media(members):
        left[DATA] = REDACTED
    return left


def _names_credential(name: Json) -> bool:
    """Whether a credential goes under ``name``; one that is no text is refused later."""
    return isinstance(name, str) and is_credential(name)
