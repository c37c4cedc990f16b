"""What a journal answers to an action, in the terms of the contract: what an oracle compares."""

from dataclasses import dataclass
from typing import TypeAlias

from effectspec.admission import Admission, Bearing
from effectspec.gate import GateVerdict
from effectspec.lifecycle import State
from effectspec.model.world import Result
from effectspec.protocol import Code
from effectspec.settlement import Settlement
from effectspec.tiers import Tier


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing: it happened outside the journal, or the process died over it."""


@dataclass(frozen=True, slots=True)
class Done:
    """It was done, and there is nothing to tell."""


@dataclass(frozen=True, slots=True)
class Failed:
    """It was not done, and nothing was changed."""

    code: Code


@dataclass(frozen=True, slots=True)
class Owned:
    """The run is owned by this generation."""

    generation: int


@dataclass(frozen=True, slots=True)
class Judged:
    """The gate's final verdict on one row, and the tiers that it weighed (T-6)."""

    row_id: int
    verdict: GateVerdict
    declared: Tier
    effective: Tier


@dataclass(frozen=True, slots=True)
class Gated:
    """What the gate said of every row that it read."""

    may_schedule: bool
    verdicts: tuple[Judged, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    """The number of a node's start."""

    start: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """The answer to a prepare, the bearing that decided it, and the row that it speaks of.

    ``result`` is what is re-delivered (G-7).
    """

    admission: Admission
    bearing: Bearing
    row_id: int | None
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """What a settle did, and the state of the row after it."""

    settlement: Settlement
    state: State


@dataclass(frozen=True, slots=True)
class NodeEnded:
    """Whether the node completed, and the rows that say why not or that it never delivered."""

    completed: bool
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Swept:
    """How many rows a sweep deleted."""

    deleted: int


Answer: TypeAlias = (
    Silent | Done | Failed | Owned | Gated | Begun | Prepared | Settled | NodeEnded | Swept
)
