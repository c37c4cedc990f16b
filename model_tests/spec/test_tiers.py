"""The tiers against §1's table, written out by hand."""

from itertools import product

import pytest

from effectspec.tiers import (
    REQUEST_TRAVEL_ALLOWANCE_S,
    TIERS,
    Tier,
    claim,
    effective_tier,
    key_is_live,
)

KEPT_TIERS = {
    # (declared, a reconciler is registered, the key is live)
    (Tier.KEYED, True, True): Tier.KEYED,
    (Tier.KEYED, True, False): Tier.OPAQUE,
    (Tier.KEYED, False, True): Tier.OPAQUE,
    (Tier.KEYED, False, False): Tier.OPAQUE,
    (Tier.QUERYABLE, True, True): Tier.QUERYABLE,
    (Tier.QUERYABLE, True, False): Tier.QUERYABLE,
    (Tier.QUERYABLE, False, True): Tier.OPAQUE,
    (Tier.QUERYABLE, False, False): Tier.OPAQUE,
    (Tier.OPAQUE, True, True): Tier.OPAQUE,
    (Tier.OPAQUE, True, False): Tier.OPAQUE,
    (Tier.OPAQUE, False, True): Tier.OPAQUE,
    (Tier.OPAQUE, False, False): Tier.OPAQUE,
}

HOUR = 3600


def test_t2_t3_t4_the_tiers_have_the_numbers_of_section_1() -> None:
    assert {tier.name: int(tier) for tier in Tier} == {"KEYED": 1, "QUERYABLE": 2, "OPAQUE": 3}


def test_t6_the_tier_that_can_be_kept_follows_the_reconciler_and_the_key() -> None:
    answers = {
        (declared, reconciler, live): effective_tier(declared, reconciler=reconciler, key_live=live)
        for declared, reconciler, live in product(Tier, (True, False), (True, False))
    }

    assert answers == KEPT_TIERS


def test_t5_each_tier_may_be_called_exactly_what_section_1_calls_it() -> None:
    assert {tier: claim(tier) for tier in Tier} == {
        Tier.KEYED: "exactly once",
        Tier.QUERYABLE: "exactly once after reconciliation",
        Tier.OPAQUE: "at most once",
    }


def test_each_tier_is_filed_under_the_clause_of_its_promise() -> None:
    assert {tier: row.clause for tier, row in TIERS.items()} == {
        Tier.KEYED: "T-2",
        Tier.QUERYABLE: "T-3",
        Tier.OPAQUE: "T-4",
    }


def test_t5_no_guarantee_of_tier_3_speaks_of_exactly_once() -> None:
    assert "exactly" not in TIERS[Tier.OPAQUE].guarantee


def test_t2_a_request_is_allowed_some_time_to_travel() -> None:
    assert REQUEST_TRAVEL_ALLOWANCE_S > 0


@pytest.mark.parametrize(
    ("age_s", "lifetime_s", "live"),
    [
        (0, None, True),
        (10**9, None, True),
        (0, HOUR, True),
        (HOUR - REQUEST_TRAVEL_ALLOWANCE_S - 1, HOUR, True),
        (HOUR - REQUEST_TRAVEL_ALLOWANCE_S, HOUR, False),
        (HOUR, HOUR, False),
        (HOUR + 1, HOUR, False),
        (0, REQUEST_TRAVEL_ALLOWANCE_S, False),
        (0, 0, False),
    ],
)
def test_t2_a_key_is_live_while_a_request_sent_now_arrives_before_it_is_forgotten(
    age_s: int, lifetime_s: int | None, live: bool
) -> None:
    assert key_is_live(age_s=age_s, lifetime_s=lifetime_s) is live
