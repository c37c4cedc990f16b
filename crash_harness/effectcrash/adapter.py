"""One process of an implementation, spoken to in protocol version 1 and in no other way."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self, assert_never

import msgspec

from effectcrash.adapter_errors import (
    AdapterError,
    CannotStart,
    Died,
    EndsBadly,
    Hangs,
    LineTooLong,
    Lingers,
    Noise,
    NotTheChild,
    OtherVersion,
    OutOfOrder,
    StopsTalking,
    Undying,
)
from effectcrash.child import Child, Death, Nothing, printable
from effectspec import protocol
from effectspec.decoding import Unreadable, decoded
from effectspec.points import Point
from effectspec.protocol import MESSAGE_LIMIT, PROTOCOL_VERSION, Answer, Request, Welcome

START_SECONDS: Final = 30.0
"""From the spawn to the answer to hello: a JIT warms up, a package runner looks for its package."""

ANSWER_SECONDS: Final = 60.0
"""To answer or to reach a point: well above any bounded wait for a lock."""

DEATH_SECONDS: Final = 10.0
"""For the kernel to end what was killed, or what said bye."""

SHOWN_OF_NOISE: Final = 120
"""Characters of a line that are shown: enough to recognise what it is or where it comes from."""

NO_MORE_QUESTIONS: Final = 0.0
"""Seconds to wait for what nobody asked for."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an adapter may take, in seconds, and how long a line may be, in bytes."""

    start: float = START_SECONDS
    answer: float = ANSWER_SECONDS
    death: float = DEATH_SECONDS
    line: int = MESSAGE_LIMIT


LIMITS: Final = Limits()

ANSWERED_BY: Final[Mapping[type[Request], type[Answer]]] = {
    protocol.Hello: protocol.Welcome,
    protocol.Open: protocol.Done,
    protocol.RunJob: protocol.Ended,
    protocol.ResumeJob: protocol.Ended,
    protocol.TakeOver: protocol.Owned,
    protocol.ReadGate: protocol.Gated,
    protocol.BeginNode: protocol.Begun,
    protocol.Prepare: protocol.Prepared,
    protocol.Settle: protocol.Settled,
    protocol.CompleteNode: protocol.NodeEnded,
    protocol.Resolve: protocol.Done,
    protocol.Attach: protocol.Done,
    protocol.Close: protocol.Done,
    protocol.Sweep: protocol.Swept,
    protocol.ReserveTurn: protocol.Reserved,
    protocol.PrepareInSession: protocol.Prepared,
    protocol.SettleInSession: protocol.Settled,
    protocol.WriteExchange: protocol.Done,
    protocol.Compact: protocol.Done,
    protocol.ReadSession: protocol.Told,
    protocol.Acknowledge: protocol.Swept,
    protocol.Unwind: protocol.Swept,
    protocol.ReadSessionRows: protocol.Rows,
    protocol.ReadRows: protocol.Rows,
    protocol.ReadEvents: protocol.Events,
    protocol.Digest: protocol.Digested,
    protocol.Classify: protocol.Classified,
    protocol.Claim: protocol.Claimed,
    protocol.Bye: protocol.Done,
}
"""The kind of answer that each request asks for; an ``error`` may always take its place."""


