"""The readings and the decision records that give their reasons."""

import re
from pathlib import Path

import pytest

from effectspec.clauses import CLAUSES
from effectspec.readings import READINGS, Reading

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions"


def test_there_are_twenty_two_readings_numbered_in_order() -> None:
    assert [(key, entry.number) for key, entry in READINGS.items()] == [
        (number, number) for number in range(1, 23)
    ]


@pytest.mark.parametrize("entry", READINGS.values(), ids=READINGS.keys())
def test_a_reading_bears_on_clauses_of_the_register_named_once_and_in_order(
    entry: Reading,
) -> None:
    assert entry.clauses
    assert list(entry.clauses) == [key for key in CLAUSES if key in entry.clauses]


@pytest.mark.parametrize("entry", READINGS.values(), ids=READINGS.keys())
def test_a_reading_has_one_decision_record_with_its_title_and_clauses(entry: Reading) -> None:
    [record] = DECISIONS.glob(f"{entry.number:04}-*.md")
    text = record.read_text(encoding="utf-8")
    [clauses] = re.findall(r"^- Clauses: (.+)$", text, re.MULTILINE)

    assert text.startswith(f"# {entry.number}. {entry.title}\n")
    assert clauses.split(", ") == list(entry.clauses)


def test_the_index_lists_every_decision_record_under_its_own_heading() -> None:
    records = {
        record.name: record.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        for record in DECISIONS.glob("[0-9]*.md")
    }
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    listed = {name: title for title, name in re.findall(r"\[(\d+\. .+?)\]\((.+?\.md)\)", index)}

    assert listed == records
