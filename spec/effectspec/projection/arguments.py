"""The projection of a call's arguments, of which the digest is taken (X-1, §11)."""

from collections.abc import Collection, Mapping

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


def _masked(value: Json) -> Json:
    if isinstance(value, str):
        return masked_text(value)
    if isinstance(value, dict):
        return _members(value)
    if isinstance(value, list | tuple):
        return [
            REDACTED if masked is REDACTED else _masked(masked) for masked in masked_vector(value)
        ]
    return value


def _members(members: Mapping[str, Json]) -> dict[str, Json]:
    masked = {
        name: masked_credential(value) if _names_credential(name) else _masked(value)
        for name, value in members.items()
    }
    if "value" in members and any(_names_credential(members.get(name)) for name in HEADER_NAMES):
        masked["value"] = masked_credential(members["value"])
    if holds_media(members):
        masked[DATA] = REDACTED
    return masked


def _names_credential(name: Json) -> bool:
    """Whether a credential goes under ``name``; one that is no text is refused later."""
    return isinstance(name, str) and is_credential(name)
