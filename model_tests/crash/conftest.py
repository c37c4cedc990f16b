"""Adapters that are scripts of a few lines, and a target for all cases of a module."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from effectcrash.target_process import TargetProcess

Script = Callable[[str], tuple[str, ...]]
"""Writes an adapter that does what these lines say, and gives its command."""

PREAMBLE = """\
import json, os, signal, subprocess, sys, time

def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

def say(type, **fields):
    print(json.dumps({"type": type, **fields}), flush=True)

def welcome(**other):
    hear()
    say("welcome", **{
        "protocol": 1, "contract": "2026-08-18", "name": "script", "version": "7",
        "language": "Python", "pid": os.getpid(), "profiles": ["run", "journal"],
        "places": ["prepared", "settled"], "failables": [], **other,
    })

def serve(**answers):
    '''Answer by the request's type: with a message, with what a function says, or with done.'''
    while True:
        request = hear()
        answer = answers.get(request["type"], {
            "rows": {"type": "rows", "rows": []},
            "events": {"type": "events", "generation": 1, "events": []},
        }.get(request["type"], {"type": "done"}))
        answer = answer(request) if callable(answer) else answer
        if answer is not None:
            say(**answer)
        if request["type"] == "bye":
            return

COMPLETED = {"type": "ended", "exit_code": 0}
"""


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """A way to write adapters."""

    def write(body: str) -> tuple[str, ...]:
        file = tmp_path / "adapter.py"
        file.write_text(PREAMBLE + body)
        return (sys.executable, "-I", "-S", str(file))

    return write


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TargetProcess]:
    """One target for a module."""
    with TargetProcess(tmp_path_factory.mktemp("target") / "ledger") as running:
        yield running
