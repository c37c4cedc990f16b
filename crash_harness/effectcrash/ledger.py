"""The ledger: what a target saw and did, one JSON line per entry, only ever appended.

The ledger decides what happened, never the victim's word. `Effect` entries are what truly happened
in the world; `Request` entries are how often somebody asked. A line is in the file before the
effect counts as done, so it outlives whatever is killed next.
"""

import os
import threading
from collections import defaultdict
from pathlib import Path
from typing import Final

import msgspec

OWNER_ONLY: Final = 0o600
"""A ledger holds the bodies that callers sent, so nobody else may read it."""


class LedgerError(Exception):
    """A ledger cannot be created, written or understood; the message says which and what to do."""


class _Entry(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", tag=str.lower):
    account: str


class Request(_Entry, frozen=True, kw_only=True):
    """Somebody asked for something, a read or an effect.

    `number` counts the account's requests from 1 and only grows. `path` is what follows the
    account, with its query. `digest` is the SHA-256, in hex, of the body's bytes as they came.
    """

    number: int
    method: str
    path: str
    key: str | None
    reference: str | None
    digest: str


class Effect(_Entry, frozen=True, kw_only=True):
    """An effect happened.

    `number` counts the account's effects from 1; `request` is the number of the request that asked
    for it. A `request` smaller than that of the effect before it is a late arrival. `body` is the
    request's JSON value.
    """

    number: int
    request: int
    path: str
    key: str | None
    reference: str | None
    body: object


class Answer(_Entry, frozen=True, kw_only=True):
    """The target answered `request` with this HTTP status; whether anybody read it is unknown."""

    request: int
    status: int


class Dropped(_Entry, frozen=True, kw_only=True):
    """The target closed the connection of `request` without an answer."""

    request: int


class Killed(_Entry, frozen=True, kw_only=True):
    """The target reached the point at which it sends SIGKILL to `pid`; `request` gets no answer.

    Whether the process died of it is for its wait status to say.
    """

    request: int
    pid: int


class Forgotten(_Entry, frozen=True, kw_only=True):
    """The target forgot these idempotency keys (reading 3)."""

    keys: tuple[str, ...]


Entry = Request | Effect | Answer | Dropped | Killed | Forgotten


class LedgerWriter:
    """The target's end of a ledger, which belongs to one target process and is never reopened."""

    def __init__(self, path: Path) -> None:
        """Create the file. Raises `LedgerError` if it exists or cannot be created."""
        self._path = path
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        except FileExistsError:
            raise LedgerError(
                f"ledger {path}: exists already, and a ledger belongs to one target; "
                "give the path of a file that does not exist"
            ) from None
        except OSError as error:
            raise LedgerError(
                f"ledger {path}: cannot be created ({error.strerror}); "
                "give a path in a folder that exists and can be written"
            ) from error

    def append(self, entry: Entry) -> None:
        """Write one line, in one system call. Raises `LedgerError` if it is not there whole."""
        line = msgspec.json.encode(entry) + b"\n"
        try:
            written = os.write(self._fd, line)
        except OSError as error:
            raise LedgerError(
                f"ledger {self._path}: cannot be written ({error.strerror}); "
                "make room on its file system and start over"
            ) from error
        if written != len(line):
            raise LedgerError(
                f"ledger {self._path}: {written} of {len(line)} bytes of an entry were written; "
                "make room on its file system and start over"
            )

    def close(self) -> None:
        """Give the file back."""
        os.close(self._fd)


class Ledger:
    """The harness's end of a ledger: reads what the target wrote, while it goes on writing.

    Each call reads on from where the last one ended, so that thousands of cases can share a file.
    Threads may share a reader. Every method raises `LedgerError` if the file cannot be read or a
    line is not an entry.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is read before the first question, so the file need not exist yet."""
        self._path = path
        self._decoder = msgspec.json.Decoder(Entry)
        self._offset = 0
        self._lines = 0
        self._by_account: defaultdict[str, list[Entry]] = defaultdict(list)
        self._reading = threading.Lock()

    def entries(self, account: str) -> tuple[Entry, ...]:
        """Everything about `account`, in the order in which it was written."""
        with self._reading:
            self._read_on()
            return tuple(self._by_account.get(account, ()))

    def effects(self, account: str) -> tuple[Effect, ...]:
        """What truly happened on `account`, in the order in which it happened."""
        return tuple(entry for entry in self.entries(account) if isinstance(entry, Effect))

    def requests(self, account: str) -> tuple[Request, ...]:
        """What `account` was asked for, reads and look-ups included, in order of arrival."""
        return tuple(entry for entry in self.entries(account) if isinstance(entry, Request))

    def _read_on(self) -> None:
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                fresh = file.read()
        except OSError as error:
            raise LedgerError(
                f"ledger {self._path}: cannot be read ({error.strerror}); "
                "give the file that the target was started with"
            ) from error
        for line in fresh.splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            try:
                entry = self._decoder.decode(line)
            except msgspec.DecodeError as error:
                raise LedgerError(
                    f"ledger {self._path}, line {self._lines + 1}: not an entry ({error}); "
                    "the file was changed, or its target ran out of space: run again with a new one"
                ) from error
            self._by_account[entry.account].append(entry)
            self._offset += len(line)
            self._lines += 1
