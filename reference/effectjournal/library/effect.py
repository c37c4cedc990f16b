"""One effect: prepared when its block is entered, settled by what is reported in it (T-1)."""

from contextvars import ContextVar
from enum import Enum
from types import TracebackType
from typing import Any, Generic, NoReturn, Self, TypeVar

import msgspec

from effectjournal.errors import JournalError
from effectjournal.library.answers import Kept, keepable, read, too_large, why_not_kept
from effectjournal.library.endings import KeyPast
from effectjournal.library.misuse import (
    AnswerNotKept,
    EffectInsideEffect,
    EnteredTwice,
    HandleNotSent,
    NoHandle,
    NoOutcome,
    NoValue,
    OutsideItsBlock,
    ReportedTwice,
)
from effectjournal.library.tenure import Tenure
from effectjournal.library.turn import Turn
from effectjournal.preparation import Dispatch, PlannedCall, Replay
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

T = TypeVar("T")

_ENTERED: "ContextVar[tuple[Effect[Any], ...]]" = ContextVar("_ENTERED", default=())
"""The effects whose blocks the running code is in. Every task has its own, so the effects of
concurrent tasks are not inside each other."""


class _Block(Enum):
    BEFORE = "not entered yet"
    INSIDE = "entered"
    AFTER = "left, or refused"


