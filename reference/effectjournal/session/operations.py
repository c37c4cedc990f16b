"""The protocol's operations on sessions."""

from collections import defaultdict
from collections.abc import Callable
from typing import TypeAlias, assert_never

from effectjournal.errors import Refused
from effectjournal.journal import Journal
from effectjournal.session.effects import SessionCall
from effectjournal.session.session import Reading, Session
from effectjournal.tools import origin
from effectspec.admission import Admission
from effectspec.contract import Contract
from effectspec.protocol import (
    Acknowledge,
    Answer,
    Code,
    Compact,
    Done,
    Error,
    Prepared,
    PrepareInSession,
    ReadSession,
    ReadSessionRows,
    Reserved,
    ReserveTurn,
    Rows,
    Settled,
    SettleInSession,
    Swept,
    Told,
    ToldRow,
    Unwind,
    WriteExchange,
)

SessionOperation: TypeAlias = (
    ReserveTurn
    | PrepareInSession
    | SettleInSession
    | WriteExchange
    | Compact
    | ReadSession
    | Acknowledge
    | Unwind
    | ReadSessionRows
)
"""The requests that are about sessions."""


MakeSession: TypeAlias = Callable[[Journal, str], Session]
"""Makes a session of an open journal, by its id."""


class SessionOperations:
    """The sessions of an open journal, and what this process has read of them."""

    def __init__(
        self, journal: Journal, contract: Contract, make_session: MakeSession = Session
    ) -> None:
        self._journal = journal
        self._make_session = make_session
        self._contract = contract
        self._readings: defaultdict[str, list[Reading]] = defaultdict(list)

    def answer(self, request: SessionOperation) -> Answer:
        """Do one operation. Raises ``JournalError``."""
        session = self._make_session(self._journal, request.session)
        match request:
            case ReserveTurn():
                return Reserved(turn=session.reserve())
            case PrepareInSession():
                return self._prepare(session, request)
            case SettleInSession(row_id=row_id, outcome=outcome):
                settlement, state = session.settle(row_id, outcome)
                return Settled(settlement=settlement, state=state)
            case WriteExchange(turn=turn, exchange=exchange):
                session.write(turn, exchange)
                return Done()
            case Compact(below_turn=below_turn):
                session.compact(below_turn)
                return Done()
            case ReadSession():
                return self._read(session)
            case Acknowledge():
                return self._acknowledge(session, request)
            case Unwind(turn=turn):
                return Swept(deleted=session.unwind(turn).deleted)
            case ReadSessionRows():
                return Rows(rows=self._journal.session_rows(session.id))
            case _:
                assert_never(request)

    def _prepare(self, session: Session, request: PrepareInSession) -> Prepared:
        tool = request.tool
        call = SessionCall(
            request.slot,
            tool.id,
            self._contract.trusted_tier(tool.tier, origin(tool)),
            self._contract.digest(request.arguments, tool.secret_keys),
            request.call_id,
            request.provider_attempt,
        )
        try:
            dispatch = session.prepare(request.turn, call)
        except Refused as refused:
            return Prepared(admission=Admission.REFUSE, clause="G-11", reason=str(refused))
        return Prepared(
            admission=Admission.DISPATCH,
            row_id=dispatch.row_id,
            key=dispatch.key,
            reference=dispatch.reference,
        )

    def _read(self, session: Session) -> Told:
        reading = session.read()
        self._readings[session.id].append(reading)
        return Told(
            rows=tuple(
                ToldRow(
                    row_id=told.captured.row_id,
                    turn=told.captured.turn,
                    slot=told.captured.slot,
                    disclosure=told.disclosure,
                )
                for told in reading.told
            ),
            lines=() if reading.notice is None else reading.notice.lines,
        )

    def _acknowledge(self, session: Session, request: Acknowledge) -> Answer:
        readings = self._readings[session.id]
        if request.reading >= len(readings):
            return Error(
                code=Code.BAD_REQUEST,
                message=f"session {session.id!r}: this process has read it {len(readings)} times; "
                "name a reading from 0",
                definite=True,
            )
        swept = session.sweep(
            readings[request.reading], request.acknowledgement, owned=lambda: request.owned
        )
        return Swept(deleted=swept.deleted)
