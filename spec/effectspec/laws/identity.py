"""The laws of the five identities (§2)."""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, product

from icontract import ensure, require

from effectspec import identity as core
from effectspec.identity import (
    CorrelationKey,
    EffectCorrelation,
    NodeKey,
    RunCorrelation,
    SessionCorrelation,
    TurnKey,
)
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.tiers import Tier

ROUNDS_TOGETHER = 2
"""Provider rounds whose slots are tried together: one, and one that runs on from it."""

SLOTS_TOGETHER = 5
"""Slots that are tried: two rounds of two calls, and one too many."""


def correlation_key_laws(
    implementation: Callable[[EffectCorrelation], CorrelationKey],
) -> Callable[[EffectCorrelation], CorrelationKey]:
    """Put the laws of :func:`effectspec.identity.correlation_key` around ``implementation``."""

    @ensure(
        lambda correlation, result: (
            not isinstance(correlation, RunCorrelation)
            or result == NodeKey(correlation.run_id, correlation.node_id)
        ),
        "I-2: a run's effects are looked up by run and node, whatever the attempt",
    )
    @ensure(
        lambda correlation, result: (
            not isinstance(correlation, SessionCorrelation)
            or result == TurnKey(correlation.session_id, correlation.turn)
        ),
        "I-1: a session's effects are looked up by session and turn",
    )
    def correlation_key(correlation: EffectCorrelation) -> CorrelationKey:
        return implementation(correlation)

    return correlation_key


correlation_key = correlation_key_laws(core.correlation_key)
CORRELATION_KEY = Rule(
    correlation_key_laws,
    core.correlation_key,
    domain(
        correlation=(
            *(RunCorrelation(run, node, n) for run in "ab" for node in "xy" for n in (1, 2)),
            *(SessionCorrelation(session, turn) for session in "ab" for turn in (1, 2)),
        )
    ),
    answers=(
        *(NodeKey(run, node) for run in "ab" for node in "xy"),
        *(TurnKey(session, turn) for session in "ab" for turn in (1, 2)),
    ),
)


def can_prove_completion_laws(implementation: Callable[[str], bool]) -> Callable[[str], bool]:
    """Put the laws of :func:`effectspec.identity.can_prove_completion` around an implementation."""

    @ensure(
        lambda tool_call_id, result: implies(
            tool_call_id in ("session", "home", "agent-run"), not result
        ),
        "I-9: a placeholder of legacy wiring proves no completion",
    )
    @ensure(
        lambda tool_call_id, result: implies(tool_call_id == "", not result),
        "I-9: an absent call id proves no completion",
    )
    @ensure(
        lambda tool_call_id, result: implies(
            tool_call_id not in ("session", "home", "agent-run", ""), result
        ),
        "I-9: any other call id may join a completed exchange",
    )
    def can_prove_completion(tool_call_id: str) -> bool:
        return implementation(tool_call_id)

    return can_prove_completion


can_prove_completion = can_prove_completion_laws(core.can_prove_completion)
CAN_PROVE_COMPLETION = Rule(
    can_prove_completion_laws,
    core.can_prove_completion,
    domain(tool_call_id=("session", "home", "agent-run", "", "call-1", "Session")),
    answers=BOTH,
)


def slots_laws(
    implementation: Callable[[Sequence[int]], list[range]],
) -> Callable[[Sequence[int]], list[range]]:
    """Put the laws of :func:`effectspec.identity.slots` around ``implementation``."""

    @require(
        lambda rounds: all(calls >= 0 for calls in rounds), "I-3: a round makes no call, or some"
    )
    @ensure(
        lambda rounds, result: [len(each) for each in result] == list(rounds),
        "I-3: every call of every provider round has a slot, journaled or not",
    )
    @ensure(
        lambda result: all(
            slot == ordinal for ordinal, slot in enumerate(slot for each in result for slot in each)
        ),
        "I-3: slots count from zero, in provider order, and run on across the rounds",
    )
    def slots(rounds: Sequence[int]) -> list[range]:
        return implementation(rounds)

    return slots


slots = slots_laws(core.slots)
_RANGES = [range(*ends) for ends in combinations_with_replacement(range(SLOTS_TOGETHER), 2)]
SLOTS = Rule(
    slots_laws,
    core.slots,
    domain(rounds=[(), (-1,), (0,), (2,), (1, 2), (2, 0), (0, 1), (1, 1)]),
    answers=tuple(
        [*assigned]
        for length in range(ROUNDS_TOGETHER + 1)
        for assigned in product(_RANGES, repeat=length)
    ),
)


def carries_idempotency_key_laws(implementation: Callable[[Tier], bool]) -> Callable[[Tier], bool]:
    """Put the law of :func:`effectspec.identity.carries_idempotency_key` around one of its kind."""

    @ensure(
        lambda tier, result: result == (tier is Tier.KEYED),
        "I-7: a target idempotency key exists for tier 1 only",
    )
    def carries_idempotency_key(tier: Tier) -> bool:
        return implementation(tier)

    return carries_idempotency_key


carries_idempotency_key = carries_idempotency_key_laws(core.carries_idempotency_key)
CARRIES_IDEMPOTENCY_KEY = Rule(
    carries_idempotency_key_laws,
    core.carries_idempotency_key,
    domain(tier=Tier),
    answers=BOTH,
)


def carries_reference_laws(implementation: Callable[[Tier], bool]) -> Callable[[Tier], bool]:
    """Put the law of :func:`effectspec.identity.carries_reference` around ``implementation``."""

    @ensure(
        lambda tier, result: result == (tier is Tier.QUERYABLE),
        "T-3: a reference for the receipt is minted for tier 2 only (reading 9)",
    )
    def carries_reference(tier: Tier) -> bool:
        return implementation(tier)

    return carries_reference


carries_reference = carries_reference_laws(core.carries_reference)
CARRIES_REFERENCE = Rule(
    carries_reference_laws, core.carries_reference, domain(tier=Tier), answers=BOTH
)
