"""The catalogue of faults: each is noticed, by exactly the clauses that it says."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from effectconform import fault_run
from effectconform.fault_run import Glimpse, Seen, broken_laws, glimpse, sample
from effectconform.fault_table import NoPlace, cell, include
from effectconform.suite import every_case
from effectspec.clauses import CLAUSES
from effectspec.faults import FAULTS, Fault, Method

CommandLine = Callable[..., tuple[int, str, str]]

ROOT = Path(__file__).parents[2]
SEED = "pytest"
"""Which of the other cases the short runs take. A job may run `effectspec faults --sample` with
seeds of its own."""

ALL = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())


# ── expected red ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.expected_red
@ALL
def test_the_suite_sees_the_fault(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the reference with the fault in it: its witnesses fail, and nothing else does."""
    monkeypatch.chdir(ROOT)
    assert glimpse(fault, SEED) == Glimpse(fault=fault, blind=(), too_much=frozenset())


@pytest.mark.parametrize(
    "fault",
    [fault for fault in FAULTS.values() if fault.rule],
    ids=lambda fault: str(fault.name),
)
def test_the_laws_that_a_wrong_rule_breaks_are_the_expected_ones(fault: Fault) -> None:
    assert broken_laws(fault) == fault.red[Method.CONTRACTS]


# ── the catalogue by itself ──────────────────────────────────────────────────────────────────────


@ALL
def test_the_suite_notices_the_fault(fault: Fault) -> None:
    assert fault.red[Method.CONFORMANCE]


@ALL
def test_an_entry_says_why_a_method_sees_nothing_or_the_suite_not_the_faults_own_clause(
    fault: Fault,
) -> None:
    own = fault.clause in fault.red[Method.CONFORMANCE]
    assert (own and all(fault.red.values())) != bool(fault.unseen)


@ALL
def test_what_turns_red_are_clauses(fault: Fault) -> None:
    assert frozenset().union(*fault.red.values()) <= CLAUSES.keys()


@ALL
def test_a_conduct_fault_breaks_no_law(fault: Fault) -> None:
    assert (Method.CONTRACTS in fault.red) == (fault.rule is not None)


@ALL
def test_every_fault_has_a_witness_that_exists(fault: Fault) -> None:
    assert fault.witness
    assert set(fault.witness) <= {case.id for case in every_case()}


def test_the_page_of_the_documentation_has_the_catalogue_as_it_is() -> None:
    page = ROOT / "docs" / "faults.md"
    assert include(page, FAULTS.values()) == page.read_text()


# ── what the runs are compared with ──────────────────────────────────────────────────────────────

GATE = FAULTS["opaque-effect-retried"]
ONE = replace(GATE, red={Method.KILLS: frozenset({"G-4", "T-4"}), Method.CONTRACTS: frozenset()})


def seen(**red: set[str]) -> Seen:
    by_method = {Method[name]: frozenset(clauses) for name, clauses in red.items()}
    return Seen(fault=ONE, red=by_method, failed=frozenset(), quiet=0)


def test_exactly_the_expected_clauses_are_no_surprise() -> None:
    assert not seen(KILLS={"G-4", "T-4"}, CONTRACTS=set()).surprises


def test_a_clause_that_stays_green_is_a_surprise() -> None:
    expected = {Method.KILLS: (frozenset({"T-4"}), frozenset[str]())}
    assert seen(KILLS={"G-4"}).surprises == expected


def test_a_clause_that_is_red_too_is_a_surprise() -> None:
    expected = {Method.CONTRACTS: (frozenset[str](), frozenset({"G-4"}))}
    assert seen(KILLS={"G-4", "T-4"}, CONTRACTS={"G-4"}).surprises == expected


def test_a_sample_has_the_witnesses_and_is_the_same_for_the_same_seed() -> None:
    ids = [case.id for case in sample(GATE, "one")]
    assert ids == [case.id for case in sample(GATE, "one")]
    assert ids != [case.id for case in sample(GATE, "two")]
    assert set(GATE.witness) < set(ids)


def test_a_witness_that_does_not_fail_is_reported(
    faults_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reference without a fault stands for one that nobody notices."""
    monkeypatch.chdir(ROOT)
    reference = (sys.executable, "-m", "effectjournal.adapter")
    monkeypatch.setattr(fault_run, "command_of", lambda _: reference)
    status, printed, _ = faults_line("--only", GATE.name, "--sample", SEED)
    assert status == 1
    assert f"{GATE.name}: its witness {GATE.witness[0]} does not fail" in printed


# ── the command ──────────────────────────────────────────────────────────────────────────────────


def test_a_short_run_says_that_all_is_as_expected(
    faults_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    status, printed, _ = faults_line("--only", "everything-exactly-once", "--sample", SEED)
    assert status == 0
    assert f"1 fault, seed {SEED}: 0 not as expected" in printed


def test_outside_of_a_checkout_the_command_says_so(
    faults_line: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    status, printed, complaint = faults_line()
    assert (status, printed) == (2, "")
    assert "run this in a checkout of the project" in complaint


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--only", "nonsense"), "no fault 'nonsense' in the catalogue; nearest: "),
        (("--table", "nowhere.md"), "nowhere.md: cannot be read"),
    ],
)
def test_a_wrong_invocation_is_one_message(
    faults_line: CommandLine, arguments: tuple[str, ...], complaint: str
) -> None:
    status, printed, said = faults_line(*arguments)
    assert (status, printed) == (2, "")
    assert complaint in said


def test_a_page_that_is_no_text_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_bytes(b"\xff\xfe")
    with pytest.raises(NoPlace, match=r"page\.md: is no text in UTF-8"):
        include(page, FAULTS.values())


def test_a_page_without_a_place_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Faults\n")
    with pytest.raises(NoPlace, match=r"page\.md: has 0 places for the table"):
        include(page, FAULTS.values())


@pytest.mark.parametrize(
    ("red", "expected"),
    [
        ({"G-4"}, "G-4"),
        ({"C-9", "T-4", "G-4"}, "G-4, T-4, C-9"),
        ({"C-9", "T-4", "G-4", "A-1", "G-9"}, "G-4, T-4, G-9 and 2 more"),
        ({"T-4"}, "T-4"),
        (set(), "not seen"),
    ],
)
def test_a_cell_tells_the_faults_own_clause_first(red: set[str], expected: str) -> None:
    assert cell(replace(GATE, red={Method.KILLS: frozenset(red)}), Method.KILLS) == expected
    assert cell(replace(GATE, red={}), Method.KILLS) == ""
