"""A session's effects as one read captured them: metadata, and never a result (X-10)."""

import msgspec

from effectjournal.storage import Fields, Transaction
from effectspec.lifecycle import State


class Captured(msgspec.Struct, frozen=True):
    """One effect: its physical id, its address, and the state in which it was read (R-3)."""

    row_id: int
    session_id: str
    turn: str
    slot: int
    tool_id: str
    call_id: str
    state: State

    @property
    def address(self) -> tuple[str, str, int, str]:
        """What its id belonged to when it was read."""
        return self.session_id, self.turn, self.slot, self.tool_id


# `result` is not among them, whatever an older writer has left in it (G-11, X-10).
_FIELDS = "id, scope_id, unit, slot, tool_id, tool_call_id, state"
_STATES = {state.value: state for state in State}


def of_session(transaction: Transaction, session_id: str) -> tuple[Captured, ...]:
    """A session's undiscarded effects, oldest first."""
    found = transaction.query(
        f"SELECT {_FIELDS} FROM run_effects WHERE scope_kind = 'session' AND scope_id = ? "
        "AND resolution IS NOT 'discarded' ORDER BY id",
        (session_id,),
    )
    return tuple(map(_captured, found))


def now(transaction: Transaction, row_id: int) -> Captured | None:
    """What is under that id now, if it is still an effect of a session."""
    found = transaction.query(
        f"SELECT {_FIELDS} FROM run_effects WHERE scope_kind = 'session' AND id = ?", (row_id,)
    )
    return _captured(found[0]) if found else None


def _captured(fields: Fields) -> Captured:
    row_id, session_id, turn, slot, tool_id, call_id, state = fields
    return Captured(row_id, session_id, turn, slot, tool_id, call_id, _STATES[state])
