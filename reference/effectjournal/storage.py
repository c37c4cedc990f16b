"""The storage port: all that the journal asks of a database.

Statements are SQL that SQLite and PostgreSQL both understand, with ``?`` for a parameter.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeAlias

Value: TypeAlias = str | int | bytes | None
Fields: TypeAlias = tuple[Any, ...]
"""The columns of a row. Their types are the schema's (STRICT), which no checker can see."""


class Transaction(Protocol):
    """An open transaction."""

    def query(self, sql: str, parameters: Sequence[Value] = ()) -> list[Fields]:
        """The rows that a SELECT gives."""

    def write(self, sql: str, parameters: Sequence[Value] = ()) -> int:
        """Run a statement; the number of rows it changed.

        Raises :class:`Duplicate` where a unique index refuses it.
        """

    def insert(self, sql: str, parameters: Sequence[Value]) -> int:
        """Insert one row; its id. Raises :class:`Duplicate` where a unique index refuses it."""


class Checkpoint(NamedTuple):
    """The row of three numbers that a checkpoint answers."""

    busy: int
    log: int
    moved: int

    @property
    def is_complete(self) -> bool:
        """Whether the log is empty: a busy reader, or a log that is left, defers that (X-12)."""
        return self.busy == 0 and self.log == 0


class Store(Protocol):
    """A database that holds one journal.

    Every failure is a :class:`effectjournal.errors.JournalError`; a bounded wait for a lock ends
    in :class:`effectjournal.errors.Busy` (F-2).
    """

    def transaction(self) -> AbstractContextManager[Transaction]:
        """An immediate transaction: commits at the end of the block, rolls back if it raises."""

    def snapshot(self) -> AbstractContextManager[Transaction]:
        """A read transaction: every query in it sees one state."""

    def erase(self) -> "Checkpoint":
        """See to it that what was deleted is nowhere any more, or say that it is deferred."""

    def close(self) -> None:
        """Close the database."""


class Duplicate(Exception):
    """A unique index refused a row (I-5)."""
