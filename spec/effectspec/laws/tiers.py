"""The laws of the tiers (§1): what a target's promise is worth, and what may be said of it."""

from collections.abc import Callable

from icontract import ensure

from effectspec import tiers as core
from effectspec.contract import EffectiveTier, KeyIsLive, MaySend
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.tiers import REQUEST_TRAVEL_ALLOWANCE_S, Tier


def claim_laws(implementation: Callable[[Tier], str]) -> Callable[[Tier], str]:
    """Put the laws of :func:`effectspec.tiers.claim` around ``implementation``."""

    @ensure(
        lambda tier, result: (result == "exactly once") == (tier is Tier.KEYED),
        "T-5: tier 1, and only tier 1, is exactly once without a qualifier",
    )
    @ensure(
        lambda tier, result: implies(
            tier is Tier.QUERYABLE, result == "exactly once after reconciliation"
        ),
        "T-5: tier 2 is exactly once only after reconciliation",
    )
    @ensure(
        lambda tier, result: implies(tier is Tier.OPAQUE, "exactly once" not in result),
        "T-5: tier 3 is never called exactly once",
    )
    @ensure(
        lambda tier, result: implies(tier is Tier.OPAQUE, "at most once" in result),
        "T-4: tier 3 is at most once",
    )
    def claim(tier: Tier) -> str:
        return implementation(tier)

    return claim


claim = claim_laws(core.claim)
CLAIM = Rule(
    claim_laws,
    core.claim,
    domain(tier=Tier),
    answers=(
        "exactly once",
        "exactly once after reconciliation",
        "at most once",
        "at most once, so exactly once",
        "best effort",
    ),
)


def effective_tier_laws(implementation: EffectiveTier) -> EffectiveTier:
    """Put the laws of :func:`effectspec.tiers.effective_tier` around ``implementation``."""

    @ensure(
        lambda declared, result: implies(declared is Tier.OPAQUE, result is Tier.OPAQUE),
        "T-4: nothing makes more of an opaque effect",
    )
    @ensure(
        lambda reconciler, result: implies(not reconciler, result is Tier.OPAQUE),
        "T-6: an effect without a registered reconciler is treated as tier 3",
    )
    @ensure(
        lambda declared, key_live, result: implies(
            declared is Tier.KEYED and not key_live, result is Tier.OPAQUE
        ),
        "T-2: a key that the target has forgotten promises nothing (reading 3)",
    )
    @ensure(
        lambda declared, reconciler, key_live, result: implies(
            declared is Tier.KEYED and reconciler and key_live, result is Tier.KEYED
        ),
        "T-2: a live key keeps the promise of tier 1",
    )
    @ensure(
        lambda declared, reconciler, result: implies(
            declared is Tier.QUERYABLE and reconciler, result is Tier.QUERYABLE
        ),
        "T-3: a receipt can be looked up whatever became of any key",
    )
    def effective_tier(declared: Tier, *, reconciler: bool, key_live: bool) -> Tier:
        return implementation(declared, reconciler=reconciler, key_live=key_live)

    return effective_tier


effective_tier = effective_tier_laws(core.effective_tier)
EFFECTIVE_TIER = Rule(
    effective_tier_laws,
    core.effective_tier,
    domain(declared=Tier, reconciler=BOTH, key_live=BOTH),
    answers=tuple(Tier),
)


def key_is_live_laws(implementation: KeyIsLive) -> KeyIsLive:
    """Put the laws of :func:`effectspec.tiers.key_is_live` around ``implementation``."""

    @ensure(
        lambda lifetime_s, result: implies(lifetime_s is None, result),
        "T-2: a key that the target keeps for ever is always live",
    )
    @ensure(
        lambda age_s, lifetime_s, result: (
            lifetime_s is None or not result or lifetime_s - age_s > REQUEST_TRAVEL_ALLOWANCE_S
        ),
        "T-2: a request under a live key arrives before the target forgets the key (reading 3)",
    )
    @ensure(
        lambda age_s, lifetime_s, result: (
            lifetime_s is None
            or result
            or age_s < 0
            or lifetime_s - age_s <= REQUEST_TRAVEL_ALLOWANCE_S
        ),
        "T-2: a key that outlives the request's travel is live",
    )
    @ensure(
        lambda age_s, lifetime_s, result: lifetime_s is None or age_s >= 0 or not result,
        "T-2: a key of an age that is not known may be forgotten",
    )
    def key_is_live(*, age_s: int, lifetime_s: int | None) -> bool:
        return implementation(age_s=age_s, lifetime_s=lifetime_s)

    return key_is_live


key_is_live = key_is_live_laws(core.key_is_live)
KEY_IS_LIVE = Rule(
    key_is_live_laws,
    core.key_is_live,
    domain(
        age_s=range(-1, 4),
        lifetime_s=(None, 0, *range(REQUEST_TRAVEL_ALLOWANCE_S, REQUEST_TRAVEL_ALLOWANCE_S + 5)),
    ),
    answers=BOTH,
)


def may_send_laws(implementation: MaySend) -> MaySend:
    """Put the laws of :func:`effectspec.tiers.may_send` around ``implementation``."""

    @ensure(
        lambda keyed, key_live, result: implies(keyed and not key_live, not result),
        "T-2: a call is not sent under a key that its target may have forgotten (reading 3)",
    )
    @ensure(
        lambda keyed, result: implies(not keyed, result),
        "T-1: what is sent without a key waits for none",
    )
    @ensure(
        lambda key_live, result: result or not key_live,
        "T-2: a live key lets its call go",
    )
    def may_send(*, keyed: bool, key_live: bool) -> bool:
        return implementation(keyed=keyed, key_live=key_live)

    return may_send


may_send = may_send_laws(core.may_send)
MAY_SEND = Rule(may_send_laws, core.may_send, domain(keyed=BOTH, key_live=BOTH), answers=BOTH)
