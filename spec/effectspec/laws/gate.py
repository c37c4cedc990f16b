"""The laws of the resume gate (§4)."""

from collections.abc import Callable
from itertools import product
from typing import Protocol

from icontract import ensure, require

from effectspec import gate as core
from effectspec.gate import GateRead, GateVerdict, Lookup, Standing
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.lifecycle import Resolution, State
from effectspec.tiers import Tier

VERDICTS_TOGETHER = 3
"""Verdicts that are tried together: a law names at most two of them, and one more beside them."""


class ReadStanding(Protocol):
    """:func:`effectspec.gate.standing`."""

    def __call__(self, state: State, resolution: Resolution | None, *, retained: bool) -> Standing:
        """Read a record as the gate does."""
        ...


def standing_laws(implementation: ReadStanding) -> ReadStanding:
    """Put the laws of :func:`effectspec.gate.standing` around ``implementation``."""

    @require(
        lambda state, resolution: (state is State.RESOLVED) == (resolution is not None),
        "A-5: a resolved row, and no other, has a resolution (reading 20)",
    )
    @ensure(
        lambda state, result: implies(
            state in (State.PREPARED, State.DISPATCHED, State.AMBIGUOUS),
            result is Standing.UNRESOLVED,
        ),
        "G-4: an effect whose outcome nobody has established is unresolved",
    )
    @ensure(
        lambda state, result: implies(state is State.NEEDS_ATTENTION, result is Standing.ATTENTION),
        "A-4: an effect marked needs_attention is met again at every resume",
    )
    @ensure(
        lambda state, retained, result: implies(
            state is State.COMMITTED and retained, result is Standing.COMMITTED_RETAINED
        ),
        "G-2: a committed effect whose result was kept can be re-delivered",
    )
    @ensure(
        lambda state, retained, result: implies(
            state is State.COMMITTED and not retained, result is Standing.COMMITTED_UNRETAINED
        ),
        "G-5: a committed effect whose result was not kept is no green light",
    )
    @ensure(
        lambda resolution, retained, result: implies(
            resolution is Resolution.ACCEPTED,
            result is (Standing.COMMITTED_RETAINED if retained else Standing.COMMITTED_UNRETAINED),
        ),
        "A-5: an accepted effect reads as committed (reading 7)",
    )
    @ensure(
        lambda resolution, result: implies(
            resolution is Resolution.DISCARDED, result is Standing.ABSENT
        ),
        "A-5: a discarded effect did not happen (reading 8)",
    )
    def standing(state: State, resolution: Resolution | None, *, retained: bool) -> Standing:
        return implementation(state, resolution, retained=retained)

    return standing


standing = standing_laws(core.standing)
STANDING = Rule(
    standing_laws,
    core.standing,
    domain(state=State, resolution=(None, *Resolution), retained=BOTH),
    answers=tuple(Standing),
)


def gate_laws(
    implementation: Callable[[Standing, Tier], GateVerdict],
) -> Callable[[Standing, Tier], GateVerdict]:
    """Put the laws of :func:`effectspec.gate.gate` around ``implementation``."""

    @ensure(
        lambda record, result: implies(
            record is Standing.COMMITTED_RETAINED, result is GateVerdict.REDELIVER
        ),
        "G-2: a retained result is re-delivered at every tier, and nothing is executed",
    )
    @ensure(
        lambda record, tier, result: implies(
            record is Standing.COMMITTED_UNRETAINED and tier is Tier.KEYED,
            result is GateVerdict.RETRY,
        ),
        "G-3: a committed tier 1 effect without its result is retried under the stored key",
    )
    @ensure(
        lambda record, tier, result: implies(
            record is Standing.COMMITTED_UNRETAINED and tier is Tier.QUERYABLE,
            result is GateVerdict.RECONCILE,
        ),
        "G-3: a committed tier 2 effect without its result is reconciled from a receipt",
    )
    @ensure(
        lambda record, tier, result: implies(
            record is Standing.COMMITTED_UNRETAINED and tier is Tier.OPAQUE,
            result is GateVerdict.ATTENTION,
        ),
        "G-3: a committed tier 3 effect without its result needs attention",
    )
    @ensure(
        lambda record, tier, result: implies(
            record is Standing.UNRESOLVED and tier is Tier.KEYED, result is GateVerdict.RETRY
        ),
        "G-4: an unresolved tier 1 effect is retry-pending under the stored key (reading 4)",
    )
    @ensure(
        lambda record, tier, result: implies(
            record is Standing.UNRESOLVED and tier is Tier.QUERYABLE,
            result is GateVerdict.RECONCILE,
        ),
        "G-4: an unresolved tier 2 effect is reconciled before anything is decided",
    )
    @ensure(
        lambda record, tier, result: implies(
            record is Standing.UNRESOLVED and tier is Tier.OPAQUE, result is GateVerdict.ATTENTION
        ),
        "G-4: an unresolved tier 3 effect is never retried; it needs attention",
    )
    @ensure(
        lambda record, result: implies(
            record is Standing.ATTENTION, result is GateVerdict.ATTENTION
        ),
        "A-4: what needs attention stops every resume until an operator resolves it",
    )
    @ensure(
        lambda record, result: implies(record is Standing.ABSENT, result is GateVerdict.IGNORE),
        "A-5: a discarded effect is evidence only; the node may run again",
    )
    def gate(record: Standing, tier: Tier) -> GateVerdict:
        return implementation(record, tier)

    return gate


