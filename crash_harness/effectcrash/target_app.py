"""The target as an ASGI application: HTTP on one side, an account's desk on the other."""

import logging
import os
import signal
from typing import Final, assert_never
from urllib.parse import unquote

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from effectcrash import wire
from effectcrash.conduct import HangUp, Kill
from effectcrash.control import CONTROL, TIMED_OUT, Command
from effectcrash.desk import Answered, Asked, Conclusion, Desk, problem
from effectcrash.ledger import LedgerWriter

TRANSPORT: Final = "transport"
"""Where in the scope's state the server leaves the connection, to be closed without an answer."""

_LOG = logging.getLogger(__name__)


class TargetApp:
    """Serves the wire contract (`effectcrash.wire`) and the control interface (`.control`)."""

    def __init__(self, writer: LedgerWriter) -> None:
        """A world without accounts; it writes to `writer`."""
        self._ledger = writer
        self._desks: dict[str, Desk] = {}
        self._commands = msgspec.json.Decoder(Command)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. A request whose body does not arrive whole has not been made."""
        request = Request(scope, receive)
        try:
            body = await request.body()
        except ClientDisconnect:
            return
        conclusion = await self._serve(request, body)
        match conclusion:
            case Answered(status=status, body=answer):
                response = Response(answer, status, media_type="application/json")
                await response(scope, receive, send)
            case HangUp():
                await _hang_up(request)
            case Kill(pid=pid):
                await _kill(pid, request)
            case _:
                assert_never(conclusion)

    async def _serve(self, request: Request, body: bytes) -> Conclusion:
        raw_path: bytes = request.scope["raw_path"]
        segments = raw_path.decode("ascii").removeprefix("/").split("/")
        match segments:
            case [first, account] if first == CONTROL and wire.ACCOUNT_NAME.fullmatch(account):
                return await self._obey(account, body)
            case [account, _, *_] if wire.ACCOUNT_NAME.fullmatch(account):
                return await self._asked(account, segments, request, body)
            case _:
                return problem(wire.NOT_FOUND, "the path is not /{account}/{rest}")

    async def _asked(
        self, account: str, segments: list[str], request: Request, body: bytes
    ) -> Conclusion:
        desk = self._desk(account)
        query = f"?{request.url.query}" if request.url.query else ""
        asked = Asked(
            method=request.method,
            path="/" + "/".join(segments[1:]) + query,
            key=request.headers.get(wire.IDEMPOTENCY_KEY),
            reference=request.headers.get(wire.EFFECT_REFERENCE),
            body=body,
        )
        match request.method, segments[1:]:
            case "GET", [wire.RECEIPTS, reference]:
                return desk.look_up(asked, unquote(reference))
            case "GET", _:
                return desk.read(asked)
            case _:
                return await desk.ask(asked)

    async def _obey(self, account: str, body: bytes) -> Conclusion:
        try:
            command = self._commands.decode(body)
            state = await self._desk(account).obey(command)
        except msgspec.DecodeError as error:
            return problem(wire.MALFORMED, str(error))
        except TimeoutError:
            state = self._desk(account).state()
            return problem(TIMED_OUT, f"it did not happen in time; the account has {state}")
        return Answered(wire.OK, msgspec.json.encode(state))

    def _desk(self, account: str) -> Desk:
        if account not in self._desks:
            self._desks[account] = Desk(account, self._ledger)
        return self._desks[account]


async def _hang_up(request: Request) -> None:
    request.scope["state"][TRANSPORT].close()
    await _gone(request.receive)


async def _kill(pid: int, request: Request) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        _LOG.error("KillCaller: there is no process %d; give the pid of the one that asks", pid)
        await _hang_up(request)
    else:
        # The dying process closes the connection, so nothing can reach it ahead of the signal.
        await _gone(request.receive)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
