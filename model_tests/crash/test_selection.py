"""Cases are selected by a clause, by the beginning of an id, and by tier."""

import pytest

from effectcrash.points import all_cases
from effectcrash.selection import UnknownCase, select
from effectspec.clauses import CLAUSES
from effectspec.tiers import Tier


def chosen(*only: str, tier: Tier | None = None) -> list[str]:
    """The ids that are selected."""
    return [case.id for case in select(all_cases(), only, tier).cases]


def test_nothing_asked_for_is_everything() -> None:
    assert chosen() == [case.id for case in all_cases()]


def test_a_crash_point_names_its_cases() -> None:
    assert chosen("C-4") == [
        "C-4/tier-1",
        "C-4/tier-2",
        "C-4/tier-3",
        "C-4/tier-1/without-reconciler",
        "C-4/tier-2/without-reconciler",
    ]


def test_a_clause_names_every_case_that_is_about_it_or_speaks_of_it() -> None:
    speak = [
        case.id
        for case in all_cases()
        if case.id.startswith("F-2/") or any(each.clause == "F-2" for each in case.assertions)
    ]
    assert chosen("F-2") == speak
    assert any(not id_.startswith("F-2/") for id_ in speak)


def test_the_first_parts_of_an_id_name_all_below_it() -> None:
    below = [case.id for case in all_cases() if case.id.startswith("C-6/first/C-3/")]
    assert chosen("C-6/first/C-3") == chosen("C-6/first/C-3/") == below


def test_a_whole_id_names_one_case_as_a_repeat_command_must() -> None:
    assert [chosen(case.id) for case in all_cases()] == [[case.id] for case in all_cases()]


@pytest.mark.parametrize("asked", ["C-6/FIRST/c-3", "c-4", "f-2", "c-1/Tier-3"])
def test_upper_and_lower_case_are_one(asked: str) -> None:
    assert chosen(asked) == chosen(asked.upper()) == chosen(asked.lower())


def test_no_two_ids_differ_in_case_alone() -> None:
    ids = {case.id.casefold() for case in all_cases()}
    assert len(ids) == len(all_cases())


def test_a_tier_narrows_it() -> None:
    assert chosen("C-4", tier=Tier.OPAQUE) == ["C-4/tier-3"]


@pytest.mark.parametrize(
    ("only", "tier", "judged"),
    [
        ((), None, set(CLAUSES)),
        (("g-4", "C-3/tier-1"), None, {"G-4"}),
        (("C-3/tier-1",), None, set()),
        (("G-4",), Tier.OPAQUE, set()),
        ((), Tier.OPAQUE, set()),
    ],
)
def test_only_a_clause_whose_cases_are_all_there_is_judged(
    only: tuple[str, ...], tier: Tier | None, judged: set[str]
) -> None:
    assert set(select(all_cases(), only, tier).clauses) == judged


@pytest.mark.parametrize(
    ("only", "tier", "why"),
    [
        ("C-1/tier-9", None, "no case 'C-1/tier-9'; of C-1 there are:\n  C-1/tier-1\n"),
        ("c-1/tier-9", None, "no case 'c-1/tier-9'; of C-1 there are:\n  C-1/tier-1\n"),
        ("C-12", None, "no case or clause 'C-12'; nearest: C-"),
        ("X-12", None, "no case here speaks of X-12"),
        ("B-1", Tier.QUERYABLE, "no case of B-1 has tier 2"),
    ],
)
def test_what_is_not_there_is_answered_with_what_is(only: str, tier: Tier | None, why: str) -> None:
    with pytest.raises(UnknownCase) as error:
        chosen(only, tier=tier)
    assert str(error.value).startswith(why)
