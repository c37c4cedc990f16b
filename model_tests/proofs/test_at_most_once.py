"""At most once, for any number of effects and processes: the proof, and what it is worth."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

import pytest
import z3  # type: ignore[import-untyped]  # z3 ships no types

from effectspec import wrong_rules
from effectspec.admission import Bearing, Facts, Place
from effectspec.contract import CONTRACT, Contract
from effectspec.tiers import Tier
from proofs import at_most_once as holds
from proofs import transitions as may
from proofs.at_most_once import INVARIANT, Sentence
from proofs.finite import Expr
from proofs.induction import Induction
from proofs.lives import against, life
from proofs.rules import TIER, Rules
from proofs.transitions import TRANSITIONS, Ids, Transition
from proofs.world import World


@cache
def rules() -> Rules:
    return Rules(CONTRACT)


@cache
def induction() -> Induction:
    return Induction(rules())


# ── the proof ────────────────────────────────────────────────────────────────────────────────────


def test_t4_a_run_begins_in_the_invariant() -> None:
    assert [*map(str, induction().begins())] == []


@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda each: each.__name__)
def test_t4_the_invariant_and_the_claims_survive(transition: Transition) -> None:
    assert [*map(str, induction().breaks(transition))] == []


def test_t4_the_invariant_implies_at_most_once() -> None:
    assert [*map(str, induction().leaves_open())] == []


# ── that it is not empty ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda each: each.__name__)
def test_every_transition_is_enabled_under_the_invariant(transition: Transition) -> None:
    assert induction().enables(transition)


CLAIMS = None
"""The sentence is part of what is claimed: without it a claim does not follow."""

NEEDED_FOR: Mapping[Sentence, tuple[Transition | None, Sentence]] = {
    holds.rows_are_counted: (may.prepare, holds.what_a_process_knows_of_has_a_row),
    holds.no_process_is_ahead_of_the_run: (
        may.take_over,
        holds.past_the_gate_nothing_is_left_open,
    ),
    holds.no_start_is_ahead_of_its_node: (may.begin_node, holds.a_start_is_one_process_s),
    holds.a_start_is_one_process_s: (may.prepare, holds.a_start_has_asked_for_its_rows),
    holds.what_a_process_knows_of_has_a_row: (may.prepare, holds.a_start_has_asked_for_its_rows),
    holds.a_start_has_asked_for_its_rows: (may.prepare, holds.a_call_has_one_row),
    holds.only_a_resolved_row_has_a_resolution: (may.resolve, holds.an_identity_has_one_row),
    holds.an_identity_has_one_row: (CLAIMS, holds.an_opaque_effect_is_attempted_at_most_once),
    holds.a_call_has_one_row: (CLAIMS, holds.an_opaque_effect_is_attempted_at_most_once),
    holds.nothing_is_swept_from_a_run_that_can_be_resumed: (
        may.prepare,
        holds.an_identity_has_one_row,
    ),
    holds.nobody_goes_on_with_a_run_that_is_over: (
        may.begin_incarnation,
        holds.nothing_is_swept_from_a_run_that_can_be_resumed,
    ),
    holds.past_the_gate_nothing_is_left_open: (
        may.prepare,
        holds.nothing_is_dispatched_beside_what_was_left_open,
    ),
    holds.an_opaque_call_is_attempted_once: (
        CLAIMS,
        holds.an_opaque_effect_is_attempted_at_most_once,
    ),
    holds.an_opaque_call_to_send_is_untried: (may.send, holds.an_opaque_call_is_attempted_once),
    holds.one_process_has_an_opaque_call_to_send: (
        may.send,
        holds.an_opaque_call_to_send_is_untried,
    ),
    holds.an_effect_has_its_attempt: (CLAIMS, holds.an_opaque_effect_happens_at_most_once),
}
"""Without a sentence of the invariant, a transition breaks this one, or this claim is lost."""


@pytest.mark.parametrize("sentence", INVARIANT, ids=lambda each: each.__name__)
def test_no_sentence_of_the_invariant_is_idle(sentence: Sentence) -> None:
    transition, lost = NEEDED_FOR[sentence]
    found = (
        induction().leaves_open(without=sentence)
        if transition is CLAIMS
        else induction().breaks(transition, without=sentence)
    )
    assert lost in {each.lost for each in found}


ENTER = (may.take_over, may.pass_gate, may.begin_node)
DO = (may.prepare, may.send, may.arrive, may.settle)


def _done_twice(_before: World, after: World, ids: Ids) -> Expr:
    r, s = ids.rows
    same = z3.And(after.call[r] == after.call[s], after.node[r] == after.node[s])
    opaque = z3.And(after.tier[r] == TIER[Tier.OPAQUE], after.tier[s] == TIER[Tier.OPAQUE])
    return z3.And(same, opaque, after.effects[r] == 1, after.effects[s] == 1)


SENT = (*ENTER, may.prepare, may.send)
KILLED = (*SENT, may.arrive, may.stop, may.take_over, may.mark, may.stop)


def test_a5_an_effect_that_happened_is_done_again_after_a_discard() -> None:
    again = (may.resolve, *ENTER, *DO, may.end, may.sweep)
    assert life(rules(), (*KILLED, *again), _done_twice)


def test_t4_without_the_discard_it_is_not() -> None:
    assert life(rules(), (*KILLED, *ENTER, *DO), _done_twice) is None


# ── that it would fail ───────────────────────────────────────────────────────────────────────────


def no_unique_identity(contract: Contract) -> Contract:
    """A second prepare of an identity is let in (I-5): what a store without the index does."""

    def bearing(row: Facts) -> Bearing:
        same = row.place is Place.SAME_IDENTITY
        return Bearing.SILENT if same else contract.bearing(row)

    return replace(contract, bearing=bearing)


@dataclass(frozen=True, slots=True)
class Planted:
    """A wrong rule, every sentence that it breaks and where, and a life in which it does harm.

    ``harm`` is the claim that is false at the end of that life.
    """

    rule: Callable[[Contract], Contract]
    broken: set[tuple[Transition, Sentence]]
    harm: Sentence
    life: tuple[Transition, ...]


PLANTED = (
    Planted(
        wrong_rules.opaque_effect_retried,
        broken={
            (may.pass_gate, holds.past_the_gate_nothing_is_left_open),
            (may.retry, holds.an_opaque_call_to_send_is_untried),
            (may.retry, holds.one_process_has_an_opaque_call_to_send),
        },
        harm=holds.an_opaque_effect_is_attempted_at_most_once,
        life=(*SENT, may.take_over, may.mark, may.pass_gate, may.begin_node, may.retry, may.send),
    ),
    Planted(
        wrong_rules.fence_unchecked,
        broken={
            (may.begin_incarnation, holds.nothing_is_swept_from_a_run_that_can_be_resumed),
            (may.end, holds.nobody_goes_on_with_a_run_that_is_over),
            (may.prepare, holds.an_identity_has_one_row),
            (may.prepare, holds.a_call_has_one_row),
            (may.prepare, holds.past_the_gate_nothing_is_left_open),
            (may.prepare, holds.nothing_is_dispatched_beside_what_was_left_open),
            (may.retry, holds.nothing_is_dispatched_beside_what_was_left_open),
        },
        harm=holds.an_opaque_effect_is_attempted_at_most_once,
        life=(*ENTER, *ENTER, *DO, may.end, may.sweep, may.prepare, may.send),
    ),
    Planted(
        wrong_rules.late_settle_overwrites,
        broken={
            (may.settle, holds.only_a_resolved_row_has_a_resolution),
            (may.settle, holds.what_is_settled_stays),
        },
        harm=holds.what_is_settled_stays,
        life=(*SENT, may.take_over, may.mark, may.resolve, may.settle),
    ),
    Planted(
        no_unique_identity,
        broken={
            (may.prepare, holds.an_identity_has_one_row),
            (may.prepare, holds.a_call_has_one_row),
        },
        harm=holds.an_opaque_effect_is_attempted_at_most_once,
        life=(
            *(may.take_over, may.pass_gate, may.join, may.begin_node, may.begin_node),
            *(may.prepare, may.prepare, may.send, may.send),
        ),
    ),
    Planted(
        wrong_rules.identity_alone,
        broken={(may.prepare, holds.a_call_has_one_row)},
        harm=holds.an_opaque_effect_is_attempted_at_most_once,
        life=(*ENTER, *DO, *ENTER, may.prepare, may.send),
    ),
    Planted(
        wrong_rules.same_slot_alone,
        broken={(may.prepare, holds.a_call_has_one_row)},
        harm=holds.an_opaque_effect_is_attempted_at_most_once,
        life=(*ENTER, *DO, *ENTER, may.prepare, may.send),
    ),
    Planted(
        wrong_rules.attention_sweeps,
        broken={(may.sweep, holds.nothing_is_swept_from_a_run_that_can_be_resumed)},
        harm=holds.an_opaque_effect_is_attempted_at_most_once,
        life=(
            *(*ENTER, *DO, may.prepare, may.send, may.end_in_attention, may.sweep),
            *(may.resolve, *ENTER, may.prepare, may.send),
        ),
    ),
    Planted(
        wrong_rules.resolved_again,
        broken={
            (may.resolve, holds.an_identity_has_one_row),
            (may.resolve, holds.a_call_has_one_row),
            (may.resolve, holds.what_is_settled_stays),
        },
        harm=holds.an_opaque_effect_is_attempted_at_most_once,
        life=(*SENT, may.resolve, *ENTER, may.prepare, may.send, may.resolve),
    ),
    Planted(
        wrong_rules.gate_skipped,
        broken={(may.pass_gate, holds.past_the_gate_nothing_is_left_open)},
        harm=holds.nothing_is_dispatched_beside_what_was_left_open,
        life=(*ENTER, may.prepare, *ENTER, may.prepare),
    ),
)


@cache
def rules_of(wrong: Callable[[Contract], Contract]) -> Rules:
    return Rules(wrong(CONTRACT))


@pytest.mark.parametrize("planted", PLANTED, ids=lambda each: each.rule.__name__)
def test_a_wrong_rule_breaks_exactly_these_sentences(planted: Planted) -> None:
    wrong = Induction(rules_of(planted.rule))
    touched = (each for each in TRANSITIONS if wrong.differs(each, induction()))
    found = [each for transition in touched for each in wrong.breaks(transition)]
    assert {(each.transition, each.lost) for each in found} == planted.broken
    sys.stdout.write(str(found[0]))


@pytest.mark.parametrize("planted", PLANTED, ids=lambda each: each.rule.__name__)
def test_a_wrong_rule_lets_a_life_come_to_harm(planted: Planted) -> None:
    harm = life(rules_of(planted.rule), planted.life, against(planted.harm))
    assert harm is not None
    sys.stdout.write(harm)
