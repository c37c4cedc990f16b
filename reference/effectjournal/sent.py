"""What came of sending a call: the tool's word on the outcome, and what was answered."""

from dataclasses import dataclass
from http import HTTPStatus

from effectspec.json_value import Json
from effectspec.settlement import Outcome


@dataclass(frozen=True, slots=True)
class Sent:
    """The end of one call. ``answer`` is None where there was none, or an empty one.

    ``left``: the call left this process, as far as is known.
    """

    outcome: Outcome
    answer: Json = None
    left: bool = True


NO_ANSWER = Sent(Outcome.UNKNOWN)
"""The call may have been done, or may still be."""

HELD_BACK = Sent(Outcome.UNKNOWN, left=False)
"""The call was not sent, now; another process may have sent it for the same row (reading 3)."""


def outcome_of(status: int) -> Outcome:
    """What an HTTP status says of the effect (reading 10).

    A conflict says that the first request under the key is still running. What is not recognised,
    such as a redirect that nobody follows, is unknown.
    """
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Outcome.DONE
    if status == HTTPStatus.CONFLICT:
        return Outcome.UNKNOWN
    if HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return Outcome.NOT_DONE
    return Outcome.UNKNOWN
