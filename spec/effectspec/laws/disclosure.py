"""The laws of what a resumed session is told (§8)."""

from collections.abc import Callable

from icontract import ensure

from effectspec import disclosure as core
from effectspec.disclosure import Disclosure, SessionStanding
from effectspec.laws.law import implies
from effectspec.laws.rule import Rule, domain
from effectspec.lifecycle import State
from effectspec.transcript import Attribution

_SETTLED = (State.COMMITTED, State.RESOLVED)


def session_standing_laws(
    implementation: Callable[[State, int], SessionStanding],
) -> Callable[[State, int], SessionStanding]:
    """Put the laws of :func:`effectspec.disclosure.session_standing` around ``implementation``."""

    @ensure(
        lambda state, result: (result is SessionStanding.UNRESOLVED) == (state not in _SETTLED),
        "D-3: a row is unresolved until it is settled, those of negative slots included",
    )
    @ensure(
        lambda state, slot, result: implies(
            state is State.COMMITTED, (result is SessionStanding.COMMAND) == (slot < 0)
        ),
        "I-3: a session's commands, and only they, have the negative slots",
    )
    @ensure(
        lambda state, result: (result is SessionStanding.RESOLVED) == (state is State.RESOLVED),
        "A-5: what an operator has resolved reads as resolved",
    )
    def session_standing(state: State, slot: int) -> SessionStanding:
        return implementation(state, slot)

    return session_standing


session_standing = session_standing_laws(core.session_standing)
SESSION_STANDING = Rule(
    session_standing_laws,
    core.session_standing,
    domain(state=State, slot=(-1, 0)),
    answers=tuple(SessionStanding),
)


def disclosure_laws(
    implementation: Callable[[SessionStanding, Attribution], Disclosure],
) -> Callable[[SessionStanding, Attribution], Disclosure]:
    """Put the laws of :func:`effectspec.disclosure.disclosure` around ``implementation``."""

    @ensure(
        lambda record, result: (
            (result is Disclosure.UNKNOWN) == (record is SessionStanding.UNRESOLVED)
        ),
        "D-3: what is unresolved is disclosed as unknown until it is resolved",
    )
    @ensure(
        lambda record, turn, result: implies(
            record is SessionStanding.COMMITTED and turn is not Attribution.DOUBTFUL,
            (result is Disclosure.SILENT) == (turn is Attribution.COMPLETED),
        ),
        "D-4: a committed effect is silent only where its turn completed",
    )
    @ensure(
        lambda record, turn, result: implies(
            record is SessionStanding.COMMITTED and result is not Disclosure.SILENT,
            (result is Disclosure.DOUBTFUL) == (turn is Attribution.DOUBTFUL),
        ),
        "D-5: an attribution that proves nothing is told as doubtful, and no other is",
    )
    @ensure(
        lambda record, turn, result: implies(
            record is SessionStanding.COMMITTED and turn is Attribution.DOUBTFUL,
            result is not Disclosure.SILENT,
        ),
        "I-9: what proves nothing does not prove completion",
    )
    @ensure(
        lambda record, result: implies(
            record is SessionStanding.COMMAND, result is Disclosure.SILENT
        ),
        "D-6: a committed command did not land in a turn",
    )
    @ensure(
        lambda record, result: implies(
            record is SessionStanding.RESOLVED, result is Disclosure.SILENT
        ),
        "A-5: what an operator has resolved is disclosed no more",
    )
    def disclosure(record: SessionStanding, turn: Attribution) -> Disclosure:
        return implementation(record, turn)

    return disclosure


disclosure = disclosure_laws(core.disclosure)
DISCLOSURE = Rule(
    disclosure_laws,
    core.disclosure,
    domain(record=SessionStanding, turn=Attribution),
    answers=tuple(Disclosure),
)
