"""The laws of what a row keeps of the arguments (§11)."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping

from icontract import ensure

from effectspec import digest as core
from effectspec.json_value import Json
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.projection import projection

_PERSISTED_FORM = re.compile(r"v5:[0-9a-f]{64}")
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')


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


def _rule(arguments: Mapping[str, Json]) -> str:
    """Which rule of §11 the first of these arguments that is masked puts to the test, if any is."""
    left = projection(arguments, ())
    match next((value for key, value in arguments.items() if left[key] != value), None):
        case None:
            return "X-5" if b'"__proto__"' in core.canonical(dict(arguments)) else "X-4"
        case list():
            return "X-8"
        case str(text):
            return "X-15" if "base64" in text else "X-6"
        case _:
            return "X-7"


def _hash(arguments: Mapping[str, Json], *, without: Collection[str] = ()) -> str:
    """The hash of canonical members that are put in their order here."""
    left = projection(arguments, without)
    members = (core.canonical(key) + b":" + core.canonical(left[key]) for key in _in_order(left))
    return hashlib.sha256(b"{" + b",".join(members) + b"}").hexdigest()


def _puts_to_the_test(
    rule: str, arguments: Mapping[str, Json], secret_keys: Collection[str]
) -> bool:
    """Whether ``rule`` alone decides the hash of these arguments."""
    is_another = _is_order_in_question(arguments) or any(key in arguments for key in secret_keys)
    return not is_another and _rule(arguments) == rule


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
            _puts_to_the_test("X-4", arguments, secret_keys),
            result.endswith(_hash(arguments)),
        ),
        "X-4: what is not secret is hashed whole, and nothing else is (reading 15)",
    )
    @ensure(
        lambda arguments, secret_keys, result: implies(
            _puts_to_the_test("X-5", arguments, secret_keys),
            result.endswith(_hash(arguments)),
        ),
        "X-5: nested keys stay data, whatever their names",
    )
    @ensure(
        lambda arguments, secret_keys, result: implies(
            _puts_to_the_test("X-6", arguments, secret_keys),
            result.endswith(_hash(arguments)),
        ),
        "X-6: of a password in a URL nothing is hashed",
    )
    @ensure(
        lambda arguments, secret_keys, result: implies(
            _puts_to_the_test("X-7", arguments, secret_keys),
            result.endswith(_hash(arguments)),
        ),
        "X-7: a value under a credential's name is hashed as its mask",
    )
    @ensure(
        lambda arguments, secret_keys, result: implies(
            _puts_to_the_test("X-8", arguments, secret_keys),
            result.endswith(_hash(arguments)),
        ),
        "X-8: a value behind a credential's flag is hashed as its mask",
    )
    @ensure(
        lambda arguments, secret_keys, result: implies(
            _puts_to_the_test("X-15", arguments, secret_keys),
            result.endswith(_hash(arguments)),
        ),
        "X-15: media are hashed as their mask",
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
            {"path": "/orders", "pin": "1234"},
            {"path": "/orders", "pin": "9876"},
            {"text": "a" * 4096 + "b"},
            {"page": 2, "body": {"password": "abcdef"}},
            {"page": 2, "url": "https://ada:p@ss@shop.example/orders"},
            {"page": 2, "argv": ["login", "--token", "abcdef"]},
            {"page": 2, "image": "data:image/png;base64,iVBORw0KGgo="},
            {"nested": {"__proto__": {"admin": True}, "pin": "public here"}},
            {"pin": None},
            {"\ufb33": "in the basic plane", "\U0001f600": "beyond it"},
        ],
        secret_keys=[(), ("pin",), ("absent",), ("path", "pin")],
    ),
    answers=(
        core.digest({}),
        core.digest({"path": "/orders"}),
        core.digest({"path": "/orders", "pin": "1234"}),
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
