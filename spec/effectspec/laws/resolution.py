"""The laws of what an operator may say of an effect (§8)."""

from icontract import ensure

from effectspec import resolution as core
from effectspec.contract import MayResolve
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.lifecycle import Resolution, State

_SETTLED = (State.COMMITTED, State.RESOLVED)


def may_resolve_laws(implementation: MayResolve) -> MayResolve:
    """Put the laws of :func:`effectspec.resolution.may_resolve` around ``implementation``."""

    @ensure(
        lambda state, result: implies(state in _SETTLED, not result),
        "A-5: what is settled is not resolved, and a second resolution is refused",
    )
    @ensure(
        lambda resolution, landed, result: implies(
            resolution is Resolution.DISCARDED and landed, not result
        ),
        "A-5: an effect that is known to have landed is not discarded (reading 8)",
    )
    @ensure(
        lambda state, resolution, result: implies(
            state not in _SETTLED and resolution is Resolution.ACCEPTED, result
        ),
        "A-5: an operator may accept any unresolved effect (reading 6)",
    )
    @ensure(
        lambda state, resolution, landed, result: implies(
            state not in _SETTLED and resolution is Resolution.DISCARDED and not landed, result
        ),
        "A-5: an operator may discard any unresolved effect that nothing shows to have landed",
    )
    def may_resolve(state: State, resolution: Resolution, *, landed: bool) -> bool:
        return implementation(state, resolution, landed=landed)

    return may_resolve


may_resolve = may_resolve_laws(core.may_resolve)
MAY_RESOLVE = Rule(
    may_resolve_laws,
    core.may_resolve,
    domain(state=State, resolution=Resolution, landed=BOTH),
    answers=BOTH,
)
