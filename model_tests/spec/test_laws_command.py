"""``effectspec laws``: what it prints and how it exits, whatever CrossHair says."""

import pytest
import typer

from effectconform import laws_command
from effectconform.crosshair import Answer, CrossHairMissing, Finding, Line, Report
from effectspec.verdict import Verdict

CONFIRMED = Line(Finding("effectspec.laws.gate.gate", "G-2: a law", Answer.CONFIRMED), Verdict.PASS)
OPEN = Line(
    Finding("effectspec.laws.identity.slots", "I-3: a law", Answer.NOT_CONFIRMED),
    Verdict.UNCOVERED,
    "its argument may have any length",
)
REFUTED = Line(
    Finding("effectspec.laws.gate.gate", "G-4: a law", Answer.REFUTED),
    Verdict.FAIL,
    "false when calling gate(...)",
)


def run(monkeypatch: pytest.MonkeyPatch, *lines: Line) -> int:
    monkeypatch.setattr(laws_command, "confirm", lambda: Report(lines))
    try:
        laws_command.laws()
    except typer.Exit as ended:
        return ended.exit_code
    return 0


def test_confirmed_and_open_laws_are_counted_and_the_command_exits_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, CONFIRMED, OPEN) == 0

    rows = [line.split("│")[1:5] for line in capsys.readouterr().out.splitlines() if "│" in line]
    assert [[cell.strip() for cell in row] for row in rows if row[0].strip()] == [
        ["gate.gate", "1", "0", "0"],
        ["identity.slots", "0", "1", "0"],
        ["all", "1", "1", "0"],
    ]


def test_a_red_law_is_told_with_its_sentence_and_the_command_exits_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, CONFIRMED, REFUTED) == 1

    printed = capsys.readouterr().out
    assert "fail: effectspec.laws.gate.gate" in printed
    assert "G-4: a law" in printed
    assert "false when calling gate(...)" in printed


def test_without_crosshair_the_command_says_what_to_install_and_exits_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> Report:
        raise CrossHairMissing("CrossHair is not installed: install the extra effectspec[dev]")

    monkeypatch.setattr(laws_command, "confirm", missing)

    with pytest.raises(typer.Exit) as ended:
        laws_command.laws()

    assert ended.value.exit_code == 2
    assert "install the extra effectspec[dev]" in " ".join(capsys.readouterr().err.split())
