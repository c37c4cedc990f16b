"""The laws of what is left of the arguments when their secrets are taken out (§11)."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import deepcopy
from typing import Final

from icontract import ensure, snapshot

from effectspec import projection as core
from effectspec.json_value import Json

_MASK: Final = re.compile(r"(?:(?:Bearer|Basic|Token) )?\[redacted\]")
_USERINFO: Final = re.compile(r"""://(?!\[redacted\]@)[^/?#\s"<>]*@""")
_BEARER: Final = re.compile(r"(?i:bearer)\s+(?!\[redacted\])\S*[0-9]\S{7}")
_INNOCENT: Final = re.compile(r"(?!.*(?:bearer|basic|token))[\w ,;]*", re.IGNORECASE)
"""Without a sign that joins a name and a value, and without the name of a scheme."""

CREDENTIALS: Final = ("password", "Password", "PASSWD", "api_key", "X-Api-Key", "token", "cookie")
CREDENTIALS_TOO: Final = ("authorization", "clientSecret", "DB_PASSWORD", "access_token")


def _texts(value: Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for element in value:
                yield from _texts(element)
        case dict():
            for member in value.values():
                yield from _texts(member)
        case _:
            return


def _members(value: Json) -> Iterator[tuple[str, Json]]:
    match value:
        case list():
            for element in value:
                yield from _members(element)
        case dict():
            for name, member in value.items():
                yield name, member
                yield from _members(member)
        case _:
            return


def _is_innocent(name: str, value: Json) -> bool:
    """Whether nothing about a field is like a credential's."""
    if not re.fullmatch("[a-f]*", name):
        return False
    return _INNOCENT.fullmatch(value) is not None if isinstance(value, str) else _is_scalar(value)


def _is_scalar(value: Json) -> bool:
    return not isinstance(value, str | list | dict)


def _same_shape(before: Json, after: Json) -> bool:
    """Whether nothing but values was changed, and no name of a member was lost."""
    match before, after:
        case dict(), dict():
            return before.keys() == after.keys() and all(
                _same_shape(before[name], after[name]) for name in before
            )
        case list(), list():
            return len(before) == len(after) and all(map(_same_shape, before, after))
        case _:
            return isinstance(after, str) or after == before


def projection_laws(
    implementation: Callable[[Mapping[str, Json], Collection[str]], dict[str, Json]],
) -> Callable[[Mapping[str, Json], Collection[str]], dict[str, Json]]:
    """Put the laws of :func:`effectspec.projection.projection` around ``implementation``."""

    @snapshot(lambda arguments: deepcopy(dict(arguments)), name="dispatched")
    @ensure(
        lambda secret_keys, result: not any(key in result for key in secret_keys),
        "X-1: a declared secret key is excluded before anything is hashed",
    )
    @ensure(
        lambda arguments, secret_keys, result: (
            set(arguments) - set(secret_keys) <= result.keys() <= set(arguments)
        ),
        "X-1: nothing but the arguments is projected, and none of the others is left out",
    )
    @ensure(
        lambda arguments, secret_keys, result: all(
            _same_shape(value, result[key])
            for key, value in arguments.items()
            if key not in secret_keys and key in result
        ),
        "X-5: nested keys stay data, whatever their names",
    )
    @ensure(
        lambda result: not any(map(_USERINFO.search, _texts(result))),
        "X-6: of a URL's userinfo nothing is left",
    )
    @ensure(
        lambda result: all(
            isinstance(value, str) and _MASK.fullmatch(value) is not None
            for name, value in _members(result)
            if name in CREDENTIALS or name in CREDENTIALS_TOO
        ),
        "X-7: of a value under a credential's name nothing is left but its scheme",
    )
    @ensure(
        lambda result: not any(map(_BEARER.search, _texts(result))),
        "X-9: no recognised value leaves a suffix",
    )
    @ensure(
        lambda arguments, result: all(
            result[key] == value
            for key, value in arguments.items()
            if key in result and _is_innocent(key, value)
        ),
        "X-9: what is not recognised keeps its full value",
    )
    @ensure(
        lambda result: implementation(result, ()) == result,
        "X-9: in a projection there is nothing left to mask",
    )
    @ensure(
        lambda arguments, OLD: arguments == OLD.dispatched,  # noqa: N803  (icontract's name)
        "X-9: a projection never changes the arguments that are dispatched",
    )
    def projection(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> dict[str, Json]:
        return implementation(arguments, secret_keys)

    return projection


projection = projection_laws(core.projection)
