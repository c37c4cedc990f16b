"""The register of clauses against a transcript of the contract's own list."""

import re
from pathlib import Path

import pytest

from effectspec.clauses import CLAUSES, Clause, Evidence, Section, UnknownClauseError, clause
from effectspec.readings import READINGS

CLAUSES_PER_LETTER = {
    "T": 6,
    "I": 9,
    "J": 5,
    "G": 13,
    "M": 2,
    "S": 3,
    "O": 6,
    "F": 2,
    "A": 5,
    "D": 10,
    "R": 7,
    "P": 1,
    "X": 15,
    "C": 11,
    "B": 2,
    "L": 3,
}

SECTIONS_PER_LETTER: dict[str, set[Section]] = {
    "T": {"§1"},
    "I": {"§2"},
    "J": {"§3"},
    "G": {"§4"},
    "M": {"§5"},
    "S": {"§6"},
    "O": {"§7"},
    "F": {"§2", "§7"},
    "A": {"§8"},
    "D": {"§8"},
    "R": {"§9"},
    "P": {"§10"},
    "X": {"§11"},
    "C": {"§12"},
    "B": {"§13"},
    "L": {"§14"},
}


def transcribed_evidence() -> dict[str, tuple[str, ...]]:
    transcript = Path(__file__).with_name("clause_evidence.txt").read_text(encoding="utf-8")
    rows = [line.split() for line in transcript.splitlines() if not line.startswith("#")]
    return {row[0]: tuple(kind for kind in row[1:] if kind != "-") for row in rows}


def test_the_register_holds_every_clause_of_every_letter_in_the_contracts_order() -> None:
    expected = [
        f"{letter}-{number}"
        for letter, count in CLAUSES_PER_LETTER.items()
        for number in range(1, count + 1)
    ]

    assert list(CLAUSES) == expected


def test_every_clause_is_filed_under_its_own_id() -> None:
    assert {key: entry.id for key, entry in CLAUSES.items()} == {key: key for key in CLAUSES}


def test_every_clause_asks_for_the_evidence_that_the_contract_lists() -> None:
    registered = {entry.id: tuple(map(str, entry.shown_by)) for entry in CLAUSES.values()}

    assert registered == transcribed_evidence()


def test_the_crash_matrix_is_shown_by_kills_alone() -> None:
    points = [entry for entry in CLAUSES.values() if entry.id.startswith("C-")]

    assert len(points) == 11
    assert {entry.shown_by for entry in points} == {(Evidence.KILL,)}


def test_every_clause_names_the_section_that_states_it() -> None:
    registered: dict[str, set[Section]] = {}
    for entry in CLAUSES.values():
        registered.setdefault(entry.id[0], set()).add(entry.section)

    assert registered == SECTIONS_PER_LETTER


@pytest.mark.parametrize("entry", CLAUSES.values(), ids=CLAUSES.keys())
def test_every_clause_has_a_one_line_title_and_full_sentences(entry: Clause) -> None:
    assert re.fullmatch(r"\S[^\n]{0,58}[^\s.]", entry.title)
    assert re.fullmatch(r"[^\n]+\.", entry.text)


def test_no_two_clauses_share_a_title() -> None:
    titles = [entry.title for entry in CLAUSES.values()]

    assert sorted(set(titles)) == sorted(titles)


def test_a_clause_refers_only_to_clauses_and_readings_that_exist() -> None:
    texts = " ".join(entry.text for entry in CLAUSES.values())
    clauses = set(re.findall(r"\b[A-Z]-\d+\b", texts))
    readings = {int(number) for number in re.findall(r"\breading (\d+)\b", texts)}

    assert clauses
    assert clauses <= CLAUSES.keys()
    assert readings
    assert readings <= READINGS.keys()


@pytest.mark.parametrize("given", ["G-4", "g-4"])
def test_a_known_id_finds_its_clause(given: str) -> None:
    assert clause(given).id == "G-4"


@pytest.mark.parametrize("entry", CLAUSES.values(), ids=CLAUSES.keys())
def test_no_words_of_a_text_are_repeated_by_accident(entry: Clause) -> None:
    assert not re.search(r"\b(\w+) \1\b", entry.text)
    words = re.findall(r"\w+", entry.text)
    phrases = [tuple(words[at : at + 6]) for at in range(len(words) - 5)]
    assert len(set(phrases)) == len(phrases)


@pytest.mark.parametrize(
    ("unknown", "nearest"), [("G4", "G-4"), ("g4", "G-4"), ("X-16", "X-15"), ("X12", "X-12")]
)
def test_an_unknown_id_is_refused_with_the_nearest_ids(unknown: str, nearest: str) -> None:
    with pytest.raises(UnknownClauseError, match=rf"{unknown}.* nearest ids .*\b{nearest}\b"):
        clause(unknown)
