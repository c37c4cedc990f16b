"""Worlds in which nothing is counted: a run is taken over, and a node begun, as often as need be.

An exploration needs bounds on what only grows, and at a bound everything ends: nothing can be said
there of what must come at last. But the contract only ever asks whether two generations, or two
starts of a node, are the same. So their names do not matter, and where each world has them named
anew, oldest first, one that goes round comes back to a world that was there before.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from msgspec import structs

from effectspec.model.actions import Attach, GiveUp, Resolve
from effectspec.model.configuration import (
    INCARNATIONS,
    KEYED,
    OPAQUE,
    OVERSIZED,
    QUERYABLE,
    TWO_OWNERS,
    UNRECONCILED,
    Configuration,
)
from effectspec.model.parts import Whole
from effectspec.model.world import Entry, NodeState, Process, Row, Run, Wire, World

T = TypeVar("T")

UNCOUNTED: Final = 1 << 62
"""More generations and starts than any world has."""

MOST_EFFECTS: Final = 2
"""Effects of one row that are told apart: none, one, and more than the contract allows."""

MOST_EVIDENCE: Final = 1
"""Late evidence beside a row that is told apart."""


def endless(small: Configuration, *, rows: int, slots: int | None = None) -> Configuration:
    """The world without bounds on generations and starts; ``rows`` can be prepared in it.

    Nobody waits for ever, and there are operators.
    """
    return replace(
        small,
        name=f"endless-{small.name}",
        hazards=small.hazards | {GiveUp, Resolve, Attach},
        slots=small.slots if slots is None else slots,
        generations=UNCOUNTED,
        starts=UNCOUNTED,
        rows=rows,
    )


ENDLESS: Final = (
    endless(replace(OPAQUE, calls=OPAQUE.calls[:1]), slots=1, rows=2),
    endless(TWO_OWNERS, rows=1),
    endless(replace(KEYED, calls=KEYED.calls[:1]), slots=1, rows=1),
    endless(UNRECONCILED, rows=1),
    endless(replace(QUERYABLE, processes=("p1",), lapses=False), rows=1),
    endless(replace(INCARNATIONS, calls=INCARNATIONS.calls[:1]), slots=1, rows=2),
    endless(OVERSIZED, slots=1, rows=1),
)
"""The worlds in which is asked what must come at last."""


@dataclass(frozen=True, slots=True)
class _Names:
    """New names, in the order of the old ones. 0, which is nobody's, stays."""

    generations: Mapping[int, int]
    starts: Mapping[str, Mapping[int, int]]

    def generation(self, old: int | None) -> int | None:
        return None if old is None else self.generations[old]

    def start(self, node_id: str, old: int | None) -> int | None:
        return None if old is None else self.starts[node_id][old]


def renamed(world: World) -> World:
    """The same world under the names that everything in it is given anew."""
    assert isinstance(world.parts, Whole), "names are of a world that is all there"
    values = world.parts.values.values()
    names = _Names(
        _dense(each for value in values for each in _generations(value)),
        {
            node.node_id: _dense(
                number
                for value in values
                for node_id, number in _starts(value)
                if node_id == node.node_id
            )
            for node in values
            if isinstance(node, NodeState)
        },
    )
    parts = Whole()
    for part, value in world.parts.values.items():
        parts = parts.having(part, _renamed(value, names))
    return World(parts)


def _dense(names: Iterable[int]) -> Mapping[int, int]:
    return {old: new for new, old in enumerate(sorted({0, *names}))}


def _generations(value: object) -> Iterator[int]:
    match value:
        case Run(generation=generation):
            yield generation
        case Process(generation=generation, gated=gated):
            yield from _there(generation, gated)
        case Row(record=record):
            yield from _there(record.generation, record.retrying)
        case Wire(requests=requests):
            yield from (request.sender for request in requests)
        case _:
            return


def _starts(value: object) -> Iterator[tuple[str, int]]:
    match value:
        case NodeState(node_id=node_id, starts=starts):
            yield node_id, starts
        case Process(starts=within):
            yield from ((start.node_id, start.number) for start in within)
        case Row(record=record):
            yield from ((value.node_id, each) for each in _there(record.start, record.retried_in))
        case _:
            return


def _there(*names: int | None) -> Iterator[int]:
    return (name for name in names if name is not None)


def _renamed(value: object, names: _Names) -> object:
    match value:
        case Run():
            return replace(value, generation=names.generations[value.generation], incarnation=1)
        case NodeState():
            return replace(value, starts=names.starts[value.node_id][value.starts])
        case Process():
            return replace(
                value,
                generation=names.generations[value.generation],
                gated=names.generation(value.gated),
                starts=tuple(
                    replace(each, number=names.starts[each.node_id][each.number])
                    for each in value.starts
                ),
            )
        case Row(record=record):
            return replace(
                value,
                evidence=min(value.evidence, MOST_EVIDENCE),
                record=structs.replace(
                    record,
                    generation=names.generations[record.generation],
                    retrying=names.generation(record.retrying),
                    start=names.starts[value.node_id][record.start],
                    retried_in=names.start(value.node_id, record.retried_in),
                ),
            )
        case Wire():
            return replace(
                value,
                requests=frozenset(
                    replace(each, sender=names.generations[each.sender]) for each in value.requests
                ),
            )
        case Entry():
            return replace(value, effects=min(value.effects, MOST_EFFECTS))
        case _:
            return value