class Effect(Generic[T]):
    """A block around one effect, for ``with`` and ``async with`` alike.

    Entering it prepares the effect; a refusal is raised before the block runs. Inside, send the
    call unless it is :attr:`replayed`, and report what came of it, once: :meth:`done`,
    :meth:`not_done` or :meth:`unknown`. A block that is left without a report leaves an effect of
    unknown outcome.
    """

    def __init__(
        self, turn: Turn, tenure: Tenure, planned: PlannedCall, kind: type[T] | None
    ) -> None:
        self._turn = turn
        self._tenure = tenure
        self._planned = planned
        self._kind = kind
        self._block = _Block.BEFORE
        self._prepared: Dispatch | Replay | None = None
        self._handle_read = False
        self._reported = False
        self._kept: Kept[T] | None = None

    def __str__(self) -> str:
        """The effect's name in messages."""
        planned = self._planned
        return f"effect {planned.tool_id!r} at slot {planned.slot} of node {self._turn.node_id!r}"

    # ── the block ────────────────────────────────────────────────────────────────────────────────

    def __enter__(self) -> Self:
        """Prepare the effect, or find it recorded.

        Raises :class:`NeedsAttention` where it is refused; ``Fenced``, ``Busy`` or ``StoreFailed``
        where it cannot be prepared, and then it never happens (O-2); and :class:`Misuse`.
        """
        if self._block is not _Block.BEFORE:
            raise EnteredTwice(f"{self}: its block was entered before; ask the node for another")
        entered = _ENTERED.get()
        for outer in entered:
            if outer._block is _Block.INSIDE and outer._turn is self._turn:  # noqa: SLF001  (its own class)
                raise EffectInsideEffect(
                    f"{self} is inside {outer}; leave that block first, or use a task for each"
                )
        self._block = _Block.AFTER
        self._prepared = self._turn.prepare(self._planned)
        if isinstance(self._prepared, Replay):
            self._kept = self._recorded(self._prepared)
        self._block = _Block.INSIDE
        _ENTERED.set((*entered, self))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave the block; without a report the effect settles ambiguous (O-3)."""
        self._block = _Block.AFTER
        _ENTERED.set(tuple(effect for effect in _ENTERED.get() if effect is not self))
        if self._reported or not isinstance(self._prepared, Dispatch):
            return
        if self._tenure.leaves(error):
            return
        try:
            left_by = "" if error is None else f" by {type(error).__name__}"
            raise self._ambiguous(
                self._prepared, f"its block was left{left_by} with no outcome reported"
            )
        except JournalError as attention:
            if error is None:
                raise NoOutcome(
                    f"{self}: call done(), not_done() or unknown() inside its block; {attention}"
                ) from attention
            error.add_note(f"{self}: {attention}")

    async def __aenter__(self) -> Self:
        """As ``with`` does, once the retries of the node that are under way have settled.

        A fresh call beside one of them would be refused (reading 4).
        """
        await self._turn.retries_settled()
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """As ``with`` does; nothing is awaited."""
        self.__exit__(kind, error, traceback)

    # ── what the caller sends and gets ───────────────────────────────────────────────────────────

    @property
    def replayed(self) -> bool:
        """Whether the effect was done and recorded, so that nothing is to be sent (G-2).

        Known from the moment the block is entered, and after it too.
        """
        if self._prepared is None:
            raise OutsideItsBlock(f"{self}: its block is {self._block.value}; enter it first")
        return isinstance(self._prepared, Replay)

    @property
    def key(self) -> str:
        """The idempotency key to send with the call, the same one in a retry (tier 1, I-7).

        Raises :class:`KeyPast` if the target may have forgotten it by now: nothing must be sent.
        """
        prepared = self._inside()
        if isinstance(prepared, Dispatch) and not self._tenure.owned.may_send(prepared):
            raise KeyPast(
                f"{self}: its key may be forgotten by now, since the block was entered too long "
                "ago; nothing must be sent. Prepare what the call needs before the block"
            )
        return self._handle("key", prepared.key if isinstance(prepared, Dispatch) else None)

    @property
    def reference(self) -> str:
        """The reference to send with the call, by which its receipt is found (tier 2, T-3)."""
        prepared = self._inside()
        return self._handle(
            "reference", prepared.reference if isinstance(prepared, Dispatch) else None
        )

    @property
    def value(self) -> T:
        """The answer as it is recorded: the same in this run and in every re-run (G-7)."""
        if self._kept is None:
            raise NoValue(f"{self} has no answer; report one with done() or not_done() first")
        return self._kept.value

    # ── reporting ────────────────────────────────────────────────────────────────────────────────

    def done(self, answer: T) -> None:
        """Report that the effect happened, with what the target answered.

        Raises :class:`NeedsAttention` where that cannot be recorded (O-4), ``Fenced`` where another
        owner has taken over, and :class:`AnswerNotKept` for an answer that JSON cannot hold.
        """
        self._report(Outcome.DONE, answer)
        if not self._handle_read and self._planned.tier is not Tier.OPAQUE:
            raise HandleNotSent(
                f"{self} is recorded as done, but its key or reference was never read, so it was "
                f"not sent, and after a crash the promise of tier {self._planned.tier} would have "
                "been broken; send it with the call, or declare the tool Opaque"
            )

    def not_done(self, answer: T) -> None:
        """Report that the target refused: a result like any other (reading 10).

        A re-run is given ``answer`` and nothing else, so the answer itself must say that it was
        not done. Raises as :meth:`done` does.
        """
        self._report(Outcome.NOT_DONE, answer)

    def unknown(self, why: str) -> NoReturn:
        """Report that nobody knows: no answer, a time-out, a conflict (O-3, reading 10).

        It ends the run: always raises, :class:`NeedsAttention` if nothing worse (reading 19).
        """
        raise self._ambiguous(self._unreported(), why)

    def _report(self, outcome: Outcome, answer: T) -> None:
        row_id = self._unreported().row_id
        try:
            kept = keepable(answer, self._kind)
        except Exception as error:
            # The effect has been answered, whatever the answer is like: the settle comes first.
            self._reported = True
            self._turn.settle(row_id, outcome, too_large(self._planned.policy))
            why = why_not_kept("answer", answer, error) if self._kind is None else str(error)
            raise AnswerNotKept(
                f"{self}: effect {row_id} is committed without its answer, which JSON cannot hold: "
                f"{why}; report plain JSON, or name the type: node.effect(..., answer=...)"
            ) from error
        self._reported = True
        self._turn.settle(row_id, outcome, kept.recorded)
        self._kept = kept

    def _ambiguous(self, dispatch: Dispatch, why: str) -> JournalError:
        row_id = dispatch.row_id
        self._reported = True
        self._turn.settle(row_id, Outcome.UNKNOWN, None)
        return self._tenure.stop("O-3", f"the outcome of effect {row_id} is unknown: {why}", row_id)

    # ── where it stands ──────────────────────────────────────────────────────────────────────────

    def _inside(self) -> Dispatch | Replay:
        self._tenure.check()
        if self._block is not _Block.INSIDE or self._prepared is None:
            raise OutsideItsBlock(f"{self}: its block is {self._block.value}; use it in its block")
        return self._prepared

    def _unreported(self) -> Dispatch:
        match self._inside():
            case Dispatch() as dispatch if not self._reported:
                return dispatch
            case prepared:
                raise ReportedTwice(
                    f"{self} is recorded already, as effect {prepared.row_id}, and that stands; "
                    "send and report once, and only `if not effect.replayed`"
                )

    def _handle(self, what: str, handle: str | None) -> str:
        if handle is None:
            raise NoHandle(
                f"{self} has no {what} to send: a Keyed tool has a key, a Queryable one a "
                "reference, and what is re-delivered is not sent"
            )
        self._handle_read = True
        return handle

    def _recorded(self, replay: Replay) -> Kept[T]:
        recorded = replay.delivery.value
        try:
            return Kept(recorded, read(recorded, self._kind))
        except msgspec.ValidationError as error:
            raise self._tenure.stop(
                "G-7",
                f"{self}: the recorded answer cannot be read as {self._kind}: {error}",
                replay.row_id,
            ) from error
