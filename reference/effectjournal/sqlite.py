"""The journal's store on SQLite: one file, many processes on one machine."""

import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from effectjournal.errors import Busy, JournalError, NotOurStore, StoreFailed
from effectjournal.intact import missing
from effectjournal.schema import APPLICATION_ID, MIGRATIONS, VERSION
from effectjournal.storage import Checkpoint, Duplicate, Fields, Value

BUSY_WAIT_S = 2.0
"""Seconds a transaction waits for the write lock before it is refused (F-2)."""

OPENING_WAIT_S = 10.0
"""Seconds an opening is tried again: the first one of a fresh file changes its journal mode,
which the busy handler does not cover (one opening in 320 failed without this)."""

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_NOT_OURS = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
_PRIMARY_CODE = 0xFF

_RESTORE = (
    "restore a copy that is no older than its last run, or name an empty folder and look at the "
    "target for what its runs did"
)
"""The remedy for a file that has lost something. An older copy does not know of effects that may
have landed, so it would do them again."""

_T = TypeVar("_T")


class SqliteStore:
    """A store in the file ``path``, created and migrated as needed.

    WAL with ``synchronous=NORMAL``: what is committed survives the death of the process, and no
    more than that is promised (P-1). ``secure_delete`` is set and read back, since builds differ.
    Raises :class:`NotOurStore` or :class:`StoreFailed` with the file's name. ``read_only``: nothing
    of the file is created, migrated or changed; what is not of the present version is refused.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._path = path
        self._read_only = read_only
        mode = "ro" if read_only else "rwc"
        try:
            self._connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}",
                uri=True,
                timeout=BUSY_WAIT_S,
                isolation_level=None,
            )
        except sqlite3.Error as error:
            raise _translated(error, path, definite=True) from error
        try:
            _until_not_busy(self._prepare_file)
        except BaseException:
            self._connection.close()
            raise

    def transaction(self) -> "_Immediate":
        """An immediate transaction: a deferred one that reads first cannot always upgrade."""
        return _Immediate(self._connection, self._path)

    def snapshot(self) -> "_Snapshot":
        """A read transaction on one state of the file."""
        return _Snapshot(self._connection, self._path)

    def erase(self) -> Checkpoint:
        """Move the log into the file and empty it, so that freed bytes are in neither (X-12).

        It waits for nobody: a reader who needs the log defers it.
        """
        try:
            self._connection.execute("PRAGMA busy_timeout = 0")
            ((busy, log, moved),) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise _translated(error, self._path, definite=True) from error
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {int(BUSY_WAIT_S * 1000)}")
        return Checkpoint(busy, log, moved)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _prepare_file(self) -> None:
        try:
            self._claim_file()
        except sqlite3.Error as error:
            raise _translated(error, self._path, definite=True) from error

    def _claim_file(self) -> None:
        connection = self._connection
        with self.snapshot() as snapshot:
            version = self._version_of_ours(snapshot)
            gone = missing(snapshot) if version == VERSION else ()
        if gone:
            raise NotOurStore(
                f"{self._path}: an effect journal without its {', '.join(gone)}; {_RESTORE}"
            )
        if version > VERSION:
            raise NotOurStore(
                f"{self._path}: written by a newer version (schema {version}, this one knows "
                f"{VERSION}); use that version of effectspec"
            )
        if self._read_only:
            if version < VERSION:
                raise NotOurStore(
                    f"{self._path}: of an older version (schema {version}, this one reads "
                    f"{VERSION}); `effectspec journal upgrade` makes it the present one"
                    if version
                    else f"{self._path}: an empty file, and no effect journal; name another"
                )
            return
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")
        if connection.execute("PRAGMA secure_delete").fetchone() != (1,):
            raise StoreFailed(
                f"{self._path}: this build of SQLite cannot switch secure_delete on; use another"
            )
        if version < VERSION:
            with self.transaction() as transaction:
                self._migrate(transaction)

    def _version_of_ours(self, transaction: "_Queries") -> int:
        # One transaction: another process may be migrating a fresh file between two reads.
        ((application,),) = transaction.query("PRAGMA application_id")
        ((version,),) = transaction.query("PRAGMA user_version")
        ((tables,),) = transaction.query("SELECT count(*) FROM sqlite_schema")
        if application != APPLICATION_ID and (tables or version or application):
            raise NotOurStore(
                f"{self._path}: a SQLite file, but no effect journal; name a journal's folder or "
                "an empty one"
            )
        if application == APPLICATION_ID and version < 1:
            raise NotOurStore(
                f"{self._path}: an effect journal of no version that exists ({version}); {_RESTORE}"
            )
        return int(version)

    def _migrate(self, transaction: "_Immediate") -> None:
        # Another process may have been first; what counts is the version seen under the lock.
        for statements in MIGRATIONS[self._version_of_ours(transaction) :]:
            for statement in statements:
                transaction.write(statement)
        transaction.write(f"PRAGMA application_id = {APPLICATION_ID}")
        transaction.write(f"PRAGMA user_version = {VERSION}")


class _Queries:
    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def query(self, sql: str, parameters: Sequence[Value] = ()) -> list[Fields]:
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise _translated(error, self._path, definite=True) from error

    def write(self, sql: str, parameters: Sequence[Value] = ()) -> int:
        return self._written(sql, parameters).rowcount

    def insert(self, sql: str, parameters: Sequence[Value]) -> int:
        row_id = self._written(sql, parameters).lastrowid
        assert row_id is not None, "SQLite gives every inserted row an id"
        return row_id

    def _written(self, sql: str, parameters: Sequence[Value]) -> sqlite3.Cursor:
        try:
            return self._connection.execute(sql, parameters)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                raise Duplicate from error
            raise _translated(error, self._path, definite=True) from error
        except sqlite3.Error as error:
            raise _translated(error, self._path, definite=True) from error


class _Immediate(_Queries):
    def __enter__(self) -> Self:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise _translated(error, self._path, definite=True) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is not None:
            self._roll_back()
            return
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as failed:
            self._roll_back()
            raise _translated(failed, self._path, definite=False) from failed

    def _roll_back(self) -> None:
        # SQLite rolls back by itself after a full disk or an I/O error.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class _Snapshot(_Queries):
    def __enter__(self) -> Self:
        try:
            self._connection.execute("BEGIN")
        except sqlite3.Error as error:
            raise _translated(error, self._path, definite=True) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def _until_not_busy(operation: Callable[[], _T]) -> _T:
    deadline = time.monotonic() + OPENING_WAIT_S
    while True:
        try:
            return operation()
        except Busy:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _translated(error: sqlite3.Error, path: Path, *, definite: bool) -> JournalError:
    """The journal's error for SQLite's, with the file and the remedy."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE
    if code in _BUSY:
        return Busy(
            f"{path}: another process held the write lock for {BUSY_WAIT_S:g} s; "
            "try again when it is done"
        )
    if code in _NOT_OURS:
        return NotOurStore(f"{path}: not a usable SQLite file ({error}); {_RESTORE}")
    if str(error).startswith("no such "):
        # Every statement is the journal's own, so what it misses was there when the file opened.
        return NotOurStore(f"{path}: changed by something else ({error}); {_RESTORE}")
    if code == sqlite3.SQLITE_FULL:
        return StoreFailed(f"{path}: the disk is full; free space, then resume", definite=definite)
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return StoreFailed(
            f"{path}: cannot be opened for writing ({error}); check the folder and its permissions"
        )
    return StoreFailed(f"{path}: {error}", definite=definite)
