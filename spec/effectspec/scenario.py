"""One situation, for every method: what the explorer finds, the engine runs and the harness kills.

A :class:`Scenario` has two halves and no expectations. The :class:`Job` is what an implementation
is given; the steps are what the harness does to it.
"""

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import Annotated, TypeAlias

import msgspec

from effectspec import session
from effectspec.bounds import Count, Ordinal, Pointer, Seconds, Text
from effectspec.decoding import Unreadable, decoded
from effectspec.journaling import ToolKind
from effectspec.json_value import Json
from effectspec.lifecycle import Resolution
from effectspec.points import Failure, Point
from effectspec.settlement import Outcome
from effectspec.tiers import Tier
from effectspec.transcript import Exchange

DEFAULT_BOUND = 4096
"""Bytes of a result that the model is shown before it is cut (O-5)."""

DEFAULT_RETENTION = 65536
"""Bytes of a recorded result that a row may hold; a larger one is not retained (G-5)."""


class _Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a scenario: immutable, and strict about what it does not know."""


# ── the job ──────────────────────────────────────────────────────────────────────────────────────


class Tool(_Value, frozen=True):
    """A tool that the model may call.

    ``reconciler``: one is registered (T-6). ``key_lifetime_s``: how long the target keeps an
    idempotency key, None for ever (reading 3). ``annotations`` is what a discovered descriptor
    claims of itself; it changes nothing (M-1, M-2).
    """

    id: Text
    kind: ToolKind
    tier: Tier = Tier.OPAQUE
    reconciler: bool = True
    secret_keys: tuple[str, ...] = ()
    key_lifetime_s: Count | None = None
    bound: Count = DEFAULT_BOUND
    retention: Count = DEFAULT_RETENTION
    annotations: dict[str, Json] = {}


class Call(_Value, frozen=True):
    """One tool call of a model reply, in provider order.

    Arguments by kind: ``http_request`` {method, path, body}; ``write_file`` {path, text, append};
    ``notify`` and ``mcp`` any object; ``read`` {path}. Paths are relative to the account of the
    target, or to the store's folder for files.
    """

    tool: str
    arguments: dict[str, Json]
    call_id: str


class Reply(_Value, frozen=True, tag="reply"):
    """What the provider answers in one round: tool calls, and what the egress cost."""

    calls: tuple[Call, ...] = ()
    cost: Count = 0


class ProviderError(_Value, frozen=True, tag="provider_error"):
    """A round in which the provider fails."""

    message: str
    cost: Count = 0


Round: TypeAlias = Reply | ProviderError


class Play(_Value, frozen=True):
    """What the model answers in one start of a node, round by round."""

    rounds: tuple[Round, ...]


class Node(_Value, frozen=True):
    """One node of a run. Each start takes the next play; the last one repeats.

    ``attempts`` bounds the node-retry attempts of one resume. ``mapping`` derives the node's
    output from each result: name → JSON Pointer (RFC 6901) into the tool's answer.
    """

    id: Text
    plays: Annotated[tuple[Play, ...], msgspec.Meta(min_length=1)]
    attempts: Ordinal = 1
    mapping: dict[str, Pointer] = {}


class Job(_Value, frozen=True):
    """A run: its nodes in order, the tools they may call, and what may be spent.

    Raises ``ValueError`` where two tools or two nodes have one id.
    """

    run_id: Text
    tools: tuple[Tool, ...]
    nodes: Annotated[tuple[Node, ...], msgspec.Meta(min_length=1)]
    budget: Count | None = None

    def __post_init__(self) -> None:
        """Refuse an id that names two things, which no schema can say."""
        _refuse_repeated("tools", (tool.id for tool in self.tools))
        _refuse_repeated("nodes", (node.id for node in self.nodes))


def _refuse_repeated(field: str, ids: Iterable[str]) -> None:
    for id_, times in Counter(ids).items():
        if times > 1:
            raise ValueError(f"two of the `{field}` have the id {id_!r}; rename one")


# ── what the target is told ─────────────────────────────────────────────────────────────────────


class TargetAct(Enum):
    """What the scenario can ask of the target, for the run's account.

    The first group concerns the next request for an effect, one act a request, in order.
    """

    KILL_CALLER_BEFORE = "kill_caller_before"
    KILL_CALLER_AFTER = "kill_caller_after"
    HOLD_BEFORE = "hold_before"
    HOLD_AFTER = "hold_after"
    DROP_BEFORE = "drop_before"
    DROP_AFTER = "drop_after"
    REJECT = "reject"
    ERROR_BEFORE = "error_before"
    ERROR_AFTER = "error_after"
    PAD = "pad"

    AWAIT_HELD = "await_held"
    RELEASE_HELD = "release_held"
    FORGET_KEYS = "forget_keys"
    HIDE_RECEIPTS = "hide_receipts"
    SHOW_RECEIPTS = "show_receipts"
    FAIL_LOOKUPS = "fail_lookups"


# ── the steps ────────────────────────────────────────────────────────────────────────────────────


class _Step(_Value, frozen=True, tag_field="step"):
    """Something the harness does. ``process`` names the implementation's process it does it to."""


class Start(_Step, frozen=True, tag="start"):
    """Spawn a process on the scenario's store, to stop at ``points`` and to fail ``failures``."""

    process: Text
    points: tuple[Point, ...] = ()
    failures: tuple[Failure, ...] = ()


class Run(_Step, frozen=True, tag="run"):
    """Run the job from its beginning; the first start of each node takes play ``play``."""

    process: Text
    play: Count = 0


