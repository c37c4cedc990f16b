"""The calls of a node's block, in the order of the asking: which wait, and what forbids more."""

import asyncio
from itertools import count
from typing import assert_never

from effectjournal.errors import Busy, JournalError, StoreFailed
from effectjournal.library.endings import NodeFailed
from effectjournal.library.given import SAFE_INTEGER, why_not_json
from effectjournal.library.misuse import BadArguments, NeverEntered, OutsideItsBlock
from effectjournal.library.recall import Recall
from effectjournal.library.tenure import Tenure
from effectjournal.preparation import Dispatch, NodeStart, PlannedCall, Refused, Replay
from effectspec.digest import NotCanonicalJson
from effectspec.json_value import Json
from effectspec.projection import admitted
from effectspec.settlement import Outcome


class Turn:
    """One start of a node, or its recall, while its block lasts.

    ``prepared``: a call of it may have been prepared, so its failure is not retried (O-6).
    """

    def __init__(self, tenure: Tenure, node_id: str, stage: NodeStart | Recall) -> None:
        self.node_id = node_id
        self.stage = stage
        self.prepared = False
        self._tenure = tenure
        self._open = True
        self._slots = count()
        self._waiting: set[int] = set()
        self._broken: JournalError | None = None
        self._retrying: set[int] = set()
        self._waiters: list[asyncio.Future[None]] = []

    def close(self) -> None:
        """Take no more calls: the block has been left."""
        self._open = False

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    def next_slot(self) -> int:
        """The slot of the next call (I-3)."""
        self._check_open()
        return next(self._slots)

    def expect(self, slot: int) -> None:
        """Note that the call at ``slot`` is to be entered."""
        self._waiting.add(slot)

    def check_complete(self) -> None:
        """Raise what keeps the node from completing whatever its effects are."""
        self._go_on()
        if self._waiting:
            raise NeverEntered(
                f"node {self.node_id!r}: the effects at slots {sorted(self._waiting)} were asked "
                "for and never entered; use each in a `with` block, or unjournaled() for a plain "
                "call"
            )

    # ── calling ──────────────────────────────────────────────────────────────────────────────────

    def prepare(self, planned: PlannedCall) -> Dispatch | Replay:
        """Prepare a call, or find it recorded (:meth:`Effect.__enter__`)."""
        self._tenure.go_on()
        self._go_on()
        self._check_open()
        self._waiting.discard(planned.slot)
        place = f"node {self.node_id!r}, slot {planned.slot}, tool {planned.tool_id!r}"
        try:
            answer = self._answer(planned)
        except NotCanonicalJson as error:
            hashed = admitted(planned.arguments, planned.secret_keys)
            why = why_not_json("arguments", hashed, integers=SAFE_INTEGER)
            raise BadArguments(f"{place}: {why or error}") from error
        except (StoreFailed, Busy) as error:
            # The write may have landed all the same, so the start counts as one that prepared.
            self.prepared = True
            self._broken = error
            raise
        match answer:
            case Dispatch(row_id, retry=retry):
                self.prepared = True
                if retry:
                    self._retrying.add(row_id)
                return answer
            case Replay():
                return answer
            case Refused(clause, reason, row_id):
                raise self._tenure.stop(
                    clause,
                    f"{place}: refused, nothing was sent: {reason}",
                    *(() if row_id is None else (row_id,)),
                )
            case _:
                assert_never(answer)

    def settle(self, row_id: int, outcome: Outcome, answer: Json) -> None:
        """Settle a call (:meth:`Tenure.settle`)."""
        try:
            self._tenure.settle(row_id, outcome, answer)
        finally:
            self._retrying.discard(row_id)
            for waiter in self._waiters:
                if not waiter.done():
                    waiter.set_result(None)
            self._waiters.clear()

    async def retries_settled(self) -> None:
        """Wait until no call is being retried."""
        while self._retrying:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter

    def _answer(self, planned: PlannedCall) -> Dispatch | Replay | Refused:
        match self.stage:
            case Recall() as recall:
                return recall.prepare(planned)
            case NodeStart() as start:
                return self._tenure.owned.prepare(start, planned)
            case _:
                assert_never(self.stage)

    def _go_on(self) -> None:
        if self._broken is not None:
            raise NodeFailed(
                f"node {self.node_id!r}: a call of it could not be prepared, so it goes no "
                f"further: {self._broken}"
            ) from self._broken

    def _check_open(self) -> None:
        self._tenure.check()
        if not self._open:
            raise OutsideItsBlock(
                f"node {self.node_id!r} is not open; make its calls inside its block"
            )
