"""From cases to clauses: the worst verdict by each kind of evidence, no pass without a fault."""

import msgspec
import pytest

from effectconform import judgement
from effectconform.judgement import judge
from effectconform.suite import AnyCase, every_case, shows
from effectcrash.results import CaseResult, Finding, Implementation, Results
from effectspec.clauses import CLAUSES, Evidence
from effectspec.verdict import Verdict

CASES = {case.id: case for case in every_case()}
WITH_KILL = CASES["C-4/tier-3"]
WITHOUT = CASES["B-1/nothing-done-yet/tier-3"]
ASKED = CASES["T-5/claims"]
WHO = Implementation(name="x", version="1", language="L", contract="c", command=("x",))

EVERYTHING = {(clause, kind): Verdict.PASS for clause in CLAUSES for kind in Evidence}


@pytest.fixture(autouse=True)
def everything_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if some fault turned every check red."""
    monkeypatch.setattr(judgement, "coverage", lambda: EVERYTHING)


def result(case: AnyCase, **verdicts: Verdict) -> CaseResult:
    findings = tuple(
        Finding(clause=clause.replace("_", "-"), fact="f", verdict=verdict, expected="e", found="f")
        for clause, verdict in verdicts.items()
    )
    worst = min(verdicts.values(), key=list(Verdict).index)
    return CaseResult(case=case.id, point="", tier=3, verdict=worst, findings=findings, seconds=0.0)


def said(*results: CaseResult) -> dict[tuple[str, Evidence], Verdict]:
    found = judge(Results(implementation=WHO, cases=results), CASES.values())
    return {(each.clause, each.evidence): each.verdict for each in found}


def test_a_case_that_kills_gives_both_kinds_of_evidence() -> None:
    found = said(result(WITH_KILL, G_2=Verdict.PASS))
    assert found["G-2", Evidence.CONF] is Verdict.PASS
    assert found["G-2", Evidence.KILL] is Verdict.PASS


@pytest.mark.parametrize("case", [WITHOUT, ASKED])
def test_a_case_that_harms_nobody_is_no_kill(case: AnyCase) -> None:
    found = said(result(case, G_2=Verdict.PASS))
    assert found["G-2", Evidence.CONF] is Verdict.PASS
    assert found["G-2", Evidence.KILL] is Verdict.UNCOVERED


def test_the_worst_of_all_cases_is_the_clauses_verdict() -> None:
    found = said(
        result(WITH_KILL, G_2=Verdict.PASS, T_1=Verdict.PASS),
        result(WITHOUT, G_2=Verdict.FAIL),
    )
    assert found["G-2", Evidence.CONF] is Verdict.FAIL
    assert found["G-2", Evidence.KILL] is Verdict.PASS
    assert found["T-1", Evidence.CONF] is Verdict.PASS


def test_a_clause_of_no_case_is_uncovered() -> None:
    assert said(result(WITH_KILL, G_2=Verdict.PASS))["G-3", Evidence.CONF] is Verdict.UNCOVERED


def test_a_check_that_no_fault_turns_red_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    untested = {**EVERYTHING, ("G-2", Evidence.CONF): Verdict.UNCOVERED}
    monkeypatch.setattr(judgement, "coverage", lambda: untested)
    found = said(result(WITH_KILL, G_2=Verdict.PASS))
    assert found["G-2", Evidence.CONF] is Verdict.UNCOVERED
    assert found["G-2", Evidence.KILL] is Verdict.PASS


def test_a_failure_stays_one_although_no_fault_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    untested = {**EVERYTHING, ("G-2", Evidence.CONF): Verdict.UNCOVERED}
    monkeypatch.setattr(judgement, "coverage", lambda: untested)
    assert said(result(WITH_KILL, G_2=Verdict.FAIL))["G-2", Evidence.CONF] is Verdict.FAIL


def test_only_the_kinds_that_a_clause_asks_for_are_judged() -> None:
    found = said(result(WITH_KILL, G_2=Verdict.PASS))
    assert ("C-4", Evidence.KILL) in found
    assert ("C-4", Evidence.CONF) not in found
    assert not [clause for clause, _ in found if clause in {"I-1", "I-4"}]


def test_every_case_has_an_id_of_its_own() -> None:
    ids = [case.id for case in every_case()]
    assert sorted(set(ids)) == sorted(ids)


def test_every_case_is_filed_under_a_clause_and_speaks_of_clauses_only() -> None:
    for case in every_case():
        assert case.id.partition("/")[0] in CLAUSES
        assert case.clauses <= CLAUSES.keys()


def test_every_point_of_the_crash_matrix_is_a_kill() -> None:
    points = [case for case in every_case() if case.id.startswith("C-")]
    assert points
    assert all(Evidence.KILL in shows(case) for case in points)


def test_the_results_can_be_written_and_read_back() -> None:
    results = Results(implementation=WHO, cases=(result(WITH_KILL, G_2=Verdict.PASS),))
    assert msgspec.json.decode(msgspec.json.encode(results), type=Results) == results
