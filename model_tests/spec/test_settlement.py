"""The settle, under its laws, against §6 and readings 4, 10 and 11, written out by hand."""

from itertools import product

import pytest

from effectspec.laws.settlement import settle
from effectspec.lifecycle import Resolution, State, Transition
from effectspec.settlement import OUTCOMES, Outcome, Settlement, Writer

DONE, NOT_DONE, UNKNOWN = Outcome
OWNER, RETRIER, FENCED = Writer
COMMIT, AMBIGUOUS, FILL, ALIKE, EVIDENCE = Settlement

LANDS = {
    # state, resolution, retained, writer: what an answer does, what an unknown outcome does
    (State.PREPARED, None, False, OWNER): (COMMIT, AMBIGUOUS),
    (State.DISPATCHED, None, False, OWNER): (COMMIT, AMBIGUOUS),
    (State.AMBIGUOUS, None, False, RETRIER): (COMMIT, AMBIGUOUS),
    (State.COMMITTED, None, False, RETRIER): (FILL, EVIDENCE),
    (State.RESOLVED, Resolution.ACCEPTED, False, RETRIER): (FILL, EVIDENCE),
}
"""Every settle that writes on its row. All others are late: kept as evidence beside it."""

ROWS = [
    *((state, None, False) for state in State if state is not State.RESOLVED),
    (State.COMMITTED, None, True),
    *product([State.RESOLVED], [Resolution.ACCEPTED], [False, True]),
    (State.RESOLVED, Resolution.DISCARDED, False),
]


def test_o3_done_and_not_done_are_answers_and_unknown_is_none() -> None:
    assert OUTCOMES == {
        DONE: Transition.ANSWER,
        NOT_DONE: Transition.ANSWER,
        UNKNOWN: Transition.NO_ANSWER,
    }


@pytest.mark.parametrize("writer", Writer)
@pytest.mark.parametrize(("state", "resolution", "retained"), ROWS)
def test_s1_a_settle_writes_only_where_reading_11_lets_it(
    state: State, resolution: Resolution | None, retained: bool, writer: Writer
) -> None:
    answered, unknown = LANDS.get((state, resolution, retained, writer), (EVIDENCE, EVIDENCE))

    answers = {
        outcome: settle(state, resolution, outcome, writer, retained=retained, repeated=False)
        for outcome in Outcome
    }

    assert answers == {DONE: answered, NOT_DONE: answered, UNKNOWN: unknown}


@pytest.mark.parametrize("writer", Writer)
@pytest.mark.parametrize(("state", "resolution", "retained"), ROWS)
def test_o4_a_settle_that_is_sent_again_is_answered_alike_and_writes_nothing(
    state: State, resolution: Resolution | None, retained: bool, writer: Writer
) -> None:
    for outcome in Outcome:
        assert settle(state, resolution, outcome, writer, retained=retained, repeated=True) is ALIKE
