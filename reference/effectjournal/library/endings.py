"""How a run ends other than well, and the exit code that says so to a caller (A-3)."""

from collections.abc import Mapping
from typing import assert_never

from effectjournal.errors import Fenced, JournalError, OwnedByAnother, RunEnded
from effectjournal.remedy import Act
from effectspec.attention import ExitCode
from effectspec.protocol import Code, Ended
from effectspec.retention import RunPhase


class Stopped(JournalError):
    """A run that ended other than well; ``exit_code`` is what its process should exit with."""

    code = Code.REFUSED
    exit_code = ExitCode.FAILED
    definite = False


class NeedsAttention(Stopped):
    """The run ended with ``effect_needs_attention``: a person must look (A-1).

    ``rows`` are the ids of the effects to look at, ``clause`` the rule that stopped the run, and
    ``remedy`` says of each effect what to do, and the call that an operator then makes: look at
    the target first.
    """

    def __init__(self, run_id: str, clause: str, ended: Ended, acts: Mapping[Act, int]) -> None:
        calls = (f"\nby hand: {_call(act, row_id, run_id)}" for act, row_id in acts.items())
        remedy = "".join((ended.remedy, *calls))
        super().__init__(f"run {run_id!r} needs attention ({clause}): {remedy}")
        self.run_id = run_id
        self.clause = clause
        self.rows = ended.rows
        self.remedy = remedy
        self.exit_code = ended.exit_code


def _call(act: Act, row_id: int, run_id: str) -> str:
    operator = "effectjournal.open(...).operator"
    match act:
        case Act.RESOLVE:
            return (
                f"{operator}.resolve({row_id}, Resolution.ACCEPTED, by=..., note=..., "
                "attached=Attachment(...)), or Resolution.DISCARDED"
            )
        case Act.ATTACH:
            return f"{operator}.attach({row_id}, Attachment(...), by=...)"
        case Act.CLOSE:
            return f"{operator}.close_run({run_id!r}, by=...)"
        case _:
            assert_never(act)


class NodeFailed(Stopped):
    """A node failed, and no later start of it completed (O-6)."""


class KeyPast(Stopped):
    """A call was not sent: its idempotency key came of age before it could be (reading 3).

    Left by this, an effect's block leaves the outcome open, as another process may have sent it.
    """


class TerminalHeld(Stopped):
    """The work is done and the run's terminal could not be written; run it again (A-2)."""

    exit_code = ExitCode.TERMINAL_HELD


class Paused(Exception):
    """Raise this in a run to leave it open: ``run:paused``, no terminal, to be run again later.

    Raised inside an effect it is like any other exception there: the outcome is unknown.
    """

    exit_code = ExitCode.PAUSED


def exit_code(error: BaseException | None) -> ExitCode:
    """The exit code for what left the block of a run; None is a run that completed (A-3)."""
    match error:
        case None:
            return ExitCode.COMPLETED
        case Stopped(exit_code=code) | Paused(exit_code=code):
            return code
        case OwnedByAnother() | Fenced():
            return ExitCode.OWNED_BY_ANOTHER
        case RunEnded(phase=RunPhase.CLOSED) | RunEnded(ended=None):
            return ExitCode.COMPLETED
        case _:
            return ExitCode.FAILED
