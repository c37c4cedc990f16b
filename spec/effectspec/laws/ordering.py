"""The laws of the fixed order of a dispatch and of the failure of each step (§7)."""

from collections.abc import Callable

from icontract import ensure

from effectspec import ordering as core
from effectspec.contract import NodeRetryable
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.lifecycle import State
from effectspec.ordering import Ending, FailureRow, Step


def failure_laws(
    implementation: Callable[[Step], FailureRow],
) -> Callable[[Step], FailureRow]:
    """Put the laws of :func:`effectspec.ordering.failure` around ``implementation``."""

    @ensure(
        lambda step, result: implies(
            step is Step.ADMISSION,
            result == FailureRow("O-1", None, False, Ending.ORDINARY_FAILURE),
        ),
        "O-1: a call that is not admitted is an ordinary refusal, and nothing is journaled",
    )
    @ensure(
        lambda step, result: implies(
            step is Step.PREPARE, result == FailureRow("O-2", None, False, Ending.FINAL_FAILURE)
        ),
        "O-2: a prepare that fails refuses the dispatch, and the effect never happens",
    )
    @ensure(
        lambda step, result: implies(
            step is Step.DISPATCH,
            result == FailureRow("O-3", State.AMBIGUOUS, True, Ending.ATTENTION),
        ),
        "O-3: a dispatch that fails settles ambiguous and is never retried with its node",
    )
    @ensure(
        lambda step, result: implies(
            step is Step.SETTLE, result == FailureRow("O-4", State.PREPARED, True, Ending.ATTENTION)
        ),
        "O-4: a settle that fails leaves the row prepared and stops the run for attention",
    )
    @ensure(
        lambda step, result: implies(
            step is Step.AFTERMATH,
            result == FailureRow("O-5", State.COMMITTED, True, Ending.FINAL_FAILURE),
        ),
        "O-5: after the settle the effect stands, and the node fails for good",
    )
    @ensure(
        lambda step, result: implies(
            step is Step.LATER,
            result == FailureRow("O-6", State.COMMITTED, True, Ending.FINAL_FAILURE),
        ),
        "O-6: whatever fails later in the attempt fails for good",
    )
    def failure(step: Step) -> FailureRow:
        return implementation(step)

    return failure


failure = failure_laws(core.failure)
FAILURE = Rule(
    failure_laws,
    core.failure,
    domain(step=Step),
    answers=tuple(
        FailureRow(f"O-{number}", row, effect_possible, ending)
        for number in range(1, 7)
        for row in (None, *State)
        for effect_possible in BOTH
        for ending in Ending
    ),
)


def node_retryable_laws(implementation: NodeRetryable) -> NodeRetryable:
    """Put the laws of :func:`effectspec.ordering.node_retryable` around ``implementation``."""

    @ensure(
        lambda prepared_in_attempt, result: implies(prepared_in_attempt, not result),
        "O-6: after any prepare no failure of the attempt is node-retried",
    )
    @ensure(
        lambda prepared_in_attempt, result: implies(not prepared_in_attempt, result),
        "O-1: before any prepare a failure is an ordinary one",
    )
    def node_retryable(*, prepared_in_attempt: bool) -> bool:
        return implementation(prepared_in_attempt=prepared_in_attempt)

    return node_retryable


node_retryable = node_retryable_laws(core.node_retryable)
NODE_RETRYABLE = Rule(
    node_retryable_laws, core.node_retryable, domain(prepared_in_attempt=BOTH), answers=BOTH
)
