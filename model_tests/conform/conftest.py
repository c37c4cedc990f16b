"""What the tests of the suite share: its commands, and adapters that are scripts of a few lines."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from effectconform.command import conform
from effectconform.faults_command import faults

CommandLine = Callable[..., tuple[int, str, str]]
"""Exit status, output and complaints of a command with these arguments."""

Script = Callable[[str], tuple[str, ...]]
"""Writes an adapter that answers as these lines say, and gives its command. At a request whose
answer is None it dies."""

PREAMBLE = """\
import json, os, sys

def say(**message):
    print(json.dumps(message), flush=True)

def serve(absent=(), **answers):
    for line in sys.stdin:
        type = json.loads(line)["type"]
        if type == "hello":
            say(type="welcome", protocol=1, contract="2026-08-18", name="script", version="7",
                language="Python", pid=os.getpid(), profiles=[], places=[], failables=[],
                absent=[{"capability": each, "reason": "not ours"} for each in absent])
        elif type == "bye":
            say(type="done")
            return
        elif answers.get(type, {}) is None:
            sys.exit(3)
        else:
            say(**answers.get(type, {"type": "error", "code": "unsupported", "message": "no",
                                     "definite": True}))

"""


def _command_line(command: Callable[..., None]) -> CommandLine:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(command)

    def run(*arguments: str) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result.exit_code, result.stdout, result.stderr

    return run


@pytest.fixture
def conform_line() -> CommandLine:
    """``effectspec conform``."""
    return _command_line(conform)


@pytest.fixture
def faults_line() -> CommandLine:
    """``effectspec faults``."""
    return _command_line(faults)


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """A way to write adapters."""

    def write(body: str) -> tuple[str, ...]:
        file = tmp_path / "adapter.py"
        file.write_text(PREAMBLE + body)
        return (sys.executable, "-I", "-S", str(file))

    return write
