"""The command ends in good order whatever becomes of its standard output."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

EFFECTSPEC = (sys.executable, "-c", "from effectspec.cli import main; main()")

COMMANDS = pytest.mark.parametrize(
    "arguments", [("clauses",), ("tables",), ("tables", "--markdown"), ("--help",)]
)
"""What is printed by rich, line by line, and as a whole."""


def run(arguments: tuple[str, ...], stdout: int) -> tuple[int, str]:
    """Exit status and complaint of ``effectspec`` when it prints there."""
    done = subprocess.run(
        [*EFFECTSPEC, *arguments], stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
    )
    return done.returncode, done.stderr


@contextmanager
def full_disk() -> Iterator[int]:
    """Standard output that takes no byte."""
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        yield full
    finally:
        os.close(full)


@contextmanager
def closed_pipe() -> Iterator[int]:
    """Standard output that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield writer
    finally:
        os.close(writer)


@COMMANDS
def test_a_terminal_without_our_marks_shows_others(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [*EFFECTSPEC, *arguments],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()


@COMMANDS
def test_a_full_disk_is_one_message(arguments: tuple[str, ...]) -> None:
    with full_disk() as stdout:
        status, complaint = run(arguments, stdout)
    assert status == 2
    assert complaint == (
        "effectspec: standard output cannot be written (No space left on device); "
        "send it somewhere else\n"
    )


@COMMANDS
def test_a_reader_who_has_left_is_no_failure_to_talk_about(arguments: tuple[str, ...]) -> None:
    with closed_pipe() as stdout:
        assert run(arguments, stdout) == (128 + signal.SIGPIPE, "")


def test_a_standard_output_that_is_closed_is_one_message() -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *EFFECTSPEC, "clauses"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "effectspec: standard output is closed; send it somewhere\n"
