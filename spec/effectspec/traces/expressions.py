"""Python values as expressions of the Informal Trace Format, and back, by their types alone.

A class is a record of its fields; what may be of several types is a variant, whose tag names the
class that it is of; a member of an enum is its value.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Protocol, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from effectspec.json_value import Json

DIGITS: Final = 19
"""Of a whole number: as many as the greatest bound of a world has."""

SHOWN: Final = 60
"""Characters of an expression that a message repeats: enough to find it by."""

TypeForm: TypeAlias = Any
"""A class, a union, or what a generic class is of: in this Python they have no type in common."""

Value: TypeAlias = Any
"""A value of the type that a form is made for."""

_WHOLE_NUMBER: Final = re.compile(rf"-?[0-9]{{1,{DIGITS}}}", re.ASCII)


class Misread(ValueError):
    """An expression that is none of its type; the message names the place and what is wrong."""

    def __init__(self, place: str, wrong: str) -> None:
        super().__init__(f"{place}: {wrong}")


class Form(Protocol):
    """How the values of one type are written."""

    def encode(self, value: Value) -> Json:
        """The expression for a value."""

    def decode(self, expression: Json, place: str) -> Value:
        """The value that an expression stands for. Raises :class:`Misread`, with its ``place``."""


@cache
def form(kind: TypeForm) -> Form:
    """How the values of a type are written."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    origin: TypeForm = get_origin(kind)
    within: tuple[TypeForm, ...] = get_args(kind)
    if origin in {Union, UnionType}:
        return _Variant(_tags(within))
    if origin is tuple:
        return _List(form(within[0]))
    if origin is frozenset:
        return _Set(form(within[0]))
    if origin is type:
        return _Class({each.__name__: each for each in get_args(within[0])})
    return _Member(kind) if issubclass(kind, Enum) else _Record(kind)


def shown(expression: Json) -> str:
    """An expression as a message repeats it."""
    text = msgspec.json.encode(expression).decode()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


# ── what stands for itself ───────────────────────────────────────────────────────────────────────


class _Text:
    def encode(self, value: Value) -> Json:
        return str(value)

    def decode(self, expression: Json, place: str) -> str:
        if not isinstance(expression, str):
            raise Misread(place, f"{shown(expression)} is no text")
        return expression


class _Flag:
    def encode(self, value: Value) -> Json:
        return bool(value)

    def decode(self, expression: Json, place: str) -> bool:
        if not isinstance(expression, bool):
            raise Misread(place, f"{shown(expression)} is not true or false")
        return expression


class _Number:
    def encode(self, value: Value) -> Json:
        return {"#bigint": str(int(value))}

    def decode(self, expression: Json, place: str) -> int:
        match expression:
            case int() if not isinstance(expression, bool):
                return expression
            case {"#bigint": str(digits)} if _WHOLE_NUMBER.fullmatch(digits):
                return int(digits)
            case _:
                wrong = f"{shown(expression)} is no whole number of at most {DIGITS} digits"
                raise Misread(place, wrong)


class _Nothing:
    """What a variant holds that says all by its tag."""

    def encode(self, value: Value) -> Json:
        assert value is None
        return {"#tup": []}

    def decode(self, expression: Json, place: str) -> None:
        if expression != self.encode(None):
            raise Misread(place, f"{shown(expression)} is not {shown(self.encode(None))}")


_PLAIN: Final[Mapping[TypeForm, Form]] = {
    str: _Text(),
    bool: _Flag(),
    int: _Number(),
    NoneType: _Nothing(),
}


# ── what is one of several ───────────────────────────────────────────────────────────────────────


def _one_of(known: Mapping[str, Value], name: Json, place: str) -> Value:
    if not isinstance(name, str) or name not in known:
        raise Misread(place, f"{shown(name)} is none of: {', '.join(known)}")
    return known[name]


@dataclass(frozen=True, slots=True)
class _Member:
    enum: type[Enum]

    def encode(self, value: Value) -> Json:
        return _PLAIN[type(value.value)].encode(value.value)

    def decode(self, expression: Json, place: str) -> Value:
        by_value = {shown(self.encode(each)): each for each in self.enum}
        found = by_value.get(shown(expression))
        if found is None:
            raise Misread(place, f"{shown(expression)} is none of: {', '.join(by_value)}")
        return found


@dataclass(frozen=True, slots=True)
class _Class:
    """A class itself, which is written by its name."""

    known: Mapping[str, type]

    def encode(self, value: Value) -> Json:
        return str(value.__name__)

    def decode(self, expression: Json, place: str) -> Value:
        return _one_of(self.known, expression, place)


