"""The laws of when a run's rows may be deleted (§9)."""

from collections.abc import Callable

from icontract import ensure

from effectspec import retention as core
from effectspec.contract import Sweepable
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.lifecycle import State
from effectspec.retention import RunPhase

_SETTLED = (State.COMMITTED, State.RESOLVED)
_RESUMABLE = (RunPhase.OPEN, RunPhase.NEEDS_ATTENTION)


def may_resume_laws(implementation: Callable[[RunPhase], bool]) -> Callable[[RunPhase], bool]:
    """Put the laws of :func:`effectspec.retention.may_resume` around ``implementation``."""

    @ensure(
        lambda phase, result: implies(phase is RunPhase.OPEN, result),
        "G-1: a run without a terminal enters the gate",
    )
    @ensure(
        lambda phase, result: implies(phase is RunPhase.NEEDS_ATTENTION, result),
        "A-4: a run that ended in effect_needs_attention enters the gate again (reading 6)",
    )
    @ensure(
        lambda phase, result: implies(phase in (RunPhase.ENDED, RunPhase.CLOSED), not result),
        "R-2: a run whose rows may be swept is not resumed",
    )
    def may_resume(phase: RunPhase) -> bool:
        return implementation(phase)

    return may_resume


may_resume = may_resume_laws(core.may_resume)
MAY_RESUME = Rule(may_resume_laws, core.may_resume, domain(phase=RunPhase), answers=BOTH)


def sweepable_laws(implementation: Sweepable) -> Sweepable:
    """Put the laws of :func:`effectspec.retention.sweepable` around ``implementation``."""

    @ensure(
        lambda state, result: implies(state not in _SETTLED, not result),
        "R-1: an unresolved row is never swept and outlives its run",
    )
    @ensure(
        lambda phase, result: implies(phase in _RESUMABLE, not result),
        "R-2: no row is swept while its run can still be resumed",
    )
    @ensure(
        lambda phase, undelivered, result: implies(
            undelivered and phase is not RunPhase.CLOSED, not result
        ),
        "A-3: an effect its node never delivered stays until an operator closes the run",
    )
    @ensure(
        lambda state, phase, undelivered, result: implies(
            state in _SETTLED and phase is RunPhase.ENDED and not undelivered, result
        ),
        "R-2: the settled rows of a run that has ended are swept",
    )
    @ensure(
        lambda state, phase, result: implies(
            state in _SETTLED and phase is RunPhase.CLOSED, result
        ),
        "R-7: an operator's close lets every settled row be swept (readings 6 and 17)",
    )
    def sweepable(state: State, phase: RunPhase, *, undelivered: bool) -> bool:
        return implementation(state, phase, undelivered=undelivered)

    return sweepable


sweepable = sweepable_laws(core.sweepable)
SWEEPABLE = Rule(
    sweepable_laws,
    core.sweepable,
    domain(state=State, phase=RunPhase, undelivered=BOTH),
    answers=BOTH,
)
