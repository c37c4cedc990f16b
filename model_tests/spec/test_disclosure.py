"""What a resumed session is told of an effect, against §8."""

from effectspec.disclosure import (
    DISCLOSURE,
    Disclosure,
    SessionStanding,
    disclosure,
    session_standing,
)
from effectspec.lifecycle import State
from effectspec.transcript import Attribution

OPEN = (State.PREPARED, State.DISPATCHED, State.AMBIGUOUS, State.NEEDS_ATTENTION)


def told(state: State, slot: int) -> list[Disclosure]:
    """What is told of a record whose turn completed, did not, and may not have."""
    turns = (Attribution.COMPLETED, Attribution.NOT_COMPLETED, Attribution.DOUBTFUL)
    return [disclosure(session_standing(state, slot), turn) for turn in turns]


def test_d3_every_unresolved_row_is_disclosed_in_negative_slots_too() -> None:
    for state in OPEN:
        assert told(state, 0) == told(state, -1) == [Disclosure.UNKNOWN] * 3


def test_d4_d5_a_committed_call_is_silent_only_where_its_turn_is_known_to_have_completed() -> None:
    expected = [Disclosure.SILENT, Disclosure.LANDED, Disclosure.DOUBTFUL]
    assert told(State.COMMITTED, 0) == told(State.COMMITTED, 3) == expected


def test_d6_a_committed_command_is_silent() -> None:
    assert told(State.COMMITTED, -1) == [Disclosure.SILENT] * 3


def test_d3_what_an_operator_has_resolved_is_silent() -> None:
    assert told(State.RESOLVED, 0) == told(State.RESOLVED, -1) == [Disclosure.SILENT] * 3


def test_a5_a_resolved_record_reads_as_resolved_in_any_slot() -> None:
    assert session_standing(State.RESOLVED, -1) is SessionStanding.RESOLVED
    assert session_standing(State.RESOLVED, 0) is SessionStanding.RESOLVED


def test_d3_each_cell_names_the_clause_that_decides_it() -> None:
    turns = (Attribution.COMPLETED, Attribution.NOT_COMPLETED, Attribution.DOUBTFUL)

    assert {
        record: [DISCLOSURE[record, turn].clause for turn in turns] for record in SessionStanding
    } == {
        SessionStanding.UNRESOLVED: ["D-3", "D-3", "D-3"],
        SessionStanding.COMMITTED: ["D-4", "D-4", "D-5"],
        SessionStanding.COMMAND: ["D-6", "D-6", "D-6"],
        SessionStanding.RESOLVED: ["D-3", "D-3", "D-3"],
    }
