"""Puts the session steps of a scenario into requests, which name turns, rows and readings."""

from dataclasses import dataclass, field
from typing import assert_never

from effectcrash.cannot_ask import CannotAsk
from effectspec import protocol, scenario
from effectspec.protocol import Answer, Request
from effectspec.scenario import Call, Job, SessionStep, Tool


@dataclass(slots=True)
class SessionOperations:
    """What was learnt of a session from the answers so far. Its id is the job's run id."""

    job: Job
    _turns: dict[str, int] = field(default_factory=dict)
    """The turn that a process reserved last."""
    _rows: dict[tuple[str, int], int] = field(default_factory=dict)
    _readings: dict[str, int] = field(default_factory=dict)

    def request(self, step: SessionStep) -> Request:  # noqa: C901  (one case a step)
        """The request that asks ``step.process`` to take ``step``. Raises :class:`CannotAsk`."""
        session, process = self.job.run_id, step.process
        match step:
            case scenario.Reserve():
                return protocol.ReserveTurn(session=session)
            case scenario.PrepareInTurn(slot=slot, call=call, turn=turn):
                return protocol.PrepareInSession(
                    session=session,
                    turn=self._turn(process) if turn is None else turn,
                    slot=slot,
                    tool=self._tool(call),
                    arguments=call.arguments,
                    call_id=call.call_id,
                )
            case scenario.SettleInTurn(slot=slot, outcome=outcome, result=result):
                row_id = self._rows.get((process, slot))
                if row_id is None:
                    raise CannotAsk(f"{process}: has prepared nothing at slot {slot}")
                return protocol.SettleInSession(
                    session=session, row_id=row_id, outcome=outcome, result=result
                )
            case scenario.WriteTurn(exchange=exchange):
                return protocol.WriteExchange(
                    session=session, turn=self._turn(process), exchange=exchange
                )
            case scenario.Compact():
                return protocol.Compact(session=session, below_turn=self._turn(process))
            case scenario.Disclose():
                return protocol.ReadSession(session=session)
            case scenario.Acknowledge(acknowledgement=acknowledgement, owned=owned):
                reading = self._readings.get(process)
                if reading is None:
                    raise CannotAsk(f"{process}: has read no notice")
                return protocol.Acknowledge(
                    session=session, reading=reading, acknowledgement=acknowledgement, owned=owned
                )
            case scenario.Unwind(refused=refused):
                turn = None if refused else self._turn(process)
                return protocol.Unwind(session=session, turn=turn)
            case _:
                assert_never(step)

    def learn(self, step: SessionStep, answer: Answer) -> None:
        """Remember what later steps of the process will name."""
        match step, answer:
            case scenario.Reserve(process=process), protocol.Reserved(turn=turn):
                self._turns[process] = turn
            case (
                scenario.PrepareInTurn(process=process, slot=slot),
                protocol.Prepared(row_id=int(row_id)),
            ):
                self._rows[process, slot] = row_id
            case scenario.Disclose(process=process), protocol.Told():
                self._readings[process] = self._readings.get(process, -1) + 1
            case _:
                pass

    def _turn(self, process: str) -> int:
        if process not in self._turns:
            raise CannotAsk(f"{process}: has reserved no turn")
        return self._turns[process]

    def _tool(self, call: Call) -> Tool:
        for tool in self.job.tools:
            if tool.id == call.tool:
                return tool
        raise CannotAsk(f"the job has no tool {call.tool!r}")
