"""The words in which the cases tell of sessions: turns in which a model pays, and resumes."""

from typing import Final

from effectcrash.telling import FIRST, OPAQUE, SECOND, A, Steps, calls, paying, start
from effectspec.scenario import (
    Acknowledge,
    Call,
    Disclose,
    Job,
    Kill,
    PrepareInTurn,
    Reserve,
    SettleInTurn,
    WriteTurn,
)
from effectspec.session import Acknowledgement
from effectspec.settlement import Outcome
from effectspec.transcript import Course, Exchange, ToolCall

CHAT: Final[Job] = paying(OPAQUE, calls(A))
"""A session's id and its tool; its node is not run."""


def turn(*called: tuple[int, Call], process: str = FIRST) -> Steps:
    """A turn in which each of these calls is prepared and committed, at its slot."""
    return (
        Reserve(process=process),
        *(step for slot, call in called for step in _done(process, slot, call)),
    )


def _done(process: str, slot: int, call: Call) -> Steps:
    return (
        PrepareInTurn(process=process, slot=slot, call=call),
        SettleInTurn(process=process, slot=slot, outcome=Outcome.DONE),
    )


def written(
    *called: Call, course: Course = Course.COMPLETED, process: str = FIRST, tool: str | None = None
) -> WriteTurn:
    """The turn's exchange, with these calls in it; ``tool``: under another tool's name."""
    named = tuple(ToolCall(call.call_id, tool or call.tool) for call in called)
    return WriteTurn(process=process, exchange=Exchange(course, named))


def crashed(*steps: Steps) -> Steps:
    """The first process does all this and is killed."""
    return (start(FIRST), *(step for each in steps for step in each), Kill(process=FIRST))


def told(
    acknowledgement: Acknowledgement = Acknowledgement.DELIVERED,
    *,
    process: str = SECOND,
    owned: bool = True,
) -> Steps:
    """A process reads what there is to be told, and says what became of the notice."""
    return (
        Disclose(process=process),
        Acknowledge(process=process, acknowledgement=acknowledgement, owned=owned),
    )
