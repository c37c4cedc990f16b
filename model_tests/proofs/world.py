"""A run with any number of effects, nodes and processes, and what a row is to a process."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final, get_type_hints

from z3 import (  # type: ignore[import-untyped]  # z3 ships no types
    And,
    ArraySort,
    BoolSort,
    Const,
    Datatype,
    EmptySet,
    If,
    IntSort,
    IntVal,
    K,
    Not,
    Or,
    SetSort,
    Store,
)

from effectspec.admission import Age, Hold, Likeness, Place
from effectspec.lifecycle import TERMINAL, Resolution, State
from effectspec.retention import RunPhase
from effectspec.settlement import Writer
from proofs.finite import Expr
from proofs.rules import (
    AGE,
    HOLD,
    LIKENESS,
    LOOKUP,
    OUTCOME,
    PHASE,
    PLACE,
    RESOLUTION,
    STATE,
    TIER,
    WRITER,
    Rules,
)

INT = IntSort()
_call = Datatype("Call")
_call.declare("call", ("tool", INT), ("digest", INT))
CALL = _call.create()
"""What the model of a node may ask for: a tool, and a digest of arguments."""

NONE: Final = 0
"""No generation, no start: both count from 1."""


@dataclass(frozen=True, slots=True)
class Of:
    """The sort of a field: one value, or one for each number of a ``kind``."""

    value: Expr
    kind: str | None = None

    @property
    def sort(self) -> Expr:
        """The value's, or that of an array of it."""
        return self.value if self.kind is None else ArraySort(INT, self.value)


@dataclass(frozen=True, slots=True)
class World:
    """A state of a run. Rows, nodes and processes are numbers; rows are numbered from 1.

    Of a row nothing is forgotten when it is swept. A process ``holds`` a generation; it has
    ``stopped`` when it was refused, is over or died, and has ``to_send`` what it was told to.
    """

    generation: Annotated[Expr, Of(INT)]
    phase: Annotated[Expr, Of(PHASE.sort)]
    rows: Annotated[Expr, Of(INT)]

    present: Annotated[Expr, Of(BoolSort(), "row")]
    node: Annotated[Expr, Of(INT, "row")]
    slot: Annotated[Expr, Of(INT, "row")]
    call: Annotated[Expr, Of(CALL, "row")]
    tier: Annotated[Expr, Of(TIER.sort, "row")]
    state: Annotated[Expr, Of(STATE.sort, "row")]
    resolution: Annotated[Expr, Of(RESOLUTION.sort, "row")]
    retained: Annotated[Expr, Of(BoolSort(), "row")]
    start: Annotated[Expr, Of(INT, "row")]
    written_by: Annotated[Expr, Of(INT, "row")]
    retrying: Annotated[Expr, Of(INT, "row")]
    retried_in: Annotated[Expr, Of(INT, "row")]
    attempts: Annotated[Expr, Of(INT, "row")]
    flying: Annotated[Expr, Of(INT, "row")]
    effects: Annotated[Expr, Of(INT, "row")]

    holds: Annotated[Expr, Of(INT, "process")]
    gated: Annotated[Expr, Of(BoolSort(), "process")]
    stopped: Annotated[Expr, Of(BoolSort(), "process")]
    in_node: Annotated[Expr, Of(INT, "process")]
    in_start: Annotated[Expr, Of(INT, "process")]
    asked: Annotated[Expr, Of(SetSort(CALL), "process")]
    delivered: Annotated[Expr, Of(SetSort(INT), "process")]
    to_send: Annotated[Expr, Of(SetSort(INT), "process")]

    starts: Annotated[Expr, Of(INT, "node")]
    completed: Annotated[Expr, Of(BoolSort(), "node")]

    def put(self, index: Expr, **values: Expr) -> "World":
        """The world with these values at ``index``."""
        stores = {name: Store(getattr(self, name), index, to) for name, to in values.items()}
        return replace(self, **stores)

    def prepared(self, r: Expr) -> Expr:
        """There is, or was, such a row."""
        return And(r >= 1, r <= self.rows)

    def discarded(self, r: Expr) -> Expr:
        """An operator has re-opened the row's identity (reading 8)."""
        return self.resolution[r] == RESOLUTION[Resolution.DISCARDED]

    def bears(self, r: Expr) -> Expr:
        """The row is in the journal and not discarded."""
        return And(self.prepared(r), self.present[r], Not(self.discarded(r)))

    def met(self, r: Expr) -> Expr:
        """The gate meets the row: its node may run again (G-1)."""
        return And(self.bears(r), Not(self.completed[self.node[r]]))

    def settled(self, r: Expr) -> Expr:
        """The row's state is a terminal one (S-3)."""
        return Or([self.state[r] == STATE[state] for state in State if state in TERMINAL])


