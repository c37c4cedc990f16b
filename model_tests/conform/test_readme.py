"""What the README and the pages beside it say is what is there."""

import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

import effectjournal
from effectconform.command import conform
from effectcrash.command import crash
from effectcrash.examinable import point_of
from effectcrash.points import all_cases

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("**/*.md")))


def block(name: str) -> str:
    match = re.search(
        rf"<!-- {name} -->\n```\w*\n(.*?)```\n<!-- end of {name} -->", README, re.DOTALL
    )
    assert match is not None, name
    return match[1]


def test_the_matrix_counts_the_cases_that_there_are() -> None:
    there_are = Counter((point_of(case.id), int(case.tier)) for case in all_cases())
    for line in block("matrix").splitlines()[1:]:
        point, *cells = [cell.strip() for cell in line.split("│")[1:5]]
        shown = [0 if cell == "–" else int(cell) for cell in cells]
        assert shown == [there_are[point, tier] for tier in (1, 2, 3)], point


def test_the_library_call_runs_as_it_stands_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    program = compile(block("library"), "README.md", "exec")
    exec(program, {})  # noqa: S102  (the README is ours, and a reader runs it)
    with pytest.raises(effectjournal.RunEnded):
        exec(program, {})  # noqa: S102  (the README is ours, and a reader runs it)
    assert capsys.readouterr().out == "charged 12\n"


def test_the_demonstration_of_a_fault_fails_as_it_stands_and_begins_with_the_effects() -> None:
    activated = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    shown = subprocess.run(
        ["sh", "-c", block("demo")],  # noqa: S607  (whichever shell the reader has)
        cwd=ROOT,
        env=activated,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (shown.returncode, shown.stderr) == (1, "")
    failed, first, *_ = shown.stdout.partition("fail: C-3/")[2].splitlines()
    assert failed == "tier-3"
    assert first == "  T-4: effects at the end: expected A, found A, A"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_option_of_a_command_line_exists(page: Path) -> None:
    known = {command.__name__: options_of(command) for command in (conform, crash)}
    for name, rest in re.findall(r"effectspec (conform|crash)((?: -?[\w/.-]+)*)", page.read_text()):
        shown = re.findall(r"--\w+", rest.partition(" -- ")[0])
        assert known[name].issuperset(shown), (name, rest)


def options_of(command: Callable[..., None]) -> set[str]:
    """The options of a sub-command, as they are typed."""
    app = typer.Typer()
    app.command()(command)
    return {option for each in typer.main.get_command(app).params for option in each.opts}


def test_every_target_of_the_makefile_is_there_and_explained() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    explained = re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE)
    assert sorted(phony.split()) == sorted(explained)


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = (project["dependencies"], *project["optional-dependencies"].values())
    needed = {re.split(r"[\[<>=]", each)[0] for group in groups for each in group}
    page = (ROOT / "docs" / "libraries.md").read_text()
    assert set(re.findall(r"^\| ([\w-]+) \| (?!licence)", page, re.MULTILINE)) == needed - {
        project["name"]
    }
