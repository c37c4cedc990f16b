"""A state of the world: one run, its journal, the processes around it, the network, the target.

A world is made of parts, and everything that happens reads some of them and writes some. Who is
asked for a part need not be a world that is all there: an explorer notes what was asked for, and
need not ask again where the same is found.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache
from typing import Final, TypeVar

from msgspec import structs

from effectspec.attention import ErrorCode
from effectspec.digest import digest
from effectspec.identity import EffectIdentity, NodeKey
from effectspec.json_value import Json
from effectspec.lifecycle import Resolution
from effectspec.model.parts import BEGINNING, Part, Parts, Whole
from effectspec.record import Record
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

T = TypeVar("T")
A = TypeVar("A")

RUN_ID = "run"
"""A world holds one run: the rows of another never bear on it."""

MAPPING = "v5:no outputs"
"""The output mapping of every node. Another one is a mismatch, as other arguments are (G-6)."""


# ── what is asked of the target ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model of a node may call, declared at ``tier``."""

    id: str
    tier: Tier
    key_lifetime_s: int | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """What the model of a node may ask for: a tool, and arguments that ``body`` stands for."""

    tool: Tool
    body: str

    @property
    def arguments(self) -> dict[str, Json]:
        """The arguments as a journal gets them."""
        return {"method": "POST", "path": "/effects", "body": self.body}

    @property
    def digest(self) -> str:
        """Their digest, as a row keeps it (X-2)."""
        return _digest(self)


@lru_cache(maxsize=256)
def _digest(call: Call) -> str:
    return digest(call.arguments)


class Result(Enum):
    """What a target answered, as far as a journal can tell one answer from another."""

    FITS = "an answer that its row can keep"
    OTHER = "another that its row can keep"
    TOO_LARGE = "an answer that exceeds what its row may keep"

    @property
    def kept(self) -> "Result | None":
        """What the row keeps of it (G-5)."""
        return None if self is Result.TOO_LARGE else self


# ── the journal ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the journal: the record, the result it retains, and how much late evidence."""

    record: Record
    result: Result | None = None
    evidence: int = 0

    @property
    def id(self) -> int:
        """The row's id; ids count up and none is used again."""
        return self.record.row_id

    @property
    def identity(self) -> EffectIdentity:
        """What is unique among the undiscarded rows (I-5)."""
        return self.record.identity

    @property
    def node_id(self) -> str:
        """The node whose effect it is."""
        assert isinstance(self.identity.correlation, NodeKey), "the world holds a run"
        return self.identity.correlation.node_id

    @property
    def discarded(self) -> bool:
        """Whether an operator let the node run the effect again (reading 8)."""
        return self.record.resolution is Resolution.DISCARDED

    def filled(self, result: Result | None) -> "Row":
        """The row with what it keeps of a result."""
        return replace(
            self, record=structs.replace(self.record, retained=result is not None), result=result
        )


@dataclass(frozen=True, slots=True)
class Run:
    """The run's row: who may write, its present incarnation, and how that ended, if it has."""

    generation: int
    incarnation: int = 1
    phase: RunPhase = RunPhase.OPEN
    ended: ErrorCode | None = None


@dataclass(frozen=True, slots=True)
class NodeState:
    """A node as the checkpoint holds it: how often it was started, whether it is completed."""

    node_id: str
    starts: int = 0
    completed: bool = False


# ── the processes ────────────────────────────────────────────────────────────────────────────────


class Stage(Enum):
    """What a process has still to do with the run, as it has been answered."""

    GOING = "it may go on"
    PAUSED = "it waits for more to spend"
    ATTENTION = "it must end the incarnation with effect_needs_attention"
    FAILED = "it must end the incarnation with node_failed"
    OVER_BUDGET = "it must end the incarnation with budget_exceeded"
    OVER = "it does nothing more to the run"


