"""Whether the worlds that were explored come to all that there is.

An action that is enabled nowhere, a property that is about nothing and a cell that nobody looks up
say the same of a right rule and of a wrong one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, get_args

from effectspec.admission import Bearing
from effectspec.checker.coverage import Coverage
from effectspec.gate import GATE, Standing
from effectspec.lifecycle import LIFECYCLE, STORED, State
from effectspec.model.actions import Action, ReadGateUnowned
from effectspec.model.liveness import Sentence
from effectspec.settlement import Settlement
from effectspec.tiers import Tier

EXEMPT: Final[Mapping[object, str]] = MappingProxyType(
    {
        ReadGateUnowned: "only a process that reads the gate before it owns the run does it (F-1)",
        **{
            (Standing.ABSENT, tier): "a row that was discarded is of no re-runnable node any more"
            for tier in Tier
        },
    }
)
"""What no world comes to, and why."""


def unreached(coverage: Coverage, properties: Sequence[Sentence]) -> list[str]:
    """What nothing came to, and what was come to although it is exempt, each in a line."""
    reached = frozenset(_reached(coverage))
    return [
        *(f"not reached: {told(each)}" for each in _there_is(properties) - reached - EXEMPT.keys()),
        *(f"reached, though exempt: {told(each)}" for each in EXEMPT.keys() & reached),
    ]


def told(each: object) -> str:
    """One of the things that can be reached, in words."""
    match each:
        case str():
            return f"antecedent of: {each}"
        case type():
            return f"action {each.__name__}"
        case Bearing():
            return f"prepare answered by {each.name.lower()}"
        case Settlement():
            return f"settle answered by {each.name.lower()}"
        case (State() as was, State() as now):
            return f"a row from {was.value} to {now.value}"
        case (Standing() as standing, Tier() as tier):
            return f"gate: {standing.value}, tier {tier.value}"
        case _:
            return f"a case of {each!r}"


def _reached(coverage: Coverage) -> Iterator[object]:
    yield from coverage.actions
    yield from coverage.antecedents
    yield from coverage.cells
    yield from coverage.ways
    yield from coverage.answers


def _there_is(properties: Iterable[Sentence]) -> frozenset[object]:
    return frozenset(
        {
            *(kind for union in get_args(Action) for kind in get_args(union) or (union,)),
            *(each.name for each in properties),
            *GATE,
            *_ways(),
            *Bearing,
            *Settlement,
        }
    )


def _ways() -> Iterator[tuple[State, State]]:
    """From where to where one step can take a row: along one transition or several (S-1)."""
    ways = {(was, now) for (was, _), now in LIFECYCLE.items() if was is not None}
    while longer := {(a, d) for a, b in ways for c, d in ways if b is c} - ways:
        ways |= longer
    yield from ((was, now) for was, now in ways if {was, now} <= STORED)
