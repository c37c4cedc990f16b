"""``effectspec check``: what it prints, writes and exits with."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import typer

from effectspec.check.command import NO_EXPLORER, NOTHING_TO_ASK, UNKNOWN, check
from effectspec.check.results import CheckResults, Said, WorldResult
from effectspec.model.configuration import STANDARD
from effectspec.model.properties import SAFETY
from effectspec.verdict import Verdict


def ended(*, fault: str | None = None, **options: object) -> int:
    """The exit status of a check of the smallest world."""
    with pytest.raises(typer.Exit) as left:
        check(config=["unreconciled"], fault=fault, **options)  # type: ignore[arg-type]  # mixed
    return left.value.exit_code


def test_a_world_in_which_everything_holds_is_a_line_and_a_pass(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ended() == 0
    *table, verdict = capsys.readouterr().out.splitlines()
    (row,) = (line for line in table if "unreconciled" in line)
    assert row.split()[:4] == ["unreconciled", "2,530", "5,617", "25"]
    assert verdict == f"1 world, 2,530 states, {len(SAFETY)} properties: pass"


def test_what_breaks_is_shown_step_by_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(fault="opaque-effect-retried", named=["t-6"]) == 1
    printed = capsys.readouterr().out
    assert "\nunreconciled, under opaque-effect-retried\n" in printed
    assert "\nbreaks T-6: without a reconciler it happens at most once\n" in printed
    assert printed.endswith("1 property, under opaque-effect-retried: fail\n")


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({"states": 100}, "states was reached"),
        ({"memory": 1}, "bytes was reached"),
        ({"seconds": 0.0}, "seconds was reached at 1 states, depth 0; give --seconds more"),
    ],
    ids=["states", "memory", "seconds"],
)
def test_a_limit_that_is_reached_is_unknown_and_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], limit: dict[str, int], said: str
) -> None:
    with pytest.raises(typer.Exit) as left:
        check(config=["oversized"], **limit)  # type: ignore[arg-type]  # one of them
    assert left.value.exit_code == UNKNOWN
    printed = capsys.readouterr().out
    assert f"oversized: unknown: the limit of {said}" in printed
    assert f"{len(SAFETY)} properties: unknown" in printed


def test_a_break_below_a_limit_is_a_failure_all_the_same() -> None:
    assert ended(fault="opaque-effect-retried", states=2000) == 1


def test_the_files_hold_what_was_found(tmp_path: Path) -> None:
    results, suite = tmp_path / "results", tmp_path / "suite"
    assert ended(fault="opaque-effect-retried", json=results, xml=suite) == 1
    found = json.loads(results.read_bytes())
    broken = {each["clause"] for each in found["worlds"][0]["said"] if each["verdict"] == "fail"}
    told = ET.fromstring(suite.read_bytes())  # noqa: S314  # our own bytes
    failed = {each.attrib["name"][:3] for each in told if each.find("failure") is not None}
    assert found["fault"] == "opaque-effect-retried"
    assert broken == failed
    assert "T-6" in broken
    assert told.attrib["tests"] == str(len(SAFETY))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"config": ["mxed"]}, "no world 'mxed'; nearest: mixed, "),
        ({"named": ["T-9"]}, "no property 'T-9'; nearest: "),
        (
            {"fault": "gate-skiped"},
            "no fault 'gate-skiped' in the catalogue; nearest: gate-skipped",
        ),
        ({"fault": "derived-again"}, "derived-again is a fault in what a journal does, of which "),
    ],
    ids=["world", "property", "fault", "conduct"],
)
def test_an_unknown_name_is_one_message_that_names_what_there_is(
    capsys: pytest.CaptureFixture[str], options: dict[str, object], said: str
) -> None:
    with pytest.raises(typer.Exit) as left:
        check(**options)  # type: ignore[arg-type]  # one of them
    told = capsys.readouterr()
    assert (left.value.exit_code, told.out) == (2, "")
    assert told.err.startswith(f"effectspec: {said}")


def test_a_world_that_can_be_asked_for_none_of_the_properties_is_a_wrong_invocation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(typer.Exit) as left:
        check(config=["endless-keyed"], named=["T-4"])
    assert left.value.exit_code == 2
    assert capsys.readouterr().err == f"effectspec: {NOTHING_TO_ASK}\n"


def test_one_file_for_two_kinds_of_results_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert ended(json=tmp_path / "file", trace=tmp_path / "file") == 2
    assert "is to hold both JSON and a trace; give each its own file" in capsys.readouterr().err


def test_without_its_compiler_the_command_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("effectspec.check.command.find_spec", lambda _: None)
    assert ended() == 2
    assert capsys.readouterr().err == f"effectspec: {NO_EXPLORER}\n"


def test_every_standard_world_can_be_named() -> None:
    names = [each.name for each in STANDARD]
    assert len(set(names)) == len(names)


def world(*verdicts: Verdict) -> WorldResult:
    said = tuple(Said(property="p", clause="T-4", verdict=verdict) for verdict in verdicts)
    return WorldResult(world="w", states=1, steps=0, depth=0, seconds=1, bytes=1, said=said)


@pytest.mark.parametrize(
    ("worlds", "unreached", "verdict"),
    [
        ((world(Verdict.PASS), world(Verdict.PASS)), (), Verdict.PASS),
        ((world(Verdict.PASS), world(Verdict.PASS, Verdict.FAIL)), (), Verdict.FAIL),
        ((world(Verdict.PASS), world(Verdict.UNKNOWN)), None, Verdict.UNKNOWN),
        ((world(Verdict.UNKNOWN), world(Verdict.FAIL)), None, Verdict.FAIL),
        ((world(Verdict.PASS),), ("not reached: action Close",), Verdict.UNCOVERED),
    ],
)
def test_the_verdict_is_the_worst_and_what_nothing_reaches_is_uncovered(
    worlds: tuple[WorldResult, ...], unreached: tuple[str, ...] | None, verdict: Verdict
) -> None:
    assert CheckResults(fault=None, worlds=worlds, unreached=unreached).verdict is verdict
