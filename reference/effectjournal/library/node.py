"""A node of a run: done again as a whole after a crash, and completed once."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from types import TracebackType
from typing import Any, Self, TypeVar, assert_never, overload

from effectjournal.errors import Busy, JournalError, StoreFailed
from effectjournal.library.answers import keepable
from effectjournal.library.effect import Effect
from effectjournal.library.endings import NodeFailed, Paused
from effectjournal.library.misuse import (
    BadArguments,
    EnteredTwice,
    NeverEntered,
    OutputNotKept,
    OutsideItsBlock,
    UnknownTool,
)
from effectjournal.library.recall import Recall
from effectjournal.library.tenure import Tenure
from effectjournal.library.tools import Tool, key_lifetime_of, tier_of
from effectjournal.owned import (
    Completed,
    Dispatch,
    Incomplete,
    NodeStart,
    PlannedCall,
    Refused,
    Replay,
)
from effectspec.attention import ErrorCode
from effectspec.digest import Json, NotCanonicalJson
from effectspec.identity import NodeKey
from effectspec.settlement import Outcome

T = TypeVar("T")


class Node:
    """A block of calls. Leaving it well completes the node, unless an effect forbids it (G-12).

    When a run goes on after a crash, a node that had not completed is done again from its top:
    make the same calls with the same arguments in the same order. ``output`` is what the checkpoint
    keeps of the node: plain JSON by name. Of a :attr:`completed` node it is what was kept.
    """

    def __init__(self, tenure: Tenure, node_id: str) -> None:
        self.id = node_id
        self.output: dict[str, Json] = {}
        self._tenure = tenure
        self._stage: NodeStart | Recall | None = None
        self._open = False
        self._slots = count()
        self._waiting: set[int] = set()
        self._prepared = False
        self._broken: JournalError | None = None
        self._retrying: set[int] = set()
        self._waiters: list[asyncio.Future[None]] = []

    # ── the block ────────────────────────────────────────────────────────────────────────────────

    def __enter__(self) -> Self:
        """Begin a start of the node, or recall it if it has completed.

        Raises :class:`NeedsAttention` where the run has been stopped, and :class:`NodeFailed` for a
        node that failed after it had prepared an effect (O-6).
        """
        tenure = self._tenure
        tenure.go_on()
        if self._stage is not None or self.id in tenure.open_nodes:
            raise EnteredTwice(f"node {self.id!r} was entered before; ask the run for another")
        if not tenure.failed.get(self.id, True):
            raise NodeFailed(
                f"node {self.id!r} had prepared an effect when it failed, so it is not tried again"
            )
        output = tenure.completed.get(self.id)
        if output is None:
            tenure.starts[self.id] += 1
            self._stage = tenure.owned.begin_node(self.id, attempt=tenure.starts[self.id])
        else:
            self.output = dict(output)
            key = NodeKey(tenure.run_id, self.id)
            self._stage = Recall(tenure.journal, key, tenure.reconcilers)
        self._open = True
        tenure.open_nodes.add(self.id)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Complete the node, or record that it failed.

        Raises :class:`NeedsAttention` beside an unresolved effect of its own (G-12).
        """
        if self._tenure.leaves(error):
            return
        self._open = False
        self._tenure.open_nodes.discard(self.id)
        if not isinstance(self._stage, NodeStart):
            return
        try:
            if error is None:
                self._complete(self._stage)
        except Exception as failure:
            self._fail(failure)
            raise
        if error is not None:
            self._fail(error)

    @property
    def completed(self) -> bool:
        """Whether the node had completed before its block was entered, so its work can be skipped.

        What is not skipped is re-delivered; a call that is not recorded is refused.
        """
        return isinstance(self._stage, Recall)

    def _complete(self, start: NodeStart) -> None:
        self._tenure.go_on()
        self._go_on()
        if self._waiting:
            raise NeverEntered(
                f"node {self.id!r}: the effects at slots {sorted(self._waiting)} were asked for "
                "and never entered; use each in a `with` block, or unjournaled() for a plain call"
            )
        try:
            output = keepable(self.output, None).value
        except Exception as error:
            raise OutputNotKept(
                f"node {self.id!r}: its output is not plain JSON: {error}; put only what a re-run "
                "can read back into it"
            ) from error
        match self._tenure.owned.complete_node(start, output):
            case Completed():
                self._tenure.completed[self.id] = output
                self._tenure.failed.pop(self.id, None)
            case Incomplete(row_ids):
                raise self._tenure.stop(
                    "G-12", f"node {self.id!r} cannot complete beside its own effects", *row_ids
                )
            case answer:
                assert_never(answer)

    def _fail(self, error: BaseException) -> None:
        """Record a failure. An interrupt, a pause or an effect in the way is no failure of it."""
        tenure = self._tenure
        if not isinstance(error, Exception) or isinstance(error, Paused) or tenure.obstacles:
            return
        retryable = tenure.journal.contract.node_retryable(prepared_in_attempt=self._prepared)
        tenure.failed[self.id] = retryable
        # Without this event the terminal still says how the run ended.
        with suppress(JournalError):
            tenure.owned.emit("node:failed", node=self.id, code=ErrorCode.NODE_FAILED)

    # ── its calls ────────────────────────────────────────────────────────────────────────────────

    @overload
    def effect(
        self, tool: Tool, arguments: Mapping[str, Json], *, call_id: str = ""
    ) -> Effect[Any]: ...

    @overload
    def effect(
        self, tool: Tool, arguments: Mapping[str, Json], *, answer: type[T], call_id: str = ""
    ) -> Effect[T]: ...

    def effect(
        self,
        tool: Tool,
        arguments: Mapping[str, Json],
        *,
        answer: type[T] | None = None,
        call_id: str = "",
    ) -> Effect[T]:
        """The node's next call, to be entered: it takes its slot now, in the order of the asking.

        ``answer`` is the type of what is reported and re-delivered, such as a dataclass; without it
        that is plain JSON. ``call_id`` is what a model calls the call, for audit (I-6). Raises
        :class:`UnknownTool`.
        """
        self._check_open()
        slot = next(self._slots)
        if self._tenure.tools.get(tool.id) != tool:
            raise UnknownTool(
                f"node {self.id!r}, slot {slot}: tool {tool.id!r} is not one of the run's tools; "
                "name it in journal.run(..., tools=...)"
            )
        planned = PlannedCall(
            slot,
            tool.id,
            tier_of(tool),
            arguments,
            call_id,
            tool.policy,
            secret_keys=tool.secret_keys,
            key_lifetime_s=key_lifetime_of(tool),
        )
        self._waiting.add(slot)
        return Effect(self, self._tenure, planned, answer)

    def unjournaled(self) -> None:
        """Count a call that changes nothing outside, such as a read: it takes a slot too (I-3)."""
        self._check_open()
        next(self._slots)

    def prepare(self, planned: PlannedCall) -> Dispatch | Replay:
        """Prepare a call of this node, or find it recorded (:meth:`Effect.__enter__`)."""
        self._tenure.go_on()
        self._go_on()
        stage = self._check_open()
        self._waiting.discard(planned.slot)
        try:
            answer = self._answer(stage, planned)
        except NotCanonicalJson as error:
            raise BadArguments(
                f"node {self.id!r}, slot {planned.slot}, tool {planned.tool_id!r}: {error}"
            ) from error
        except (StoreFailed, Busy) as error:
            # The write may have landed all the same, so the start counts as one that prepared.
            self._prepared = True
            self._broken = error
            raise
        match answer:
            case Dispatch(row_id, retry=retry):
                self._prepared = True
                if retry:
                    self._retrying.add(row_id)
                return answer
            case Replay():
                return answer
            case Refused(clause, reason, row_id):
                raise self._tenure.stop(
                    clause,
                    f"node {self.id!r}, slot {planned.slot}, tool {planned.tool_id!r}: refused, "
                    f"nothing was sent: {reason}",
                    *(() if row_id is None else (row_id,)),
                )
            case _:
                assert_never(answer)

    def settle(self, row_id: int, outcome: Outcome, answer: Json) -> None:
        """Settle a call of this node (:meth:`Tenure.settle`)."""
        try:
            self._tenure.settle(row_id, outcome, answer)
        finally:
            self._retrying.discard(row_id)
            for waiter in self._waiters:
                if not waiter.done():
                    waiter.set_result(None)
            self._waiters.clear()

    async def retries_settled(self) -> None:
        """Wait until no call of this node is being retried."""
        while self._retrying:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter

    def _answer(
        self, stage: NodeStart | Recall, planned: PlannedCall
    ) -> Dispatch | Replay | Refused:
        if isinstance(stage, Recall):
            return stage.prepare(planned)
        return self._tenure.owned.prepare(stage, planned)

    def _go_on(self) -> None:
        if self._broken is not None:
            raise NodeFailed(
                f"node {self.id!r}: a call of it could not be prepared, so it goes no further: "
                f"{self._broken}"
            ) from self._broken

    def _check_open(self) -> NodeStart | Recall:
        self._tenure.check()
        if self._stage is None or not self._open:
            raise OutsideItsBlock(f"node {self.id!r} is not open; make its calls inside its block")
        return self._stage