gate = gate_laws(core.gate)
GATE = Rule(gate_laws, core.gate, domain(record=Standing, tier=Tier), answers=tuple(GateVerdict))


def after_lookup_laws(
    implementation: Callable[[Lookup], GateVerdict],
) -> Callable[[Lookup], GateVerdict]:
    """Put the laws of :func:`effectspec.gate.after_lookup` around ``implementation``."""

    @ensure(
        lambda lookup, result: implies(lookup is Lookup.FOUND, result is GateVerdict.REDELIVER),
        "T-3: a receipt gives the result, which is then re-delivered",
    )
    @ensure(
        lambda lookup, result: implies(lookup is Lookup.NOTHING, result is GateVerdict.ATTENTION),
        "G-4: no receipt is no proof of absence, so it is no permission to retry (reading 2)",
    )
    @ensure(
        lambda lookup, result: implies(lookup is Lookup.FAILED, result is GateVerdict.ATTENTION),
        "S-1: a look-up without an answer is a reconciliation that failed",
    )
    def after_lookup(lookup: Lookup) -> GateVerdict:
        return implementation(lookup)

    return after_lookup


after_lookup = after_lookup_laws(core.after_lookup)
AFTER_LOOKUP = Rule(
    after_lookup_laws, core.after_lookup, domain(lookup=Lookup), answers=tuple(GateVerdict)
)


def may_schedule_laws(
    implementation: Callable[[GateRead, tuple[GateVerdict, ...]], bool],
) -> Callable[[GateRead, tuple[GateVerdict, ...]], bool]:
    """Put the laws of :func:`effectspec.gate.may_schedule` around ``implementation``."""

    @ensure(
        lambda read, result: implies(read is GateRead.FAILED, not result),
        "G-10: a gate read that fails is a refusal, not a pass",
    )
    @ensure(
        lambda read, verdicts, result: implies(
            read is GateRead.READ and GateVerdict.ATTENTION in verdicts, not result
        ),
        "G-9: one effect that needs attention refuses everything, before anything is scheduled",
    )
    @ensure(
        lambda read, verdicts, result: implies(
            read is GateRead.READ and GateVerdict.RECONCILE in verdicts, not result
        ),
        "G-9: a look-up that is still to be made is not a pass",
    )
    @ensure(
        lambda read, verdicts, result: implies(
            read is GateRead.READ
            and GateVerdict.ATTENTION not in verdicts
            and GateVerdict.RECONCILE not in verdicts,
            result,
        ),
        "G-9: what is answered, retry-pending or discarded holds nothing up",
    )
    def may_schedule(read: GateRead, verdicts: tuple[GateVerdict, ...]) -> bool:
        return implementation(read, verdicts)

    return may_schedule


may_schedule = may_schedule_laws(core.may_schedule)
MAY_SCHEDULE = Rule(
    may_schedule_laws,
    core.may_schedule,
    domain(
        read=GateRead,
        verdicts=[
            verdicts
            for length in range(VERDICTS_TOGETHER + 1)
            for verdicts in product(GateVerdict, repeat=length)
        ],
    ),
    answers=BOTH,
)
