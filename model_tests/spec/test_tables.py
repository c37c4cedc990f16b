"""The printed tables are those of the code, in the documentation too."""

import subprocess
import sys
from pathlib import Path

import pytest

from effectspec.attention import ExitCode
from effectspec.gate import GATE
from effectspec.tables import TABLES, include, markdown

DOCS = Path(__file__).parents[2] / "docs"


def test_the_pages_hold_the_tables_as_the_code_prints_them() -> None:
    page = (DOCS / "contract.md").read_text()
    assert include(page) == page
    for name in TABLES:
        assert f"<!-- table: {name} -->" in page


def test_a_table_that_changed_is_seen_in_the_page() -> None:
    page = "<!-- table: gate -->\n| old |\n<!-- end of table -->"
    assert markdown(TABLES["gate"]) in include(page)
    assert "| old |" not in include(page)


def test_a_place_for_a_table_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        include("<!-- table: nonsense -->\n<!-- end of table -->")


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (None, "No such file or directory; name a Markdown file"),
        (b"\xff", "not UTF-8 (byte 0); name a Markdown file"),
        (
            b"<!-- table: nonsense -->\n<!-- end of table -->",
            (
                "no table 'nonsense'; there are: tiers, journaling, gate, lifecycle, ordering, "
                "disclosure, exits"
            ),
        ),
    ],
)
def test_a_page_that_cannot_be_filled_is_told_and_left(
    tmp_path: Path, page: bytes | None, why: str
) -> None:
    file = tmp_path / "page.md"
    if page is not None:
        file.write_bytes(page)
    ended = subprocess.run(
        [sys.executable, "-m", "effectspec.tables", str(file)],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, ended.stderr) == (
        ExitCode.WRONG_INVOCATION,
        f"effectspec: {file}: {why}\n",
    )
    assert (file.read_bytes() if file.exists() else None) == page


def test_g4_the_gate_prints_a_row_per_standing_and_verdict() -> None:
    assert TABLES["gate"].rows[-3:-1] == (
        (
            "prepared / dispatched / ambiguous",
            "3",
            "needs_attention: refuse the node",
            "G-4",
        ),
        ("needs_attention", "any", "needs_attention: refuse the node", "A-4"),
    )
    assert {cell.clause for cell in GATE.values()} == {row[-1] for row in TABLES["gate"].rows}
