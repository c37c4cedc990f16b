"""A resumed session: told, and then swept; and every moment at which it may be given up."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from effectjournal.errors import JournalError
from effectjournal.journal import DATABASE, Journal
from effectjournal.session.activation import Activated, Activation
from effectjournal.session.effects import SessionCall
from effectjournal.session.session import Session
from effectjournal.surfaces.stream import StreamSurface
from effectspec.lifecycle import State
from effectspec.notice import Notice
from effectspec.session import Acknowledgement
from effectspec.settlement import Outcome
from effectspec.tiers import Tier


@pytest.fixture
def session(journal: Journal) -> Session:
    """A session with one effect, in a turn that did not complete."""
    session = Session(journal, "chat")
    row = session.prepare(
        session.reserve(), SessionCall(0, "pay", Tier.OPAQUE, "v5:", "engine-1", 1)
    )
    session.settle(row.row_id, Outcome.DONE)
    return session


class Shown:
    """A surface that does something while it shows a notice, and then says this of it."""

    def __init__(
        self,
        says: Acknowledgement = Acknowledgement.DELIVERED,
        *,
        meanwhile: Callable[[], object] = lambda: None,
    ) -> None:
        self.notices: list[Notice] = []
        self._says = says
        self._meanwhile = meanwhile

    async def publish(self, notice: Notice) -> Acknowledgement:
        self.notices.append(notice)
        await asyncio.sleep(0)
        self._meanwhile()
        await asyncio.sleep(0)
        return self._says


def activate(session: Session, surface: Shown) -> Activated:
    async def run() -> Activated:
        return await Activation(session, surface).run()

    return asyncio.run(run())


def left(folder: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(folder / DATABASE)) as store:
        return store.execute("SELECT scope_id, state FROM run_effects").fetchall()


KEPT = [("chat", "committed")]


def test_d9_a_session_is_told_once(session: Session) -> None:
    surface = Shown()

    first, second = activate(session, surface), activate(session, surface)

    assert [notice.lines[0] for notice in surface.notices] == [
        "effect 1 ('pay', turn 0): it happened, in a turn that did not complete"
    ]
    assert "check the target before you repeat a message" in surface.notices[0].lines[-1]
    assert (first.swept and first.swept.deleted, second.acknowledgement) == (
        1,
        Acknowledgement.UNNEEDED,
    )


def test_d7_no_two_notices_have_one_id_however_alike_they_are(session: Session) -> None:
    surface = Shown(Acknowledgement.FAILED)
    activate(session, surface)
    activate(session, surface)

    one, other = surface.notices
    assert one.lines == other.lines
    assert one.id != other.id


@pytest.mark.parametrize(
    "says", [each for each in Acknowledgement if each.name not in {"DELIVERED", "UNNEEDED"}]
)
def test_d7_what_is_not_acknowledged_is_kept_and_the_session_goes_on(
    session: Session, folder: Path, says: Acknowledgement
) -> None:
    ended = activate(session, Shown(says))

    assert ended.acknowledgement is says
    assert left(folder) == KEPT
    assert session.reserve() == 1


def test_d7_a_surface_that_breaks_keeps_the_evidence(session: Session, folder: Path) -> None:
    def breaks() -> None:
        raise RuntimeError("no surface")

    ended = activate(session, Shown(meanwhile=breaks))

    assert ended.acknowledgement is Acknowledgement.FAILED
    assert left(folder) == KEPT


def test_d7_a_session_that_is_swapped_while_it_is_told_is_not_swept(
    session: Session, folder: Path
) -> None:
    async def run() -> Activated:
        activation = Activation(session, Shown(meanwhile=lambda: activation.disarm()))  # noqa: PLW0108  (not there yet)
        return await activation.run()

    asyncio.run(run())

    assert left(folder) == KEPT


def test_d7_a_session_that_is_left_before_it_is_told_is_not_read(
    session: Session, folder: Path
) -> None:
    surface = Shown()

    async def run() -> Activated:
        activation = Activation(session, surface)
        activation.disarm()
        return await activation.run()

    asyncio.run(run())

    assert surface.notices == []
    assert left(folder) == KEPT


@pytest.mark.parametrize("steps", range(6))
def test_d7_a_cancel_at_any_await_leaves_told_or_swept_and_never_swept_untold(
    session: Session, folder: Path, steps: int
) -> None:
    surface = Shown()

    async def run() -> None:
        running = asyncio.ensure_future(Activation(session, surface).run())
        for _ in range(steps):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(run())

    assert left(folder) == KEPT or surface.notices


def test_d7_a_late_acknowledgement_never_touches_a_closed_journal(folder: Path) -> None:
    journal = Journal.open(folder)
    session = Session(journal, "chat")
    row = session.prepare(session.reserve(), SessionCall(0, "pay", Tier.OPAQUE, "v5:", "e", 1))
    session.settle(row.row_id, Outcome.DONE)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    filled = 0
    try:
        while True:
            filled += os.write(writer, b"." * 4096)
    except BlockingIOError:
        os.set_blocking(writer, True)

    async def run() -> Activated:
        activation = Activation(session, StreamSurface(writer))
        running = asyncio.ensure_future(activation.run())
        await asyncio.sleep(0.05)
        activation.disarm()
        ended = await running
        journal.close()
        os.read(reader, filled)  # now the write goes through, and nobody is there
        await asyncio.sleep(0.05)
        return ended

    ended = asyncio.run(run())
    os.close(reader)
    os.close(writer)
    assert ended == Activated(Acknowledgement.FAILED)
    assert left(folder) == KEPT


def test_d7_a_read_that_fails_tells_nothing_and_keeps_everything(
    session: Session, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        raise JournalError("the disk is gone")

    monkeypatch.setattr(session, "read", fails)
    surface = Shown()

    ended = activate(session, surface)

    assert (ended.complaint, surface.notices) == ("the disk is gone", [])
    assert left(folder) == KEPT


def test_x14_a_blocked_session_is_told_and_keeps_its_rows_with_a_fixed_warning(
    session: Session, folder: Path
) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as store, store:
        store.execute("UPDATE run_effects SET unit = 'last'")
        store.execute("DELETE FROM sessions")
    surface = Shown()

    ended = activate(session, surface)

    assert surface.notices[0].lines[0].startswith("effect 1 ('pay', turn 'last'): ")
    assert "so no turn is handed out and nothing of it is swept" in ended.complaint
    assert left(folder) == KEPT


CHAT = """
import asyncio, signal, sys
from pathlib import Path
from effectjournal.journal import Journal
from effectjournal.session.activation import Activation
from effectjournal.session.session import Session
from effectjournal.surfaces.stream import StreamSurface

