"""A node of a run: done again as a whole after a crash, and completed once."""

from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar, assert_never, overload

from effectjournal.errors import JournalError
from effectjournal.library.answers import check_kind, keepable, why_not_kept
from effectjournal.library.effect import Effect
from effectjournal.library.endings import NodeFailed, Paused
from effectjournal.library.given import shown, text
from effectjournal.library.misuse import (
    BadArguments,
    EnteredTwice,
    OutputNotKept,
    OutsideItsBlock,
    UnknownTool,
)
from effectjournal.library.recall import Recall
from effectjournal.library.tenure import Tenure
from effectjournal.library.tools import Tool, is_tool, key_lifetime_of, tier_of
from effectjournal.library.turn import Turn
from effectjournal.owned import Completed, Incomplete
from effectjournal.preparation import NodeStart, PlannedCall
from effectspec.attention import ErrorCode
from effectspec.identity import NodeKey
from effectspec.json_value import Json

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
        self._turn: Turn | None = None

    # ── the block ────────────────────────────────────────────────────────────────────────────────

    def __enter__(self) -> Self:
        """Begin a start of the node, or recall it if it has completed.

        Raises :class:`NeedsAttention` where the run has been stopped, and :class:`NodeFailed` for a
        node that failed after it had prepared an effect (O-6).
        """
        tenure = self._tenure
        tenure.go_on()
        if self._turn is not None or self.id in tenure.open_nodes:
            raise EnteredTwice(f"node {self.id!r} was entered before; ask the run for another")
        if not tenure.failed.get(self.id, True):
            raise NodeFailed(
                f"node {self.id!r} had prepared an effect when it failed, so it is not tried again"
            )
        self._turn = Turn(tenure, self.id, self._begin())
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
        turn = self._turn
        assert turn is not None, "only an entered block is left"
        if self._tenure.leaves(error):
            return
        turn.close()
        self._tenure.open_nodes.discard(self.id)
        if not isinstance(turn.stage, NodeStart):
            return
        try:
            if error is None:
                self._complete(turn, turn.stage)
        except Exception as failure:
            self._fail(turn, failure)
            raise
        if error is not None:
            self._fail(turn, error)

    @property
    def completed(self) -> bool:
        """Whether the node had completed before its block was entered, so its work can be skipped.

        What is not skipped is re-delivered; a call that is not recorded is refused.
        """
        return self._turn is not None and isinstance(self._turn.stage, Recall)

    def _begin(self) -> NodeStart | Recall:
        tenure = self._tenure
        output = tenure.completed.get(self.id)
        if output is None:
            tenure.starts[self.id] += 1
            return tenure.owned.begin_node(self.id, attempt=tenure.starts[self.id])
        self.output = dict(output)
        return Recall(tenure.journal, NodeKey(tenure.run_id, self.id), tenure.reconcilers)

    def _complete(self, turn: Turn, start: NodeStart) -> None:
        self._tenure.go_on()
        turn.check_complete()
        output = self._kept_output()
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

    def _kept_output(self) -> dict[str, Json]:
        try:
            return keepable(self.output, dict[str, Json]).value
        except Exception as error:
            why = why_not_kept("output", self.output, error)
            raise OutputNotKept(
                f"node {self.id!r}: {why}; put only what a re-run can read back into it"
            ) from error

    def _fail(self, turn: Turn, error: BaseException) -> None:
        """Record a failure. An interrupt, a pause or an effect in the way is no failure of it."""
        tenure = self._tenure
        if not isinstance(error, Exception) or isinstance(error, Paused) or tenure.obstacles:
            return
        retryable = tenure.journal.contract.node_retryable(prepared_in_attempt=turn.prepared)
        tenure.failed[self.id] = retryable
        # Without this event the terminal still says how the run ended.
        with suppress(JournalError):
            tenure.owned.emit("node:failed", node=self.id, code=ErrorCode.NODE_FAILED)

    # ── its calls ────────────────────────────────────────────────────────────────────────────────

    @overload
    def effect(
        self, tool: Tool, arguments: Mapping[str, Json], *, call_id: str | None = None
    ) -> Effect[Any]: ...

    @overload
    def effect(
        self,
        tool: Tool,
        arguments: Mapping[str, Json],
        *,
        answer: type[T],
        call_id: str | None = None,
    ) -> Effect[T]: ...

    def effect(
        self,
        tool: Tool,
        arguments: Mapping[str, Json],
        *,
        answer: type[T] | None = None,
        call_id: str | None = None,
    ) -> Effect[T]:
        """The node's next call, to be entered: it takes its slot now, in the order of the asking.

        ``answer`` is the type of what is reported and re-delivered, such as a dataclass; without it
        that is plain JSON. ``call_id`` is what a model calls the call, for audit (I-6). Raises
        :class:`UnknownTool`, :class:`BadArguments` for what is no mapping, and :class:`BadValue`.
        """
        turn = self._entered()
        slot = turn.next_slot()
        self._check_tool(f"node {self.id!r}, slot {slot}", tool)
        place = f"node {self.id!r}, slot {slot}, tool {tool.id!r}"
        _check_arguments(place, arguments)
        if answer is not None:
            check_kind(place, answer)
        planned = PlannedCall(
            slot,
            tool.id,
            tier_of(tool),
            arguments,
            "" if call_id is None else text(f"{place}: call_id", call_id),
            tool.policy,
            secret_keys=tool.secret_keys,
            key_lifetime_s=key_lifetime_of(tool),
        )
        turn.expect(slot)
        return Effect(turn, self._tenure, planned, answer)

    def unjournaled(self) -> None:
        """Count a call that changes nothing outside, such as a read: it takes a slot too (I-3)."""
        self._entered().next_slot()

    def _entered(self) -> Turn:
        self._tenure.check()
        if self._turn is None:
            raise OutsideItsBlock(f"node {self.id!r} is not open; make its calls inside its block")
        return self._turn

    def _check_tool(self, place: str, tool: Tool) -> None:
        if not is_tool(tool):
            raise UnknownTool(
                f"{place}: {shown(tool)} is no tool; name one of the run's: Keyed, Queryable or "
                "Opaque"
            )
        declared = self._tenure.tools.get(tool.id)
        if declared is None:
            raise UnknownTool(
                f"{place}: tool {tool.id!r} is not one of the run's tools; name it in "
                "journal.run(..., tools=...)"
            )
        if declared != tool:
            raise UnknownTool(
                f"{place}: tool {tool.id!r} is declared otherwise in journal.run(..., tools=...); "
                "use one object in both places"
            )


def _check_arguments(place: str, arguments: object) -> None:
    if not isinstance(arguments, Mapping):
        raise BadArguments(
            f"{place}: arguments is {shown(arguments)}; give a dict of names to JSON values"
        )
