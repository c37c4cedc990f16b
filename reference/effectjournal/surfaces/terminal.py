"""A terminal surface: it acknowledges what every row of stands in the window (D-10).

A write that returned says that the kernel has the bytes. So the terminal itself is asked, after the
notice, where its cursor is: it answers when it has come to the question, and the row that it names
says how many rows above it are in the window.
"""

import asyncio
import os
import re
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.cells import cell_len

from effectjournal.surfaces.writing import written
from effectspec.notice import Notice
from effectspec.session import Acknowledgement

ANSWER_WAIT_S: Final = 2.0
"""Seconds for the terminal's answer. One that never answers has not acknowledged anything."""

_ASK: Final = b"\x1b[6n"
_ANSWER: Final = re.compile(rb"\x1b\[(\d+);\d+R")


class TerminalSurface:
    """The terminal behind ``fd``, which is written to and answers.

    ``suspended`` and ``replaced`` are set by whoever takes the terminal away, for a time or for
    good; a notice that was shown meanwhile is not acknowledged.
    """

    def __init__(self, fd: int) -> None:
        self.suspended = False
        self.replaced = False
        self._fd = fd

    async def publish(self, notice: Notice) -> Acknowledgement:
        """Show a notice, and ask the terminal how much of it is to be seen."""
        if self._is_away():
            return Acknowledgement.FAILED
        try:
            with _answers_read(self._fd):
                return await self._shown(notice)
        except (OSError, termios.error):
            return Acknowledgement.FAILED

    async def _shown(self, notice: Notice) -> Acknowledgement:
        text = "".join(f"{line}\r\n" for line in notice.lines).encode()
        if not await written(self._fd, text + _ASK):
            return Acknowledgement.FAILED
        row = await self._row_of_cursor()
        if self.replaced:
            return Acknowledgement.ANOTHER
        if self._is_away():
            return Acknowledgement.FAILED
        if row is None:
            return Acknowledgement.ENQUEUED
        size = os.get_terminal_size(self._fd)
        is_whole = rows_of(notice.lines, size.columns) < min(row, size.lines + 1)
        return Acknowledgement.DELIVERED if is_whole else Acknowledgement.CLIPPED

    def _is_away(self) -> bool:
        return self.suspended or self.replaced or not _in_foreground(self._fd)

    async def _row_of_cursor(self) -> int | None:
        """What the terminal answers; None if it does not."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[int | None] = loop.create_future()
        seen = bytearray()

        def read() -> None:
            try:
                seen.extend(os.read(self._fd, 1024))
            except OSError:
                loop.remove_reader(self._fd)
                answer.set_result(None)
                return
            found = _ANSWER.search(seen)
            if found is not None and not answer.done():
                answer.set_result(int(found[1]))

        loop.add_reader(self._fd, read)
        try:
            async with asyncio.timeout(ANSWER_WAIT_S):
                return await answer
        except TimeoutError:
            return None
        finally:
            loop.remove_reader(self._fd)


def rows_of(lines: Sequence[str], columns: int) -> int:
    """The rows that lines take in a window of that width."""
    return sum(_rows(line, columns) for line in lines)


def _rows(line: str, columns: int) -> int:
    rows, used = 1, 0
    for character in line:
        cells = cell_len(character)
        if used + cells > columns:
            rows, used = rows + 1, 0
        used += cells
    return rows


def _in_foreground(fd: int) -> bool:
    """Whether this process may write to the terminal; one that is nobody's is everybody's."""
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:
        return os.isatty(fd)


@contextmanager
def _answers_read(fd: int) -> Iterator[None]:
    """Let the terminal's answer be read as it comes, and not be shown."""
    before = termios.tcgetattr(fd)
    tty.setcbreak(fd, termios.TCSANOW)
    try:
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSANOW, before)
