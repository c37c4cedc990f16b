"""Real surfaces: pipes that are full, closed or slow, and terminals of every size."""

import asyncio
import fcntl
import json
import os
import pty
import re
import struct
import termios
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from effectjournal.surfaces import terminal
from effectjournal.surfaces.stream import StreamSurface
from effectjournal.surfaces.terminal import TerminalSurface, rows_of
from effectspec.notice import Notice
from effectspec.session import Acknowledgement

NOTICE = Notice("n-1", ("effect 1 ('pay', turn 0): its outcome is unknown", "check the target"))
LONG = Notice("n-2", ("x" * 1_000_000,))

# ── streams ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    for end in (reader, writer):
        with suppress(OSError):
            os.close(end)


def drain(fd: int, size: int) -> bytes:
    read = b""
    while len(read) < size:
        read += os.read(fd, 65536)
    return read


def fill(fd: int) -> int:
    """Fill a pipe; how many bytes went into it."""
    os.set_blocking(fd, False)
    filled = 0
    with suppress(BlockingIOError):
        while True:
            filled += os.write(fd, b"." * 4096)
    os.set_blocking(fd, True)
    return filled


def test_d8_a_notice_is_delivered_when_its_last_byte_was_taken(pipe: tuple[int, int]) -> None:
    reader, writer = pipe

    assert asyncio.run(StreamSurface(writer).publish(NOTICE)) is Acknowledgement.DELIVERED
    assert os.read(reader, 1024).decode().splitlines() == list(NOTICE.lines)


def test_d8_as_json_it_is_one_line_with_its_id(pipe: tuple[int, int]) -> None:
    reader, writer = pipe

    asyncio.run(StreamSurface(writer, as_json=True).publish(NOTICE))

    said = json.loads(os.read(reader, 1024))
    assert said == {"type": "notice", "id": "n-1", "lines": list(NOTICE.lines)}


