"""What the harness may tell a target, account by account; no caller ever sends these messages.

A message is POSTed as JSON to `/_control/{account}` and is answered with the account's state: 200,
400 if it is no message, 504 if what it waits for did not happen in time. An account begins to exist
when it is first named, with the default behaviour, an empty script and receipts shown.
"""

import enum
from typing import Final

import msgspec

from effectcrash.wire import FAILURES, KEY_IN_USE, REFUSALS

CONTROL: Final = "_control"
"""First path segment of the control interface; no account can have this name."""

TIMED_OUT: Final = 504

HELD_SECONDS: Final = 20.0
"""How long `AwaitHeld` waits: ample for a process to start and ask, short enough for a test."""

MAX_PADDING_BYTES: Final = 16 * 1024 * 1024
"""Above any sensible bound on a result, below what would starve the cases that share a target."""

INIT_PID: Final = 1
"""The smallest pid that is no caller; 0 and negative ones would name whole groups of processes."""


class Behaviour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What kind of target the account is: it honours keys (tier 1), it offers receipts (tier 2).

    With both off it is a tier 3 target: it ignores `Idempotency-Key` and answers every look-up 404.
    """

    honours_keys: bool = True
    offers_receipts: bool = True


class LookUps(enum.Enum):
    """How receipts that are offered are shown at the moment."""

    SHOWN = "shown"
    HIDDEN = "hidden"
    """Every look-up finds nothing yet: the target is slow to show receipts."""
    UNAVAILABLE = "unavailable"
    """Every look-up is answered 503."""


class Moment(enum.Enum):
    """On which side of the effect a fault comes."""

    BEFORE_EFFECT = "before_effect"
    """Instead of the effect: it never happens."""
    AFTER_EFFECT = "after_effect"
    """The effect is in the ledger, the answer is not on its way."""


class HoldAt(enum.Enum):
    """Where a request is held until it is released; then it goes on, its sender alive or dead."""

    IN_TRANSIT = "in_transit"
    """Before the target looks at its key: still on its way, and overtaken by what comes later."""
    BEFORE_EFFECT = "before_effect"
    """Its key is in use, the effect is still to come."""
    AFTER_EFFECT = "after_effect"
    """Its key is in use, the effect is in the ledger, the answer is still to come."""


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag=True):
    pass


class Serve(_Step, frozen=True):
    """Do the effect and answer 200, as after the end of a script."""


class Pad(_Step, frozen=True):
    """Do the effect and answer 200 with this many bytes of padding; a stored answer stays as it is.

    Raises `ValueError` outside 1 to `MAX_PADDING_BYTES`.
    """

    size: int

    def __post_init__(self) -> None:
        """Keep the bound."""
        if not 1 <= self.size <= MAX_PADDING_BYTES:
            raise ValueError(f"padding of {self.size} bytes: give 1 to {MAX_PADDING_BYTES}")


class Refuse(_Step, frozen=True):
    """Answer a 4xx status, which says that the effect was not done; it is not, the key is not kept.

    Raises `ValueError` for any other status, and for 409, which says that nobody knows yet.
    """

    status: int

    def __post_init__(self) -> None:
        """Keep the promise that a refusal says "not done"."""
        if self.status not in REFUSALS or self.status == KEY_IN_USE:
            raise ValueError(f"refusal {self.status}: give 400 to 499, but not {KEY_IN_USE}")


class Fail(_Step, frozen=True):
    """Answer a 5xx status, which leaves the outcome unknown, with the effect done or not.

    Raises `ValueError` for any other status.
    """

    status: int
    moment: Moment

    def __post_init__(self) -> None:
        """Keep the promise that a failure leaves the outcome unknown."""
        if self.status not in FAILURES:
            raise ValueError(f"failure {self.status}: give 500 to 599")


class Hold(_Step, frozen=True):
    """Hold the request there until it is released, then serve it, even if its sender is dead."""

    at: HoldAt


class Drop(_Step, frozen=True):
    """Close the connection without an answer."""

    moment: Moment


class KillCaller(_Step, frozen=True):
    """Send SIGKILL to this process at that moment, and never answer.

    Raises `ValueError` if no caller can have that pid.
    """

    pid: int
    moment: Moment

    def __post_init__(self) -> None:
        """Keep the signal from reaching anything but one process."""
        if self.pid <= INIT_PID:
            raise ValueError(f"caller {self.pid}: give the pid of the process that asks")


Step = Serve | Pad | Refuse | Fail | Hold | Drop | KillCaller
"""What the target does with one effect request; requests take the script's steps as they arrive."""


class _Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=True):
    pass


class Configure(_Command, frozen=True):
    """Be this kind of target from now on."""

    behaviour: Behaviour


class SetScript(_Command, frozen=True):
    """Take these steps for the next effect requests, in place of what is left of another script."""

    steps: tuple[Step, ...]


class ForgetKeys(_Command, frozen=True):
    """Forget every key whose request is over; a key in use stays in use (reading 3)."""


class SetLookUps(_Command, frozen=True):
    """Show receipts like this from now on."""

    look_ups: LookUps


class Release(_Command, frozen=True):
    """Let every request that is held now go on; answered once each of them is over."""


class AwaitHeld(_Command, frozen=True):
    """Answered as soon as `count` requests are held, or with 504 after `seconds`."""

    count: int
    seconds: float


class Report(_Command, frozen=True):
    """Change nothing, answer the state."""


Command = Configure | SetScript | ForgetKeys | SetLookUps | Release | AwaitHeld | Report


class AccountState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The counts of an account: effects, requests, requests held now, steps not taken yet."""

    effects: int
    requests: int
    held: int
    steps_left: int


class Ready(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The one line a target prints, once it accepts connections."""

    port: int


class Problem(msgspec.Struct, frozen=True):
    """The body of every answer that is not about an effect or a receipt: what went wrong."""

    error: str
