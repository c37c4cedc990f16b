"""Starts and stops one target process, for as many cases as share it."""

import os
import select
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from effectcrash import wire
from effectcrash.account import Account, TargetError
from effectcrash.control import Ready
from effectcrash.ledger import Ledger

START_SECONDS: Final = 20.0
"""A hundred times what a start takes, for a machine that is busy with other things."""

STOP_SECONDS: Final = 5.0
"""A target exits as soon as its input ends, so this only bounds the wait for one that is broken."""


class TargetProcess:
    """A target that runs from here to the end of the `with` block.

    At the end of the block it raises `TargetError` if the target had died, complained or does not
    stop: what such a target wrote is no evidence.
    """

    def __init__(self, ledger: Path) -> None:
        """Start it with a new ledger; `TargetError` if it is not ready within `START_SECONDS`."""
        self.ledger: Final = Ledger(ledger)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the process
        ready, child_stdout = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "effectcrash.target", "--ledger", str(ledger)],
            stdin=subprocess.PIPE,
            stdout=child_stdout,
            stderr=self._complaints,
            start_new_session=True,  # an interrupt at the keyboard is the harness's to handle
        )
        os.close(child_stdout)
        self._port = self._await_port(ready)
        self.base_url: Final = f"http://{wire.LOOPBACK}:{self._port}"

    def account(self, name: str) -> Account:
        """The account of that name. Raises `TargetError` if no account can have it."""
        return Account(name, self._port, self.ledger)

    def __enter__(self) -> Self:
        """It is running already."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop it; a failure of the block stays the error, with what is wrong here as a note."""
        wrong = self._stop()
        if wrong is None:
            return
        if error is None:
            raise TargetError(f"the target: {wrong}")
        error.add_note(f"the target: {wrong}")

    def _await_port(self, ready: int) -> int:
        with open(ready, "rb") as stdout:
            readable, _, _ = select.select([stdout], [], [], START_SECONDS)
            line = stdout.readline() if readable else b""
        if not line:
            wrong = self._stop() or f"it was not ready within {START_SECONDS:g} s"
            raise TargetError(f"the target did not start: {wrong}")
        return msgspec.json.decode(line, type=Ready).port

    def _stop(self) -> str | None:
        """End the process; say what was wrong with it, None if nothing was."""
        wrong = []
        early = self._process.poll() is not None
        try:
            self._process.communicate(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            wrong.append(f"it did not stop within {STOP_SECONDS:g} s and was killed")
        else:
            if early or self._process.returncode != os.EX_OK:
                wrong.append(f"it exited by itself, with status {self._process.returncode}")
        with self._complaints as complaints:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip()
        if said:
            wrong.append(f"it said: {said}")
        return "; ".join(wrong) or None
