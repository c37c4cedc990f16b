"""When a run's rows may be deleted, against §9 and readings 6 and 17."""

from itertools import product

from effectspec.lifecycle import State
from effectspec.retention import RunPhase, may_resume, sweepable

SWEPT = {
    # (state, phase, its node never delivered it)
    (State.COMMITTED, RunPhase.ENDED, False),
    (State.COMMITTED, RunPhase.CLOSED, False),
    (State.COMMITTED, RunPhase.CLOSED, True),
    (State.RESOLVED, RunPhase.ENDED, False),
    (State.RESOLVED, RunPhase.CLOSED, False),
    (State.RESOLVED, RunPhase.CLOSED, True),
}


def test_r2_a_needs_attention_terminal_leaves_a_run_resumable_and_another_does_not() -> None:
    assert {phase: may_resume(phase) for phase in RunPhase} == {
        RunPhase.OPEN: True,
        RunPhase.NEEDS_ATTENTION: True,
        RunPhase.ENDED: False,
        RunPhase.CLOSED: False,
    }


def test_r1_r2_only_settled_rows_of_a_finished_run_are_swept() -> None:
    swept = {
        (state, phase, undelivered)
        for state, phase, undelivered in product(State, RunPhase, (False, True))
        if sweepable(state, phase, undelivered=undelivered)
    }

    assert swept == SWEPT
