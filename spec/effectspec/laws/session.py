"""The laws of when a session's evidence may go, and of which turn comes next (§8, §9, §11)."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from icontract import ensure

from effectspec import session as core
from effectspec.contract import EvidenceMayGo, OneShotSweepable, SessionSweepable
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.lifecycle import State
from effectspec.session import Acknowledgement

_NUMBER: Final = re.compile("0|[1-9][0-9]*", re.ASCII)
_SETTLED = (State.COMMITTED, State.RESOLVED)


def evidence_may_go_laws(implementation: EvidenceMayGo) -> EvidenceMayGo:
    """Put the laws of :func:`effectspec.session.evidence_may_go` around ``implementation``."""

    @ensure(
        lambda owned, result: implies(not owned, not result),
        "D-7: after a cancel, a teardown, an exit or a swap nothing is deleted",
    )
    @ensure(
        lambda acknowledgement, result: implies(
            acknowledgement in (Acknowledgement.ANOTHER, Acknowledgement.FAILED), not result
        ),
        "D-7: nothing is deleted before the exact notice was delivered",
    )
    @ensure(
        lambda acknowledgement, result: implies(
            acknowledgement is Acknowledgement.ENQUEUED, not result
        ),
        "D-8: what is merely enqueued is not delivered",
    )
    @ensure(
        lambda acknowledgement, result: implies(
            acknowledgement is Acknowledgement.CLIPPED, not result
        ),
        "D-10: a surface that does not show every row acknowledges nothing",
    )
    @ensure(
        lambda acknowledgement, owned, result: implies(
            owned and acknowledgement in (Acknowledgement.DELIVERED, Acknowledgement.UNNEEDED),
            result,
        ),
        "D-9: what was disclosed is swept, so that it is disclosed once",
    )
    def evidence_may_go(acknowledgement: Acknowledgement, *, owned: bool) -> bool:
        return implementation(acknowledgement, owned=owned)

    return evidence_may_go


evidence_may_go = evidence_may_go_laws(core.evidence_may_go)
EVIDENCE_MAY_GO = Rule(
    evidence_may_go_laws,
    core.evidence_may_go,
    domain(acknowledgement=Acknowledgement, owned=BOTH),
    answers=BOTH,
)


def session_sweepable_laws(implementation: SessionSweepable) -> SessionSweepable:
    """Put the laws of :func:`effectspec.session.session_sweepable` around ``implementation``."""

    @ensure(
        lambda captured, result: implies(captured not in _SETTLED, not result),
        "R-1: an unresolved row is not swept",
    )
    @ensure(
        lambda captured, found, result: implies(found is not captured, not result),
        "R-3: a row that changed since the read survives",
    )
    @ensure(
        lambda same_address, result: implies(not same_address, not result),
        "R-3: an id that was used again at another address survives",
    )
    @ensure(
        lambda captured, found, same_address, result: implies(
            captured in _SETTLED and found is captured and same_address, result
        ),
        "D-9: what was captured and disclosed is swept",
    )
    def session_sweepable(captured: State, found: State | None, *, same_address: bool) -> bool:
        return implementation(captured, found, same_address=same_address)

    return session_sweepable


session_sweepable = session_sweepable_laws(core.session_sweepable)
SESSION_SWEEPABLE = Rule(
    session_sweepable_laws,
    core.session_sweepable,
    domain(captured=State, found=(*State, None), same_address=BOTH),
    answers=BOTH,
)


def one_shot_sweepable_laws(implementation: OneShotSweepable) -> OneShotSweepable:
    """Put the laws of :func:`effectspec.session.one_shot_sweepable` around ``implementation``."""

    @ensure(
        lambda state, result: implies(state not in _SETTLED, not result),
        "R-1: an unresolved row outlives its one-shot run",
    )
    @ensure(
        lambda state, reserved, result: implies(state in _SETTLED, result == reserved),
        "R-5: a one-shot run sweeps what it reserved, and nothing else",
    )
    def one_shot_sweepable(state: State, *, reserved: bool) -> bool:
        return implementation(state, reserved=reserved)

    return one_shot_sweepable


one_shot_sweepable = one_shot_sweepable_laws(core.one_shot_sweepable)
ONE_SHOT_SWEEPABLE = Rule(
    one_shot_sweepable_laws,
    core.one_shot_sweepable,
    domain(state=State, reserved=BOTH),
    answers=BOTH,
)


def turn_floor_laws(
    implementation: Callable[[Sequence[str]], int | None],
) -> Callable[[Sequence[str]], int | None]:
    """Put the laws of :func:`effectspec.session.turn_floor` around ``implementation``."""

    @ensure(
        lambda turns, result: implies(_numbers(turns) is None, result is None),
        "X-14: a history that is none blocks its session, and is not guessed at",
    )
    @ensure(
        lambda turns, result: (
            (numbers := _numbers(turns)) is None or (result is not None and result not in numbers)
        ),
        "R-4: no turn that has been is handed out again",
    )
    @ensure(
        lambda turns, result: (
            not (numbers := _numbers(turns)) or result is None or result >= max(numbers)
        ),
        "L-2: turns go up, so that commands count anew under a new key",
    )
    @ensure(
        lambda turns, result: (
            (numbers := _numbers(turns)) is None
            or result is None
            or result <= max(numbers, default=-1) + 1
        ),
        "X-14: the allocator begins where the history ends",
    )
    def turn_floor(turns: Sequence[str]) -> int | None:
        return implementation(turns)

    return turn_floor


def _numbers(turns: Sequence[str]) -> list[int] | None:
    numbers = [int(turn) for turn in turns if _NUMBER.fullmatch(turn)]
    return numbers if len(numbers) == len(turns) else None


turn_floor = turn_floor_laws(core.turn_floor)
TURN_FLOOR = Rule(
    turn_floor_laws,
    core.turn_floor,
    domain(turns=[(), ("0",), ("1",), ("0", "2"), ("2", "0"), ("0", "x"), ("",), ("-1",), ("01",)]),
    answers=(None, 0, 1, 2, 3, 4),
)
