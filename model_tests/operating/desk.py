"""The operator's commands on a journal, with and without a terminal."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import effectjournal
from effectjournal import (
    Effect,
    Keyed,
    NeedsAttention,
    Opaque,
    Paused,
    Tool,
)

COLUMNS = 80
ROWS = 24

MAIL = Opaque("mail")
CHARGE = Keyed("charge")
REPORT = Opaque("report", retention=75)

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Said:
    """What a command said: its exit code, and its words."""

    code: int
    out: str
    err: str = ""


@dataclass(frozen=True)
class Desk:
    """The commands on one journal's folder."""

    folder: Path

    def __call__(self, *words: str) -> Said:
        """Run ``effectspec journal`` with no terminal; JOURNAL in the words is the folder."""
        done = subprocess.run(self._command(words), capture_output=True, text=True, check=False)
        return Said(done.returncode, done.stdout, done.stderr)

    def at_terminal(self, *words: str, typed: str = "") -> Said:
        """The same on a terminal of eighty columns, with something typed."""
        pid, screen = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm-256color")
            os.environ.pop("COLUMNS", None)
            command = self._command(words)
            os.execv(command[0], command)  # noqa: S606  (nor does it need one)
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.write(screen, typed.encode())
        seen = b""
        with suppress(OSError):  # Linux says so where the other end is closed
            while read := os.read(screen, 4096):
                seen += read
        os.close(screen)
        _, status = os.waitpid(pid, 0)
        text = _STYLE.sub("", seen.decode()).replace("\r\n", "\n")
        return Said(os.waitstatus_to_exitcode(status), text)

    def _command(self, words: tuple[str, ...]) -> list[str]:
        effectspec = str(Path(sys.executable).with_name("effectspec"))
        given = [str(self.folder) if word == "JOURNAL" else word for word in words]
        return [effectspec, "journal", *given]


def run_once(folder: Path, run: str, tool: Tool, work: Callable[[Effect[object]], object]) -> None:
    """A run with one node and one effect in it, ended as ``work`` ends it."""
    with (
        suppress(NeedsAttention, Paused),
        effectjournal.open(folder) as journal,
        journal.run(run, tools=[tool]) as opened,
    ):
        with opened.node("pay") as node, node.effect(tool, {"to": "ann"}) as effect:
            work(effect)
        if tool is REPORT:
            raise Paused


def unanswered(effect: Effect[object]) -> None:
    """Leave an effect of unknown outcome."""
    effect.unknown("it timed out")


def unanswered_under_its_key(effect: Effect[object]) -> None:
    """The same, of one whose key was sent."""
    assert effect.key
    effect.unknown("it timed out")