class Resume(_Step, frozen=True, tag="resume"):
    """Resume the job's run. ``approve`` grants a budget pause, with that much more to spend.

    ``declared_dead``: an operator says that the present owner is dead (reading 12).
    """

    process: Text
    play: Count = 0
    approve: Count = 0
    declared_dead: bool = False


class Release(_Step, frozen=True, tag="release"):
    """Let a process go on from the point where it waits."""

    process: Text


class Kill(_Step, frozen=True, tag="kill"):
    """SIGKILL a process. With ``by_target`` the target does it, the wait is for its death."""

    process: Text
    by_target: bool = False


class Target(_Step, frozen=True, tag="target"):
    """Tell the target what to do with what is coming, or what to forget, show or release."""

    act: TargetAct


class Advance(_Step, frozen=True, tag="advance"):
    """Move the clock of every process started from now on, in seconds."""

    seconds: Seconds


class Wait(_Step, frozen=True, tag="wait"):
    """Let at least this many seconds pass, by every clock: a process that runs has its own."""

    seconds: Seconds


class TakeOver(_Step, frozen=True, tag="take_over"):
    """Take the ownership of a run (F-1)."""

    process: Text
    owner: Text
    declared_dead: bool = False


class BeginNode(_Step, frozen=True, tag="begin_node"):
    """Begin a start of a node."""

    process: Text
    node: Text


class Prepare(_Step, frozen=True, tag="prepare"):
    """Prepare one call of the node's present start at ``slot``."""

    process: Text
    node: Text
    slot: Count
    call: Call


class Settle(_Step, frozen=True, tag="settle"):
    """Settle the row that the process prepared last for ``node`` and ``slot``."""

    process: Text
    node: Text
    slot: Count
    outcome: Outcome
    result: Json = None


class CompleteNode(_Step, frozen=True, tag="complete_node"):
    """Complete the node's present start (G-12)."""

    process: Text
    node: Text


class Gate(_Step, frozen=True, tag="gate"):
    """Read the gate and record what it says (§4)."""

    process: Text


class Resolve(_Step, frozen=True, tag="resolve"):
    """Resolve the newest undiscarded row at ``node`` and ``slot`` as an operator (A-5)."""

    process: Text
    node: Text
    slot: Count
    resolution: Resolution
    result: Json = None


class Attach(_Step, frozen=True, tag="attach"):
    """Attach the absent result of an accepted or committed row (reading 7)."""

    process: Text
    node: Text
    slot: Count
    result: Json


class Close(_Step, frozen=True, tag="close"):
    """Close the run as an operator: its rows may be swept (readings 6 and 17)."""

    process: Text


class Sweep(_Step, frozen=True, tag="sweep"):
    """Sweep what may be swept of the run (R-1, R-2)."""

    process: Text


class Reserve(_Step, frozen=True, tag="reserve"):
    """Reserve the next turn of the session whose id is the job's run id (X-14)."""

    process: Text


class PrepareInTurn(_Step, frozen=True, tag="prepare_in_turn"):
    """Prepare one call of the turn that the process reserved last.

    ``slot`` is negative for a ``!`` command. ``turn``: another turn instead, reserved or not.
    """

    process: Text
    slot: int
    call: Call
    turn: Count | None = None


class SettleInTurn(_Step, frozen=True, tag="settle_in_turn"):
    """Settle the row that the process prepared last at ``slot`` of a turn."""

    process: Text
    slot: int
    outcome: Outcome
    result: Json = None


class WriteTurn(_Step, frozen=True, tag="write_turn"):
    """Write an exchange of the turn that the process reserved last, whole (D-4)."""

    process: Text
    exchange: Exchange


class Compact(_Step, frozen=True, tag="compact"):
    """Compact the session's history below the turn that the process reserved last (D-2)."""

    process: Text


class Disclose(_Step, frozen=True, tag="disclose"):
    """Read what the resumed session is to be told (D-1, D-2)."""

    process: Text


class Acknowledge(_Step, frozen=True, tag="acknowledge"):
    """Say what became of the notice that the process read last, and sweep (D-7).

    ``owned``: the activation that asked for it is still the session's.
    """

    process: Text
    acknowledgement: session.Acknowledgement
    owned: bool = True


class Unwind(_Step, frozen=True, tag="unwind"):
    """End a one-shot run in the turn that the process reserved last; ``refused``: in none (R-5)."""

    process: Text
    refused: bool = False


SessionStep: TypeAlias = (
    Reserve | PrepareInTurn | SettleInTurn | WriteTurn | Compact | Disclose | Acknowledge | Unwind
)
"""The steps that are about sessions."""

Step: TypeAlias = (
    Start
    | Run
    | Resume
    | Release
    | Kill
    | Target
    | Advance
    | Wait
    | TakeOver
    | BeginNode
    | Prepare
    | Settle
    | CompleteNode
    | Gate
    | Resolve
    | Attach
    | Close
    | Sweep
    | SessionStep
)


class Scenario(_Value, frozen=True):
    """A job and what is done to it."""

    job: Job
    steps: tuple[Step, ...]


def encode(scenario: Scenario) -> bytes:
    """The scenario as indented JSON, for a report or a file."""
    return msgspec.json.format(msgspec.json.encode(scenario), indent=2)


_scenarios = msgspec.json.Decoder(Scenario)


class BadScenario(ValueError):
    """A file that is no scenario; the message names the field and what it should be."""


def decode(text: bytes) -> Scenario:
    """Read a scenario. Raises :class:`BadScenario` with the place of the first error."""
    try:
        return decoded(_scenarios, text)
    except Unreadable as error:
        raise BadScenario(
            f"not a scenario: {error}; write one as effectspec/schema/scenario.json describes it"
        ) from error
