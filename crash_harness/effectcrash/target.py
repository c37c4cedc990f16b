"""Runs a target in a process of its own: `python -m effectcrash.target --ledger FILE`.

It listens on 127.0.0.1 at a port that the operating system chooses, and prints one line of JSON,
`{"port": N}`, once it accepts connections. It exits with status 0 when its standard input ends, so
it never outlives the harness that holds the other end; with status 2 and one message if it cannot
start.
"""

import argparse
import asyncio
import os
import socket
import sys
import threading
from pathlib import Path
from typing import Final

import msgspec
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from effectcrash.control import Ready
from effectcrash.ledger import LedgerError, LedgerWriter
from effectcrash.target_app import TRANSPORT, TargetApp
from effectcrash.wire import LOOPBACK

KEEP_ALIVE_SECONDS: Final = 3600
"""Longer than any run: a connection closes because a script says so, never because it was idle."""

WRONG_INVOCATION: Final = 2

_STDIN: Final = 0
_CHUNK: Final = 4096


class _OpenProtocol(H11Protocol):
    """Leaves the connection where the application can close it; ASGI has no word for that."""

    # Narrower than asyncio.Protocol, as uvicorn's own is.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, TRANSPORT: transport}


class _AnnouncingServer(uvicorn.Server):
    """Says that it is ready when it is, and where."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        for listening in sockets or ():
            ready = Ready(port=listening.getsockname()[1])
            sys.stdout.write(msgspec.json.encode(ready).decode() + "\n")
            sys.stdout.flush()


def _exit_at_end_of_input() -> None:
    while os.read(_STDIN, _CHUNK):
        pass
    # At once: every line of the ledger is in the file, and a request that is still held must not
    # take effect for a harness that is gone.
    os._exit(os.EX_OK)


def main(arguments: list[str] | None = None) -> int:
    """Serve until standard input ends; `arguments` as on the command line. Returns exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m effectcrash.target",
        description="An outside world with a ledger of its own, until standard input ends.",
    )
    parser.add_argument(
        "--ledger",
        type=Path,
        required=True,
        metavar="FILE",
        help="the file to create and append to",
    )
    ledger: Path = parser.parse_args(arguments).ledger
    try:
        writer = LedgerWriter(ledger)
    except LedgerError as error:
        sys.stderr.write(f"{error}\n")
        return WRONG_INVOCATION
    config = uvicorn.Config(
        TargetApp(writer),
        http=_OpenProtocol,
        loop="asyncio",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )
    threading.Thread(target=_exit_at_end_of_input, daemon=True).start()
    with socket.create_server((LOOPBACK, 0)) as listening:
        # Connections inherit it; without it every answer but a connection's first is 40 ms late.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _AnnouncingServer(config).run(sockets=[listening])
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main())
