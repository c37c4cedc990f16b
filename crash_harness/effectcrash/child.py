"""A child process that speaks in lines, with a limit on everything that it can do to its parent."""

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Final

TAIL_BYTES: Final = 4096
"""Of standard error, what is kept: the last screenful, which is where a crash says why."""

TAIL_LINES: Final = 8
"""Of that, the lines that a message shows."""

DRAIN_SECONDS: Final = 1.0
"""For a dead child's standard error to end; only what has escaped its group can hold it open."""

_CHUNK: Final = 65536


class Nothing(Enum):
    """Why there is no line."""

    SILENT = "no line within the limit"
    ENDED = "no more lines: the process or its output has ended"
    OVERLONG = "a line beyond the limit"


@dataclass(frozen=True, slots=True)
class Death:
    """How a process ended, from its wait status: an exit status, or minus the signal's number."""

    status: int

    @property
    def by_sigkill(self) -> bool:
        """Whether SIGKILL ended it, which no process can do anything about."""
        return self.status == -signal.SIGKILL

    def __str__(self) -> str:
        """As it is told to a person."""
        if self.status >= 0:
            return f"exited with status {self.status}"
        return f"was killed by {signal.Signals(-self.status).name}"


class Child:
    """A process in a session of its own, spawned from ``command``. Raises ``OSError`` if it cannot.

    ``line_bytes`` bounds what is kept of a line that does not end.
    """

    def __init__(self, command: Sequence[str], *, line_bytes: int) -> None:
        self._line_bytes = line_bytes
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # its group is what a kill reaches: all that it started too
        )
        self.pid: Final = self._process.pid
        self._pidfd = os.pidfd_open(self.pid)
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        if stdin is None or stdout is None or stderr is None:
            raise AssertionError("all three are pipes")
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        os.set_blocking(self._stdin.fileno(), False)
        self._lines = select.poll()
        self._lines.register(self._stdout, select.POLLIN)
        self._lines.register(self._pidfd, select.POLLIN)
        self._room = select.poll()
        self._room.register(self._stdin, select.POLLOUT)
        self._end = select.poll()
        self._end.register(self._pidfd, select.POLLIN)
        self._unread = bytearray()
        self._tail = b""
        self._drain = threading.Thread(target=self._keep_the_tail, daemon=True)
        self._drain.start()

    def _keep_the_tail(self) -> None:
        with self._stderr:
            while said := os.read(self._stderr.fileno(), _CHUNK):
                self._tail = (self._tail + said)[-TAIL_BYTES:]

    @property
    def last_words(self) -> str:
        """The last lines of its standard error so far, without anything that moves a cursor."""
        lines = self._tail.decode(errors="replace").splitlines()[-TAIL_LINES:]
        return "\n".join(printable(line) for line in lines)

    def write(self, line: bytes, seconds: float) -> Nothing | None:
        """Hand it a line; what kept it from taking the line whole, or None."""
        left = memoryview(line)
        deadline = time.monotonic() + seconds
        while left:
            if not self._room.poll(_milliseconds(deadline)):
                return Nothing.SILENT
            try:
                left = left[os.write(self._stdin.fileno(), left) :]
            except BrokenPipeError:
                return Nothing.ENDED
        return None

    def read(self, seconds: float) -> bytes | Nothing:
        """Its next line without the line feed, or why there is none within ``seconds``."""
        deadline = time.monotonic() + seconds
        seen = 0
        while (end := self._unread.find(b"\n", seen)) < 0:
            seen = len(self._unread)
            if seen > self._line_bytes:
                return Nothing.OVERLONG
            ready = dict(self._lines.poll(_milliseconds(deadline)))
            if not ready:
                return Nothing.SILENT
            said = os.read(self._stdout.fileno(), _CHUNK) if self._stdout.fileno() in ready else b""
            if not said:
                return Nothing.ENDED
            self._unread += said
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        return Nothing.OVERLONG if end > self._line_bytes else line

    def await_death(self, seconds: float) -> Death | None:
        """How it ended, or None if it lives on; what it started and left behind is killed."""
        if self._process.returncode is None:
            # The pidfd tells of the death and reaps nothing: until the wait below, no other process
            # can have this pid, so the signal goes to this group and nowhere else.
            if not self._end.poll(_milliseconds(time.monotonic() + seconds)):
                return None
            self._kill_group()
            self._process.wait()
            self._drain.join(DRAIN_SECONDS)
        return Death(self._process.returncode)

    def kill(self, seconds: float) -> Death | None:
        """SIGKILL it and all that it started; how it ended, or None if it outlives even that."""
        if self._process.returncode is None:
            self._kill_group()
        return self.await_death(seconds)

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Give back what the parent holds of a child that is dead."""
        self._stdin.close()
        self._stdout.close()
        os.close(self._pidfd)


def printable(text: str) -> str:
    """``text`` with everything replaced that a terminal or an XML file would act on or refuse."""
    return "".join(mark if mark.isprintable() or mark == "\t" else "�" for mark in text)


def _milliseconds(deadline: float) -> int:
    return max(0, round((deadline - time.monotonic()) * 1000))
