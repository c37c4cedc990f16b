"""What is wrong with a text that somebody else wrote, and where in it; nothing else escapes."""

import re

import jsonpointer
import msgspec
import pytest

from effectspec.bounds import SAFE_INTEGER, Count, FolderPath, Pointer, Text
from effectspec.decoding import ENVELOPE, NESTING, Unreadable, decoded

LEVELS = NESTING + ENVELOPE


class Part(msgspec.Struct, forbid_unknown_fields=True):
    """A little of everything."""

    value: object = None
    name: Text = "a"
    count: Count = 0
    folder: FolderPath = "a"
    pointer: Pointer = ""


PARTS = msgspec.json.Decoder(Part)


def nested(levels: int) -> bytes:
    return b'{"value":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "Input data was truncated"),
        (b"warning: x", "JSON is malformed: invalid character (byte 0)"),
        (b'{"name":"a\x00"}', "JSON is malformed: invalid character (byte 10)"),
        (b'{"name":"\xff"}', "not UTF-8 (byte 9)"),
        (b'{"name":"\xed\xa0\x80"}', "not UTF-8 (byte 9)"),
        ('{"name":"a"}'.encode("utf-16"), "not UTF-8 (byte 0)"),
        (
            rb'{"name":"\ud800"}',
            "JSON is malformed: unexpected end of escaped utf-16 surrogate pair (byte 15)",
        ),
        (rb'{"name":"\udc00"}', "JSON is malformed: invalid utf-16 surrogate pair (byte 15)"),
        (b'{"value":' + b"9" * 5000 + b"}", "Integer value out of range - at `$.value`"),
        (b'{"value":1e999}', "Number out of range - at `$.value`"),
        (b'{"value":NaN}', "JSON is malformed: invalid character (byte 9)"),
        (b'{"colour":1}', "Object contains unknown field `colour`"),
        (b'{"name":""}', "Expected `str` of length >= 1 - at `$.name`"),
        (b'{"count":-1}', "Expected `int` >= 0 - at `$.count`"),
        (b'{"count":9007199254740992}', f"Expected `int` <= {SAFE_INTEGER} - at `$.count`"),
        (rb'{"folder":"a\u0000b"}', "Expected a path without NUL - at `$.folder`"),
        (b'{"pointer":"effect"}', "Expected a JSON Pointer, such as /effect - at `$.pointer`"),
        (nested(LEVELS + 1), f"nested deeper than {LEVELS} levels (byte 280)"),
        (b"[" * 100_000, f"nested deeper than {LEVELS} levels (byte 272)"),
        (b'{"a":' * 100_000, f"nested deeper than {LEVELS} levels (byte 1360)"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=f"^{re.escape(why)}$"):
        decoded(PARTS, text)


@pytest.mark.parametrize(
    "text",
    [
        nested(LEVELS),
        b'{"value":[' + b"[],{}," * LEVELS + b"1]}",
        b'{"value":"' + rb"\"[{" * LEVELS + b'"}',
        rb'{"value":"\ud83d\ude00"}',
    ],
    ids=["as deep as may be", "wide", "brackets in a string", "a whole pair"],
)
def test_what_is_right_is_read(text: bytes) -> None:
    assert decoded(PARTS, text) == PARTS.decode(text)


@pytest.mark.parametrize("pointer", ["", "/", "/a", "/a/0/b", "/~0~1", "//", "/a\n", "/é", "/-"])
def test_a_json_pointer_of_rfc_6901_is_one(pointer: str) -> None:
    jsonpointer.JsonPointer(pointer)
    assert decoded(PARTS, msgspec.json.encode({"pointer": pointer})).pointer == pointer


@pytest.mark.parametrize("pointer", ["a", "a/b", " ", "\n", "#/a", "/~", "/~2", "/a~/b", "/~\n"])
def test_what_is_no_json_pointer_is_refused(pointer: str) -> None:
    with pytest.raises(jsonpointer.JsonPointerException):
        jsonpointer.JsonPointer(pointer)
    with pytest.raises(Unreadable, match=r"`\$\.pointer`"):
        decoded(PARTS, msgspec.json.encode({"pointer": pointer}))
