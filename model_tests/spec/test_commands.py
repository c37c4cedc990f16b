"""``effectspec clauses`` and ``effectspec tables``: what they print."""

import pytest
import typer

from effectspec.clauses import CLAUSES, MEANINGS, Evidence
from effectspec.commands import clauses, tables
from effectspec.tables import TABLES


def words_of(printed: str) -> str:
    """What was printed, however its lines were broken."""
    return " ".join(printed.split())


def test_a_clause_that_is_named_is_printed_with_its_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clauses(["g-4"])
    printed = words_of(capsys.readouterr().out)
    assert CLAUSES["G-4"].text in printed
    assert "1 clause. " in printed


def test_a_text_is_printed_as_it_is_brackets_included(capsys: pytest.CaptureFixture[str]) -> None:
    assert "[redacted]" in CLAUSES["X-7"].text
    clauses(["X-7"])
    assert CLAUSES["X-7"].text in words_of(capsys.readouterr().out)


def test_every_column_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    clauses()
    printed = words_of(capsys.readouterr().out)
    assert MEANINGS.keys() == set(Evidence)
    for kind, meaning in MEANINGS.items():
        assert f"{kind.value} {meaning}" in printed
    assert "✓ covered: " in printed
    assert "– not yet: " in printed
    assert f"{len(CLAUSES)} clauses. " in printed


def test_an_unknown_clause_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        clauses(["G-4", "G-99"])
    said = capsys.readouterr()
    assert (ended.value.exit_code, said.out) == (2, "")
    assert said.err.startswith("effectspec: no clause 'G-99' in the register; the nearest ids are")


@pytest.mark.parametrize("name", ["gate", "Gate"])
def test_a_table_is_named_in_upper_and_lower_case(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    tables(name, as_markdown=True)
    assert capsys.readouterr().out.startswith(f"### {TABLES['gate'].title}\n")


def test_an_unknown_table_is_answered_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(typer.Exit):
        tables("nonsense")
    assert capsys.readouterr().err == (
        f"effectspec: no table 'nonsense'; there are: {', '.join(TABLES)}\n"
    )
