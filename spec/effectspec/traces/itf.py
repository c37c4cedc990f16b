"""A trace as a file in the Informal Trace Format, which Apalache and Quint read and write.

A state is a world, part by part, with the action that led there and what the journal answered to
it. The file says, too, what it is a trace of: where the world or a rule has changed since, a replay
finds out.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from effectspec.decoding import Unreadable, decoded
from effectspec.json_value import Json
from effectspec.model.actions import Action
from effectspec.model.answers import Answer
from effectspec.model.configuration import Configuration
from effectspec.model.parts import Part, Whole
from effectspec.model.world import (
    LOCK,
    LOOKUPS,
    NOW,
    RUN,
    Entry,
    Fate,
    Lookups,
    NodeState,
    Process,
    Row,
    Run,
    Wire,
    World,
    entry_part,
    node_part,
    process_part,
    row_part,
    wire_part,
)
from effectspec.traces.expressions import Form, MapForm, Misread, TypeForm, Value, form, shown
from effectspec.traces.trace import BEGINNING, Trace, TraceStep

FORMAT: Final = "https://apalache-mc.org/docs/adr/015adr-trace.html"
"""Where the format is described."""

REMEDY: Final = "give a file that `effectspec check --trace FILE` wrote"


class NotATrace(ValueError):
    """A file that holds no trace of ours; the message names it, the place and the remedy."""


# ── the variables ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _One:
    """A variable that is one part of a world."""

    part: Part[Value]
    kind: TypeForm

    def encode(self, parts: Whole) -> Json:
        return form(self.kind).encode(parts.read(self.part))

    def decode(self, expression: Json, place: str) -> Iterator[tuple[Part[Value], Value]]:
        yield self.part, form(self.kind).decode(expression, place)


@dataclass(frozen=True, slots=True)
class _Many:
    """A variable that is all the parts of a kind, each under its key."""

    named: str
    part: Callable[[Value], Part[Value]]
    key: TypeForm
    kind: TypeForm

    @property
    def _form(self) -> MapForm:
        return MapForm(form(self.key), form(self.kind))

    def encode(self, parts: Whole) -> Json:
        values = parts.values.items()
        return self._form.encode({part.key: it for part, it in values if part.kind == self.named})

    def decode(self, expression: Json, place: str) -> Iterator[tuple[Part[Value], Value]]:
        for key, value in self._form.decode(expression, place).items():
            yield self.part(key), value


_WORLD: Final[Mapping[str, _One | _Many]] = MappingProxyType(
    {
        "run": _One(RUN, Run | None),
        "lock": _One(LOCK, str | None),
        "lookups": _One(LOOKUPS, Lookups),
        "now": _One(NOW, int),
        "processes": _Many("process", process_part, str, Process | None),
        "nodes": _Many("node", node_part, str, NodeState),
        "rows": _Many("row", row_part, int, Row | Fate),
        "ledger": _Many("entry", entry_part, int, Entry | None),
        "wires": _Many("wire", wire_part, int, Wire),
    }
)
"""The variables that make up a world."""

_LED: Final[Mapping[str, Form]] = MappingProxyType(
    {"action": form(Action | None), "answer": form(Answer | None)}
)
"""The variables that say what led to a state; nothing led to the first."""

VARIABLES: Final = (*_LED, *_WORLD)


# ── the file ─────────────────────────────────────────────────────────────────────────────────────


class _Subject(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a file is a trace of."""

    configuration: Json
    sentence: str
    clause: str
    fault: str | None = None


class _Meta(msgspec.Struct, frozen=True, kw_only=True, rename={"described": "format-description"}):
    """What a file says of itself; other tools may have said more."""

    effectspec: _Subject
    format: str = "ITF"
    described: str = FORMAT
    description: str = ""


class _File(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"meta": "#meta"}
):
    meta: _Meta
    vars: tuple[str, ...]
    states: tuple[dict[str, Json], ...]
    loop: int | None = None


_STATE: Final = b'{"#meta":{"index":'
"""How the text of a state begins, and no other."""

_files = msgspec.json.Decoder(_File)
_configurations = form(Configuration)


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def encode(trace: Trace) -> bytes:
    """The trace as a file in the Informal Trace Format."""
    led = (
        dict.fromkeys(_LED),
        *({name: getattr(each, name) for name in _LED} for each in trace.steps),
    )
    subject = _Subject(
        configuration=_configurations.encode(trace.configuration),
        sentence=trace.sentence,
        clause=trace.clause,
        fault=trace.fault,
    )
    file = _File(
        meta=_Meta(effectspec=subject, description=f"{trace.where} {trace.breaks}"),
        vars=VARIABLES,
        states=tuple(
            {
                "#meta": {"index": index},
                **{name: each.encode(led_by[name]) for name, each in _LED.items()},
                **world_state(world),
            }
            for index, (led_by, world) in enumerate(zip(led, trace.worlds, strict=True))
        ),
        loop=trace.loop,
    )
    # A state a line: what a tool reads, a person can still compare.
    return msgspec.json.encode(file).replace(_STATE, b"\n" + _STATE) + b"\n"


def world_state(world: World) -> dict[str, Json]:
    """The variables that make up a world."""
    assert isinstance(world.parts, Whole), "the worlds of a trace are all there"
    return {name: each.encode(world.parts) for name, each in _WORLD.items()}


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def decode(text: bytes, name: str) -> Trace:
    """The trace that a file holds; messages call it by ``name``. Raises :class:`NotATrace`."""
    try:
        return _trace(decoded(_files, text))
    except (Unreadable, Misread) as error:
        raise NotATrace(f"{name}: no trace of effectspec: {error}; {REMEDY}") from error


def _trace(file: _File) -> Trace:
    states = [_state(state, f"states[{at}]") for at, state in enumerate(file.states)]
    if states[:1] != [_State(None, None, BEGINNING)]:
        raise Misread("states[0]", "it is not the beginning, in which nothing has happened")
    if file.loop is not None and not 0 <= file.loop < len(states):
        raise Misread("loop", f"there is no state {file.loop}")
    subject = file.meta.effectspec
    return Trace(
        configuration=_configurations.decode(subject.configuration, "configuration"),
        fault=subject.fault,
        sentence=subject.sentence,
        clause=subject.clause,
        steps=tuple(_step(state, f"states[{at}]") for at, state in enumerate(states) if at),
        loop=file.loop,
    )


class _State(NamedTuple):
    action: Action | None
    answer: Answer | None
    world: World


def _state(state: Mapping[str, Json], place: str) -> _State:
    for name in VARIABLES:
        if name not in state:
            raise Misread(place, f"the variable `{name}` is missing")
    for name in state:
        if name not in VARIABLES and not name.startswith("#"):
            raise Misread(place, f"{shown(name)} is none of: {', '.join(VARIABLES)}")
    world = World()
    for name, each in _WORLD.items():
        for part, value in each.decode(state[name], f"{place}.{name}"):
            world = world.having(part, value)
    led = {name: each.decode(state[name], f"{place}.{name}") for name, each in _LED.items()}
    return _State(**led, world=world)


def _step(state: _State, place: str) -> TraceStep:
    action, answer, after = state
    if action is None or answer is None:
        raise Misread(place, "nothing led there: it has no action, or no answer")
    return TraceStep(action, answer, after)
