"""How an operation of the journal fails: each by its own name, each saying what to do."""

from typing import assert_never

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
    """The run has its terminal: nothing more is done in that incarnation (A-4, reading 6)."""

    def __init__(self, run_id: str, phase: RunPhase, ended: ErrorCode | None) -> None:
        super().__init__(f"run {run_id!r} {_ending(phase, ended)}")
        self.phase = phase
        self.ended = ended


def _ending(phase: RunPhase, ended: ErrorCode | None) -> str:
    match phase:
        case RunPhase.NEEDS_ATTENTION:
            return "has stopped for a person to look at its effects; resume it after that"
        case RunPhase.CLOSED:
            how = "was closed by an operator"
        case RunPhase.ENDED:
            how = "has completed" if ended is None else f"has failed with {ended.value}"
        case RunPhase.OPEN:
            raise AssertionError("an open run has no ending")
        case _:
            assert_never(phase)
    return f"{how}; its work is not done again: new work needs a run id of its own"


class SessionBlocked(Refused):
    """The session's turns are no numbers: none is handed out, and nothing is swept (X-14)."""


class HistoryUnreadable(JournalError):
    """A row of a session's transcript is none, so nothing can be disclosed or deleted (D-7)."""


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
