"""What a session's history proves of a call, against §8."""

import pytest

from effectspec.identity import LEGACY_PLACEHOLDERS
from effectspec.transcript import Attribution, Course, Exchange, ToolCall, attribution

PAY = ToolCall("call-7", "pay")
OTHER = ToolCall("call-8", "pay")


def completed(*calls: ToolCall) -> Exchange:
    return Exchange(Course.COMPLETED, calls)


def test_d4_a_call_of_a_completed_exchange_is_attributed_to_it_wherever_it_stands() -> None:
    history = [completed(OTHER), completed(), completed(PAY), completed()]
    assert attribution(history, "call-7", "pay") is Attribution.COMPLETED


def test_d4_a_call_that_no_exchange_has_did_not_complete_however_many_turns_did() -> None:
    assert attribution([], "call-7", "pay") is Attribution.NOT_COMPLETED
    assert attribution([completed(OTHER)] * 9, "call-7", "pay") is Attribution.NOT_COMPLETED


@pytest.mark.parametrize("course", [Course.UNFINISHED, Course.ABANDONED, Course.ORPHAN])
def test_d5_an_exchange_that_did_not_complete_completes_none_of_its_calls(course: Course) -> None:
    history = [completed(OTHER), Exchange(course, (PAY,))]
    assert attribution(history, "call-7", "pay") is Attribution.NOT_COMPLETED
    assert attribution(history, "call-8", "pay") is Attribution.COMPLETED


@pytest.mark.parametrize(
    "history",
    [
        [completed(PAY, PAY)],
        [completed(PAY), completed(PAY)],
        [completed(PAY), Exchange(Course.ORPHAN, (PAY,))],
        [completed(ToolCall("call-7", "mail"))],
        [Exchange(Course.UNFINISHED, (ToolCall("call-7", "mail"),))],
        [completed(PAY), completed(ToolCall("call-7", "mail"))],
    ],
)
def test_d5_an_id_that_history_has_twice_or_of_another_tool_is_doubtful(
    history: list[Exchange],
) -> None:
    assert attribution(history, "call-7", "pay") is Attribution.DOUBTFUL


@pytest.mark.parametrize("placeholder", [*LEGACY_PLACEHOLDERS, ""])
def test_i9_a_placeholder_is_doubtful_even_where_history_has_it(placeholder: str) -> None:
    history = [completed(ToolCall(placeholder, "pay"))]
    assert attribution(history, placeholder, "pay") is Attribution.DOUBTFUL
