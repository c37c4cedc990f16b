"""What a settle leaves on its row (O-4, readings 10 and 11)."""

import hashlib

import msgspec

from effectjournal import rows
from effectjournal.storage import Transaction
from effectspec.json_value import Json
from effectspec.lifecycle import State
from effectspec.protocol import Delivery
from effectspec.record import Report
from effectspec.settlement import Outcome, Settlement

FINGERPRINT_BYTES = 16
"""Of a settle: enough to tell two apart, and no secret is kept by it."""


class Settled(msgspec.Struct, frozen=True):
    """What a settle did, and the state of the row after it.

    ``delivery`` is what may be delivered of a result; ``shortfall`` says why it could not be
    derived, in which case the settle stands all the same (O-5).
    """

    settlement: Settlement
    state: State
    delivery: Delivery | None
    shortfall: str | None


def fingerprint(outcome: Outcome, answer: Json) -> str:
    """Tells one settle from another, so that the same one sent twice is answered alike."""
    said = msgspec.json.encode((outcome, answer))
    return hashlib.blake2b(said, digest_size=FINGERPRINT_BYTES).hexdigest()


def write(
    transaction: Transaction,
    row: rows.ToSettle,
    report: Report,
    settlement: Settlement,
    retained: bytes | None,
    *,
    at: int,
) -> State | None:
    """Write what a settle does; the row's state after it.

    None, and nothing written, if the row stands otherwise than ``row`` says.
    """
    record = row.record
    match settlement:
        case Settlement.COMMIT:
            state = State.COMMITTED
        case Settlement.MARK_AMBIGUOUS:
            state = State.AMBIGUOUS
        case Settlement.FILL:
            if retained is not None:
                rows.fill(transaction, record.row_id, retained, report.fingerprint)
            return record.state
        case Settlement.ALIKE:
            return record.state
        case Settlement.EVIDENCE:
            evidence = rows.Evidence(
                record.row_id, at, report.generation, report.outcome, report.fingerprint, retained
            )
            rows.keep_evidence(transaction, evidence)
            return record.state
    settled = rows.Settled(state, retained, report.fingerprint, at)
    landed = rows.settle(transaction, record, settled, fence=row.generation)
    return state if landed else None
