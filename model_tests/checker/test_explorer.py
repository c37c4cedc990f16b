"""The explorer beside a plain walk through the same model, and what it says of its own limits."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from effectspec.checker.completeness import EXEMPT, told, unreached
from effectspec.checker.coverage import Coverage
from effectspec.checker.exploration import Limit, Limits, Progress
from effectspec.checker.explorer import explore
from effectspec.checker.graph import graph
from effectspec.model.actions import Action, Close, EndRun, ReadGateUnowned
from effectspec.model.configuration import (
    EXPIRING,
    INCARNATIONS,
    QUERYABLE,
    SMALL,
    TWO_OWNERS,
    UNRECONCILED,
    Configuration,
)
from effectspec.model.model import Model
from effectspec.model.properties import ENDINGS, SAFETY, AnyProperty
from effectspec.model.world import World
from effectspec.verdict import Verdict


@pytest.mark.parametrize(
    "small",
    [UNRECONCILED, EXPIRING, QUERYABLE, INCARNATIONS, TWO_OWNERS],
    ids=lambda small: str(small.name),
)
def test_a_plain_walk_finds_the_same_worlds_steps_and_depth(small: Configuration) -> None:
    plain = graph(Model(small))
    found = explore(Model(small), ())
    assert (found.states, found.steps, found.depth) == (
        len(plain.worlds),
        sum(map(len, plain.edges)),
        plain.depth,
    )


# ── what ends ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Mute(Model):
    """A model whose processes never end a run."""

    def actions_of(self, world: World) -> Iterator[Action]:
        for source in Model.sources(self):
            yield from (each for each in source(world) if not isinstance(each, EndRun))

    def sources(self):  # type: ignore[no-untyped-def]  # noqa: ANN201  (a model's, less one act)
        return (self.actions_of,)


def test_a_process_that_can_do_nothing_although_its_run_has_no_terminal_is_stuck() -> None:
    found = explore(Mute(UNRECONCILED), ENDINGS)
    assert [each.broken.name for each in found.counterexamples] == ["nobody is stuck"]
    assert explore(Model(UNRECONCILED), ENDINGS).counterexamples == ()


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        (Limits(states=1000), Limit.STATES),
        (Limits(bytes=1 << 17), Limit.BYTES),
        (Limits(seconds=0), Limit.SECONDS),
    ],
)
def test_a_limit_ends_the_search_and_what_was_not_found_is_unknown(
    limits: Limits, limit: Limit
) -> None:
    found = explore(Model(INCARNATIONS), SAFETY, limits=limits)
    assert (found.stopped, found.verdict) == (limit, Verdict.UNKNOWN)
    assert found.states < explore(Model(INCARNATIONS), ()).states


def test_progress_tells_of_every_layer() -> None:
    told_: list[Progress] = []
    found = explore(Model(EXPIRING), (), progress=told_.append)
    assert [each.depth for each in told_] == list(range(found.depth + 1))
    assert sum(each.frontier for each in told_) == found.states


# ── completeness ─────────────────────────────────────────────────────────────────────────────────


def reached_by(*worlds: Configuration, asked: tuple[AnyProperty, ...] = SAFETY) -> Coverage:
    coverage = Coverage()
    for small in worlds:
        coverage.add(explore(Model(small), asked).coverage)
    return coverage


def test_the_small_worlds_come_to_all_that_there_is() -> None:
    assert unreached(reached_by(*SMALL), SAFETY) == []


def test_what_only_one_world_comes_to_is_missed_without_it() -> None:
    missed = unreached(reached_by(*(each for each in SMALL if each is not INCARNATIONS)), SAFETY)
    assert "not reached: action Close" in missed
    missed = unreached(reached_by(UNRECONCILED), SAFETY)
    assert "not reached: gate: prepared / dispatched / ambiguous, tier 2" in missed
    assert "not reached: antecedent of: a queryable effect happens at most once" in missed
    assert "not reached: prepare answered by undelivered" in missed
    assert "not reached: settle answered by fill" in missed


def test_a_property_that_was_asked_of_nothing_is_missed() -> None:
    (line,) = unreached(reached_by(*SMALL, asked=SAFETY[1:]), SAFETY)
    assert line == f"not reached: antecedent of: {SAFETY[0].name}"


def test_an_exemption_that_is_stale_is_told() -> None:
    coverage = reached_by(*SMALL)
    coverage.actions.add(ReadGateUnowned)
    assert unreached(coverage, SAFETY) == ["reached, though exempt: action ReadGateUnowned"]


def test_everything_that_can_be_missed_has_words() -> None:
    assert [told(each) for each in (Close, *EXEMPT)] == [
        "action Close",
        "action ReadGateUnowned",
        "gate: discarded by an operator, tier 1",
        "gate: discarded by an operator, tier 2",
        "gate: discarded by an operator, tier 3",
    ]