def test_d8_a_full_pipe_delivers_nothing_until_it_is_read(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    filled = fill(writer)

    async def publish() -> tuple[bool, Acknowledgement]:
        publishing = asyncio.ensure_future(StreamSurface(writer).publish(NOTICE))
        await asyncio.sleep(0.1)
        was_done = publishing.done()
        await asyncio.to_thread(drain, reader, filled)
        return was_done, await publishing

    assert asyncio.run(publish()) == (False, Acknowledgement.DELIVERED)


@pytest.mark.parametrize("blocking", [True, False])
def test_d8_a_slow_reader_is_waited_for(pipe: tuple[int, int], blocking: bool) -> None:
    reader, writer = pipe
    os.set_blocking(writer, blocking)

    async def publish() -> tuple[Acknowledgement, bytes]:
        reading = asyncio.to_thread(drain, reader, 1_000_001)
        return tuple(await asyncio.gather(StreamSurface(writer).publish(LONG), reading))

    acknowledgement, read = asyncio.run(publish())
    assert (acknowledgement, len(read)) == (Acknowledgement.DELIVERED, 1_000_001)


def test_d8_a_pipe_that_nobody_reads_any_more_fails(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    os.close(reader)

    assert asyncio.run(StreamSurface(writer).publish(NOTICE)) is Acknowledgement.FAILED


def test_d8_a_reader_who_leaves_in_the_middle_fails_it(pipe: tuple[int, int]) -> None:
    reader, writer = pipe

    async def publish() -> Acknowledgement:
        publishing = asyncio.ensure_future(StreamSurface(writer).publish(LONG))
        await asyncio.sleep(0.1)
        os.close(reader)
        return await publishing

    assert asyncio.run(publish()) is Acknowledgement.FAILED


def test_d7_a_blocked_write_does_not_delay_whoever_gives_up(pipe: tuple[int, int]) -> None:
    _, writer = pipe
    fill(writer)

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await StreamSurface(writer).publish(NOTICE)

    asyncio.run(give_up())  # returns although the write is still blocked


# ── terminals ────────────────────────────────────────────────────────────────────────────────────


class Screen:
    """The other end of a pseudo-terminal: it wraps, scrolls, and says where its cursor is."""

    def __init__(self, rows: int, columns: int, *, answers: bool = True) -> None:
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.answers = answers
        self.shown = ""
        self._row = self._column = 1
        threading.Thread(target=self._serve, daemon=True).start()

    def resize(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def close(self) -> None:
        for end in (self.master, self.slave):
            with suppress(OSError):
                os.close(end)

    def _serve(self) -> None:
        pending = b""
        with suppress(OSError):
            while read := os.read(self.master, 65536):
                *texts, pending = re.split(rb"\x1b\[6n", pending + read)
                for text in texts:
                    self._show(text.decode())
                    if self.answers:
                        os.write(self.master, f"\x1b[{self._row};{self._column}R".encode())

    def _show(self, text: str) -> None:
        self.shown += text
        for character in text:
            if character == "\n":
                self._row = min(self._row + 1, self.rows)
            elif character == "\r":
                self._column = 1
            else:
                if self._column > self.columns:
                    self._column, self._row = 1, min(self._row + 1, self.rows)
                self._column += 1


@pytest.fixture
def screens() -> Iterator[list[Screen]]:
    opened: list[Screen] = []
    yield opened
    for screen in opened:
        screen.close()


def notice(rows: int) -> Notice:
    return Notice("n-3", tuple(f"line {row}" for row in range(rows)))


@pytest.mark.parametrize(
    ("lines", "rows", "columns", "expected"),
    [
        (2, 24, 80, Acknowledgement.DELIVERED),
        (22, 24, 80, Acknowledgement.DELIVERED),
        (23, 24, 80, Acknowledgement.DELIVERED),
        (24, 24, 80, Acknowledgement.CLIPPED),
        (40, 24, 80, Acknowledgement.CLIPPED),
        (2, 4, 3, Acknowledgement.CLIPPED),
        (1, 2, 3, Acknowledgement.CLIPPED),
        (1, 3, 3, Acknowledgement.DELIVERED),
        (1, 1, 80, Acknowledgement.CLIPPED),
    ],
)
def test_d10_a_notice_is_acknowledged_when_each_of_its_rows_is_in_the_window(
    screens: list[Screen], lines: int, rows: int, columns: int, expected: Acknowledgement
) -> None:
    screens.append(Screen(rows, columns))

    assert asyncio.run(TerminalSurface(screens[0].slave).publish(notice(lines))) is expected
    assert screens[0].shown.count("line") == lines


def test_d10_what_stood_there_before_makes_no_row_of_the_notice_visible(
    screens: list[Screen],
) -> None:
    screens.append(Screen(10, 80))
    os.write(screens[0].slave, b"an older transcript\r\n" * 30)
    surface = TerminalSurface(screens[0].slave)

    assert asyncio.run(surface.publish(notice(9))) is Acknowledgement.DELIVERED
    assert asyncio.run(surface.publish(notice(10))) is Acknowledgement.CLIPPED


def test_d10_a_window_that_shrinks_while_it_is_shown_acknowledges_nothing(
    screens: list[Screen],
) -> None:
    screen = Screen(24, 80, answers=False)
    screens.append(screen)

    async def publish() -> Acknowledgement:
        publishing = asyncio.ensure_future(TerminalSurface(screen.slave).publish(notice(12)))
        await asyncio.sleep(0.1)
        screen.resize(8, 80)
        os.write(screen.master, b"\x1b[13;1R")
        return await publishing

    assert asyncio.run(publish()) is Acknowledgement.CLIPPED


def test_d7_a_terminal_that_does_not_answer_has_acknowledged_nothing(
    screens: list[Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "ANSWER_WAIT_S", 0.1)
    screens.append(Screen(24, 80, answers=False))

    said = asyncio.run(TerminalSurface(screens[0].slave).publish(NOTICE))

    assert said is Acknowledgement.ENQUEUED


def test_d10_a_suspended_surface_shows_and_acknowledges_nothing(screens: list[Screen]) -> None:
    screens.append(Screen(24, 80))
    surface = TerminalSurface(screens[0].slave)
    surface.suspended = True

    assert asyncio.run(surface.publish(NOTICE)) is Acknowledgement.FAILED
    assert screens[0].shown == ""
    surface.suspended = False
    assert asyncio.run(surface.publish(NOTICE)) is Acknowledgement.DELIVERED


def test_d10_a_surface_that_is_replaced_meanwhile_acknowledges_nothing(
    screens: list[Screen],
) -> None:
    screen = Screen(24, 80, answers=False)
    screens.append(screen)
    surface = TerminalSurface(screen.slave)

    async def publish() -> Acknowledgement:
        publishing = asyncio.ensure_future(surface.publish(NOTICE))
        await asyncio.sleep(0.1)
        surface.replaced = True
        os.write(screen.master, b"\x1b[3;1R")
        return await publishing

    assert asyncio.run(publish()) is Acknowledgement.ANOTHER


def test_d10_a_terminal_that_is_gone_fails(screens: list[Screen]) -> None:
    screens.append(Screen(24, 80))
    surface = TerminalSurface(screens[0].slave)
    screens[0].close()

    assert asyncio.run(surface.publish(NOTICE)) is Acknowledgement.FAILED


def test_d10_the_terminal_is_left_as_it_was_found(screens: list[Screen]) -> None:
    screens.append(Screen(24, 80))
    before = termios.tcgetattr(screens[0].slave)

    asyncio.run(TerminalSurface(screens[0].slave).publish(NOTICE))

    assert termios.tcgetattr(screens[0].slave) == before


@pytest.mark.parametrize(
    ("line", "columns", "rows"),
    [
        ("", 80, 1),
        ("a" * 80, 80, 1),
        ("a" * 81, 80, 2),
        ("漢" * 3, 4, 2),
        ("漢" * 3, 5, 2),
        ("漢漢", 3, 2),
    ],
)
def test_d10_wide_characters_take_the_rows_that_they_take(
    line: str, columns: int, rows: int
) -> None:
    assert rows_of([line], columns) == rows