@dataclass(frozen=True, slots=True)
class _Variant:
    known: Mapping[str, type]

    def encode(self, value: Value) -> Json:
        tag = next(tag for tag, kind in self.known.items() if type(value) is kind)
        return {"tag": tag, "value": form(self.known[tag]).encode(value)}

    def decode(self, expression: Json, place: str) -> Value:
        match expression:
            case {"tag": tag, "value": value, **others} if not others:
                return form(_one_of(self.known, tag, place)).decode(value, place)
            case _:
                raise Misread(place, f'{shown(expression)} is not {{"tag": …, "value": …}}')


def _tags(kinds: tuple[type, ...]) -> Mapping[str, type]:
    """Each of several types under its name; what may be missing is an option, as in Quint."""
    present = [kind for kind in kinds if kind is not NoneType]
    if len(present) == len(kinds):
        return {kind.__name__: kind for kind in kinds}
    if len(present) == 1:
        return {"None": NoneType, "Some": present[0]}
    return {"None": NoneType, **{kind.__name__: kind for kind in present}}


# ── what is made up of others ────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _List:
    each: Form

    def encode(self, value: Value) -> Json:
        return [self.each.encode(item) for item in value]

    def decode(self, expression: Json, place: str) -> tuple[Value, ...]:
        if not isinstance(expression, list):
            raise Misread(place, f"{shown(expression)} is no list")
        return tuple(self.each.decode(item, f"{place}[{at}]") for at, item in enumerate(expression))


@dataclass(frozen=True, slots=True)
class _Set:
    each: Form

    def encode(self, value: Value) -> Json:
        return {"#set": sorted(map(self.each.encode, value), key=msgspec.json.encode)}

    def decode(self, expression: Json, place: str) -> frozenset[Value]:
        match expression:
            case {"#set": within, **others} if not others:
                return frozenset(_List(self.each).decode(within, place))
            case _:
                raise Misread(place, f'{shown(expression)} is not {{"#set": [ … ]}}')


@dataclass(frozen=True, slots=True)
class MapForm:
    """How a map from one type to another is written."""

    key: Form
    value: Form

    def encode(self, value: Value) -> Json:
        """The expression for a map, in the order of its keys."""
        pairs = sorted(value.items(), key=lambda pair: pair[0])
        return {"#map": [[self.key.encode(key), self.value.encode(each)] for key, each in pairs]}

    def decode(self, expression: Json, place: str) -> dict[Value, Value]:
        """The map that an expression stands for. Raises :class:`Misread`."""
        match expression:
            case {"#map": list(pairs), **others} if not others:
                return self._map(pairs, place)
            case _:
                raise Misread(place, f'{shown(expression)} is not {{"#map": [ … ]}}')

    def _map(self, pairs: list[Json], place: str) -> dict[Value, Value]:
        found: dict[Value, Value] = {}
        for pair in pairs:
            match pair:
                case [key, value]:
                    name = self.key.decode(key, f"a key of {place}")
                case _:
                    raise Misread(place, f"{shown(pair)} is not [key, value]")
            if name in found:
                raise Misread(place, f"the key {shown(key)} is there twice")
            found[name] = self.value.decode(value, f"{place}[{name}]")
        return found


@dataclass(frozen=True, slots=True)
class _Record:
    """A dataclass or a struct."""

    kind: TypeForm

    @property
    def fields(self) -> Mapping[str, Form]:
        return _fields(self.kind)

    def encode(self, value: Value) -> Json:
        return {name: each.encode(getattr(value, name)) for name, each in self.fields.items()}

    def decode(self, expression: Json, place: str) -> Value:
        if not isinstance(expression, dict):
            raise Misread(place, f"{shown(expression)} is no record")
        for name in expression:
            _one_of(self.fields, name, place)
        for name in self.fields:
            if name not in expression:
                raise Misread(place, f"the field `{name}` is missing")
        return self.kind(
            **{
                name: each.decode(expression[name], f"{place}.{name}")
                for name, each in self.fields.items()
            }
        )


@cache
def _fields(kind: TypeForm) -> Mapping[str, Form]:
    hints = get_type_hints(kind)
    is_struct = issubclass(kind, msgspec.Struct)
    names = kind.__struct_fields__ if is_struct else [each.name for each in fields(kind)]
    return {name: form(hints[name]) for name in names}
