"""Everything that can happen in the world."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from effectspec.attention import ErrorCode
from effectspec.lifecycle import Resolution
from effectspec.model.world import Call, Lookups, Request, Result
from effectspec.settlement import Outcome

# ── a process and its run ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TakeOver:
    """A process takes the run's ownership (F-1); it has ``reconcilers`` for these tools (T-6)."""

    process: str
    reconcilers: frozenset[str]
    declared_dead: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """A process begins to act under the fence that ``owner`` holds, and under no other (C-7)."""

    process: str
    owner: str


@dataclass(frozen=True, slots=True)
class ReadGate:
    """A process reads the gate, looks receipts up, and records the findings (§4)."""

    process: str


@dataclass(frozen=True, slots=True)
class ReadGateFails:
    """A process cannot read the gate (G-10)."""

    process: str


@dataclass(frozen=True, slots=True)
class ReadGateUnowned:
    """A process reads the gate of a run that it does not own, as reading 12 forbids."""

    process: str
    reconcilers: frozenset[str]


@dataclass(frozen=True, slots=True)
class BeginIncarnation:
    """A process whose gate has passed goes on with the run (reading 6)."""

    process: str


@dataclass(frozen=True, slots=True)
class Approve:
    """A budget pause is approved: its process goes on, through the gate (B-2, G-13)."""

    process: str


@dataclass(frozen=True, slots=True)
class EndRun:
    """A process writes the terminal of the incarnation; ``code`` None: the run completed (A-1)."""

    process: str
    code: ErrorCode | None


RunAct: TypeAlias = (
    TakeOver
    | Join
    | ReadGate
    | ReadGateFails
    | ReadGateUnowned
    | BeginIncarnation
    | Approve
    | EndRun
)

# ── a process in a node ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class BeginNode:
    """A process begins a start of a node."""

    process: str
    node_id: str


@dataclass(frozen=True, slots=True)
class Prepare:
    """A process prepares a call of its present start of the node (O-2)."""

    process: str
    node_id: str
    slot: int
    call: Call


@dataclass(frozen=True, slots=True)
class PrepareFails:
    """The store refuses a prepare (O-2)."""

    process: str
    node_id: str
    slot: int
    call: Call


@dataclass(frozen=True, slots=True)
class OverBudget:
    """The next provider call of a process's start would exceed the budget (§13)."""

    process: str
    node_id: str


@dataclass(frozen=True, slots=True)
class Settle:
    """A process settles a row; an unknown outcome has no result (O-3, O-4)."""

    process: str
    row_id: int
    outcome: Outcome
    result: Result | None


@dataclass(frozen=True, slots=True)
class SettleFails:
    """The store refuses a settle (O-4)."""

    process: str
    row_id: int


@dataclass(frozen=True, slots=True)
class FollowUpFails:
    """What follows a settle fails: mapping, bounding, an event, a guard; or an abort (O-5)."""

    process: str
    node_id: str


@dataclass(frozen=True, slots=True)
class CompleteNode:
    """A process completes its present start of the node (G-12)."""

    process: str
    node_id: str


NodeAct: TypeAlias = (
    BeginNode
    | Prepare
    | PrepareFails
    | OverBudget
    | Settle
    | SettleFails
    | FollowUpFails
    | CompleteNode
)

# ── what needs no fence of the one who asks ──────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Resolve:
    """An operator resolves a row, with the result where one is known (A-5)."""

    row_id: int
    resolution: Resolution
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class Attach:
    """An operator attaches the absent result of a committed or accepted row (reading 7)."""

    row_id: int
    result: Result


@dataclass(frozen=True, slots=True)
class Close:
    """An operator closes the run (readings 6 and 17)."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Somebody sweeps what may be swept of the run (R-1, R-2)."""


OperatorAct: TypeAlias = Resolve | Attach | Close | Sweep

# ── what happens outside the journal ─────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Send:
    """A process sends the call of a row, once."""

    process: str
    row_id: int


class Arrival(Enum):
    """What comes of a request that arrives (reading 10)."""

    ANSWERED = "done, and the sender hears it if it lives and still waits"
    UNHEARD = "done, and the answer is lost"
    REJECTED = "not done, and the sender hears it"


@dataclass(frozen=True, slots=True)
class Arrive:
    """A request arrives at the target, whether or not its sender lives (readings 2 and 3)."""

    request: Request
    arrival: Arrival
    result: Result = Result.FITS


@dataclass(frozen=True, slots=True)
class GiveUp:
    """A process waits no longer for an answer: the outcome is unknown to it (O-3)."""

    process: str
    row_id: int


@dataclass(frozen=True, slots=True)
class Crash:
    """A process is killed, or exits: what it knew is gone, and the kernel drops its lock."""

    process: str


@dataclass(frozen=True, slots=True)
class Advance:
    """Time passes."""

    seconds: int


@dataclass(frozen=True, slots=True)
class ForgetKeys:
    """The target forgets every idempotency key (reading 3)."""


@dataclass(frozen=True, slots=True)
class SetLookups:
    """The target begins to answer look-ups in this way (reading 2)."""

    lookups: Lookups


OutsideAct: TypeAlias = Send | Arrive | GiveUp | Crash | Advance | ForgetKeys | SetLookups

OWN_ACTS: Final = (
    *(TakeOver, Join, ReadGate, ReadGateFails, ReadGateUnowned, BeginIncarnation, Approve, EndRun),
    *(BeginNode, Prepare, PrepareFails, OverBudget, Settle, SettleFails, FollowUpFails),
    *(CompleteNode, Send, GiveUp),
)
"""What a process does of its own."""

Action: TypeAlias = RunAct | NodeAct | OperatorAct | OutsideAct
"""One step of the world."""