@dataclass(frozen=True, slots=True)
class NodeStart:
    """A start of a node that a process is in: what it has delivered, asked for, and the next slot.

    ``asked`` and ``next_slot`` are the turn of the node's model, not of the journal.
    """

    node_id: str
    number: int
    delivered: frozenset[int] = frozenset()
    asked: frozenset[Call] = frozenset()
    next_slot: int = 0


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A call that a process was told to send, and what it knows of its outcome.

    ``key_issued_at`` is its row's, None where it has no key (T-2).
    """

    row_id: int
    key_issued_at: int | None
    sent: bool = False
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Process:
    """A living process: the generation of the fence it holds (0: none) and what it is about.

    ``gated`` is the generation under which its gate passed, None before that.
    """

    name: str
    generation: int
    reconcilers: frozenset[str]
    gated: int | None = None
    starts: tuple[NodeStart, ...] = ()
    dispatches: tuple[Dispatch, ...] = ()
    stage: Stage = Stage.GOING

    def start(self, node_id: str) -> NodeStart | None:
        """Its present start of a node."""
        return next((start for start in self.starts if start.node_id == node_id), None)

    def in_start(self, start: NodeStart) -> "Process":
        """The process with ``start`` as its present start of that node."""
        others = (other for other in self.starts if other.node_id != start.node_id)
        starts = sorted((*others, start), key=lambda each: each.node_id)
        return replace(self, starts=tuple(starts))

    def dispatch(self, row_id: int) -> Dispatch | None:
        """What it knows of a call that it was told to send."""
        return next((each for each in self.dispatches if each.row_id == row_id), None)

    def knowing(self, dispatch: Dispatch) -> "Process":
        """The process with ``dispatch`` in hand."""
        others = self.without(dispatch.row_id).dispatches
        dispatches = sorted((*others, dispatch), key=lambda each: each.row_id)
        return replace(self, dispatches=tuple(dispatches))

    def without(self, row_id: int) -> "Process":
        """The process with no call of that row in hand."""
        return replace(
            self, dispatches=tuple(each for each in self.dispatches if each.row_id != row_id)
        )


# ── the network and the target ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Request:
    """A request on its way. It outlives its sender; one that never arrives is lost.

    ``process`` sent it under the generation ``sender``; ``keyed``: with the row's idempotency key.
    """

    row_id: int
    process: str
    sender: int
    keyed: bool
    sent_at: int


@dataclass(frozen=True, slots=True)
class Wire:
    """What lies between a row and the world outside: its requests, and what the target remembers.

    ``key_since`` is when the target learnt the row's idempotency key, None if it knows none;
    ``receipt`` what it answers to a look-up of the row's reference, None if it has none.
    """

    requests: frozenset[Request] = frozenset()
    key_since: int | None = None
    receipt: Result | None = None


class Lookups(Enum):
    """How the target answers look-ups at the moment (reading 2)."""

    SHOWN = "with the receipts that there are"
    HIDDEN = "that there is none"
    FAILING = "not at all"


@dataclass(frozen=True, slots=True)
class Entry:
    """What truly became of one prepared row: no sweep takes it away, and nobody reads it back.

    ``effects`` is the target's own count. ``discarded``: an operator has re-opened the identity.
    """

    row_id: int
    node_id: str
    call: Call
    reconciler: bool
    effects: int = 0
    discarded: bool = False


class Fate(Enum):
    """Why a row is not there."""

    NOT_YET = "it has not been prepared"
    SWEPT = "it was swept"
    UNWRITTEN = "its call was sent, and nobody wrote it"


# ── the world ────────────────────────────────────────────────────────────────────────────────────


RUN: Final[Part[Run | None]] = Part("run", default=None)
LOCK: Final[Part[str | None]] = Part("lock", default=None)
LOOKUPS: Final[Part[Lookups]] = Part("look-ups", default=Lookups.SHOWN)
NOW: Final[Part[int]] = Part("now", default=0)


@cache
def process_part(name: str) -> Part[Process | None]:
    """The process of that name, None while none lives."""
    return Part("process", name, default=None)


@cache
def node_part(node_id: str) -> Part[NodeState]:
    """A node, which begins to be known with its first start."""
    return Part("node", node_id, default=NodeState(node_id))


@cache
def row_part(row_id: int) -> Part[Row | Fate]:
    """A row of the journal; ids count up from 1 and none is used again."""
    return Part("row", row_id, default=Fate.NOT_YET)


@cache
def entry_part(row_id: int) -> Part[Entry | None]:
    """What truly became of a row, None before it is prepared."""
    return Part("entry", row_id, default=None)


@cache
def wire_part(row_id: int) -> Part[Wire]:
    """What lies between a row and the world outside."""
    return Part("wire", row_id, default=Wire())


def _generation(run: Run | None) -> int:
    return 0 if run is None else run.generation


def _phase(run: Run | None) -> RunPhase | None:
    return None if run is None else run.phase


def _was_prepared(row: Row | Fate) -> bool:
    return row is not Fate.NOT_YET


@cache
def _of_row(question: Callable[[Row], A]) -> Callable[[Row | Fate], A | Fate]:
    """The question, asked of a row that may not be there."""
    return lambda row: row if isinstance(row, Fate) else question(row)


def _starts(row: Row) -> tuple[tuple[str, int | None], ...]:
    """The starts of its node that have sent the call of an undiscarded row."""
    if row.discarded:
        return ()
    return (row.node_id, row.record.start), (row.node_id, row.record.retried_in)


@dataclass(frozen=True, slots=True)
class World:
    """One state.

    ``run`` is None before anybody has owned it; ``lock`` names who holds the lock of the present
    generation. ``now`` is in seconds.
    """

    parts: Parts = BEGINNING

    def having(self, part: Part[T], value: T) -> "World":
        """The world with this value of one part."""
        return World(self.parts.having(part, value))

    # ── its parts ────────────────────────────────────────────────────────────────────────────────

    @property
    def run(self) -> Run | None:
        """The run's row."""
        return self.parts.read(RUN)

    @property
    def lock(self) -> str | None:
        """Who holds the lock of the present generation."""
        return self.parts.read(LOCK)

    @property
    def lookups(self) -> Lookups:
        """How the target answers look-ups."""
        return self.parts.read(LOOKUPS)

    @property
    def now(self) -> int:
        """The time, in seconds."""
        return self.parts.read(NOW)

    def process(self, name: str) -> Process | None:
        """The living process of that name."""
        return self.parts.read(process_part(name))

    def node(self, node_id: str) -> NodeState:
        """A node, which begins to be known with its first start."""
        return self.parts.read(node_part(node_id))

    def row(self, row_id: int) -> Row | None:
        """A row, None where there is none or it was swept."""
        row = self.parts.read(row_part(row_id))
        return row if isinstance(row, Row) else None

    def entry(self, row_id: int) -> Entry:
        """What truly became of a row that was prepared."""
        entry = self.parts.read(entry_part(row_id))
        assert entry is not None, f"row {row_id} was never prepared"
        return entry

    def wire(self, row_id: int) -> Wire:
        """What lies between a row and the world outside."""
        return self.parts.read(wire_part(row_id))

    def with_process(self, process: Process) -> "World":
        """The world with this process in it, in the place of any other of its name."""
        return self.having(process_part(process.name), process)

    def with_node(self, node: NodeState) -> "World":
        """The world with this state of a node."""
        return self.having(node_part(node.node_id), node)

    def with_row(self, row: Row) -> "World":
        """The world with this version of a row, or with this new row."""
        return self.having(row_part(row.id), row)

    def with_entry(self, entry: Entry) -> "World":
        """The world with this entry of the ledger."""
        return self.having(entry_part(entry.row_id), entry)

    def with_wire(self, row_id: int, wire: Wire) -> "World":
        """The world with this between a row and the world outside."""
        return self.having(wire_part(row_id), wire)

    # ── what is made up of them ──────────────────────────────────────────────────────────────────

    @property
    def generation(self) -> int:
        """The generation that owns the run; 0 before anybody has."""
        return self.parts.ask(RUN, _generation)

    @property
    def phase(self) -> RunPhase | None:
        """Where the run stands; None before anybody has owned it."""
        return self.parts.ask(RUN, _phase)

    def living(self, name: str) -> Process:
        """The process of that name, which lives."""
        process = self.process(name)
        assert process is not None, f"process {name!r} does not live"
        return process

    @property
    def processes(self) -> tuple[Process, ...]:
        """The living processes of a world that is all there, in order of their names."""
        assert isinstance(self.parts, Whole), "who has only parts of a world asks by name"
        return self.parts.of_kind("process")

    def prepared(self) -> Iterator[int]:
        """The ids of the rows that were ever prepared, in order."""
        row_id = 1
        while self.parts.ask(row_part(row_id), _was_prepared):
            yield row_id
            row_id += 1

    @property
    def next_row_id(self) -> int:
        """The id of the row that is prepared next."""
        return 1 + sum(1 for _ in self.prepared())

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows that are there, in order of their ids."""
        return tuple(row for row in map(self.row, self.prepared()) if row is not None)

    def ask_rows(self, question: Callable[[Row], A]) -> Iterator[A]:
        """The answers to a question about each row that is there."""
        asked = _of_row(question)
        for row_id in self.prepared():
            answer = self.parts.ask(row_part(row_id), asked)
            if not isinstance(answer, Fate):
                yield answer

    @property
    def ledger(self) -> tuple[Entry, ...]:
        """What became of every row that was ever prepared, in order of their ids."""
        return tuple(map(self.entry, self.prepared()))

    @property
    def network(self) -> frozenset[Request]:
        """The requests that are on their way."""
        return frozenset(
            request for row_id in self.prepared() for request in self.wire(row_id).requests
        )

    def of_node(self, node_id: str) -> tuple[Row, ...]:
        """The undiscarded rows of a node, oldest first."""
        return tuple(row for row in self.rows if row.node_id == node_id and not row.discarded)

    def has_prepared(self, start: NodeStart) -> bool:
        """Whether a start has prepared or retried a call that no operator has discarded (O-6)."""
        mine = (start.node_id, start.number)
        return any(mine in sent_by for sent_by in self.ask_rows(_starts))

    def rerunnable(self) -> Iterator[Row]:
        """The undiscarded rows of every node that is not completed (G-1)."""
        for row in self.rows:
            if not row.discarded and not self.node(row.node_id).completed:
                yield row
