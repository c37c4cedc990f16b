"""The state machine against §6's diagram, arrow by arrow."""

from itertools import product

import pytest

from effectspec.lifecycle import (
    STORED,
    TERMINAL,
    UNRESOLVED,
    State,
    Transition,
    advance,
    steps_to_resolution,
)

ARROWS = {
    (None, "durable prepare, before the effect", "prepared"),
    ("prepared", "the call left the process", "dispatched"),
    ("dispatched", "a result came back", "committed"),
    ("dispatched", "no answer: time-out, abort, crash", "ambiguous"),
    ("prepared", "a resume found it unsettled", "ambiguous"),
    ("ambiguous", "tier 3, or reconciliation failed", "needs_attention"),
    ("ambiguous", "a receipt or a keyed retry gave the result", "committed"),
    ("needs_attention", "an operator resolved it", "resolved"),
}


def _name(state: State | None) -> str | None:
    return None if state is None else state.value


def test_s1_the_transitions_are_the_arrows_of_the_diagram_and_no_others() -> None:
    taken = {
        (_name(state), transition.value, _name(advance(state, transition)))
        for state, transition in product((None, *State), Transition)
        if advance(state, transition) is not None
    }

    assert taken == ARROWS


def test_s3_nothing_leaves_a_terminal_state_and_something_leaves_every_other() -> None:
    left = {state for state, t in product(State, Transition) if advance(state, t) is not None}

    assert set(TERMINAL) == {State.COMMITTED, State.RESOLVED}
    assert left == set(State) - TERMINAL


def test_s2_dispatched_is_read_off_a_prepared_row_and_never_stored() -> None:
    assert set(State) - STORED == {State.DISPATCHED}


def test_r1_the_unresolved_states_are_those_of_section_9() -> None:
    assert {state.value for state in UNRESOLVED} == {
        "prepared",
        "dispatched",
        "ambiguous",
        "needs_attention",
    }


@pytest.mark.parametrize(
    ("state", "through"),
    [
        (State.PREPARED, [State.AMBIGUOUS, State.NEEDS_ATTENTION, State.RESOLVED]),
        (State.AMBIGUOUS, [State.NEEDS_ATTENTION, State.RESOLVED]),
        (State.NEEDS_ATTENTION, [State.RESOLVED]),
    ],
)
def test_s1_an_unmarked_row_is_resolved_through_ambiguous_and_needs_attention(
    state: State, through: list[State]
) -> None:
    passed = []
    at: State | None = state
    for transition in steps_to_resolution(state):
        at = advance(at, transition)
        passed.append(at)

    assert passed == through


@pytest.mark.parametrize("state", [State.DISPATCHED, State.COMMITTED, State.RESOLVED])
def test_a5_nothing_else_can_be_resolved(state: State) -> None:
    assert steps_to_resolution(state) == ()
