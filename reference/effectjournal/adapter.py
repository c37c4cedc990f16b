"""The reference as an adapter: ``python -m effectjournal.adapter`` speaks protocol version 1."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from typing import Protocol, assert_never

from effectjournal.calls import BadCall
from effectjournal.engine import Engine
from effectjournal.errors import JournalError
from effectjournal.journal import Journal
from effectjournal.operations import BadOperation, MakeEngine, Operation, Operations
from effectjournal.probe import Probe
from effectjournal.session.operations import MakeSession
from effectjournal.session.session import Session
from effectjournal.stopping import StoppingProbe
from effectjournal.target import BadTarget, Target
from effectjournal.tools import resolve
from effectjournal.wire import Wire
from effectspec.attention import ExitCode
from effectspec.contract import CONTRACT, Contract
from effectspec.digest import NotCanonicalJson
from effectspec.points import Failable, Place
from effectspec.protocol import (
    CONTRACT_VERSION,
    PROTOCOL_VERSION,
    Answer,
    Bye,
    Claim,
    Claimed,
    Classified,
    Classify,
    Code,
    Digest,
    Digested,
    Done,
    Error,
    Hello,
    Open,
    Profile,
    Release,
    Request,
    Welcome,
)

VERSION = "0.1.0"
"""The distribution's version, written here because asking for it takes a third of the start-up."""


class MakeJournal(Protocol):
    """:meth:`effectjournal.journal.Journal.open`."""

    def __call__(
        self, folder: Path, *, contract: Contract, clock: Callable[[], int], probe: Probe
    ) -> Journal:
        """Open the journal in ``folder``."""


class Adapter:
    """One process of the reference: it opens one store and does what its harness asks."""

    def __init__(
        self,
        wire: Wire,
        contract: Contract,
        make_engine: MakeEngine,
        make_journal: MakeJournal,
        *,
        make_session: MakeSession = Session,
    ) -> None:
        self._wire = wire
        self._contract = contract
        self._make_engine = make_engine
        self._make_journal = make_journal
        self._make_session = make_session
        self._operations: Operations | None = None

    def serve(self) -> None:
        """Answer requests, one answer each, until the harness says bye."""
        while True:
            request = self._wire.receive()
            self._wire.say(self._answer(request))
            if isinstance(request, Bye):
                return

    def _answer(self, request: Request) -> Answer:
        try:
            return self._do(request)
        except JournalError as error:
            return Error(code=error.code, message=str(error), definite=error.definite)
        except (BadCall, BadOperation, BadTarget, NotCanonicalJson) as error:
            return _bad_request(str(error))
        except Exception as error:  # noqa: BLE001  (a defect reaches the harness as an answer)
            return _defect(error)

    def _do(self, request: Request) -> Answer:
        if isinstance(request, Operation):
            if self._operations is None:
                return _bad_request("no store is open; send an open first")
            return self._operations.answer(request)
        match request:
            case Hello(protocol=protocol):
                return _welcome() if protocol == PROTOCOL_VERSION else _unsupported(protocol)
            case Open():
                return self._open(request)
            case Digest(arguments=arguments, secret_keys=secret_keys):
                return Digested(digest=self._contract.digest(arguments, secret_keys))
            case Classify(tool=tool, arguments=arguments):
                resolved = resolve(self._contract, tool, arguments)
                return Classified(journaled=resolved.journaled, tier=resolved.tier)
            case Claim(tier=tier):
                return Claimed(words=self._contract.claim(tier))
            case Release():
                return _bad_request("nothing waits at a point; a release follows a reached")
            case Bye():
                return self._close()
            case _:
                assert_never(request)

    def _open(self, request: Open) -> Answer:
        if self._operations is not None:
            return _bad_request("a store is open already; a process opens one")
        store = Path(request.store)
        probe = StoppingProbe(self._wire, request.points, request.failures)

        def clock() -> int:
            return int(time.time()) + request.clock_offset_s

        def open_journal() -> Journal:
            return self._make_journal(store, contract=self._contract, clock=clock, probe=probe)

        self._operations = Operations(
            open_journal,
            store,
            Target(request.target),
            self._contract,
            self._make_engine,
            make_session=self._make_session,
        )
        return Done()

    def _close(self) -> Done:
        if self._operations is not None:
            self._operations.close()
        return Done()


def _welcome() -> Welcome:
    return Welcome(
        protocol=PROTOCOL_VERSION,
        contract=CONTRACT_VERSION,
        name="effectjournal",
        version=VERSION,
        language="Python",
        pid=os.getpid(),
        profiles=tuple(Profile),
        places=tuple(Place),
        failables=tuple(Failable),
    )


def _bad_request(message: str) -> Error:
    return Error(code=Code.BAD_REQUEST, message=message, definite=True)


def _unsupported(protocol: int) -> Error:
    return Error(
        code=Code.UNSUPPORTED,
        message=f"protocol {protocol} is not spoken here; speak {PROTOCOL_VERSION}",
        definite=True,
    )


def _defect(error: Exception) -> Error:
    """A defect's kind and place. Its text may quote an argument, so it is left out (X-1)."""
    place = extract_tb(error.__traceback__)[-1]
    return Error(
        code=Code.INTERNAL,
        message=(
            f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}, a defect of "
            "this adapter; what was done is not known"
        ),
        definite=False,
    )


def serve(
    contract: Contract = CONTRACT,
    engine_factory: MakeEngine = Engine,
    journal_factory: MakeJournal = Journal.open,
    session_factory: MakeSession = Session,
) -> None:
    """Serve one harness on standard input and output, until it says bye or goes away.

    The factories make the collaborators, which is how an adapter with one known deviation is put
    together.
    """
    # The line belongs to the protocol: whatever else is printed goes to standard error.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # An interrupt at the keyboard ends the process as a signal does, not as a defect.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    wire = Wire(sys.stdin.buffer, answers)
    Adapter(wire, contract, engine_factory, journal_factory, make_session=session_factory).serve()


def main() -> None:
    """Serve as the reference itself; there is nothing to choose on the command line."""
    if sys.argv[1:]:
        sys.stderr.write(
            f"effectjournal.adapter takes no arguments, and was given {sys.argv[1]!r}; start it "
            "without any and speak to its standard input\n"
        )
        raise SystemExit(ExitCode.WRONG_INVOCATION)
    serve()


if __name__ == "__main__":
    main()
