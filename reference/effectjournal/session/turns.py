"""The durable allocator of a session's turns (X-14, L-1, L-2)."""

from effectjournal.errors import SessionBlocked
from effectjournal.storage import Transaction
from effectspec.contract import Contract


def reserve(transaction: Transaction, contract: Contract, session_id: str) -> int:
    """Hand out a turn that no row has and none has had. Raises :class:`SessionBlocked`."""
    turn = floor(transaction, contract, session_id)
    transaction.write(
        "UPDATE sessions SET next_turn = ? WHERE session_id = ?", (turn + 1, session_id)
    )
    return turn


def floor(transaction: Transaction, contract: Contract, session_id: str) -> int:
    """The next turn, made durable with whatever else this transaction does (R-4).

    Raises :class:`SessionBlocked`.
    """
    found = transaction.query(
        "SELECT next_turn, blocked FROM sessions WHERE session_id = ?", (session_id,)
    )
    if found:
        ((next_turn, blocked),) = found
    else:
        next_turn, blocked = initialise(transaction, contract, session_id)
    if blocked:
        raise SessionBlocked(blocked_warning(session_id))
    return int(next_turn)


def initialise(transaction: Transaction, contract: Contract, session_id: str) -> tuple[int, bool]:
    """Write a session's floor from the history that is there; the floor, and whether it is none."""
    units = transaction.query(
        "SELECT DISTINCT unit FROM run_effects WHERE scope_kind = 'session' AND scope_id = ?",
        (session_id,),
    )
    reached = contract.turn_floor([unit for (unit,) in units])
    next_turn, blocked = (0, True) if reached is None else (reached, False)
    transaction.write(
        "INSERT INTO sessions (session_id, next_turn, blocked) VALUES (?, ?, ?)",
        (session_id, next_turn, int(blocked)),
    )
    return next_turn, blocked


def blocked_warning(session_id: str) -> str:
    """The fixed words on a session whose history is none (X-14)."""
    return (
        f"session {session_id!r}: its effects have turns that are no numbers, so no turn is handed "
        "out and nothing of it is swept; other sessions work"
    )
