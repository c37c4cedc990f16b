"""The matrix is complete, and each of its cases can be run, named and repeated."""

import pytest

from effectcrash.case import Case
from effectcrash.examinable import point_of
from effectcrash.points import all_cases, c6
from effectcrash.target_acts import AT_ONCE, COMING, UNANSWERED
from effectspec import scenario
from effectspec.clauses import CLAUSES, Evidence
from effectspec.scenario import Kill, Start, TargetAct
from effectspec.tiers import Tier

CASES = {case.id: case for case in all_cases()}

ELSEWHERE = {"D-8", "X-11", "X-12"}
"""Shown by cases beyond the matrix, or by tests of real surfaces and of a store's files."""

each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def test_every_id_is_one_case() -> None:
    assert len(CASES) == len(all_cases())


def test_every_crash_point_has_cases() -> None:
    points = {clause for clause in CLAUSES if clause.startswith("C-")}
    assert points == {point_of(case.id) for case in CASES.values()} & points


def test_every_clause_that_a_kill_must_show_is_asserted() -> None:
    asserted = {assertion.clause for case in CASES.values() for assertion in case.assertions}
    asked = {id_ for id_, clause in CLAUSES.items() if Evidence.KILL in clause.shown_by}
    assert asked - asserted == ELSEWHERE


@pytest.mark.parametrize("point", ["C-1", "C-2", "C-3", "C-4", "C-5", "C-8"])
def test_the_points_of_one_effect_are_run_for_every_tier_and_without_reconcilers(
    point: str,
) -> None:
    run = {
        (case.scenario.job.tools[0].tier, case.scenario.job.tools[0].reconciler)
        for case in CASES.values()
        if point_of(case.id) == point
    }
    assert run >= {
        (Tier.KEYED, True),
        (Tier.QUERYABLE, True),
        (Tier.OPAQUE, True),
        (Tier.KEYED, False),
        (Tier.QUERYABLE, False),
    }


@pytest.mark.parametrize("which", ["first", "second"])
@pytest.mark.parametrize("point", ["C-1", "C-2", "C-3", "C-4", "C-5"])
def test_c6_kills_at_each_point_for_each_of_two_effects_with_every_re_run(
    which: str, point: str
) -> None:
    for rerun in c6.RERUNS:
        here = (f"C-6/{which}/{point}/{run}/tier-3" for run in (rerun, "every re-run"))
        assert any(id_ in CASES for id_ in here)


@each_case
def test_a_case_names_a_clause_and_asserts_something(case: Case) -> None:
    assert point_of(case.id) in CLAUSES
    assert case.assertions
    assert {assertion.clause for assertion in case.assertions} <= CLAUSES.keys()


@each_case
def test_a_case_survives_the_way_through_a_file(case: Case) -> None:
    assert scenario.decode(scenario.encode(case.scenario)) == case.scenario


@each_case
def test_a_case_starts_its_processes_and_kills_only_those_that_run(case: Case) -> None:
    running: set[str] = set()
    for step in case.scenario.steps:
        process = getattr(step, "process", None)
        if isinstance(step, Start):
            assert process not in running
            running.add(step.process)
        elif process is not None:
            assert process in running
        if isinstance(step, Kill):
            running.remove(step.process)


def test_every_act_of_a_target_is_known_once() -> None:
    assert AT_ONCE.keys() | COMING.keys() == set(TargetAct)
    assert not AT_ONCE.keys() & COMING.keys()
    assert COMING.keys() >= UNANSWERED
