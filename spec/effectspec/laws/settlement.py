"""The laws of the settle (§6, readings 10 and 11)."""

from icontract import ensure, require

from effectspec import settlement as core
from effectspec.contract import Settle
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.lifecycle import Resolution, State
from effectspec.settlement import Outcome, Settlement, Writer

_SENT = (State.PREPARED, State.DISPATCHED)


def _reads_as_committed(state: State, resolution: Resolution | None) -> bool:
    return state is State.COMMITTED or resolution is Resolution.ACCEPTED


def settle_laws(implementation: Settle) -> Settle:
    """Put the laws of :func:`effectspec.settlement.settle` around ``implementation``."""

    @require(
        lambda state, resolution: (state is State.RESOLVED) == (resolution is not None),
        "A-5: a resolved row, and no other, has a resolution (reading 20)",
    )
    @ensure(
        lambda repeated, result: implies(repeated, result is Settlement.ALIKE),
        "O-4: the same settle sent twice succeeds once and is answered alike (reading 11)",
    )
    @ensure(
        lambda writer, repeated, result: implies(
            writer is Writer.FENCED and not repeated, result is Settlement.EVIDENCE
        ),
        "F-2: a superseded owner changes no state; what it knows is kept as evidence",
    )
    @ensure(
        lambda state, outcome, writer, repeated, result: implies(
            state in _SENT
            and writer is Writer.OWNER
            and outcome is not Outcome.UNKNOWN
            and not repeated,
            result is Settlement.COMMIT,
        ),
        "S-1: an answer commits the effect, done or not done (reading 10)",
    )
    @ensure(
        lambda state, outcome, writer, repeated, result: implies(
            state in _SENT
            and writer is Writer.OWNER
            and outcome is Outcome.UNKNOWN
            and not repeated,
            result is Settlement.MARK_AMBIGUOUS,
        ),
        "O-3: a call whose outcome stays unknown settles ambiguous",
    )
    @ensure(
        lambda state, outcome, writer, repeated, result: implies(
            state is State.AMBIGUOUS
            and writer is Writer.RETRIER
            and outcome is not Outcome.UNKNOWN
            and not repeated,
            result is Settlement.COMMIT,
        ),
        "T-2: the answer to a retry under the stored key commits the effect",
    )
    @ensure(
        lambda state, outcome, writer, repeated, result: implies(
            state is State.AMBIGUOUS
            and writer is Writer.RETRIER
            and outcome is Outcome.UNKNOWN
            and not repeated,
            result is Settlement.MARK_AMBIGUOUS,
        ),
        "T-2: a retry whose outcome is again unknown leaves the row ambiguous (reading 4)",
    )
    @ensure(
        lambda state, writer, repeated, result: implies(
            state in _SENT and writer is Writer.RETRIER and not repeated,
            result is Settlement.EVIDENCE,
        ),
        "S-1: a retry settles no row that its gate has not marked ambiguous",
    )
    @ensure(
        lambda state, writer, repeated, result: implies(
            state is State.AMBIGUOUS and writer is Writer.OWNER and not repeated,
            result is Settlement.EVIDENCE,
        ),
        "S-1: a late settle of a row that a resume has marked changes no state (reading 11)",
    )
    @ensure(
        lambda state, repeated, result: implies(
            state is State.NEEDS_ATTENTION and not repeated, result is Settlement.EVIDENCE
        ),
        "S-1: only an operator takes a row out of needs_attention",
    )
    @ensure(
        lambda resolution, repeated, result: implies(
            resolution is Resolution.DISCARDED and not repeated, result is Settlement.EVIDENCE
        ),
        "A-5: a discarded row stays discarded; what comes late is evidence",
    )
    @ensure(
        lambda state, resolution, outcome, writer, retained, repeated, result: implies(
            _reads_as_committed(state, resolution)
            and writer is Writer.RETRIER
            and outcome is not Outcome.UNKNOWN
            and not retained
            and not repeated,
            result is Settlement.FILL,
        ),
        "S-3: the absent result of a committed or accepted row may be filled by its retry",
    )
    @ensure(
        lambda state, resolution, outcome, writer, retained, repeated, result: implies(
            _reads_as_committed(state, resolution)
            and (writer is Writer.OWNER or outcome is Outcome.UNKNOWN or retained)
            and not repeated,
            result is Settlement.EVIDENCE,
        ),
        "S-3: nothing else is written on a committed or accepted row",
    )
    def settle(
        state: State,
        resolution: Resolution | None,
        outcome: Outcome,
        writer: Writer,
        *,
        retained: bool,
        repeated: bool,
    ) -> Settlement:
        return implementation(
            state, resolution, outcome, writer, retained=retained, repeated=repeated
        )

    return settle


settle = settle_laws(core.settle)
SETTLE = Rule(
    settle_laws,
    core.settle,
    domain(
        state=State,
        resolution=(None, *Resolution),
        outcome=Outcome,
        writer=Writer,
        retained=BOTH,
        repeated=BOTH,
    ),
    answers=tuple(Settlement),
)
