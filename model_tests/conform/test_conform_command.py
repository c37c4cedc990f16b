"""``effectspec conform``: what it prints, writes and exits with."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from rich.console import Console

from effectconform.allowed import of_the_suite
from effectconform.command import Conformance
from effectconform.judgement import KINDS, ClauseVerdict
from effectconform.report import report
from effectcrash.results import CaseResult, Finding, Implementation, Results
from effectspec.clauses import CLAUSES, Evidence
from effectspec.verdict import Verdict

CommandLine = Callable[..., tuple[int, str, str]]
Script = Callable[[str], tuple[str, ...]]

FAULTY = (sys.executable, str(Path(__file__).parents[2] / "adapters" / "faulty"))
"""The reference with a fault: its name is the last argument."""


def test_the_reference_passes_a_case(conform_line: CommandLine) -> None:
    status, printed, _ = conform_line("--only", "I-3/reads-count")
    assert status == 0
    assert "effectjournal 0.1.0 (Python), contract 2026-08-18" in printed
    assert "cases: 1 pass" in printed


def test_a_clause_is_printed_with_its_title_verdict_and_cases(conform_line: CommandLine) -> None:
    status, printed, _ = conform_line("--only", "T-5")
    assert status == 0
    (row,) = (line for line in printed.splitlines() if "T-5" in line)
    assert [cell.strip() for cell in row.strip("│").split("│")] == [
        "T-5",
        CLAUSES["T-5"].title,
        "pass",
        "–",
        "1",
    ]


def test_a_failure_is_shown_with_the_line_that_repeats_it(conform_line: CommandLine) -> None:
    adapter = (*FAULTY, "everything-exactly-once")
    status, printed, _ = conform_line("--only", "T-5", "--", *adapter)
    assert status == 1
    assert "fail: T-5/claims" in printed
    assert "T-5: tier 3 is sold as plainly “exactly once”: expected no, found yes" in printed
    assert f"repeat: effectspec conform --only T-5/claims -- {' '.join(adapter)}" in printed


WHO = Implementation(name="x", version="1", language="L", contract="c", command=("x",))


def failing(id_: str, clause: str) -> CaseResult:
    finding = Finding(clause=clause, fact="f", verdict=Verdict.FAIL, expected="e", found="f")
    point = id_.partition("/")[0]
    return CaseResult(
        case=id_, point=point, tier=3, verdict=Verdict.FAIL, findings=(finding,), seconds=0.0
    )


def printed_of(*cases: tuple[CaseResult, int], verdicts: Sequence[ClauseVerdict] = ()) -> str:
    """The report on these cases, each with its length."""
    console = Console(width=200)
    with console.capture() as printed:
        report(
            Results(implementation=WHO, cases=tuple(case for case, _ in cases)),
            verdicts,
            console,
            lengths={case.case: length for case, length in cases},
            default_command=("x",),
        )
    return printed.get()


def test_the_shortest_failure_comes_first() -> None:
    printed = printed_of((failing("G-2/long", "G-2"), 9), (failing("G-2/short", "G-2"), 3))
    assert printed.index("fail: G-2/short") < printed.index("fail: G-2/long")


def test_a_crash_point_is_no_better_than_anything_that_its_cases_say() -> None:
    passes = ClauseVerdict(clause="C-6", evidence=Evidence.KILL, verdict=Verdict.PASS, cases=1)
    printed = printed_of((failing("C-6/first", "G-8"), 3), verdicts=(passes,))
    (row,) = (line for line in printed.splitlines() if "│ C-6" in line)
    assert "│ fail " in row


def test_a_crash_point_without_a_case_is_uncovered() -> None:
    nothing = ClauseVerdict(
        clause="C-10", evidence=Evidence.KILL, verdict=Verdict.UNCOVERED, cases=0
    )
    (row,) = (line for line in printed_of(verdicts=(nothing,)).splitlines() if "C-10" in line)
    assert "uncovered" in row


def test_clauses_and_cases_are_named_in_upper_and_lower_case(conform_line: CommandLine) -> None:
    status, printed, _ = conform_line("--only", "t-5")
    assert (status, "T-5" in printed) == (0, True)
    status, printed, _ = conform_line("--only", "t-5/CLAIMS")
    assert (status, "cases: 1 pass" in printed) == (0, True)


def test_part_of_a_clauses_cases_is_no_verdict_on_it(conform_line: CommandLine) -> None:
    status, printed, _ = conform_line("--only", "R-1", "--tier", "3")
    assert status == 0
    assert "cases: " in printed
    assert "clauses, " not in printed


def test_an_adapter_that_cannot_say_hello_is_one_message(conform_line: CommandLine) -> None:
    status, printed, complaint = conform_line("--", sys.executable, "-c", "raise SystemExit(9)")
    assert (status, printed) == (2, "")
    assert "asked to 'hello': exited with status 9" in complaint
    assert len(complaint.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--only", "G-99"), "no case or clause 'G-99'; nearest: "),
        (("--only", "G-2/nonsense"), "no case 'G-2/nonsense'; of G-2 there are:\n  G-2/"),
        (("--only", "X-12"), "no case here speaks of X-12"),
        (("--only", "T-5", "--tier", "3"), "no case of T-5 has tier 3"),
        (("--allow", "nowhere.txt"), "nowhere.txt: cannot be read (No such file or directory);"),
        (("--allow", "/"), "/: cannot be read (Is a directory);"),
        (("--json", "/dev/null", "--junit", "/dev/null"), "/dev/null: is to hold both"),
        (("--json", "nowhere/results.json"), "nowhere/results.json: cannot be written"),
    ],
)
def test_a_wrong_invocation_is_one_message(
    conform_line: CommandLine, arguments: tuple[str, ...], complaint: str
) -> None:
    status, printed, said = conform_line(*arguments)
    assert (status, printed) == (2, "")
    assert complaint in said
    assert "Traceback" not in said


def test_the_results_are_written_as_json_and_as_junit(
    conform_line: CommandLine, tmp_path: Path
) -> None:
    json, xml = tmp_path / "results.json", tmp_path / "results.xml"
    conform_line("--only", "T-5", "--json", str(json), "--junit", str(xml))
    written = msgspec.json.decode(json.read_bytes(), type=Conformance)
    assert [(each.clause, each.verdict) for each in written.clauses] == [("T-5", Verdict.PASS)]
    assert [case.case for case in written.results.cases] == ["T-5/claims"]
    suite = ET.parse(xml).getroot()  # noqa: S314  (our own file)
    assert suite.attrib["name"] == "effectspec conform: effectjournal"
    assert [case.get("name") for case in suite.iter("testcase")] == ["T-5/claims"]


# ── what may be uncovered or missing ─────────────────────────────────────────────────────────────

ANSWERS_NOTHING = "serve()"


def missing_from_the_suites_list() -> list[str]:
    """What an implementation that does nothing lacks besides."""
    listed = of_the_suite()
    return [
        f"{clause.id} {kind.value} not ours"
        for clause in CLAUSES.values()
        for kind in KINDS
        if kind in clause.shown_by and (clause.id, kind) not in listed
    ]


def test_what_is_not_implemented_is_no_pass(conform_line: CommandLine, script: Script) -> None:
    status, printed, _ = conform_line("--", *script(ANSWERS_NOTHING))
    assert status == 1
    assert "T-5 conf: not implemented, and not in the list of what may be" in printed
    assert "repeat:" not in printed


def test_what_is_not_implemented_is_no_pass_either_where_one_case_is_asked_for(
    conform_line: CommandLine, script: Script
) -> None:
    status, printed, _ = conform_line("--only", "T-5/claims", "--", *script(ANSWERS_NOTHING))
    assert status == 1
    assert "cases: 1 not implemented" in printed


def test_an_own_list_allows_it(conform_line: CommandLine, script: Script, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("\n".join(missing_from_the_suites_list()))
    status, _, _ = conform_line("--allow", str(own), "--", *script(ANSWERS_NOTHING))
    assert status == 0


def test_a_line_of_an_own_list_that_is_stale_fails(
    conform_line: CommandLine, tmp_path: Path
) -> None:
    own = tmp_path / "own.txt"
    own.write_text("T-5 conf not ours\n")
    status, printed, _ = conform_line("--only", "T-5", "--allow", str(own))
    assert status == 1
    assert "T-5 conf: passes now; remove its line from the list" in printed