@dataclass(frozen=True, slots=True)
class Choice:
    """What a step is about, and what is free in it; the last four are free for each row."""

    process: Annotated[Expr, Of(INT)]
    other: Annotated[Expr, Of(INT)]
    row: Annotated[Expr, Of(INT)]
    node: Annotated[Expr, Of(INT)]
    slot: Annotated[Expr, Of(INT)]
    call: Annotated[Expr, Of(CALL)]
    tier: Annotated[Expr, Of(TIER.sort)]
    lookup: Annotated[Expr, Of(LOOKUP.sort)]
    outcome: Annotated[Expr, Of(OUTCOME.sort)]
    resolution: Annotated[Expr, Of(RESOLUTION.sort)]
    kept: Annotated[Expr, Of(BoolSort())]
    landed: Annotated[Expr, Of(BoolSort())]
    repeated: Annotated[Expr, Of(BoolSort())]
    undelivered: Annotated[Expr, Of(BoolSort())]
    done: Annotated[Expr, Of(BoolSort())]

    reconciler: Annotated[Expr, Of(BoolSort(), "row")]
    key_live: Annotated[Expr, Of(BoolSort(), "row")]
    comparable: Annotated[Expr, Of(BoolSort(), "row")]
    same_mapping: Annotated[Expr, Of(BoolSort(), "row")]


def _sorts(kind: type) -> Mapping[str, Of]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


WORLD_FIELDS: Final = _sorts(World)
"""The fields of a world, in their order, and what each is of."""
CHOICE_FIELDS: Final = _sorts(Choice)
"""The same of a choice."""


def any_world(mark: str = "") -> World:
    """A world of which nothing is known; ``mark`` tells its names from another's."""
    return World(*(Const(name + mark, of.sort) for name, of in WORLD_FIELDS.items()))


def any_choice(mark: str = "") -> Choice:
    """A choice of which nothing is known; ``mark`` tells its names from another's."""
    return Choice(*(Const(name + mark, of.sort) for name, of in CHOICE_FIELDS.items()))


def initial(w: World) -> Expr:
    """A run that nobody has owned yet."""
    return And(
        w.generation == NONE,
        w.phase == PHASE[RunPhase.OPEN],
        w.rows == 0,
        *(of_each == K(INT, IntVal(NONE)) for of_each in (w.holds, w.in_start, w.starts)),
        *(of_each == K(INT, EmptySet(INT)) for of_each in (w.delivered, w.to_send)),
    )


# ── what a row is to a process: effectspec.record in these terms ─────────────────────────────────


def effective_tier(w: World, r: Expr, c: Choice, rules: Rules) -> Expr:
    """The tier whose promise can be kept for the row now (T-6, reading 3)."""
    return rules.effective_tier(w.tier[r], c.reconciler[r], c.key_live[r])


def standing(w: World, r: Expr, rules: Rules) -> Expr:
    """The row as the gate reads it (reading 20)."""
    return rules.standing(w.state[r], w.resolution[r], w.retained[r])


def verdict(w: World, r: Expr, c: Choice, rules: Rules) -> Expr:
    """The gate's word on the row (G-2, G-3, G-4)."""
    return rules.gate(standing(w, r, rules), effective_tier(w, r, c, rules))


def place(w: World, r: Expr, c: Choice) -> Expr:
    """Where the row stands relative to the call (I-5)."""
    same_tool = CALL.tool(w.call[r]) == CALL.tool(c.call)
    at_slot = If(same_tool, PLACE[Place.SAME_IDENTITY], PLACE[Place.SAME_SLOT])
    return If(w.slot[r] == c.slot, at_slot, PLACE[Place.ELSEWHERE])


def age(w: World, r: Expr, p: Expr) -> Expr:
    """Whether the process's start of the node wrote the row, or has delivered it (reading 5)."""
    delivered = Or(w.delivered[p][r], w.retried_in[r] == w.in_start[p])
    other_start = If(delivered, AGE[Age.DELIVERED], AGE[Age.EARLIER])
    return If(w.start[r] == w.in_start[p], AGE[Age.THIS_START], other_start)


def likeness(w: World, r: Expr, c: Choice) -> Expr:
    """Whether the call asks the question that the row answers (G-6, X-3)."""
    same_arguments = And(CALL.digest(w.call[r]) == CALL.digest(c.call), c.comparable[r])
    mapped = If(c.same_mapping[r], LIKENESS[Likeness.SAME], LIKENESS[Likeness.OTHER_MAPPING])
    return If(same_arguments, mapped, LIKENESS[Likeness.OTHER_ARGUMENTS])


def hold(w: World, r: Expr, p: Expr) -> Expr:
    """Who may act on the row, as the process finds it (readings 4 and 11)."""
    own = And(w.state[r] == STATE[State.PREPARED], w.written_by[r] == w.holds[p])
    not_retryable = If(own, HOLD[Hold.IN_FLIGHT], HOLD[Hold.CLOSED])
    return If(w.retrying[r] == w.holds[p], HOLD[Hold.RETRYABLE], not_retryable)


def writer(w: World, r: Expr, p: Expr, rules: Rules) -> Expr:
    """Who the process is to the row that it settles (F-2, reading 11)."""
    own = w.written_by[r] == w.holds[p]
    not_retrier = If(own, WRITER[Writer.OWNER], WRITER[Writer.FENCED])
    holding = If(w.retrying[r] == w.holds[p], WRITER[Writer.RETRIER], not_retrier)
    fence_holds = rules.fence_holds(writer=w.holds[p], current=w.generation)
    return If(fence_holds, holding, WRITER[Writer.FENCED])


def admission(w: World, r: Expr, c: Choice, rules: Rules) -> Expr:
    """What the row by itself answers to the call that the process prepares (readings 4 and 5)."""
    bearing = rules.bearing(
        place(w, r, c),
        age(w, r, c.process),
        likeness(w, r, c),
        standing(w, r, rules),
        verdict(w, r, c, rules),
        hold(w, r, c.process),
    )
    return rules.admit(bearing)
