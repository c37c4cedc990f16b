"""The command runs cases against an implementation, which is a process and nothing else."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
import typer
from typer.testing import CliRunner

from effectcrash.command import REFERENCE, crash
from effectcrash.matrix import run
from effectcrash.points import all_cases
from effectcrash.results import Results
from effectcrash.selection import select
from effectspec.verdict import Verdict

Script = Callable[[str], tuple[str, ...]]

FAULTY = (sys.executable, str(Path(__file__).parents[2] / "adapters" / "faulty"))
"""The reference with a fault: its name is the last argument."""


def verdicts(only: Sequence[str], command: Sequence[str]) -> dict[str, Verdict]:
    """The verdict on each case."""
    results = run(select(all_cases(), only), command)
    return {case.case: case.verdict for case in results.cases}


def command_line(*arguments: str) -> tuple[int, str, str]:
    """Exit status, output and complaints of ``effectspec crash``."""
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(crash)
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout, result.stderr


def test_the_reference_passes_where_processes_wait_for_each_other() -> None:
    ids = (
        "C-3/tier-1",
        "C-7/at-once/tier-3",
        "C-8/store-locked",
        "C-9/late-request/before/tier-1",
        "F-2/late-lock-wait",
    )
    found = verdicts(ids, REFERENCE)
    assert found == dict.fromkeys(found, Verdict.PASS)
    assert len(found) == len(ids)


def test_g4_a_gate_that_sends_an_opaque_effect_again_is_seen_at_c3() -> None:
    results = run(select(all_cases(), ("C-3/tier-3",)), (*FAULTY, "opaque-effect-retried"))
    (case,) = results.cases
    assert case.verdict is Verdict.FAIL
    assert {finding.clause for finding in case.findings if finding.verdict is Verdict.FAIL} >= {
        "G-4",
        "T-4",
    }


def test_results_come_in_the_order_of_the_cases_and_are_told_as_they_come(
    script: Script,
) -> None:
    cases = select(all_cases(), ("C-1", "F-2"))
    told: list[str] = []
    results = run(
        cases, script("welcome(places=[]); serve()"), told=lambda case: told.append(case.case)
    )
    assert told == [case.case for case in results.cases] == [case.id for case in cases]


def test_the_command_writes_files_and_exits_1_unless_all_passed(
    script: Script, tmp_path: Path
) -> None:
    adapter = script("welcome(places=[]); serve()")
    json, xml = tmp_path / "results.json", tmp_path / "results.xml"
    status, out, _ = command_line(
        "--only", "C-1", "--json", str(json), "--junit", str(xml), "--", *adapter
    )
    assert status == 1
    assert "5 cases: 5 not implemented" in out.splitlines()
    written = msgspec.json.decode(json.read_bytes(), type=Results)
    assert written.implementation.command == adapter
    assert {case.verdict for case in written.cases} == {Verdict.NOT_IMPLEMENTED}
    assert b"<testcase" in xml.read_bytes()


def test_the_command_exits_0_when_all_passed() -> None:
    status, out, _ = command_line("--only", "C-1/tier-3")
    assert (status, out.splitlines()[-1]) == (0, "1 cases: 1 pass")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--only", "C-99"), "effectspec: no case 'C-99'; there are: C-1, C-2, "),
        (("--only", "B-1", "--tier", "2"), "effectspec: no case of B-1 has tier 2"),
        (
            ("--json", "/nowhere/results.json"),
            "effectspec: /nowhere/results.json: cannot be written (No such file or directory); ",
        ),
        (
            ("--", "no-such-adapter"),
            "effectspec: adapter `no-such-adapter`, at its start: command not found; ",
        ),
    ],
)
def test_a_wrong_invocation_is_one_message_and_exit_2(
    arguments: tuple[str, ...], complaint: str
) -> None:
    status, out, err = command_line(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(complaint)
