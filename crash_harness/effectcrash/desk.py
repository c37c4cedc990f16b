"""One account of the target: what it was told, what it remembers, what it does when asked.

It knows nothing of HTTP servers: it takes requests as values and returns how they end. Every entry
of the ledger is written here, before what it says counts as done.
"""

import asyncio
import hashlib
from collections import deque
from dataclasses import dataclass
from typing import assert_never

import msgspec

from effectcrash import ledger, wire
from effectcrash.conduct import Act, AnswerEffect, AnswerStatus, HangUp, Kill, TurnAway, conduct
from effectcrash.control import (
    AccountState,
    AwaitHeld,
    Behaviour,
    Command,
    Configure,
    ForgetKeys,
    HoldAt,
    LookUps,
    Problem,
    Release,
    Report,
    Serve,
    SetLookUps,
    SetScript,
    Step,
)
from effectcrash.holds import Holds
from effectcrash.keys import Claim, Fresh, InUse, KeyMemory, OtherRequest, Stored


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to an account. `path` is what follows the account, with its query."""

    method: str
    path: str
    key: str | None
    reference: str | None
    body: bytes


@dataclass(frozen=True, slots=True)
class Answered:
    """A request ends with this answer: an HTTP status and a JSON body."""

    status: int
    body: bytes


Conclusion = Answered | HangUp | Kill


@dataclass(frozen=True, slots=True)
class _Arrival:
    number: int
    asked: Asked
    value: object


class _Effect(msgspec.Struct, frozen=True, kw_only=True):
    effect: int
    path: str
    echo: object
    reference: str | None
    padding: str | msgspec.UnsetType = msgspec.UNSET


class _Receipt(msgspec.Struct, frozen=True):
    reference: str
    answer: msgspec.Raw


class _NoReceipt(msgspec.Struct, frozen=True):
    reference: str


class _Read(msgspec.Struct, frozen=True):
    read: str


class Desk:
    """Serves one account; its methods must run in one event loop.

    Every method that writes the ledger raises `LedgerError` when that fails, and what it was about
    to do has then not been done.
    """

    def __init__(self, account: str, writer: ledger.LedgerWriter) -> None:
        """An account that nobody has asked anything yet; it writes to `writer`."""
        self._account = account
        self._ledger = writer
        self._behaviour = Behaviour()
        self._look_ups = LookUps.SHOWN
        self._script: deque[Step] = deque()
        self._keys = KeyMemory()
        self._holds = Holds()
        self._receipts: dict[str, bytes] = {}
        self._requests = 0
        self._effects = 0
        self._running: set[asyncio.Task[Conclusion]] = set()

    async def obey(self, command: Command) -> AccountState:
        """Do what the harness says. Raises `TimeoutError` if what it waits for does not happen."""
        match command:
            case Configure(behaviour=behaviour):
                self._behaviour = behaviour
            case SetScript(steps=steps):
                self._script = deque(steps)
            case ForgetKeys():
                self._ledger.append(
                    ledger.Forgotten(account=self._account, keys=self._keys.forget())
                )
            case SetLookUps(look_ups=look_ups):
                self._look_ups = look_ups
            case Release():
                await self._holds.release()
            case AwaitHeld(count=count, seconds=seconds):
                async with asyncio.timeout(seconds):
                    await self._holds.await_held(count)
            case Report():
                pass
            case _:
                assert_never(command)
        return self.state()

    def state(self) -> AccountState:
        """The account's counts at this moment."""
        return AccountState(
            effects=self._effects,
            requests=self._requests,
            held=len(self._holds),
            steps_left=len(self._script),
        )

    def read(self, asked: Asked) -> Conclusion:
        """A read: never an effect, always the same answer."""
        number = self._arrived(asked)
        return self._end(number, Answered(wire.OK, msgspec.json.encode(_Read(asked.path))))

    def look_up(self, asked: Asked, reference: str) -> Conclusion:
        """A look-up of a receipt (T-3). Finding none says nothing about the effect (reading 2)."""
        number = self._arrived(asked)
        return self._end(number, self._receipt(reference))

    async def ask(self, asked: Asked) -> Conclusion:
        """A request for an effect: it takes the next step of the script as it arrives.

        Once it has arrived, nothing takes it back: it goes on when its sender dies, and when the
        caller of this method is cancelled.
        """
        number = self._arrived(asked)
        try:
            value = msgspec.json.decode(asked.body or b"null")
        except msgspec.DecodeError as error:
            return self._end(number, problem(wire.MALFORMED, f"the body is not JSON: {error}"))
        step = self._script.popleft() if self._script else Serve()
        work = asyncio.create_task(self._carry_out(conduct(step), _Arrival(number, asked, value)))
        self._running.add(work)
        work.add_done_callback(self._running.discard)
        return await asyncio.shield(work)

    async def _carry_out(self, plan: TurnAway | Act, arrival: _Arrival) -> Conclusion:
        match plan:
            case TurnAway(ending=ending):
                return self._end(arrival.number, _concluded(ending))
            case Act():
                over = asyncio.Event()
                try:
                    return await self._act(plan, arrival, over)
                finally:
                    over.set()
            case _:
                assert_never(plan)

    async def _act(self, plan: Act, arrival: _Arrival, over: asyncio.Event) -> Conclusion:
        if plan.hold is HoldAt.IN_TRANSIT:
            await self._holds.hold(over)
        claim = self._claim(arrival)
        if plan.hold is HoldAt.BEFORE_EFFECT:
            await self._holds.hold(over)
        answer = self._answer(claim, arrival, plan.padding)
        if plan.hold is HoldAt.AFTER_EFFECT:
            await self._holds.hold(over)
        if isinstance(claim, Fresh) and claim.key is not None:
            self._keys.store(claim.key, answer.body)
        conclusion = answer if isinstance(plan.ending, AnswerEffect) else _concluded(plan.ending)
        return self._end(arrival.number, conclusion)

    def _claim(self, arrival: _Arrival) -> Claim:
        asked = arrival.asked
        if asked.key is None or not self._behaviour.honours_keys:
            return Fresh(None)
        # The value and not its bytes: a caller that asks again may order the members otherwise.
        request = (asked.method, asked.path, arrival.value)
        return self._keys.claim(asked.key, msgspec.json.encode(request, order="deterministic"))

    def _answer(self, claim: Claim, arrival: _Arrival, padding: int) -> Answered:
        match claim:
            case Fresh():
                return Answered(wire.OK, self._effect(arrival, padding))
            case Stored(answer=answer):
                return Answered(wire.OK, answer)
            case InUse():
                return problem(wire.KEY_IN_USE, "the first request with this key is running")
            case OtherRequest():
                return problem(
                    wire.KEY_OF_ANOTHER_REQUEST, "this key came before with another request"
                )
            case _:
                assert_never(claim)

    def _effect(self, arrival: _Arrival, padding: int) -> bytes:
        asked = arrival.asked
        number = self._effects + 1
        self._ledger.append(
            ledger.Effect(
                account=self._account,
                number=number,
                request=arrival.number,
                path=asked.path,
                key=asked.key,
                reference=asked.reference,
                body=arrival.value,
            )
        )
        self._effects = number
        answer = msgspec.json.encode(
            _Effect(
                effect=number,
                path=asked.path,
                echo=arrival.value,
                reference=asked.reference,
                padding="x" * padding if padding else msgspec.UNSET,
            )
        )
        if asked.reference is not None:
            self._receipts.setdefault(asked.reference, answer)
        return answer

    def _receipt(self, reference: str) -> Answered:
        nothing = msgspec.json.encode(_NoReceipt(reference))
        answer = self._receipts.get(reference)
        if not self._behaviour.offers_receipts:
            return Answered(wire.NOT_FOUND, nothing)
        match self._look_ups:
            case LookUps.SHOWN if answer is not None:
                receipt = _Receipt(reference, msgspec.Raw(answer))
                return Answered(wire.OK, msgspec.json.encode(receipt))
            case LookUps.SHOWN | LookUps.HIDDEN:
                return Answered(wire.NOT_FOUND, nothing)
            case LookUps.UNAVAILABLE:
                return Answered(wire.UNAVAILABLE, nothing)
            case _:
                assert_never(self._look_ups)

    def _arrived(self, asked: Asked) -> int:
        number = self._requests + 1
        self._ledger.append(
            ledger.Request(
                account=self._account,
                number=number,
                method=asked.method,
                path=asked.path,
                key=asked.key,
                reference=asked.reference,
                digest=hashlib.sha256(asked.body).hexdigest(),
            )
        )
        self._requests = number
        return number

    def _end(self, number: int, conclusion: Conclusion) -> Conclusion:
        match conclusion:
            case Answered(status=status):
                self._ledger.append(
                    ledger.Answer(account=self._account, request=number, status=status)
                )
            case HangUp():
                self._ledger.append(ledger.Dropped(account=self._account, request=number))
            case Kill(pid=pid):
                self._ledger.append(ledger.Killed(account=self._account, request=number, pid=pid))
            case _:
                assert_never(conclusion)
        return conclusion


def _concluded(ending: AnswerStatus | HangUp | Kill) -> Conclusion:
    if isinstance(ending, AnswerStatus):
        return problem(ending.status, "the target was told to answer this status")
    return ending


def problem(status: int, error: str) -> Answered:
    """An answer of that HTTP status that says what went wrong."""
    return Answered(status, msgspec.json.encode(Problem(error)))
