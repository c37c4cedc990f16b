"""The harness's view of one account of a target: what to tell it, and what happened on it."""

import http.client
from typing import Final

import msgspec

from effectcrash import wire
from effectcrash.control import (
    CONTROL,
    HELD_SECONDS,
    AccountState,
    AwaitHeld,
    Behaviour,
    Command,
    Configure,
    ForgetKeys,
    LookUps,
    Problem,
    Release,
    Report,
    SetLookUps,
    SetScript,
    Step,
)
from effectcrash.ledger import Effect, Entry, Ledger, Request

CONTROL_SECONDS: Final = 30.0
"""How long a target may take over a message, apart from any wait that the message asks for."""


class TargetError(Exception):
    """A target did not start, answer or stop as it should; the message says which and why."""


class Account:
    """One account of a running target. Every method raises `TargetError` if the target fails."""

    def __init__(self, name: str, port: int, ledger: Ledger) -> None:
        """The account `name` of the target on `port`; `TargetError` if that cannot be a name."""
        if not wire.ACCOUNT_NAME.fullmatch(name):
            raise TargetError(
                f"account {name!r}: not a name; use letters, digits, '.', '_' and '-', "
                "and begin with a letter or a digit"
            )
        self.name: Final = name
        self.url: Final = f"http://{wire.LOOPBACK}:{port}/{name}"
        """What a caller is given: its requests go to this URL and paths below it."""
        self._port = port
        self._ledger = ledger

    def configure(self, behaviour: Behaviour) -> None:
        """Make it this kind of target."""
        self._tell(Configure(behaviour))

    def script(self, *steps: Step) -> None:
        """Give the next effect requests these steps, one each; what was left is dropped."""
        self._tell(SetScript(steps))

    def forget_keys(self) -> None:
        """Make it forget every key that is not in use (reading 3)."""
        self._tell(ForgetKeys())

    def show_receipts(self) -> None:
        """Show receipts from now on."""
        self._tell(SetLookUps(LookUps.SHOWN))

    def hide_receipts(self) -> None:
        """Let look-ups find nothing from now on (reading 2)."""
        self._tell(SetLookUps(LookUps.HIDDEN))

    def fail_look_ups(self) -> None:
        """Let look-ups be answered 503 from now on."""
        self._tell(SetLookUps(LookUps.UNAVAILABLE))

    def await_held(self, count: int = 1, seconds: float = HELD_SECONDS) -> None:
        """Return as soon as `count` requests are held at once.

        Raises `TargetError` after `seconds`.
        """
        self._tell(AwaitHeld(count, seconds), CONTROL_SECONDS + seconds)

    def release(self) -> None:
        """Let every request that is held go on, and return when the ledger shows how it ended."""
        self._tell(Release())

    def state(self) -> AccountState:
        """The counts at this moment, as the target has them."""
        return self._tell(Report())

    def effects(self) -> tuple[Effect, ...]:
        """What truly happened, from the ledger."""
        return self._ledger.effects(self.name)

    def requests(self) -> tuple[Request, ...]:
        """How often somebody asked, reads and look-ups included, from the ledger."""
        return self._ledger.requests(self.name)

    def entries(self) -> tuple[Entry, ...]:
        """The whole ledger of this account, in order."""
        return self._ledger.entries(self.name)

    def _tell(self, command: Command, seconds: float = CONTROL_SECONDS) -> AccountState:
        what = f"account {self.name}, {type(command).__name__}"
        connection = http.client.HTTPConnection(wire.LOOPBACK, self._port, timeout=seconds)
        try:
            connection.request("POST", f"/{CONTROL}/{self.name}", msgspec.json.encode(command))
            response = connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise TargetError(f"{what}: the target does not answer ({error!r})") from error
        finally:
            connection.close()
        if response.status != wire.OK:
            raise TargetError(f"{what}: {msgspec.json.decode(answer, type=Problem).error}")
        return msgspec.json.decode(answer, type=AccountState)
