"""When a session's evidence may go, and which turn comes next, against §8, §9 and §11."""

import pytest

from effectspec.lifecycle import State
from effectspec.session import (
    Acknowledgement,
    evidence_may_go,
    one_shot_sweepable,
    session_sweepable,
    turn_floor,
)

SETTLED = {State.COMMITTED, State.RESOLVED}


def test_d7_evidence_goes_after_the_exact_notice_and_only_from_its_owner() -> None:
    may_go = {each for each in Acknowledgement if evidence_may_go(each, owned=True)}

    assert may_go == {Acknowledgement.DELIVERED, Acknowledgement.UNNEEDED}
    assert not any(evidence_may_go(each, owned=False) for each in Acknowledgement)


def test_r3_a_captured_row_goes_as_it_was_captured_and_not_otherwise() -> None:
    for captured in State:
        for found in (*State, None):
            may_go = captured in SETTLED and found is captured
            assert session_sweepable(captured, found, same_address=True) == may_go
            assert not session_sweepable(captured, found, same_address=False)


def test_r5_a_one_shot_run_sweeps_its_settled_rows_and_nobody_elses() -> None:
    for state in State:
        assert one_shot_sweepable(state, reserved=True) == (state in SETTLED)
        assert not one_shot_sweepable(state, reserved=False)


@pytest.mark.parametrize(
    ("turns", "floor"),
    [((), 0), (("0",), 1), (("4", "2"), 5), (("10", "9"), 11), (("7", "7"), 8)],
)
def test_x14_the_floor_is_above_every_turn_that_has_been(
    turns: tuple[str, ...], floor: int
) -> None:
    assert turn_floor(turns) == floor


@pytest.mark.parametrize("turn", ["", "x", "-1", "01", "1.0", " 1", "１", "²", "1e3"])
def test_x14_a_turn_that_is_no_number_blocks_the_allocator(turn: str) -> None:
    assert turn_floor([turn]) is None
    assert turn_floor(["3", turn]) is None