class Adapter:
    """A running adapter; it is killed at the end of its ``with`` block if it still runs then.

    Every method raises an :class:`effectcrash.adapter_errors.AdapterError` as that module says.
    """

    _points: set[Point]

    def __init__(self, command: Sequence[str], limits: Limits = LIMITS) -> None:
        """Spawn ``command`` and agree on the protocol."""
        self._command = shlex.join(command)
        self._limits = limits
        self._place = "at its start"
        self._asked: Request | None = None
        self._points = set()
        try:
            self._child = Child(command, line_bytes=limits.line)
        except OSError as error:
            raise CannotStart(self._command, self._place, _reason(error)) from error
        try:
            self.welcome: Final[Welcome] = self._agree()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """It is running already."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Kill it unless it is dead."""
        self.close()

    @property
    def pid(self) -> int:
        """The process whose death counts."""
        return self._child.pid

    # ── the conversation ─────────────────────────────────────────────────────────────────────────

    def ask(self, request: Request) -> Answer:
        """Send a request and wait for what it says to it: the answer, or a point it stops at."""
        self.send(request)
        return self.receive()

    def send(self, request: Request) -> None:
        """Send a request, or the release from a point."""
        if not isinstance(request, protocol.Release):
            self._place = f"asked to {_tag(request)!r}"
            unasked = self._child.read(NO_MORE_QUESTIONS)
            if isinstance(unasked, bytes):
                raise self._error(OutOfOrder, f"said {_shown(unasked)} before it was asked")
            self._asked = request
        if isinstance(request, protocol.Open):
            self._points = set(request.points)
        nothing = self._child.write(protocol.encode(request), self._limits.answer)
        if nothing is not None:
            raise self._failure(nothing, self._limits.answer)

    def receive(self) -> Answer:
        """What it says to the request that was sent last, within the limit for answers."""
        answer = self._message(self._limits.answer)
        match answer:
            case protocol.Reached(point=point) if point in self._points:
                self._points.discard(point)
            case protocol.Error():
                self._asked = None
            case _ if self._asked is not None and type(answer) is ANSWERED_BY[type(self._asked)]:
                self._asked = None
            case _:
                raise self._error(OutOfOrder, f"said {as_told(answer)}")
        return answer

    def receive_or_die(self) -> Answer | Death:
        """What it says, or how it ended: for a process that somebody else is about to kill."""
        try:
            return self.receive()
        except Died:
            death = self._child.await_death(self._limits.death)
            if death is None:
                raise
            return death

    def end(self) -> Death:
        """Let it go in peace: bye, and exit status 0."""
        answer = self.ask(protocol.Bye())
        if isinstance(answer, protocol.Error):
            raise self._error(EndsBadly, f"said {as_told(answer)}")
        death = self._child.await_death(self._limits.death)
        if death is None:
            raise self._error(Lingers, f"answered, and still runs {self._limits.death:g} s later")
        if death.status != 0:
            raise self._error(EndsBadly, f"answered, and then {death}")
        return death

    def kill(self) -> Death:
        """SIGKILL it and everything that it started, and read the wait status."""
        death = self._child.kill(self._limits.death)
        if death is None:
            raise self._error(Undying, f"outlived SIGKILL by {self._limits.death:g} s")
        return death

    def close(self) -> None:
        """Kill it unless it is dead, and forget it."""
        self.kill()
        self._child.close()

    # ── what can go wrong ────────────────────────────────────────────────────────────────────────

    def _agree(self) -> Welcome:
        hello = protocol.Hello()
        self._place = f"asked to {_tag(hello)!r}"
        nothing = self._child.write(protocol.encode(hello), self._limits.start)
        if nothing is not None:
            raise self._failure(nothing, self._limits.start)
        match self._message(self._limits.start):
            case Welcome(protocol=version) if version != PROTOCOL_VERSION:
                raise self._error(OtherVersion, _versions(version))
            case Welcome(pid=pid) if pid != self.pid:
                raise self._error(NotTheChild, f"is process {pid}, but {self.pid} was spawned")
            case Welcome() as welcome:
                return welcome
            case protocol.Error(message=message):
                raise self._error(OtherVersion, f"refuses version {PROTOCOL_VERSION}: {message}")
            case answer:
                raise self._error(OutOfOrder, f"said {as_told(answer)}")

    def _message(self, seconds: float) -> Answer:
        line = self._child.read(seconds)
        if isinstance(line, Nothing):
            raise self._failure(line, seconds)
        try:
            return protocol.decode_answer(line)
        except protocol.BadMessage as error:
            version = _version(line)
            if version is not None and version != PROTOCOL_VERSION:
                raise self._error(OtherVersion, _versions(version)) from error
            raise self._error(Noise, f"wrote {_shown(line)}, which is {error}") from error

    def _failure(self, nothing: Nothing, seconds: float) -> AdapterError:
        match nothing:
            case Nothing.SILENT:
                return self._error(Hangs, f"no answer within {seconds:g} s")
            case Nothing.OVERLONG:
                return self._error(LineTooLong, f"a line of more than {self._limits.line} bytes")
            case Nothing.ENDED:
                death = self._child.await_death(self._limits.death)
                if death is None:
                    return self._error(StopsTalking, "closed its end, and lives")
                return self._error(Died, str(death))
            case _:
                assert_never(nothing)

    def _error(self, kind: type[AdapterError], what: str) -> AdapterError:
        return kind(self._command, self._place, what, self._child.last_words)


class _AnyWelcome(msgspec.Struct, tag_field="type", tag="welcome"):
    protocol: int


_welcomes: Final = msgspec.json.Decoder(_AnyWelcome)


def _version(line: bytes) -> int | None:
    """The version in a welcome of whatever version, which may have other fields than ours."""
    try:
        return decoded(_welcomes, line).protocol
    except Unreadable:
        return None


def _versions(theirs: int) -> str:
    return f"speaks version {theirs}, not {PROTOCOL_VERSION}"


def _tag(request: Request) -> str:
    return str(type(request).__struct_config__.tag)


def as_told(answer: Answer) -> str:
    """An answer as a message shows it: its line, clipped."""
    return _shown(protocol.encode(answer).rstrip(b"\n"))


def _shown(line: bytes) -> str:
    text = printable(line.decode(errors="replace"))
    return f"{text[:SHOWN_OF_NOISE]}…" if len(text) > SHOWN_OF_NOISE else text


def _reason(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return "command not found"
        case PermissionError():
            return "not executable"
        case _:
            return str(error.strerror or error)
