"""What a row keeps of the arguments (§11), against RFC 8785's own vectors and by Hypothesis."""

import hashlib
import json
import struct
from collections.abc import Callable, Mapping

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from icontract import ViolationError

from effectspec import digest as core
from effectspec.digest import NotCanonicalJson, canonical, comparable, digest
from effectspec.json_value import Json
from effectspec.laws import digest as laws
from effectspec.laws.law import laws_of

steadily = settings(deadline=None, derandomize=True, max_examples=100)
"""The same examples in every run, and no test that fails on a slow machine."""

EXACT = 2**53 - 1
"""The largest integer that RFC 8785 lets a JSON number be."""

texts = st.text(st.characters(exclude_categories=["Cs"]))
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-EXACT, EXACT)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=8
)
arguments = st.dictionaries(texts, json_values, max_size=4)


# ── canonical JSON, against the RFC ──────────────────────────────────────────────────────────────

RFC_8785_SECTION_3_2_2 = r"""
{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}
"""

RFC_8785_SECTION_3_2_4 = """
7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72
75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a
5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31
65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37
5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30
30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d
"""

RFC_8785_SECTION_3_2_3 = r"""
{
  "\u20ac": "Euro Sign",
  "\r": "Carriage Return",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "1": "One",
  "\ud83d\ude00": "Emoji: Grinning Face",
  "\u0080": "Control",
  "\u00f6": "Latin Small Letter O With Diaeresis"
}
"""

RFC_8785_SORTED = [
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
]

RFC_8785_APPENDIX_B = {
    # the bits of an IEEE 754 double: its canonical form
    "0000000000000000": "0",
    "8000000000000000": "0",
    "0000000000000001": "5e-324",
    "8000000000000001": "-5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308",
    "ffefffffffffffff": "-1.7976931348623157e+308",
    "4340000000000000": "9007199254740992",
    "c340000000000000": "-9007199254740992",
    "4430000000000000": "295147905179352830000",
    "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23",
    "44b52d02c7e14af7": "1.0000000000000001e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000",
    "444b1ae4d6e2ef4f": "999999999999999900000",
    "444b1ae4d6e2ef50": "1e+21",
    "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332",
    "41b3de4355555554": "333333333.33333325",
    "41b3de4355555555": "333333333.3333333",
    "41b3de4355555556": "333333333.3333334",
    "41b3de4355555557": "333333333.33333343",
    "becbf647612f3696": "-0.0000033333333333333333",
    "43143ff3c1cb0959": "1424953923781206.2",
}


def test_x2_the_rfcs_example_gives_the_rfcs_bytes() -> None:
    assert canonical(json.loads(RFC_8785_SECTION_3_2_2)) == bytes.fromhex(RFC_8785_SECTION_3_2_4)


def test_x2_keys_are_sorted_as_the_rfc_sorts_them() -> None:
    ordered = json.loads(canonical(json.loads(RFC_8785_SECTION_3_2_3)))

    assert list(ordered.values()) == RFC_8785_SORTED


@pytest.mark.parametrize(("bits", "form"), RFC_8785_APPENDIX_B.items())
def test_x2_a_number_has_the_form_that_the_rfc_gives_it(bits: str, form: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))

    assert canonical(number) == form.encode()


@pytest.mark.parametrize("bits", ["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"])
def test_x2_a_number_that_the_rfc_refuses_is_refused(bits: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))

    with pytest.raises(NotCanonicalJson):
        canonical({"amount": number})


def _nested(depth: int) -> Json:
    value: Json = None
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        2**53,
        -(2**53),
        "a lone \ud800 surrogate",
        {"\udfff": "in a key"},
        b"bytes",
        {1, 2},
        object(),
        {1: "a key that is no text"},
        _nested(100_000),
    ],
    ids=["2^53", "-2^53", "surrogate", "surrogate key", "bytes", "set", "object", "key", "depth"],
)
def test_o1_what_canonical_json_cannot_hold_is_refused_before_anything_is_journaled(
    value: Json,
) -> None:
    with pytest.raises(NotCanonicalJson, match="arguments that canonical JSON cannot hold"):
        digest({"argument": value})


@settings(steadily, max_examples=1000)
@given(json_values | st.dictionaries(st.integers() | texts, json_values))
def test_x2_the_fast_serialiser_writes_the_bytes_of_the_vetted_one(value: Json) -> None:
    """Reading 14: or it is not asked, and what the vetted one refuses is refused."""
    try:
        vetted = rfc8785.dumps(value)
    except rfc8785.CanonicalizationError:
        with pytest.raises(NotCanonicalJson):
            canonical(value)
    else:
        assert canonical(value) == vetted


PLAIN: Json = {"b": [1, -(2**49), True, None, "é", "1.5"], "a": {"": {}, "漢": []}}
"""No fraction, no long integer, nothing beyond the basic plane."""


def _unasked(_: Json) -> bytes:
    raise AssertionError("asked")


