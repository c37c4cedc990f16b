"""How the library can be used wrongly: each mistake an error of its own name.

None of them leaves a row that lies: where one happens after the effect may have been sent, the row
says so (committed, ambiguous, or still prepared).
"""

from effectjournal.errors import JournalError
from effectspec.protocol import Code


class Misuse(JournalError):
    """A mistake in the calling code. The message names the thing, the place and the remedy."""

    code = Code.BAD_REQUEST


class BadValue(Misuse):
    """A value that its place cannot take, such as an id, a field of a tool or an attachment.

    Nothing is written.
    """


class UnknownTool(Misuse):
    """A tool that the run was not given; nothing is journaled (O-1)."""


class BadArguments(Misuse):
    """Arguments that canonical JSON cannot hold by name; nothing is journaled (O-1, reading 14)."""


class EffectInsideEffect(Misuse):
    """An effect was entered inside another one of its node; it is not prepared."""


class EnteredTwice(Misuse):
    """A block was entered a second time; each value is good for one block."""


class OutsideItsBlock(Misuse):
    """A run, a node or an effect was used before or after its block."""


class NeverEntered(Misuse):
    """An effect was asked for and its block never entered, so nothing of it is journaled."""


class NoHandle(Misuse):
    """A key or a reference was asked of an effect that has none."""


class NoValue(Misuse):
    """The answer was asked for before one was reported."""


class WrongThread(Misuse):
    """A journal was used from another thread than the one that opened it."""


class AfterFork(Misuse):
    """A journal was used in a child of the process that opened it."""


class JournalClosed(Misuse):
    """A journal, or a run of it, was used after it was closed."""


class NoOutcome(Misuse):
    """An effect's block ended with no outcome reported: the row is ambiguous (O-3)."""

    definite = False


class ReportedTwice(Misuse):
    """An outcome was reported for an effect that has one; the first report stands."""


class AnswerNotKept(Misuse):
    """The effect is committed, and its answer is not what JSON can hold (O-5).

    The row has no result, which blocks a resume as an unresolved row does (G-5).
    """

    definite = False


class HandleNotSent(Misuse):
    """A tier 1 or 2 effect was done and its key or reference never read, hence never sent."""

    definite = False


class OutputNotKept(Misuse):
    """A node's output is not what JSON can hold; the node is not completed."""
