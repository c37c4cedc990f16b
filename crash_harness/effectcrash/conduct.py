"""From a step of the script to what a target does with one effect request, as a pure table."""

from dataclasses import dataclass
from typing import assert_never

from effectcrash.control import (
    Drop,
    Fail,
    Hold,
    HoldAt,
    KillCaller,
    Moment,
    Pad,
    Refuse,
    Serve,
    Step,
)


@dataclass(frozen=True, slots=True)
class AnswerEffect:
    """Answer what the effect answers, or why there was none."""


@dataclass(frozen=True, slots=True)
class AnswerStatus:
    """Answer this status, whatever happened."""

    status: int


@dataclass(frozen=True, slots=True)
class HangUp:
    """Close the connection without an answer."""


@dataclass(frozen=True, slots=True)
class Kill:
    """Send SIGKILL to the process, without an answer."""

    pid: int


@dataclass(frozen=True, slots=True)
class TurnAway:
    """No effect, and no look at the key."""

    ending: AnswerStatus | HangUp | Kill


@dataclass(frozen=True, slots=True)
class Act:
    """Do the effect the request asks for, unless its key says otherwise.

    `hold` is where the request waits on its way, `padding` the bytes that its answer is padded by.
    """

    ending: AnswerEffect | AnswerStatus | HangUp | Kill
    hold: HoldAt | None = None
    padding: int = 0


def conduct(step: Step) -> TurnAway | Act:
    """What the target does with the request that takes `step`."""
    match step:
        case Serve():
            return Act(AnswerEffect())
        case Pad(size=size):
            return Act(AnswerEffect(), padding=size)
        case Refuse(status=status):
            return TurnAway(AnswerStatus(status))
        case Fail(status=status, moment=moment):
            return _around(moment, AnswerStatus(status))
        case Hold(at=at):
            return Act(AnswerEffect(), hold=at)
        case Drop(moment=moment):
            return _around(moment, HangUp())
        case KillCaller(pid=pid, moment=moment):
            return _around(moment, Kill(pid))
        case _:
            assert_never(step)


def _around(moment: Moment, ending: AnswerStatus | HangUp | Kill) -> TurnAway | Act:
    match moment:
        case Moment.BEFORE_EFFECT:
            return TurnAway(ending)
        case Moment.AFTER_EFFECT:
            return Act(ending)
        case _:
            assert_never(moment)