def test_x2_where_both_write_the_same_bytes_the_vetted_one_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Which is what makes the digest of every dispatch affordable."""
    monkeypatch.setattr(rfc8785, "dumps", _unasked)

    assert (
        canonical(PLAIN)
        == '{"a":{"":{},"漢":[]},"b":[1,-562949953421312,true,null,"é","1.5"]}'.encode()
    )


@pytest.mark.parametrize(
    "value", [1.5, 2**53 - 1, "\U0001f600", "\U00040000", "\U00080000", "\U000f0000", "\U0010ffff"]
)
def test_x2_where_they_may_not_the_vetted_one_is_asked(
    value: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rfc8785, "dumps", _unasked)

    with pytest.raises(AssertionError, match="asked"):
        canonical({"a": value})


def test_x1_arguments_without_a_sign_of_a_secret_are_not_walked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walked = digest({"b": 1, "a": PLAIN})
    monkeypatch.setattr(core, "projection", _unasked)

    assert digest({"b": 1, "a": PLAIN}) == walked
    with pytest.raises(TypeError):
        digest({"b": 1, "token": PLAIN})


@pytest.mark.parametrize(
    "character", [*map(chr, range(0x20)), '"', "\\", "/", "\x7f", "\x80", "\u2028", "\uffff", "😀"]
)
def test_x2_each_character_is_escaped_as_the_vetted_one_does(character: str) -> None:
    assert canonical({character: [character]}) == rfc8785.dumps({character: [character]})


@steadily
@given(json_values)
def test_x2_the_laws_of_canonical_json_hold_of_every_value(value: Json) -> None:
    assert laws.canonical(value) == canonical(value)


# ── the digest ───────────────────────────────────────────────────────────────────────────────────

SHA_256_OF_AN_EMPTY_OBJECT = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_x2_the_persisted_form_is_v5_and_a_published_hash() -> None:
    assert digest({}) == f"v5:{SHA_256_OF_AN_EMPTY_OBJECT}"


def test_x2_the_hash_is_taken_of_the_arguments_alone() -> None:
    written_by_hand = b'{"body":{"amount":4.5,"to":"\xe2\x82\xac"},"path":"/orders"}'

    assert digest({"path": "/orders", "body": {"to": "€", "amount": 4.50}}) == (
        f"v5:{hashlib.sha256(written_by_hand).hexdigest()}"
    )


@steadily
@given(arguments, st.data())
def test_x1_the_laws_of_the_digest_hold_of_all_arguments(
    given_arguments: dict[str, Json], data: st.DataObject
) -> None:
    known = sorted(given_arguments)
    secret = data.draw(st.sets(st.sampled_from(known) if known else texts))

    assert laws.digest(given_arguments, secret) == digest(given_arguments, secret)


@steadily
@given(arguments, json_values, json_values)
def test_l3_a_change_of_credentials_alone_changes_no_digest(
    public: dict[str, Json], old: Json, new: Json
) -> None:
    assert digest({**public, "pin": old}, ["pin"]) == digest({**public, "pin": new}, ["pin"])
    assert digest({**public, "token": old}) == digest({**public, "token": new})


def test_x1_a_secret_is_excluded_and_not_masked() -> None:
    assert digest({"path": "/", "pin": "1234"}, ["pin"]) == digest({"path": "/"})


@steadily
@given(st.integers(512, 5000), texts, texts)
def test_x4_two_values_that_share_a_long_prefix_differ(length: int, one: str, other: str) -> None:
    prefix = "x" * length

    same = digest({"text": prefix + one}) == digest({"text": prefix + other})

    assert same == (one == other)


@steadily
@given(json_values, json_values)
def test_x5_a_nested_own_key_is_data_whatever_its_name(one: Json, other: Json) -> None:
    same = digest({"a": {"__proto__": one}}) == digest({"a": {"__proto__": other}})

    assert same == (canonical(one) == canonical(other))
    assert digest({"a": {"__proto__": one}}) != digest({"a": {}})


# ── old digests ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("version", ["", "v2:", "v3:", "v4:", "v1:", "V5:", "v50:", " v5:"])
def test_x3_a_digest_of_any_other_version_refuses_a_matching_prepare(version: str) -> None:
    assert not comparable(version + SHA_256_OF_AN_EMPTY_OBJECT)


def test_x2_a_digest_of_today_can_be_compared() -> None:
    assert comparable(digest({"path": "/orders"}))


# ── the laws bite ────────────────────────────────────────────────────────────────────────────────

WRONG_CANONICAL: Mapping[str, Callable[[Json], bytes]] = {
    "X-4: the canonical form holds the whole value": lambda _: b"{}",
    "X-2: the keys of every object are sorted, by their UTF-16 code units": lambda value: (
        json.dumps(value, separators=(",", ":")).encode()
    ),
    "X-2: there is no insignificant white space": lambda value: json.dumps(
        value, sort_keys=True
    ).encode(),
}


@pytest.mark.parametrize("sentence", WRONG_CANONICAL)
def test_x2_a_wrong_canonical_form_breaks_its_law(sentence: str) -> None:
    wrong = laws.canonical_laws(WRONG_CANONICAL[sentence])

    with pytest.raises(ViolationError, match=sentence):
        wrong({"b": [1, 2], "a": " "})


def test_x2_sorting_by_code_points_breaks_the_law_of_sorting() -> None:
    wrong = laws.canonical_laws(
        lambda value: json.dumps(
            value, sort_keys=True, separators=(",", ":"), ensure_ascii=False
        ).encode()
    )

    with pytest.raises(ViolationError, match="X-2: the keys of every object are sorted"):
        wrong({"\ufb33": 1, "\U0001f600": 2})


def test_every_law_of_the_canonical_form_was_tried_against_a_wrong_one() -> None:
    assert [law.sentence for law in laws_of(laws.canonical)] == list(WRONG_CANONICAL)