async def chat(folder):
    journal = Journal.open(Path(folder))
    activation = Activation(Session(journal, "chat"), StreamSurface(2))
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, activation.disarm)
    print("activating", flush=True)
    ended = await activation.run()
    journal.close()
    print(ended.acknowledgement.name, flush=True)

asyncio.run(chat(sys.argv[1]))
"""
"""A chat command: its notice goes to standard error, its events to standard output."""


@pytest.mark.usefixtures("session")
def test_d8_ctrl_c_ends_a_command_whose_notice_is_stuck_in_a_full_pipe(
    folder: Path,
) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b"." * 4096)
    except BlockingIOError:
        os.set_blocking(writer, True)

    with subprocess.Popen(
        [sys.executable, "-c", CHAT, str(folder)], stdout=subprocess.PIPE, stderr=writer
    ) as chat:
        assert chat.stdout is not None
        assert chat.stdout.readline() == b"activating\n"
        chat.send_signal(signal.SIGINT)
        assert chat.stdout.readline() == b"FAILED\n"
        assert chat.wait(timeout=60) == 0
    os.close(reader)
    os.close(writer)

    assert left(folder) == KEPT


@pytest.mark.usefixtures("session")
def test_d8_a_command_whose_notice_is_read_sweeps_and_its_output_stays_the_events(
    folder: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHAT, str(folder)], capture_output=True, text=True, check=True
    )

    assert done.stdout == "activating\nDELIVERED\n"
    assert "it happened, in a turn that did not complete" in done.stderr
    assert left(folder) == []


@pytest.mark.usefixtures("session")
def test_d9_a_command_killed_between_notice_and_sweep_tells_again(
    folder: Path,
) -> None:
    kills_itself = CHAT.replace("StreamSurface(2)", "Killed()").replace(
        "async def chat",
        "import os\nclass Killed:\n    async def publish(self, notice):\n"
        "        os.write(2, notice.lines[0].encode())\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n\nasync def chat",
    )
    killed = subprocess.run(
        [sys.executable, "-c", kills_itself, str(folder)], capture_output=True, check=False
    )

    assert killed.returncode == -signal.SIGKILL
    assert b"it happened" in killed.stderr
    assert left(folder) == KEPT
    assert [row.state for row in Journal.open(folder).session_rows("chat")] == [State.COMMITTED]
