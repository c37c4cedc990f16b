"""How an operation of the journal fails: each by its own name, each saying what to do."""

from effectspec.attention import ErrorCode
from effectspec.protocol import Code
from effectspec.retention import RunPhase


class JournalError(Exception):
    """An operation that was not done. ``definite``: nothing was changed by it."""

    code = Code.STORE
    definite = True


class OwnedByAnother(JournalError):
    """The run's owner holds its lock (F-1)."""

    code = Code.OWNED_BY_ANOTHER


class Fenced(JournalError):
    """The generation was raised by another owner; this one may write no more (F-2)."""

    code = Code.FENCED


class Busy(JournalError):
    """The bounded wait for the store's lock is over (F-2)."""

    code = Code.BUSY


class Refused(JournalError):
    """The contract does not allow the operation on what is recorded."""

    code = Code.REFUSED


class RunExists(Refused):
    """A run that has begun is resumed, not run again."""


class RunEnded(Refused):
    """A run that can no longer be resumed (reading 6)."""

    def __init__(self, message: str, phase: RunPhase, ended: ErrorCode | None) -> None:
        super().__init__(message)
        self.phase = phase
        self.ended = ended


class UnknownRun(JournalError):
    """No such run in this store."""

    code = Code.UNKNOWN_RUN


class UnknownRow(JournalError):
    """No such row in this store."""

    code = Code.UNKNOWN_ROW


class StoreFailed(JournalError):
    """The store could not do what it was asked. ``definite`` is False where it may have."""

    def __init__(self, message: str, *, definite: bool = True) -> None:
        super().__init__(message)
        self.definite = definite


class NotOurStore(StoreFailed):
    """A file that is no journal of this version: foreign, newer or corrupt."""


class GateReadFailed(JournalError):
    """The gate could not read the rows: a refusal, not a pass (G-10)."""
