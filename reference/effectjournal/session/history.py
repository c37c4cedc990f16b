"""A session's transcript: exchanges, written whole and decoded strictly (D-2)."""

import msgspec

from effectjournal.errors import HistoryUnreadable
from effectjournal.storage import Transaction
from effectspec.transcript import Exchange

_bodies = msgspec.json.Decoder(Exchange, strict=True)


def append(transaction: Transaction, session_id: str, turn: int, exchange: Exchange) -> None:
    """Write an exchange, with its end, in one row: there is no half of a completed turn."""
    transaction.write(
        "INSERT INTO exchanges (session_id, seq, turn, body) "
        "SELECT ?, coalesce(max(seq), 0) + 1, ?, ? FROM exchanges WHERE session_id = ?",
        (session_id, turn, msgspec.json.encode(exchange), session_id),
    )


def drop(transaction: Transaction, session_id: str, *, below_turn: int) -> int:
    """Compact or trim: a model is shown the rows of earlier turns no more; how many those were.

    They stay: what they prove of an effect's turn, nothing else does (D-2).
    """
    return transaction.write(
        "UPDATE exchanges SET dropped = 1 WHERE session_id = ? AND turn < ? AND dropped = 0",
        (session_id, below_turn),
    )


def whole(transaction: Transaction, session_id: str) -> tuple[Exchange, ...]:
    """Every exchange, dropped ones too. Raises :class:`HistoryUnreadable`."""
    found = transaction.query(
        "SELECT seq, body FROM exchanges WHERE session_id = ? ORDER BY seq", (session_id,)
    )
    return tuple(_decoded(session_id, seq, body) for seq, body in found)


def _decoded(session_id: str, seq: int, body: bytes) -> Exchange:
    try:
        return _bodies.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HistoryUnreadable(
            f"session {session_id!r}: row {seq} of its transcript is no exchange ({error}); "
            "nothing was disclosed and nothing deleted; restore the row"
        ) from error
