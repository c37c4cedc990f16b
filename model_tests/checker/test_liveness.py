"""What must come at last: that it does, and that a rule which keeps it from coming is found."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from effectspec import wrong_rules
from effectspec.checker.exploration import Counterexample, Limit, Limits
from effectspec.checker.graph import graph
from effectspec.checker.liveness import explore_endless
from effectspec.clauses import Evidence, clause
from effectspec.contract import CONTRACT, Contract
from effectspec.gate import GateVerdict, Standing
from effectspec.model.configuration import EXPIRING, UNRECONCILED, Configuration
from effectspec.model.endless import ENDLESS, endless, renamed
from effectspec.model.fairness import due, may_go_on
from effectspec.model.liveness import LIVENESS
from effectspec.model.model import Model
from effectspec.model.world import World
from effectspec.retention import RunPhase
from effectspec.tiers import Tier

BY_NAME = {small.name: small for small in ENDLESS}
OPAQUE = BY_NAME["endless-opaque"]
KEYED = BY_NAME["endless-keyed"]


def nobody_takes_over(contract: Contract) -> Contract:
    return replace(contract, may_take_over=lambda _: False)


def what_is_recorded_blocks(contract: Contract) -> Contract:
    def gate(record: Standing, tier: Tier) -> GateVerdict:
        recorded = record is Standing.COMMITTED_RETAINED
        return GateVerdict.ATTENTION if recorded else contract.gate(record, tier)

    return replace(contract, gate=gate)


def what_is_refused_stays_refused(contract: Contract) -> Contract:
    return replace(contract, may_resume=lambda phase: phase is RunPhase.OPEN)


def nothing_is_resolved(contract: Contract) -> Contract:
    return replace(contract, may_resolve=lambda *_, **__: False)


SURFACES = "what a crash leaves open is settled or surfaced"
ENDS = "a run comes to a terminal"
GOES_ON = "what operators have decided is refused no more"
OPENS = "an operator can re-open what was refused"


@cache
def broken(small: Configuration, rule: Callable[[Contract], Contract]) -> dict[str, Counterexample]:
    """What is broken in a world under a rule."""
    found = explore_endless(Model(small, rule(CONTRACT)), LIVENESS)
    return {each.broken.name: each for each in found.counterexamples}


@pytest.mark.parametrize("small", ENDLESS, ids=lambda small: str(small.name))
def test_what_must_come_comes_under_the_contract(small: Configuration) -> None:
    found = explore_endless(Model(small), LIVENESS)
    assert found.counterexamples == ()
    assert found.coverage.antecedents == {each.name for each in LIVENESS}


@pytest.mark.parametrize(
    ("small", "rule", "names"),
    [
        (KEYED, wrong_rules.completes_beside_unresolved, {SURFACES, ENDS}),
        (OPAQUE, nobody_takes_over, {SURFACES, ENDS, OPENS}),
        (OPAQUE, what_is_recorded_blocks, {GOES_ON, OPENS}),
        (OPAQUE, what_is_refused_stays_refused, {GOES_ON, OPENS}),
        (OPAQUE, nothing_is_resolved, {OPENS}),
    ],
)
def test_a_rule_that_keeps_it_from_coming_is_found(
    small: Configuration, rule: Callable[[Contract], Contract], names: set[str]
) -> None:
    assert broken(small, rule).keys() == names


@pytest.mark.parametrize(
    ("small", "rule"),
    [
        (KEYED, wrong_rules.completes_beside_unresolved),
        (OPAQUE, nobody_takes_over),
        (OPAQUE, what_is_recorded_blocks),
    ],
)
def test_a_lasso_is_a_way_of_the_model_and_its_loop_comes_round_and_is_fair(
    small: Configuration, rule: Callable[[Contract], Contract]
) -> None:
    model = Model(small, rule(CONTRACT))
    lassos = [each for each in broken(small, rule).values() if each.loop is not None]
    assert lassos
    for lasso in lassos:
        worlds = [renamed(World())]
        for step in lasso.steps:
            assert step.action in model.actions(worlds[-1])
            assert renamed(model.step(worlds[-1], step.action)[0]) == step.after
            worlds.append(step.after)
        assert lasso.loop is not None
        assert worlds[lasso.loop] == worlds[-1]
        loop = list(zip(worlds[lasso.loop :], lasso.actions[lasso.loop :], strict=False))
        assert all(may_go_on(world, action) for world, action in loop)
        served = {due(world, action) for world, action in loop}
        waiting = [{due(world, each) for each in model.actions(world)} for world in worlds[-1:]]
        waiting += [{due(world, each) for each in model.actions(world)} for world, _ in loop]
        always = set.intersection(*waiting) - {None}
        assert always <= served


def test_every_liveness_property_names_a_clause_that_the_model_has_to_show() -> None:
    assert all(Evidence.MODEL in clause(each.clause).shown_by for each in LIVENESS)


@pytest.mark.parametrize("small", [UNRECONCILED, EXPIRING], ids=lambda small: str(small.name))
def test_names_of_generations_and_starts_do_not_matter(small: Configuration) -> None:
    """What can come of a world is, but for names, what can come of it under other names."""
    model = Model(endless(small, rows=Model(small).most_rows))

    def successors(world: World) -> set[World]:
        return {renamed(model.step(world, action)[0]) for action in model.actions(world)}

    for world in graph(Model(small)).worlds:
        assert renamed(renamed(world)) == renamed(world)
        assert successors(renamed(world)) == successors(world)


@pytest.mark.parametrize(
    ("limits", "limit"),
    [(Limits(states=100), Limit.STATES), (Limits(seconds=0), Limit.SECONDS)],
)
def test_a_search_that_is_cut_off_says_nothing(limits: Limits, limit: Limit) -> None:
    found = explore_endless(Model(OPAQUE, nothing_is_resolved(CONTRACT)), LIVENESS, limits=limits)
    assert (found.stopped, found.counterexamples) == (limit, ())
