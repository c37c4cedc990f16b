"""The command runs cases against an implementation, which is a process and nothing else."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
import typer
from typer.testing import CliRunner

from effectcrash import command
from effectcrash.command import crash
from effectcrash.options import REFERENCE
from effectcrash.points import all_cases
from effectcrash.results import Results
from effectcrash.runner import run
from effectcrash.selection import select
from effectspec.stdout import Lost
from effectspec.verdict import Verdict

Script = Callable[[str], tuple[str, ...]]

FAULTY = (sys.executable, str(Path(__file__).parents[2] / "adapters" / "faulty"))
"""The reference with a fault: its name is the last argument."""


def verdicts(only: Sequence[str], command: Sequence[str]) -> dict[str, Verdict]:
    """The verdict on each case."""
    results = run(select(all_cases(), only).cases, command)
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
    results = run(select(all_cases(), ("C-3/tier-3",)).cases, (*FAULTY, "opaque-effect-retried"))
    (case,) = results.cases
    assert case.verdict is Verdict.FAIL
    assert {finding.clause for finding in case.findings if finding.verdict is Verdict.FAIL} >= {
        "G-4",
        "T-4",
    }


def test_results_come_in_the_order_of_the_cases_and_are_told_as_they_come(
    script: Script,
) -> None:
    cases = select(all_cases(), ("C-1", "F-2")).cases
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
        "--only", "C-4", "--json", str(json), "--junit", str(xml), "--", *adapter
    )
    assert status == 1
    assert "5 cases: 5 not implemented" in out.splitlines()
    written = msgspec.json.decode(json.read_bytes(), type=Results)
    assert written.implementation.command == adapter
    assert {case.verdict for case in written.cases} == {Verdict.NOT_IMPLEMENTED}
    assert b"<testcase" in xml.read_bytes()


def test_a_report_is_printed_although_its_file_cannot_be_written(script: Script) -> None:
    adapter = script("welcome(places=[]); serve()")
    status, out, err = command_line("--only", "C-4", "--json", "/dev/full", "--", *adapter)
    assert status == 2
    assert "5 cases: 5 not implemented" in out.splitlines()
    assert (
        err
        == "effectspec: /dev/full: cannot be written (No space left on device); give another file\n"
    )


def test_the_files_are_written_although_nobody_reads_the_report(
    script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object, **__: object) -> None:
        raise Lost(BrokenPipeError())

    monkeypatch.setattr(command, "report", lost)
    json = tmp_path / "results.json"
    with pytest.raises(Lost):
        crash(list(script("welcome(places=[]); serve()")), only=["C-4"], json=json)
    assert len(msgspec.json.decode(json.read_bytes(), type=Results).cases) == 5


@pytest.mark.parametrize(
    "arguments", [("--only", "C-99"), ("--", "no-such-adapter"), ("--junit", "/nowhere/results")]
)
def test_an_invocation_that_comes_to_nothing_leaves_no_file_behind(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    json = tmp_path / "results.json"
    status, _, _ = command_line("--json", str(json), *arguments)
    assert status == 2
    assert not json.exists()


def test_the_command_exits_0_when_all_passed() -> None:
    status, out, _ = command_line("--only", "C-1/tier-3")
    assert (status, out.splitlines()[-1]) == (0, "1 case: 1 pass")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--only", "C-99"), "effectspec: no case or clause 'C-99'; nearest: C-9"),
        (("--only", "B-1", "--tier", "2"), "effectspec: no case of B-1 has tier 2"),
        (
            ("--json", "/nowhere/results.json"),
            "effectspec: /nowhere/results.json: cannot be written (No such file or directory); ",
        ),
        (
            ("--json", "/dev/null", "--junit", "/dev/null"),
            "effectspec: /dev/null: is to hold both JSON and JUnit XML; ",
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
