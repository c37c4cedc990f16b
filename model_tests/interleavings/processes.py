"""Two ways to have a process with the store open: within this one, and one that SIGKILL ends."""

import io
import sys
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from effectcrash.adapter import Adapter
from effectjournal.adapter import Adapter as Reference
from effectjournal.engine import Engine
from effectjournal.journal import Journal
from effectjournal.owned import OwnedRun
from effectjournal.wire import Wire
from effectspec import protocol
from effectspec.contract import CONTRACT, Contract
from effectspec.protocol import FenceToken, Request

ADAPTER: Final = (sys.executable, "-m", "effectjournal.adapter")
"""The command of the reference."""


class Spoken(Protocol):
    """A process of an implementation, with a store open."""

    def ask(self, request: Request) -> protocol.Answer:
        """What it answers to an operation of the protocol."""

    def kill(self) -> object:
        """End it, and let it clean nothing up."""


Spawn: TypeAlias = Callable[[protocol.Open], Spoken]
"""A way to start a process, which opens its store as it is told."""


class Connection:
    """The reference in this very process; its crash is that it is dropped without being closed."""

    def __init__(
        self,
        opening: protocol.Open,
        contract: Contract = CONTRACT,
        journal: type[Journal] = Journal,
    ) -> None:
        wire = Wire(io.BytesIO(), io.BytesIO())
        self._reference = Reference(wire, contract, Engine, journal.open)
        assert self.ask(opening) == protocol.Done()

    def ask(self, request: Request) -> protocol.Answer:
        """What the reference answers."""
        return self._reference._answer(request)

    def owned(self, token: FenceToken) -> OwnedRun:
        """The run under a fence, for what the protocol has no operation for."""
        assert self._reference._operations is not None
        return self._reference._operations._hold(token).owned

    def kill(self) -> None:
        """Drop the reference, with the files that it holds."""
        assert self._reference._operations is not None
        # What the kernel does when a process dies. SQLite's own locks go with the connection.
        for lock in self._reference._operations._journal._held:
            lock.release()
        del self._reference


class Process:
    """An adapter of the reference in a process of its own, which SIGKILL ends."""

    def __init__(self, opening: protocol.Open) -> None:
        self._adapter = Adapter(ADAPTER)
        assert self.ask(opening) == protocol.Done()

    def ask(self, request: Request) -> protocol.Answer:
        """What the adapter answers."""
        return self._adapter.ask(request)

    def kill(self) -> None:
        """Kill the adapter, and see that it was the kill that ended it."""
        assert self._adapter.kill().by_sigkill
        self._adapter.close()
