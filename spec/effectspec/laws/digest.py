"""The laws of what a row keeps of the arguments (§11)."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from copy import deepcopy

from icontract import ensure, snapshot

from effectspec import digest as core
from effectspec.digest import Json
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain

_PERSISTED_FORM = re.compile(r"v5:[0-9a-f]{64}")
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')


def projection_laws(
    implementation: Callable[[Mapping[str, Json], Collection[str]], dict[str, Json]],
) -> Callable[[Mapping[str, Json], Collection[str]], dict[str, Json]]:
    """Put the laws of :func:`effectspec.digest.projection` around ``implementation``."""

    @snapshot(lambda arguments: deepcopy(dict(arguments)), name="dispatched")
    @ensure(
        lambda secret_keys, result: not any(key in result for key in secret_keys),
        "X-1: a declared secret key is excluded before anything is hashed",
    )
    @ensure(
        lambda arguments, secret_keys, result: all(
            key in secret_keys or (key in result and result[key] == value)
            for key, value in arguments.items()
        ),
        "X-9: every other field keeps its full value",
    )
    @ensure(
        lambda arguments, result: all(key in arguments for key in result),
        "X-1: nothing but the arguments is projected",
    )
    @ensure(
        lambda arguments, OLD: arguments == OLD.dispatched,  # noqa: N803  (icontract's name)
        "X-9: a projection never changes the arguments that are dispatched",
    )
    def projection(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> dict[str, Json]:
        return implementation(arguments, secret_keys)

    return projection


projection = projection_laws(core.projection)


def _sorted_throughout(result: bytes) -> bool:
    in_order: list[bool] = []

    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        keys = [key.encode("utf-16-be") for key, _ in pairs]
        in_order.append(keys == sorted(keys))
        return dict(pairs)

    json.loads(result, object_pairs_hook=members)
    return all(in_order)


def canonical_laws(implementation: Callable[[Json], bytes]) -> Callable[[Json], bytes]:
    """Put the laws of :func:`effectspec.digest.canonical` around ``implementation``."""

    @ensure(
        lambda value, result: json.loads(result, parse_int=float) == value,
        "X-4: the canonical form holds the whole value",
    )
    @ensure(
        _sorted_throughout,
        "X-2: the keys of every object are sorted, by their UTF-16 code units",
    )
    @ensure(
        lambda result: not re.search(rb"\s", _STRING.sub(b"", result)),
        "X-2: there is no insignificant white space",
    )
    def canonical(value: Json) -> bytes:
        """:raises core.NotCanonicalJson: for a value that canonical JSON cannot hold."""
        return implementation(value)

    return canonical


canonical = canonical_laws(core.canonical)


def _in_order(keys: Iterable[str]) -> list[str]:
    """Keys as RFC 8785 sorts them: by their UTF-16 code units."""
    return sorted(keys, key=lambda key: key.encode("utf-16-be"))


def _is_order_in_question(keys: Collection[str]) -> bool:
    """Whether a language that sorts by code points would sort these keys otherwise."""
    return _in_order(keys) != sorted(keys)


def _hash(arguments: Mapping[str, Json], *, without: Collection[str] = ()) -> str:
    """The hash of canonical members that are put in their order here."""
    members = (
        core.canonical(key) + b":" + core.canonical(arguments[key])
        for key in _in_order(arguments)
        if key not in without
    )
    return hashlib.sha256(b"{" + b",".join(members) + b"}").hexdigest()


def digest_laws(
    implementation: Callable[[Mapping[str, Json], Collection[str]], str],
) -> Callable[[Mapping[str, Json], Collection[str]], str]:
    """Put the laws of :func:`effectspec.digest.digest` around ``implementation``."""

    @ensure(
        lambda result: _PERSISTED_FORM.fullmatch(result) is not None,
        "X-2: the persisted form is v5: and a SHA-256 in hex",
    )
    @ensure(
        lambda arguments, secret_keys, result: implies(
            any(key in arguments for key in secret_keys),
            result.endswith(_hash(arguments, without=secret_keys)),
        ),
        "X-1: a declared secret key is excluded before hashing, not hashed and hidden",
    )
    @ensure(
        lambda arguments, secret_keys, result: implies(
            _is_order_in_question(arguments),
            result.endswith(_hash(arguments, without=secret_keys)),
        ),
        "X-2: keys are hashed in the order of their UTF-16 code units (reading 14)",
    )
    @ensure(
        lambda arguments, secret_keys, result: implies(
            not any(key in arguments for key in secret_keys)
            and not _is_order_in_question(arguments),
            result.endswith(_hash(arguments)),
        ),
        "X-4: what is not secret is hashed whole, and nothing else is (reading 15)",
    )
    def digest(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> str:
        """:raises core.NotCanonicalJson: for a value that canonical JSON cannot hold."""
        return implementation(arguments, secret_keys)

    return digest


digest = digest_laws(core.digest)
DIGEST = Rule(
    digest_laws,
    core.digest,
    domain(
        arguments=[
            {},
            {"path": "/orders"},
            {"path": "/orders", "token": "s3cret"},
            {"path": "/orders", "token": "another"},
            {"text": "a" * 4096 + "b"},
            {"nested": {"__proto__": {"admin": True}, "token": "public here"}},
            {"token": None},
            {"\ufb33": "in the basic plane", "\U0001f600": "beyond it"},
        ],
        secret_keys=[(), ("token",), ("absent",), ("path", "token")],
    ),
    answers=(
        core.digest({}),
        core.digest({"path": "/orders"}),
        core.digest({"path": "/orders", "token": "s3cret"}),
        core.digest({}).removeprefix("v5:"),
        core.digest({}).replace("v5:", "v4:"),
        core.digest({}).upper(),
        "v5:",
    ),
)


def comparable_laws(implementation: Callable[[str], bool]) -> Callable[[str], bool]:
    """Put the laws of :func:`effectspec.digest.comparable` around ``implementation``."""

    @ensure(
        lambda stored, result: implies(not stored.startswith("v5:"), not result),
        "X-3: an unversioned digest, or one of an older version, refuses a matching prepare",
    )
    @ensure(
        lambda stored, result: implies(stored.startswith("v5:"), result),
        "X-2: a digest of the present form can be compared",
    )
    def comparable(stored: str) -> bool:
        return implementation(stored)

    return comparable


comparable = comparable_laws(core.comparable)
COMPARABLE = Rule(
    comparable_laws,
    core.comparable,
    domain(stored=[f"{version}{'0' * 64}" for version in ("", "v2:", "v3:", "v4:", "v5:", "v55:")]),
    answers=BOTH,
)
