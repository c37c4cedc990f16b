"""What is left to do about an effect, and by whom."""

from enum import Enum
from typing import assert_never

from effectjournal.operator.filed import Filed
from effectspec.lifecycle import Resolution, State
from effectspec.retention import RunPhase
from effectspec.tiers import Tier


class Need(Enum):
    """What an effect waits for, the most pressing first."""

    RESOLVE = "resolve"
    ATTACH = "attach"
    CLOSE = "close its run"
    RESUME = "resume its run"
    WAIT = "wait for its owner"
    NOTHING = "nothing"


CLOSED = RunPhase.CLOSED.name.lower()

OF_A_PERSON = frozenset({Need.RESOLVE, Need.ATTACH, Need.CLOSE})
"""What no resume does by itself."""


def need(filed: Filed) -> Need:
    """What is left to do about ``filed`` (A-5, readings 4, 6, 7, 17 and 19)."""
    match filed.state:
        case State.PREPARED | State.DISPATCHED | State.AMBIGUOUS:
            if filed.owned:
                return Need.WAIT
            return Need.RESUME if _settles_itself(filed) else Need.RESOLVE
        case State.NEEDS_ATTENTION:
            return Need.WAIT if filed.owned else Need.RESOLVE
        case State.COMMITTED | State.RESOLVED:
            return _of_settled(filed)
        case _:
            assert_never(filed.state)


def _of_settled(filed: Filed) -> Need:
    if filed.resolution is Resolution.DISCARDED:
        return Need.NOTHING
    if filed.undelivered and filed.phase != CLOSED:
        return Need.CLOSE
    if filed.retained or not filed.is_resumable:
        return Need.NOTHING
    if filed.owned:
        return Need.WAIT
    return Need.RESUME if _settles_itself(filed) else Need.ATTACH


def _settles_itself(filed: Filed) -> bool:
    """Whether a resume can find out, by the key or the reference of the row."""
    if not filed.is_resumable:
        return False
    match filed.tier:
        case Tier.KEYED:
            return filed.key is not None
        case Tier.QUERYABLE:
            return filed.reference is not None
        case Tier.OPAQUE:
            return False
        case _:
            assert_never(filed.tier)


def known(filed: Filed) -> str:
    """What is known of the effect, in a few words."""
    match filed.state:
        case State.PREPARED | State.DISPATCHED | State.AMBIGUOUS | State.NEEDS_ATTENTION:
            if filed.landed:
                return "happened, as a late answer says"
            return "under way" if filed.owned else "may have happened"
        case State.RESOLVED if filed.resolution is Resolution.DISCARDED:
            return "did not happen, an operator says"
        case State.COMMITTED | State.RESOLVED if filed.undelivered:
            return "done, and its node did not ask for it"
        case State.COMMITTED | State.RESOLVED:
            return "done" if filed.retained else "done, its result is not recorded"
        case _:
            assert_never(filed.state)
