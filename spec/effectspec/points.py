"""The places at which an implementation can be stopped and the operations that can be failed."""

from enum import Enum

import msgspec

from effectspec.bounds import Ordinal


class Place(Enum):
    """A named place in the fixed order of a run (§7, §12)."""

    TAKEN_OVER = "taken_over"
    GATE_READ = "gate_read"
    PREPARE_OPEN = "prepare_open"
    PREPARED = "prepared"
    ANSWERED = "answered"
    SETTLE_FAILED = "settle_failed"
    SETTLED = "settled"
    RESULT_EMITTED = "result_emitted"
    NODE_COMPLETED = "node_completed"
    TERMINAL_WRITTEN = "terminal_written"
    NOTICED = "noticed"
    SWEEP_OPEN = "sweep_open"
    SWEPT = "swept"


MEANING = {
    Place.TAKEN_OVER: "ownership is committed, the gate has not read yet",
    Place.GATE_READ: "the gate has read and judged, nothing is marked or scheduled",
    Place.PREPARE_OPEN: "the row is written, its transaction not committed",
    Place.PREPARED: "the prepare is committed, the call has not left",
    Place.ANSWERED: "the target has answered, the settle has not begun",
    Place.SETTLE_FAILED: "the settle was refused by the store",
    Place.SETTLED: "the settle is committed, the result event is not written",
    Place.RESULT_EMITTED: "the result event is written, the node is not completed",
    Place.NODE_COMPLETED: "the node's completion is committed",
    Place.TERMINAL_WRITTEN: "the incarnation's terminal is committed, the sweep has not begun",
    Place.NOTICED: "a session's notice was shown, nothing is swept",
    Place.SWEEP_OPEN: "the rows are deleted, the sweep's transaction not committed",
    Place.SWEPT: "the sweep is committed",
}
"""What is true when an implementation reports a place."""


class Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place, the ``occurrence``-th time that this process reaches it (from 1)."""

    place: Place
    occurrence: Ordinal = 1


class Failable(Enum):
    """An operation that an implementation can be told to fail once, as its store or world would."""

    GATE_READ = "gate_read"
    PREPARE_WRITE = "prepare_write"
    SETTLE_WRITE = "settle_write"
    EVENT_WRITE = "event_write"
    CHECKPOINT_WRITE = "checkpoint_write"
    TERMINAL_WRITE = "terminal_write"
    BOUNDING = "bounding"
    ABORT = "abort"
    GUARD_RECEIPT = "guard_receipt"


class Failure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fail the ``occurrence``-th operation of a kind in this process (from 1)."""

    kind: Failable
    occurrence: Ordinal = 1
