"""The model under the contract and under wrong rules, walked layer by layer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest

from effectspec import wrong_rules
from effectspec.admission import Admission, Bearing
from effectspec.clauses import Evidence, clause
from effectspec.contract import CONTRACT, Contract
from effectspec.faults import RuleChange
from effectspec.gate import GateVerdict, Standing
from effectspec.model import configuration
from effectspec.model.actions import (
    Action,
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
from effectspec.model.model import Conduct, Model
from effectspec.model.properties import PROPERTIES, Move, Property
from effectspec.model.world import Call, Result, Stage, World
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

STATES = 100_000
"""Above the largest world here; a walk that is cut off shows nothing and fails."""

BY_NAME = {each.name: each for each in PROPERTIES}

OPAQUE_ONCE = BY_NAME["an opaque effect happens at most once"]
QUERYABLE_ONCE = BY_NAME["a queryable effect happens at most once"]
KEYED_ONCE = BY_NAME["a keyed effect happens at most once"]

OPAQUE_ONCE_AFTER_A_DISCARD = Property(
    "an opaque effect happens at most once, whatever else was discarded",
    "T-4",
    lambda move: OPAQUE_ONCE.holds(move) or not any(entry.discarded for entry in move.after.ledger),
)


@dataclass(frozen=True)
class Counterexample:
    """The properties that the last step of a shortest path breaks, and the path."""

    broken: frozenset[Property]
    actions: tuple[Action, ...]

    @property
    def clauses(self) -> set[str]:
        return {each.clause for each in self.broken}


def walk(model: Model, properties: Sequence[Property] = PROPERTIES) -> Counterexample | None:
    came: dict[World, tuple[Action, World] | None] = dict.fromkeys(model.initial())
    layer = list(came)
    while layer:
        layer, reached_from = [], layer
        for before in reached_from:
            for action in model.actions(before):
                after, _ = model.step(before, action)
                move = Move(before, action, after)
                broken = frozenset(each for each in properties if not each.holds(move))
                if broken:
                    return Counterexample(broken, (*path(came, before), action))
                if after not in came:
                    came[after] = (action, before)
                    layer.append(after)
        assert len(came) <= STATES, "the world is too large to be walked to its end"
    return None


def path(came: dict[World, tuple[Action, World] | None], world: World) -> Sequence[Action]:
    def back() -> Iterator[Action]:
        step = came[world]
        while step is not None:
            yield step[0]
            step = came[step[1]]

    return tuple(back())[::-1]


@pytest.mark.parametrize(
    "small",
    [
        configuration.OPAQUE,
        configuration.TWO_OWNERS,
        configuration.KEYED,
        configuration.UNRECONCILED,
        configuration.QUERYABLE,
        configuration.INCARNATIONS,
        configuration.TWINS,
    ],
    ids=lambda small: small.name,
)
def test_every_property_holds_of_the_contract(small: Configuration) -> None:
    assert walk(Model(small)) is None


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
    broken: Property
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
        FIRST_EFFECT + CRASH + FIRST_EFFECT,
    ),
    Danger(
        wrong_rules.queryable_effect_retried,
        configuration.QUERYABLE,
        QUERYABLE_ONCE,
        FIRST_EFFECT + CRASH + FIRST_EFFECT,
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
    found = walk(Model(danger.small, danger.rule(CONTRACT)), [danger.broken])

    assert found is not None
    assert isinstance(found.actions[-1], Arrive)
    assert len(found.actions) == danger.steps, found.actions


def test_reading_6_sweeping_at_a_needs_attention_terminal_executes_slot_0_again() -> None:
    model = Model(configuration.INCARNATIONS, wrong_rules.attention_sweeps(CONTRACT))
    found = walk(model, [OPAQUE_ONCE_AFTER_A_DISCARD])

    assert found is not None
    prepared = [each.slot for each in found.actions if isinstance(each, Prepare)]
    discarded = [each.row_id for each in found.actions if isinstance(each, Resolve)]
    assert (prepared, discarded) == ([0, 1, 0], [2])


def test_reading_12_a_gate_that_is_read_before_ownership_lets_a_node_start_beside_what_blocks() -> (
    None
):
    found = walk(Model(configuration.TWO_OWNERS, conduct=Conduct.GATE_FIRST))

    assert found is not None
    assert found.clauses == {"G-9"}
    kinds = [type(each) for each in found.actions]
    last_look, last_take_over = (
        len(kinds) - kinds[::-1].index(kind) for kind in (ReadGateUnowned, TakeOver)
    )
    assert Prepare in kinds[last_look:last_take_over]


def test_reading_3_a_key_is_judged_again_when_its_call_leaves() -> None:
    """A sender that pauses after its prepare would send under a key that is forgotten."""
    assert walk(Model(configuration.EXPIRING)) is None
    wrong = wrong_rules.key_judged_once(CONTRACT)
    found = walk(Model(configuration.EXPIRING, wrong), [KEYED_ONCE])

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


@pytest.mark.parametrize(
    ("rule", "small", "clauses"),
    [
        (wrong_rules.opaque_effect_retried, configuration.OPAQUE, "T-4"),
        (wrong_rules.gate_fails_open, configuration.OPAQUE, "G-9"),
        (wrong_rules.gate_skipped, configuration.OPAQUE, "G-9"),
        (wrong_rules.node_retried_after_prepare, configuration.OPAQUE, "O-6"),
        (wrong_rules.committed_is_a_green_light, configuration.OPAQUE, "G-5"),
        (wrong_rules.identity_alone, configuration.OPAQUE, "G-8"),
        (wrong_rules.mismatch_replayed, configuration.INCARNATIONS, "G-8"),
        (wrong_rules.attention_sweeps, configuration.INCARNATIONS, "R-2"),
        (wrong_rules.unresolved_swept, configuration.INCARNATIONS, "R-1"),
        (wrong_rules.live_owner_replaced, configuration.TWO_OWNERS, "F-1"),
        (wrong_rules.landed_discarded, configuration.TWO_OWNERS, "A-5"),
        (wrong_rules.resolved_again, configuration.INCARNATIONS, "A-5 S-3"),
        (wrong_rules.fence_unchecked, configuration.TWO_OWNERS, "F-2"),
        (wrong_rules.late_settle_overwrites, configuration.TWO_OWNERS, "F-2"),
        (wrong_rules.tier_kept_without_reconciler, configuration.UNRECONCILED, "T-6"),
        (wrong_rules.completes_beside_unresolved, configuration.KEYED, "G-12"),
    ],
)
def test_the_shortest_way_to_show_a_wrong_rule_breaks_its_clauses(
    rule: RuleChange, small: Configuration, clauses: str
) -> None:
    found = walk(Model(small, rule(CONTRACT)))

    assert found is not None
    assert found.clauses == set(clauses.split())


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
    assert walk(Model(small, rule(CONTRACT)), [BY_NAME[broken]]) is not None


def test_every_property_names_a_clause_that_the_model_has_to_show() -> None:
    named = {each.clause for each in PROPERTIES}

    assert {each for each in named if Evidence.MODEL not in clause(each).shown_by} == set()
