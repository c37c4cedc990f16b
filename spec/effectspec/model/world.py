"""A state of the world: one run, its journal, the processes around it, the network, the target."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from msgspec import structs

from effectspec.attention import ErrorCode
from effectspec.digest import Json, digest
from effectspec.identity import EffectIdentity, NodeKey
from effectspec.lifecycle import Resolution
from effectspec.record import Record
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

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
    ATTENTION = "it must end the incarnation with effect_needs_attention"
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

    ``key_issued_at`` is its row's (T-2).
    """

    row_id: int
    key_issued_at: int
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
        return replace(self, starts=(*others, start))

    def dispatch(self, row_id: int) -> Dispatch | None:
        """What it knows of a call that it was told to send."""
        return next((each for each in self.dispatches if each.row_id == row_id), None)

    def knowing(self, dispatch: Dispatch) -> "Process":
        """The process with ``dispatch`` in hand."""
        return replace(self, dispatches=(*self.without(dispatch.row_id).dispatches, dispatch))

    def without(self, row_id: int) -> "Process":
        """The process with no call of that row in hand."""
        return replace(
            self, dispatches=tuple(each for each in self.dispatches if each.row_id != row_id)
        )


# ── the network and the target ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Request:
    """A request on its way. It outlives its sender; one that never arrives is lost.

    ``sender`` is the generation that sent it; ``keyed``: it carries the row's idempotency key.
    """

    row_id: int
    sender: int
    keyed: bool
    sent_at: int


@dataclass(frozen=True, slots=True)
class Remembered:
    """An idempotency key that the target knows, by its row, and since when."""

    row_id: int
    since: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the target answers to a look-up, by the row whose reference it is."""

    row_id: int
    result: Result


class Lookups(Enum):
    """How the target answers look-ups at the moment (reading 2)."""

    SHOWN = "with the receipts that there are"
    HIDDEN = "that there is none"
    FAILING = "not at all"


@dataclass(frozen=True, slots=True)
class Target:
    """What the target remembers, beside the ledger."""

    keys: frozenset[Remembered] = frozenset()
    receipts: frozenset[Receipt] = frozenset()
    lookups: Lookups = Lookups.SHOWN


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


# ── the world ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class World:
    """One state. ``run`` is None before anybody has owned it; ``lock`` names who holds its lock.

    ``ledger`` has an entry for every row that was ever prepared, in order of their ids. ``now`` is
    in seconds.
    """

    run: Run | None = None
    nodes: tuple[NodeState, ...] = ()
    rows: tuple[Row, ...] = ()
    processes: tuple[Process, ...] = ()
    lock: str | None = None
    network: frozenset[Request] = frozenset()
    target: Target = Target()
    ledger: tuple[Entry, ...] = ()
    now: int = 0

    @property
    def generation(self) -> int:
        """The generation that owns the run; 0 before anybody has."""
        return 0 if self.run is None else self.run.generation

    def process(self, name: str) -> Process | None:
        """The living process of that name."""
        return next((process for process in self.processes if process.name == name), None)

    def living(self, name: str) -> Process:
        """The process of that name, which lives."""
        process = self.process(name)
        assert process is not None, f"process {name!r} does not live"
        return process

    def with_process(self, process: Process) -> "World":
        """The world with this process in it, in the place of any other of its name."""
        others = (other for other in self.processes if other.name != process.name)
        ordered = sorted((*others, process), key=lambda each: each.name)
        return replace(self, processes=tuple(ordered))

    def node(self, node_id: str) -> NodeState:
        """A node, which begins to be known with its first start."""
        found = (node for node in self.nodes if node.node_id == node_id)
        return next(found, NodeState(node_id))

    def with_node(self, node: NodeState) -> "World":
        """The world with this state of a node."""
        others = (other for other in self.nodes if other.node_id != node.node_id)
        ordered = sorted((*others, node), key=lambda each: each.node_id)
        return replace(self, nodes=tuple(ordered))

    def row(self, row_id: int) -> Row | None:
        """A row, None where there is none or it was swept."""
        return next((row for row in self.rows if row.id == row_id), None)

    def with_row(self, row: Row) -> "World":
        """The world with this version of a row, or with this new row."""
        if self.row(row.id) is None:
            return replace(self, rows=(*self.rows, row))
        rows = tuple(row if other.id == row.id else other for other in self.rows)
        return replace(self, rows=rows)

    def of_node(self, node_id: str) -> tuple[Row, ...]:
        """The undiscarded rows of a node, oldest first."""
        return tuple(row for row in self.rows if row.node_id == node_id and not row.discarded)

    def rerunnable(self) -> Iterator[Row]:
        """The undiscarded rows of every node that is not completed (G-1)."""
        for row in self.rows:
            if not row.discarded and not self.node(row.node_id).completed:
                yield row

    def with_entry(self, entry: Entry) -> "World":
        """The world with this entry of the ledger."""
        index = entry.row_id - 1
        return replace(self, ledger=(*self.ledger[:index], entry, *self.ledger[index + 1 :]))
