"""What a session's history proves of a call (§8): how effects are joined to completed turns."""

from collections.abc import Sequence
from enum import Enum

import msgspec

from effectspec.identity import can_prove_completion


class Course(Enum):
    """How an exchange went, as its history tells it."""

    COMPLETED = "its turn was written whole"
    UNFINISHED = "it has no terminal"
    ABANDONED = "it was given up"
    ORPHAN = "it answers nothing that was asked"


class ToolCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call as the transcript holds it, under the id that the engine assigned."""

    id: str
    tool_id: str


class Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was asked and all that came of it, compacted and trimmed or not (D-2)."""

    course: Course
    calls: tuple[ToolCall, ...]


class Attribution(Enum):
    """What history says of the turn that an effect belongs to."""

    COMPLETED = "its turn completed"
    NOT_COMPLETED = "no completed turn has it"
    DOUBTFUL = "its call id is corrupt, legacy, or not its own"


def attribution(history: Sequence[Exchange], call_id: str, tool_id: str) -> Attribution:
    """Join an effect to a session's whole history by its engine call id (D-4, D-5).

    An id that history has twice, or under another tool, proves nothing, and no more does a
    placeholder of old wiring (I-9). How many turns completed is never asked.
    """
    if not can_prove_completion(call_id):
        return Attribution.DOUBTFUL
    found = [
        (exchange.course, call.tool_id)
        for exchange in history
        for call in exchange.calls
        if call.id == call_id
    ]
    match found:
        case []:
            return Attribution.NOT_COMPLETED
        case [(course, named)] if named == tool_id:
            completed = course is Course.COMPLETED
            return Attribution.COMPLETED if completed else Attribution.NOT_COMPLETED
        case _:
            return Attribution.DOUBTFUL
