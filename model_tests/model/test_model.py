"""The model under wrong rules: the shortest way to what each of them breaks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import pytest

from effectspec import wrong_rules
from effectspec.admission import Admission, Bearing
from effectspec.checker.exploration import Counterexample
from effectspec.checker.explorer import explore
from effectspec.clauses import Evidence, clause
from effectspec.contract import CONTRACT, Contract
from effectspec.faults import RuleChange
from effectspec.gate import GateVerdict, Standing
from effectspec.model import configuration
from effectspec.model.actions import (
    Arrival,
    Arrive,
    BeginNode,
    Crash,
    Prepare,
    ReadGate,
    ReadGateUnowned,
    Resolve,
    Send,
    Settle,
    TakeOver,
)
from effectspec.model.answers import Prepared
from effectspec.model.configuration import Configuration
from effectspec.model.model import Model
from effectspec.model.properties import PROPERTIES, AnyProperty, Invariant
from effectspec.model.world import Call, Result, Stage, World
from effectspec.model.wrong_conduct import GateFirst
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

BY_NAME = {each.name: each for each in PROPERTIES}

OPAQUE_ONCE = cast("Invariant", BY_NAME["an opaque effect happens at most once"])
QUERYABLE_ONCE = BY_NAME["a queryable effect happens at most once"]
KEYED_ONCE = BY_NAME["a keyed effect happens at most once"]

OPAQUE_ONCE_AFTER_A_DISCARD = Invariant(
    "an opaque effect happens at most once, whatever else was discarded",
    "T-4",
    lambda world: (
        OPAQUE_ONCE.says(world) is not False or not any(entry.discarded for entry in world.ledger)
    ),
)


def shortest(model: Model, *properties: AnyProperty) -> Counterexample | None:
    """The shortest way to the first of the properties that breaks."""
    found = explore(model, properties or PROPERTIES)
    assert found.stopped is None, "a search that is cut off shows nothing"
    return next(iter(found.counterexamples), None)


FIRST_EFFECT = 6
"""Take over, read the gate, begin the node, prepare, send, arrive."""

CRASH = SETTLE = SETTLE_FAILS = END = SWEEP = RESOLVE = BEGIN_INCARNATION = ADVANCE = FORGET = 1
ANOTHER_EFFECT = 3
"""Prepare, send, arrive."""


@dataclass(frozen=True)
class Danger:
    """A wrong rule, the world that shows it, the property that it breaks, the shortest way."""

    rule: RuleChange
    small: Configuration
    broken: AnyProperty
    steps: int


DANGERS = (
    Danger(
        wrong_rules.opaque_effect_retried,
        configuration.OPAQUE,
        OPAQUE_ONCE,
        FIRST_EFFECT + CRASH + FIRST_EFFECT,
    ),
    Danger(
        wrong_rules.no_receipt_is_absence,
        configuration.QUERYABLE,
        QUERYABLE_ONCE,
        # Its owner need not die: it is declared dead.
        FIRST_EFFECT + FIRST_EFFECT,
    ),
    Danger(
        wrong_rules.queryable_effect_retried,
        configuration.QUERYABLE,
        QUERYABLE_ONCE,
        # Its owner need not die: it is declared dead.
        FIRST_EFFECT + FIRST_EFFECT,
    ),
    Danger(
        wrong_rules.identity_alone,
        configuration.OPAQUE,
        OPAQUE_ONCE,
        FIRST_EFFECT + SETTLE + CRASH + FIRST_EFFECT,
    ),
    Danger(
        wrong_rules.same_slot_alone,
        configuration.OPAQUE,
        OPAQUE_ONCE,
        FIRST_EFFECT + SETTLE + CRASH + FIRST_EFFECT,
    ),
    Danger(
        wrong_rules.key_lives_for_ever,
        configuration.EXPIRING,
        KEYED_ONCE,
        FIRST_EFFECT + CRASH + 2 * ADVANCE + FORGET + FIRST_EFFECT,
    ),
    Danger(
        wrong_rules.attention_sweeps,
        configuration.INCARNATIONS,
        OPAQUE_ONCE_AFTER_A_DISCARD,
        (FIRST_EFFECT + SETTLE + ANOTHER_EFFECT + SETTLE_FAILS + END + CRASH)
        + (SWEEP + RESOLVE)
        + (FIRST_EFFECT + BEGIN_INCARNATION),
    ),
)


@pytest.mark.parametrize("danger", DANGERS, ids=lambda danger: danger.rule.__name__)
def test_a_wrong_rule_does_an_effect_twice(danger: Danger) -> None:
    found = shortest(Model(danger.small, danger.rule(CONTRACT)), danger.broken)

    assert found is not None
    assert isinstance(found.actions[-1], Arrive)
    assert len(found.actions) == danger.steps, found.actions


def test_reading_6_sweeping_at_a_needs_attention_terminal_executes_slot_0_again() -> None:
    """The second of two calls is discarded, and the first is sent again."""
    model = Model(configuration.INCARNATIONS, wrong_rules.attention_sweeps(CONTRACT))
    found = shortest(model, OPAQUE_ONCE_AFTER_A_DISCARD)

    assert found is not None
    first, second, again = (each.call for each in found.actions if isinstance(each, Prepare))
    discarded = [each.row_id for each in found.actions if isinstance(each, Resolve)]
    assert discarded == [2]
    assert again == first != second


def test_reading_12_a_gate_that_is_read_before_ownership_lets_a_node_start_beside_what_blocks() -> (
    None
):
    found = shortest(GateFirst(configuration.TWO_OWNERS))

    assert found is not None
    assert found.broken.clause == "G-9"
    kinds = [type(each) for each in found.actions]
    last_look, last_take_over = (
        len(kinds) - kinds[::-1].index(kind) for kind in (ReadGateUnowned, TakeOver)
    )
    assert Prepare in kinds[last_look:last_take_over]


def test_reading_3_a_key_is_judged_again_when_its_call_leaves() -> None:
    """A sender that pauses after its prepare would send under a key that is forgotten."""
    wrong = wrong_rules.key_judged_once(CONTRACT)
    found = shortest(Model(configuration.EXPIRING, wrong), KEYED_ONCE)

    assert found is not None
    assert isinstance(found.actions[-1], Arrive)


A, B = configuration.OPAQUE.calls
B_THEN_A = ((0, B), (1, A))
READ_THEN_A = ((1, A),)


@pytest.mark.parametrize(
    ("rule", "rerun", "effects_of_a"),
    [
        (lambda contract: contract, B_THEN_A, 1),
        (lambda contract: contract, READ_THEN_A, 1),
        (wrong_rules.identity_alone, B_THEN_A, 2),
        (wrong_rules.identity_alone, READ_THEN_A, 2),
        (wrong_rules.same_slot_alone, B_THEN_A, 1),
        (wrong_rules.same_slot_alone, READ_THEN_A, 2),
    ],
)
def test_reading_5_a_rerun_that_puts_a_call_elsewhere(
    rule: RuleChange, rerun: Sequence[tuple[int, Call]], effects_of_a: int
) -> None:
    model = Model(configuration.OPAQUE, rule(CONTRACT))
    (world,) = model.initial()
    for plan in (((0, A),), rerun):
        world = started(model, world)
        for slot, call in plan:
            world = performed(model, world, slot, call)
        world, _ = model.step(world, Crash("p1"))

    assert sum(entry.effects for entry in world.ledger if entry.call == A) == effects_of_a


def started(model: Model, world: World) -> World:
    for action in (TakeOver("p1", frozenset()), ReadGate("p1"), BeginNode("p1", "n1")):
        world, _ = model.step(world, action)
    return world


def performed(model: Model, world: World, slot: int, call: Call) -> World:
    """The world after a call of the present start, if nothing refuses it."""
    if world.living("p1").stage is not Stage.GOING:
        return world
    world, answer = model.step(world, Prepare("p1", "n1", slot, call))
    assert isinstance(answer, Prepared)
    if answer.admission is not Admission.DISPATCH or answer.row_id is None:
        return world
    world, _ = model.step(world, Send("p1", answer.row_id))
    (request,) = world.network
    world, _ = model.step(world, Arrive(request, Arrival.ANSWERED))
    world, _ = model.step(world, Settle("p1", answer.row_id, Outcome.DONE, Result.FITS))
    return world


def rows_bear_on_nothing(contract: Contract) -> Contract:
    return replace(contract, bearing=lambda _: Bearing.SILENT)


def ended_runs_are_resumed(contract: Contract) -> Contract:
    return replace(contract, may_resume=lambda _: True)


def retained_results_are_sent_for(contract: Contract) -> Contract:
    def gate_(record: Standing, tier: Tier) -> GateVerdict:
        retained = record is Standing.COMMITTED_RETAINED
        return GateVerdict.RETRY if retained else contract.gate(record, tier)

    return replace(contract, gate=gate_)


@pytest.mark.parametrize(
    ("rule", "small", "broken"),
    [
        (rows_bear_on_nothing, configuration.OPAQUE, "undiscarded identities are unique"),
        (ended_runs_are_resumed, configuration.INCARNATIONS, "terminals do not flip"),
        (retained_results_are_sent_for, configuration.OPAQUE, "a retained result is not sent for"),
        (
            wrong_rules.committed_is_a_green_light,
            configuration.OPAQUE,
            "only what is retained is delivered",
        ),
        (
            wrong_rules.identity_alone,
            configuration.KEYED,
            "nothing fresh beside an open effect",
        ),
        (wrong_rules.late_settle_overwrites, configuration.TWO_OWNERS, "what is settled stays"),
        (wrong_rules.late_settle_overwrites, configuration.TWO_OWNERS, "rows move as drawn"),
        (wrong_rules.unresolved_swept, configuration.OPAQUE, "what was not delivered stays"),
    ],
)
def test_a_property_that_no_other_case_breaks_first_can_be_broken(
    rule: RuleChange, small: Configuration, broken: str
) -> None:
    assert shortest(Model(small, rule(CONTRACT)), BY_NAME[broken]) is not None


def test_every_property_names_a_clause_that_the_model_has_to_show() -> None:
    named = {each.clause for each in PROPERTIES}

    assert {each for each in named if Evidence.MODEL not in clause(each).shown_by} == set()
