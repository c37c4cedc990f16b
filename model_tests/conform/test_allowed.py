"""The list of what may be uncovered: it is exact, and it only gets shorter."""

import re
from pathlib import Path

import pytest

from effectconform.allowed import BadList, compare, from_file, of_the_suite, read
from effectconform.judgement import ClauseVerdict
from effectspec.clauses import Evidence
from effectspec.verdict import Verdict

LONGEST = 6
"""Lines that the list had when this was written last. Lower it when the list gets shorter."""


def verdict(clause: str, kind: Evidence, said: Verdict) -> ClauseVerdict:
    return ClauseVerdict(clause=clause, evidence=kind, verdict=said, cases=1)


def test_the_list_of_the_suite_is_no_longer_than_it_was() -> None:
    assert len(of_the_suite()) == LONGEST


def test_an_entry_is_a_clause_a_kind_and_a_reason() -> None:
    text = "# a remark\n\nG-11 conf no sessions\nD-7 kill  no sessions either\n"
    assert read(text, "list") == {("G-11", Evidence.CONF), ("D-7", Evidence.KILL)}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("G-11 conf", "G-11 conf"),
        ("G-99 conf why", "not a clause and a kind"),
        ("G-11 model why", "not a clause and a kind"),
        ("G-11 kill why", "asks for no evidence by kill"),
        ("G-2 conf why\nG-2 conf why", "line 2: G-2 conf is there already"),
    ],
)
def test_a_line_that_is_no_entry_is_named_with_its_place(line: str, complaint: str) -> None:
    with pytest.raises(BadList) as refused:
        read(line, "list")
    assert re.match(r"list, line \d: ", str(refused.value))
    assert complaint in str(refused.value)


def test_a_file_that_cannot_be_read_is_named_once(tmp_path: Path) -> None:
    file = tmp_path / "nowhere"
    with pytest.raises(BadList) as refused:
        from_file(file)
    assert str(refused.value) == f"{file}: cannot be read (No such file or directory); give a file"


def test_a_file_that_is_no_text_is_named_once(tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(BadList) as refused:
        from_file(file)
    assert str(refused.value) == f"{file}: is no text in UTF-8; give a list of clauses"


def test_what_is_open_and_not_in_the_list_is_unexpected() -> None:
    uncovered = verdict("G-11", Evidence.CONF, Verdict.UNCOVERED)
    missing = verdict("G-2", Evidence.KILL, Verdict.NOT_IMPLEMENTED)
    found = compare([uncovered, missing], {("G-11", Evidence.CONF)})
    assert found.unexpected == (missing,)
    assert found.stale == ()


def test_an_entry_whose_clause_passes_is_stale() -> None:
    passes = verdict("G-11", Evidence.CONF, Verdict.PASS)
    found = compare([passes], {("G-11", Evidence.CONF)})
    assert found.stale == (passes,)


def test_an_entry_of_another_kind_of_evidence_is_not_the_same() -> None:
    uncovered = verdict("G-2", Evidence.KILL, Verdict.UNCOVERED)
    found = compare([uncovered], {("G-2", Evidence.CONF)})
    assert found.unexpected == (uncovered,)


def test_a_failure_is_neither_excused_by_the_list_nor_stale() -> None:
    fails = verdict("G-11", Evidence.CONF, Verdict.FAIL)
    found = compare([fails], {("G-11", Evidence.CONF)})
    assert (found.unexpected, found.stale) == ((), ())


def test_an_entry_whose_clause_was_not_judged_is_left_alone() -> None:
    assert compare([], {("G-11", Evidence.CONF)}).stale == ()
