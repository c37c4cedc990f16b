"""What the README shows is what the commands do."""

import re
from collections import Counter
from pathlib import Path

import pytest

from effectcrash.points import all_cases

README = (Path(__file__).parents[2] / "README.md").read_text()


def block(name: str) -> str:
    match = re.search(
        rf"<!-- {name} -->\n```\w*\n(.*?)```\n<!-- end of {name} -->", README, re.DOTALL
    )
    assert match is not None, name
    return match[1]


def test_the_matrix_counts_the_cases_that_there_are() -> None:
    there_are = Counter((case.point, int(case.tier)) for case in all_cases())
    for line in block("matrix").splitlines()[1:]:
        point, *cells = [cell.strip() for cell in line.split("│")[1:5]]
        shown = [0 if cell == "–" else int(cell) for cell in cells]
        assert shown == [there_are[point, tier] for tier in (1, 2, 3)], point


class Provider:
    """A target that honours a key, with a ledger of its own."""

    def __init__(self) -> None:
        self.ledger: dict[str, int] = {}

    def charge(self, amount: int, idempotency_key: str) -> dict[str, str]:
        self.ledger.setdefault(idempotency_key, amount)
        return {"receipt": "r-1"}


def test_the_library_call_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    provider = Provider()
    exec(compile(block("library"), "README.md", "exec"), {"provider": provider})  # noqa: S102
    assert list(provider.ledger.values()) == [12]
