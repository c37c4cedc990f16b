"""What a resumed session is told of the effects that its read captured (D-3 to D-6)."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from effectjournal.session.captured import Captured
from effectspec.contract import Contract
from effectspec.disclosure import Disclosure, session_standing
from effectspec.notice import Notice
from effectspec.transcript import Exchange

LOOK_FIRST: Final = "check the target before you repeat a message: nothing is sent again by itself"


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of one effect."""

    captured: Captured
    disclosure: Disclosure


def tell(
    contract: Contract, effects: Sequence[Captured], exchanges: Sequence[Exchange]
) -> tuple[Told, ...]:
    """What is told of each effect, silence included."""
    return tuple(
        Told(
            effect,
            contract.disclosure(
                session_standing(effect.state, effect.slot),
                contract.attribution(exchanges, effect.call_id, effect.tool_id),
            ),
        )
        for effect in effects
    )


def notice(told: Sequence[Told]) -> Notice | None:
    """The notice about whatever is not silent; None if there is nothing to tell."""
    lines = [_line(each) for each in told if each.disclosure is not Disclosure.SILENT]
    # Its own id, so that an older notice that reads alike acknowledges nothing (D-7).
    return Notice(os.urandom(8).hex(), (*lines, LOOK_FIRST)) if lines else None


def _line(told: Told) -> str:
    effect = told.captured
    # What an old row has for a turn may be any text, and control a terminal.
    turn = effect.turn if effect.turn.isdigit() else repr(effect.turn)
    place = f"a command of turn {turn}" if effect.slot < 0 else f"turn {turn}"
    return f"effect {effect.row_id} ({effect.tool_id!r}, {place}): {_words(told.disclosure)}"


def _words(disclosure: Disclosure) -> str:
    match disclosure:
        case Disclosure.UNKNOWN:
            return "its outcome is unknown"
        case Disclosure.LANDED:
            return "it happened, in a turn that did not complete"
        case Disclosure.DOUBTFUL:
            return "it happened, in a turn that may not have completed"
        case Disclosure.SILENT:
            return "it is told to nobody"
        case _:
            assert_never(disclosure)
