"""What docs/findings.md shows is what the explorer finds; run this file to find it anew.

Of several ways that are equally short, the explorer gives any one. So the traces of the page are
kept in files: each is a way of the model today, and none is shorter.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest

from effectspec.checker.exploration import Counterexample
from effectspec.checker.explorer import explore
from effectspec.faults import fault
from effectspec.model.configuration import (
    EXPIRING,
    INCARNATIONS,
    OPAQUE,
    QUERYABLE,
    TWO_OWNERS,
    UNRECONCILED,
    Configuration,
)
from effectspec.model.model import Model
from effectspec.model.properties import PROPERTIES, AnyProperty, Invariant
from effectspec.model.variant import under
from effectspec.model.world import World
from effectspec.traces.itf import decode, encode
from effectspec.traces.replay import follow
from effectspec.traces.text import text
from effectspec.traces.trace import Trace

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "findings.md"
BY_NAME: Final = {each.name: each for each in PROPERTIES}
OPAQUE_ONCE: Final = BY_NAME["an opaque effect happens at most once"]


def only_if(story: Callable[[World], bool]) -> Invariant:
    """That an opaque effect happens once, of worlds in which a story has happened."""
    assert isinstance(OPAQUE_ONCE, Invariant)
    says = OPAQUE_ONCE.says
    return Invariant("", "T-4", lambda world: says(world) is not False or not story(world))


def another_call_came_first(world: World) -> bool:
    """Whether the node's second start made another call before the one of its first."""
    calls = [(row.identity.tool_id, row.record.start) for row in world.rows]
    return calls == [("a", 1), ("b", 2), ("a", 2)]


def another_was_discarded(world: World) -> bool:
    return any(entry.discarded for entry in world.ledger)


@dataclass(frozen=True, slots=True)
class Danger:
    """A trace of the page: what is broken, under which fault, and with which story, if any."""

    name: str
    fault: str
    small: Configuration
    broken: AnyProperty
    story: Invariant | None = None

    @property
    def file(self) -> Path:
        return DOCS / "traces" / f"{self.name}.itf.json"

    @property
    def model(self) -> Model:
        return under(fault(self.fault), self.small)

    def shortest(self, model: Model) -> Counterexample | None:
        """The shortest way of a model to what is told here."""
        found = explore(model, [self.story or self.broken]).counterexamples
        return next(iter(found), None)


DANGERS: Final = {
    danger.name: danger
    for danger in (
        Danger(
            "no-receipt",
            "no-receipt-is-absence",
            QUERYABLE,
            BY_NAME["a queryable effect happens at most once"],
        ),
        Danger(
            "forgotten-key",
            "key-lives-for-ever",
            EXPIRING,
            BY_NAME["a keyed effect happens at most once"],
        ),
        Danger(
            "paused-sender",
            "key-judged-once",
            EXPIRING,
            BY_NAME["a keyed effect happens at most once"],
        ),
        Danger("b-then-a", "identity-alone", OPAQUE, OPAQUE_ONCE, only_if(another_call_came_first)),
        Danger("get-then-a", "same-slot-alone", OPAQUE, OPAQUE_ONCE),
        Danger(
            "sweep-then-discard",
            "attention-sweeps",
            INCARNATIONS,
            OPAQUE_ONCE,
            only_if(another_was_discarded),
        ),
        Danger(
            "gate-first",
            "gate-before-ownership",
            TWO_OWNERS,
            BY_NAME["nothing starts beside what blocks"],
        ),
        Danger(
            "no-reconciler",
            "tier-kept-without-reconciler",
            UNRECONCILED,
            BY_NAME["a keyed effect happens at most once"],
        ),
    )
}

each_danger = pytest.mark.parametrize("danger", DANGERS.values(), ids=DANGERS.keys())


def filled(page: str) -> str:
    """The page with the trace of each danger in its place."""
    for danger in DANGERS.values():
        lines = text(decode(danger.file.read_bytes(), str(danger.file)))
        page, places = re.subn(
            rf"(<!-- {danger.name} -->\n).*?(<!-- end of {danger.name} -->)",
            lambda place, lines=lines: f"{place[1]}```\n{lines}```\n{place[2]}",  # type: ignore[misc]  # mypy infers no type of a default
            page,
            flags=re.DOTALL,
        )
        assert places == 1, danger.name
    return page


def test_the_page_shows_the_traces_as_they_are() -> None:
    page = PAGE.read_text("utf-8")
    assert filled(page) == page


@each_danger
def test_a_trace_is_a_way_of_the_model_and_breaks_what_it_says(danger: Danger) -> None:
    trace = decode(danger.file.read_bytes(), str(danger.file))
    follow(trace)
    assert (trace.fault, trace.configuration) == (danger.fault, danger.small)
    assert (trace.sentence, trace.clause) == (danger.broken.name, danger.broken.clause)


@each_danger
def test_no_way_is_shorter_and_under_the_contract_there_is_none(danger: Danger) -> None:
    trace = decode(danger.file.read_bytes(), str(danger.file))
    shortest = danger.shortest(danger.model)
    assert shortest is not None
    assert len(trace.steps) == len(shortest.steps)
    assert danger.shortest(Model(danger.small)) is None


def main() -> None:
    for danger in DANGERS.values():
        found = danger.shortest(danger.model)
        assert found is not None, danger.name
        told = replace(found, broken=danger.broken)
        danger.file.write_bytes(encode(Trace.of(told, danger.model, danger.fault)))
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
