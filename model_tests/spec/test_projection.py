"""What is left of arguments and texts when their secrets are taken out (§11)."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from icontract import ViolationError

from effectconform.vectors import ProjectionVector, projection_vectors
from effectspec.digest import digest
from effectspec.json_value import Json
from effectspec.laws import projection as laws
from effectspec.laws.law import laws_of
from effectspec.projection import REDACTED, admitted, masked_text, projection

steadily = settings(deadline=None, derandomize=True, max_examples=300)
"""The same examples in every run, and no test that fails on a slow machine."""

MARKER = "s3cr3t-0f-ada"
ONE_MEBIBYTE = 2**20

# ── the vectors ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("vector", projection_vectors().vectors, ids=lambda vector: vector.name)
def test_x1_a_vectors_projection_is_what_was_written_by_hand(vector: ProjectionVector) -> None:
    assert laws.projection(vector.arguments, ()) == vector.projection


# ── no recognised secret survives ────────────────────────────────────────────────────────────────

SHAPES = (
    "https://ada:{}@shop.example/orders",
    "https://ada:x@{}@shop.example",
    "https://{}@shop.example",
    "https://ada:a/{}@shop.example",
    "https://ada:a?{}@shop.example",
    "https://ada:a#{}@shop.example",
    "https://ada:a@b {}@shop.example",
    "https://shop.example/?page=1&token={}&last=2",
    "token={}",
    "Authorization: Bearer {}",
    "authorization: basic {}:{}",
    '{{"nested": {{"Password": "{}"}}, "page": 1}}',
    '{{"password": "a\\"{}\\\\", "page": 1}}',
    r"{{\"secret\": \"a\\\"{}\"}}",
    "{{'api_key': '{}'}}",
    'password = "{}',
    "sent Bearer {}:1 to the server",
    "login --password {} --verbose",
    "login --password='{} and more'",
    "curl -u ada:{} https://shop.example",
    "data:text/plain;base64,{}",
)
"""Where a secret stands in braces; each is a shape that §11 names."""

noise = st.text(st.sampled_from("ab1 :=@/?#&\"'\\\n,;{}[]-<>%"), max_size=8)


@pytest.mark.parametrize("shape", SHAPES)
def test_x9_nothing_of_a_secret_is_left_of_any_shape(shape: str) -> None:
    text = shape.replace("{}", MARKER).replace("{{", "{").replace("}}", "}")
    assert MARKER in text

    for said in (
        text,
        f"\n{text}",
        f"{text}\nthe end",
        f"{text} ",
        text.replace(MARKER, "7" * 600),
    ):
        left = masked_text(said)
        assert MARKER not in left
        assert "7777" not in left
        assert "ada:" not in left


@steadily
@given(st.sampled_from(SHAPES), noise, noise)
def test_x9_nor_is_anything_left_among_noise(shape: str, before: str, after: str) -> None:
    """A line of its own is enough: what stands on other lines never uncovers a secret."""
    text = shape.replace("{}", MARKER).replace("{{", "{").replace("}}", "}")

    assert MARKER not in masked_text(f"{before}\n{text}\n{after}")


fragments = st.sampled_from(
    [
        "://", "@", ":", "=", "/", "?", "&", "#", " ", "\n", '"', "'", "\\", '\\"', ",", "{", "}",
        "[", "]", "-", "--", "token", "password", "Authorization", "Bearer ", "basic ",
        "a1b2c3d4e5", "http", "x", "y1", "data:", ";base64,", "-p", "--token", "-u ",
        REDACTED, "sig", "%5F",
    ]
)  # fmt: skip
texts = st.lists(fragments, max_size=14).map("".join)


@settings(steadily, max_examples=4000)
@given(texts)
def test_x9_projecting_twice_changes_nothing(text: str) -> None:
    once = masked_text(text)
    assert masked_text(once) == once


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | texts,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["a", "b", "", "__proto__", "password", "value", "name", "data"])
            | st.just("media_type"),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@steadily
@given(st.dictionaries(st.sampled_from(["a", "b", "token", "argv"]), values), st.data())
def test_x1_the_laws_of_the_projection_hold_of_all_arguments(
    arguments: dict[str, Json], data: st.DataObject
) -> None:
    secret = data.draw(st.sets(st.sampled_from(["a", "token", "absent"])))

    assert laws.projection(arguments, secret) == projection(arguments, secret)


@settings(steadily, max_examples=2000)
@given(st.dictionaries(st.sampled_from(["a", "b", "token", "argv", "é"]), values | texts))
def test_x2_the_digest_is_that_of_the_projection_whether_a_glance_was_enough_or_not(
    arguments: dict[str, Json],
) -> None:
    vetted = rfc8785.dumps(projection(arguments, ()))

    assert digest(arguments) == f"v5:{hashlib.sha256(vetted).hexdigest()}"


@steadily
@given(st.text(st.sampled_from("abcdefgh 0123456789.,;!éß漢😀")))
def test_x9_text_without_a_sign_of_a_credential_stays_whole(text: str) -> None:
    assert masked_text(text) == text


@steadily
@given(st.dictionaries(st.text(), values))
def test_x1_a_declared_secret_is_excluded_and_not_masked(arguments: dict[str, Json]) -> None:
    for key in arguments:
        assert key not in projection(arguments, [key])
        assert admitted(arguments, [key]) == {
            name: value for name, value in arguments.items() if name != key
        }


def test_x5_a_projection_is_data_in_every_language() -> None:
    arguments = json.loads('{"a": {"__proto__": {"constructor": 1}, "": [], "toString": null}}')

    assert projection(arguments, ()) == arguments


# ── linear, whatever the input ───────────────────────────────────────────────────────────────────

ADVERSARIAL = (
    "a",
    "\\",
    " ",
    "://",
    "://a:b",
    "@",
    "://@",
    "token",
    "token=",
    "token:",
    'token="',
    'token="\\',
    "token=\\",
    "token ",
    "\ntoken:",
    '"token"',
    '"token":[',
    "--token ",
    "-",
    "-u ",
    "%",
    "bearer ",
    "bearer a",
    "bearer\t",
    "data:",
    "data:;",
    ";base64,",
    "data:a;base64=;base64,",
    "=",
    "?a=&",
    "'",
    "\\'",
    "authorization: '",
    "https://u:p",
)
"""What is repeated to a mebibyte: a pattern that goes back over it would not end in a day."""


@pytest.mark.parametrize("repeated", ADVERSARIAL)
def test_x6_a_mebibyte_made_to_be_slow_is_read_in_one_go(repeated: str) -> None:
    text = repeated * (ONE_MEBIBYTE // len(repeated))

    left = masked_text(text)

    assert masked_text(left) == left
    assert MARKER not in masked_text(f"{text}\nAuthorization: Bearer {MARKER}")


# ── the laws bite ────────────────────────────────────────────────────────────────────────────────

Projection = Callable[[Mapping[str, Json], Collection[str]], dict[str, Json]]


def _keeps_declared(arguments: Mapping[str, Json], _secret: Collection[str]) -> dict[str, Json]:
    return projection(arguments, ())


def _says_more(arguments: Mapping[str, Json], secret: Collection[str]) -> dict[str, Json]:
    return {**projection(arguments, secret), "tool": "http_request"}


def _drops_prototypes(arguments: Mapping[str, Json], secret: Collection[str]) -> dict[str, Json]:
    return {**projection(arguments, secret), "nested": {}}


def _first_at_only(arguments: Mapping[str, Json], secret: Collection[str]) -> dict[str, Json]:
    return {**projection(arguments, secret), "url": "https://a:p@ss@shop.example"}


def _masks_within(arguments: Mapping[str, Json], secret: Collection[str]) -> dict[str, Json]:
    return {**projection(arguments, secret), "password": f"my {REDACTED} word"}


def _stops_at_colon(arguments: Mapping[str, Json], secret: Collection[str]) -> dict[str, Json]:
    return {**projection(arguments, secret), "text": "Bearer abc1:defghijk2"}


def _clips(arguments: Mapping[str, Json], secret: Collection[str]) -> dict[str, Json]:
    return {**projection(arguments, secret), "a": "pl"}


def _masks_again(arguments: Mapping[str, Json], secret: Collection[str]) -> dict[str, Json]:
    return {**projection(arguments, secret), "url": f"{arguments['url']}{REDACTED}"}


def _takes_away(arguments: Mapping[str, Json], secret: Collection[str]) -> dict[str, Json]:
    left = projection(arguments, secret)
    assert isinstance(arguments, dict)
    arguments.clear()
    return left


WRONG: Mapping[str, Projection] = {
    "X-1: a declared secret key is excluded before anything is hashed": _keeps_declared,
    "X-1: nothing but the arguments is projected, and none of the others is left out": _says_more,
    "X-5: nested keys stay data, whatever their names": _drops_prototypes,
    "X-6: of a URL's userinfo nothing is left": _first_at_only,
    "X-7: of a value under a credential's name nothing is left but its scheme": _masks_within,
    "X-9: no recognised value leaves a suffix": _stops_at_colon,
    "X-9: what is not recognised keeps its full value": _clips,
    "X-9: in a projection there is nothing left to mask": _masks_again,
    "X-9: a projection never changes the arguments that are dispatched": _takes_away,
}


def _arguments() -> dict[str, Json]:
    return {
        "pin": "1234",
        "nested": {"__proto__": 1},
        "url": "of a shop",
        "password": "a b c",
        "text": "Bearer abc1:defghijk2",
        "a": "plain text",
    }


@pytest.mark.parametrize("sentence", WRONG)
def test_x1_a_wrong_projection_breaks_its_law(sentence: str) -> None:
    wrong = laws.projection_laws(WRONG[sentence])

    with pytest.raises(ViolationError, match=sentence):
        wrong(_arguments(), ["pin"])


def test_every_law_of_the_projection_was_tried_against_a_wrong_one() -> None:
    assert [law.sentence for law in laws_of(laws.projection)] == list(WRONG)
