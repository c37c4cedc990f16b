"""The laws of what a session's history proves of a call (§8)."""

from collections.abc import Callable, Sequence

from icontract import ensure

from effectspec import transcript as core
from effectspec.laws.law import implies
from effectspec.laws.rule import Rule, domain
from effectspec.transcript import Attribution, Course, Exchange, ToolCall

_PLACEHOLDERS = ("", "session", "home", "agent-run")


def _found(history: Sequence[Exchange], call_id: str) -> list[tuple[Course, str]]:
    """The course and the tool of every call of that id."""
    return [
        (each.course, call.tool_id) for each in history for call in each.calls if call.id == call_id
    ]


def attribution_laws(
    implementation: Callable[[Sequence[Exchange], str, str], Attribution],
) -> Callable[[Sequence[Exchange], str, str], Attribution]:
    """Put the laws of :func:`effectspec.transcript.attribution` around ``implementation``."""

    @ensure(
        lambda call_id, result: implies(call_id in _PLACEHOLDERS, result is Attribution.DOUBTFUL),
        "I-9: a legacy placeholder cannot prove completion",
    )
    @ensure(
        lambda history, call_id, tool_id, result: implies(
            len(_found(history, call_id)) > 1
            or any(named != tool_id for _, named in _found(history, call_id)),
            result is Attribution.DOUBTFUL,
        ),
        "D-5: an id that history has twice, or of another tool, proves nothing",
    )
    @ensure(
        lambda history, call_id, tool_id, result: implies(
            call_id not in _PLACEHOLDERS
            and any(
                _found(history, call_id) == [(course, tool_id)]
                for course in (Course.UNFINISHED, Course.ABANDONED, Course.ORPHAN)
            ),
            result is Attribution.NOT_COMPLETED,
        ),
        "D-5: an exchange without an end, given up, or without a question completes nothing",
    )
    @ensure(
        lambda history, call_id, tool_id, result: implies(
            call_id not in _PLACEHOLDERS
            and _found(history, call_id) in ([], [(Course.COMPLETED, tool_id)]),
            (result is Attribution.COMPLETED) == bool(_found(history, call_id))
            and result is not Attribution.DOUBTFUL,
        ),
        "D-4: the id of a call joins it to the completed exchange that has it, and to no other",
    )
    def attribution(history: Sequence[Exchange], call_id: str, tool_id: str) -> Attribution:
        return implementation(history, call_id, tool_id)

    return attribution


attribution = attribution_laws(core.attribution)

# Written out once more, so that a word that the law above forgets is still asked about.
_LEGACY = ("", "session", "home", "agent-run")
_PAY = ToolCall("call-7", "pay")
_OTHER = ToolCall("call-8", "pay")
ATTRIBUTION = Rule(
    attribution_laws,
    core.attribution,
    domain(
        history=[
            (),
            (Exchange(Course.COMPLETED, (_OTHER,)),),
            *((Exchange(course, (_PAY,)),) for course in Course),
            (Exchange(Course.COMPLETED, (_OTHER,)), Exchange(Course.COMPLETED, (_PAY,))),
            (Exchange(Course.COMPLETED, (_PAY, _PAY)),),
            (Exchange(Course.COMPLETED, (_PAY,)), Exchange(Course.ORPHAN, (_PAY,))),
            (Exchange(Course.COMPLETED, (ToolCall("call-7", "mail"),)),),
            *(
                tuple(Exchange(course, (ToolCall(id_, "pay"),)) for id_ in _LEGACY)
                for course in Course
            ),
        ],
        call_id=("call-7", *_LEGACY),
        tool_id=("pay",),
    ),
    answers=tuple(Attribution),
)
