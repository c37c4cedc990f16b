"""The order of a dispatch against §7's table, written out by hand."""

from effectspec.lifecycle import State
from effectspec.ordering import Ending, FailureRow, Step, failure, node_retryable

SECTION_7 = [
    # clause, the row that is left, whether the effect may exist, how the attempt ends
    ("O-1", None, False, Ending.ORDINARY_FAILURE),
    ("O-2", None, False, Ending.FINAL_FAILURE),
    ("O-3", State.AMBIGUOUS, True, Ending.ATTENTION),
    ("O-4", State.PREPARED, True, Ending.ATTENTION),
    ("O-5", State.COMMITTED, True, Ending.FINAL_FAILURE),
    ("O-6", State.COMMITTED, True, Ending.FINAL_FAILURE),
]


def test_o1_to_o6_a_failure_of_each_step_means_what_section_7_says() -> None:
    assert [failure(step) for step in Step] == [FailureRow(*row) for row in SECTION_7]


def test_o6_no_failure_after_a_prepare_is_an_ordinary_one() -> None:
    after_a_prepare = list(Step)[list(Step).index(Step.PREPARE) + 1 :]

    assert len(after_a_prepare) == 4
    assert Ending.ORDINARY_FAILURE not in {failure(step).ending for step in after_a_prepare}


def test_o6_a_node_attempt_is_retried_only_while_it_has_prepared_nothing() -> None:
    assert node_retryable(prepared_in_attempt=False)
    assert not node_retryable(prepared_in_attempt=True)
