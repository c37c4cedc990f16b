"""What a scenario asks of the target, put into the target's own words."""

from collections.abc import Callable, Mapping
from typing import Final

from effectcrash.account import Account
from effectcrash.control import (
    Behaviour,
    Drop,
    Fail,
    Hold,
    HoldAt,
    KillCaller,
    Moment,
    Pad,
    Refuse,
    Step,
)
from effectspec.scenario import Job, TargetAct
from effectspec.tiers import Tier

REJECTION: Final = 422
"""The 4xx status of a rejection: understood, and not done (reading 10)."""

FAILURE: Final = 503
"""The 5xx status of an error: nobody knows (reading 10)."""

PADDING_BYTES: Final = 100_000
"""Beyond the default bound and the default retention of a tool."""

AT_ONCE: Final[Mapping[TargetAct, Callable[[Account], None]]] = {
    TargetAct.AWAIT_HELD: Account.await_held,
    TargetAct.RELEASE_HELD: Account.release,
    TargetAct.FORGET_KEYS: Account.forget_keys,
    TargetAct.HIDE_RECEIPTS: Account.hide_receipts,
    TargetAct.SHOW_RECEIPTS: Account.show_receipts,
    TargetAct.FAIL_LOOKUPS: Account.fail_look_ups,
}
"""Acts that the account performs when it is told."""

COMING: Final[Mapping[TargetAct, Callable[[int], Step]]] = {
    TargetAct.KILL_CALLER_BEFORE: lambda caller: KillCaller(caller, Moment.BEFORE_EFFECT),
    TargetAct.KILL_CALLER_AFTER: lambda caller: KillCaller(caller, Moment.AFTER_EFFECT),
    TargetAct.HOLD_BEFORE: lambda _: Hold(HoldAt.BEFORE_EFFECT),
    TargetAct.HOLD_AFTER: lambda _: Hold(HoldAt.AFTER_EFFECT),
    TargetAct.DROP_BEFORE: lambda _: Drop(Moment.BEFORE_EFFECT),
    TargetAct.DROP_AFTER: lambda _: Drop(Moment.AFTER_EFFECT),
    TargetAct.REJECT: lambda _: Refuse(REJECTION),
    TargetAct.ERROR_BEFORE: lambda _: Fail(FAILURE, Moment.BEFORE_EFFECT),
    TargetAct.ERROR_AFTER: lambda _: Fail(FAILURE, Moment.AFTER_EFFECT),
    TargetAct.PAD: lambda _: Pad(PADDING_BYTES),
}
"""Acts on a coming request, by the pid of the process that will make it."""

UNANSWERED: Final = frozenset(
    {
        TargetAct.KILL_CALLER_BEFORE,
        TargetAct.KILL_CALLER_AFTER,
        TargetAct.HOLD_BEFORE,
        TargetAct.HOLD_AFTER,
    }
)
"""Acts after which the caller waits for a later step of the scenario, or is dead."""


def behaviour(job: Job) -> Behaviour:
    """The least that the target must offer for the job's tools: a tier 3 tool gets no help."""
    tiers = {tool.tier for tool in job.tools}
    return Behaviour(honours_keys=Tier.KEYED in tiers, offers_receipts=Tier.QUERYABLE in tiers)


class TargetActs:
    """The acts of one scenario on its account.

    An act on a coming request waits here until the process that will make it is known: a target
    can only kill a caller whose pid it has.
    """

    def __init__(self, account: Account) -> None:
        self._account = account
        self._coming: list[Callable[[int], Step]] = []
        self._scripted = 0
        self._unanswered = 0

    def perform(self, act: TargetAct) -> None:
        """Do it now, or keep it for what is coming. Raises ``TargetError`` as the account does."""
        if act in AT_ONCE:
            AT_ONCE[act](self._account)
            return
        self._coming.append(COMING[act])
        self._unanswered += act in UNANSWERED

    def expect(self, caller: int) -> None:
        """Process ``caller`` is about to go on, so what is coming may be its request."""
        if self._scripted:
            del self._coming[: self._scripted - self._account.state().steps_left]
        if self._coming:
            self._account.script(*(scripted(caller) for scripted in self._coming))
        self._scripted = len(self._coming)

    def leaves_unanswered(self) -> bool:
        """Whether the operation that begins now will wait for a later step; asked once for each."""
        if not self._unanswered:
            return False
        self._unanswered -= 1
        return True
