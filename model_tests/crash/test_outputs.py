"""A file for results is known to be writable before the run, and is written after it or not at all.

Tests run as any user, so that no permission is denied here: a folder, a missing folder and
``/dev/full`` stand for all that cannot be written.
"""

from pathlib import Path

import pytest

from effectspec.outputs import NotWritable, opened, refuse_one_for_two

FULL = Path("/dev/full")
"""Opens like any file, and takes no byte."""


def test_a_file_is_written_whole_over_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "results"
    file.write_text("much longer than what comes")
    with opened(file) as write:
        assert file.read_text() == "much longer than what comes"
        write(b"short")
    assert file.read_bytes() == b"short"


@pytest.mark.parametrize(
    ("below", "why"),
    [
        (".", "Is a directory"),
        ("nowhere/results", "No such file or directory"),
        ("x" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_opened_is_refused_before_the_run(
    tmp_path: Path, below: str, why: str
) -> None:
    file = tmp_path / below
    with pytest.raises(NotWritable) as refused, opened(file):
        pytest.fail("the run began")
    assert str(refused.value) == f"{file}: cannot be written ({why}); give another file"


def test_a_disk_that_is_full_is_told_when_the_file_is_written() -> None:
    with pytest.raises(NotWritable) as refused, opened(FULL) as write:
        write(b"results")
    assert str(refused.value) == (
        "/dev/full: cannot be written (No space left on device); give another file"
    )


class RunFailed(Exception):
    """A run that comes to nothing."""


def test_a_run_that_fails_leaves_no_file_behind(tmp_path: Path) -> None:
    file = tmp_path / "results"
    with pytest.raises(RunFailed), opened(file):
        raise RunFailed
    assert not file.exists()


def test_a_run_that_fails_leaves_a_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "results"
    file.write_text("of the last run")
    with pytest.raises(RunFailed), opened(file):
        raise RunFailed
    assert file.read_text() == "of the last run"


def test_without_a_file_nothing_is_written() -> None:
    with opened(None) as write:
        write(b"results")


def test_one_file_for_both_is_refused_however_it_is_spelled(tmp_path: Path) -> None:
    file, again = tmp_path / "results", tmp_path / "again"
    again.symlink_to(file)
    with (
        pytest.raises(NotWritable, match="both JUnit XML and a trace; give each its own file"),
        opened(file),
        opened(again),
    ):
        refuse_one_for_two({"JSON": None, "JUnit XML": file, "a trace": again})
    assert not file.exists()


def test_two_files_are_not_refused(tmp_path: Path) -> None:
    json, junit = tmp_path / "results.json", tmp_path / "results.xml"
    with opened(json), opened(junit):
        refuse_one_for_two({"JSON": json, "JUnit XML": junit})


@pytest.mark.parametrize(("json", "junit"), [(FULL, None), (None, FULL), (None, None)])
def test_one_file_alone_is_not_refused(json: Path | None, junit: Path | None) -> None:
    refuse_one_for_two({"JSON": json, "JUnit XML": junit})
