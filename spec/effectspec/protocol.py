"""Protocol version 1: what the harness and an implementation's adapter say to each other.

One JSON object a line, requests on the adapter's standard input, answers on its standard output,
one answer a request, in order. While an operation runs the adapter may say :class:`Reached` and
then waits for :class:`Release` before it goes on. Standard error is the adapter's own.
"""

from enum import Enum
from typing import TypeAlias

import msgspec

from effectspec.admission import Admission
from effectspec.attention import ErrorCode, ExitCode
from effectspec.bounds import Count, FolderPath, Ordinal, Seconds, Text
from effectspec.decoding import Unreadable, decoded
from effectspec.disclosure import Disclosure
from effectspec.gate import GateVerdict
from effectspec.json_value import Json
from effectspec.lifecycle import Resolution, State
from effectspec.points import Failable, Failure, Place, Point
from effectspec.scenario import Job, Tool
from effectspec.session import Acknowledgement
from effectspec.settlement import Outcome, Settlement
from effectspec.tiers import Tier
from effectspec.transcript import Exchange

PROTOCOL_VERSION = 1
CONTRACT_VERSION = "2026-08-18"
"""The edition of the contract document that this specification follows."""

MESSAGE_LIMIT = 8 * 1024 * 1024
"""Bytes of one line. A result of a mebibyte fits several times over; a runaway line does not."""

# What the target of a scenario understands; an adapter's tools use these names on the wire.
KEY_HEADER = "Idempotency-Key"
REFERENCE_HEADER = "Effect-Reference"
RECEIPT_PATH = "receipts"
"""``GET {target}/receipts/{reference}`` answers 200 with ``{"answer": …}``, or 404 (T-3)."""


class _Message(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"
):
    """A message of the protocol."""


class FenceToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fence that every write of a run's owner carries (F-2)."""

    run_id: Text
    owner: Text
    generation: Count


# ── requests ─────────────────────────────────────────────────────────────────────────────────────


class Hello(_Message, frozen=True, tag="hello"):
    """The first request: which version the harness speaks."""

    protocol: int = PROTOCOL_VERSION


class Open(_Message, frozen=True, tag="open"):
    """Open the store in the folder ``store``, with the target's account at ``target``.

    ``clock_offset_s`` shifts every clock reading. The process stops at ``points`` and fails
    ``failures``, each once.
    """

    store: FolderPath
    target: Text
    clock_offset_s: Seconds = 0
    points: tuple[Point, ...] = ()
    failures: tuple[Failure, ...] = ()


class RunJob(_Message, frozen=True, tag="run"):
    """Run a job from its beginning. Answer: :class:`Ended`."""

    job: Job
    owner: Text
    play: Count = 0


class ResumeJob(_Message, frozen=True, tag="resume"):
    """Resume a job's run. Answer: :class:`Ended`."""

    job: Job
    owner: Text
    play: Count = 0
    approve: Count = 0
    declared_dead: bool = False


class TakeOver(_Message, frozen=True, tag="take_over"):
    """Take ownership of a job's run, which is created if it is new. Answer: :class:`Owned`."""

    job: Job
    owner: Text
    declared_dead: bool = False


class ReadGate(_Message, frozen=True, tag="gate"):
    """Read the gate, reconcile, and record its findings. Answer: :class:`Gated`."""

    fence: FenceToken


class BeginNode(_Message, frozen=True, tag="begin_node"):
    """Begin a start of a node. Answer: :class:`Begun`."""

    fence: FenceToken
    node: Text


class Prepare(_Message, frozen=True, tag="prepare"):
    """Prepare a call of a start. Answer: :class:`Prepared`."""

    fence: FenceToken
    node: Text
    start: Ordinal
    slot: Count
    tool: str
    arguments: dict[str, Json]
    call_id: str


class Settle(_Message, frozen=True, tag="settle"):
    """Settle a prepared row. Answer: :class:`Settled`."""

    fence: FenceToken
    row_id: Count
    outcome: Outcome
    result: Json = None


class CompleteNode(_Message, frozen=True, tag="complete_node"):
    """Complete a start of a node. Answer: :class:`NodeEnded`."""

    fence: FenceToken
    node: Text
    start: Ordinal


class Resolve(_Message, frozen=True, tag="resolve"):
    """Resolve an unresolved row as an operator. Answer: :class:`Done`."""

    row_id: Count
    resolution: Resolution
    by: Text
    note: Text
    result: Json = None


class Attach(_Message, frozen=True, tag="attach"):
    """Attach an absent result as an operator. Answer: :class:`Done`."""

    row_id: Count
    result: Json
    by: Text


class Close(_Message, frozen=True, tag="close"):
    """Close a run as an operator. Answer: :class:`Done`."""

    run_id: Text
    by: Text


class Sweep(_Message, frozen=True, tag="sweep"):
    """Sweep a run's rows. Answer: :class:`Swept`."""

    run_id: Text


class ReserveTurn(_Message, frozen=True, tag="reserve_turn"):
    """Reserve a session's next turn (X-14, L-1). Answer: :class:`Reserved`."""

    session: Text


class PrepareInSession(_Message, frozen=True, tag="prepare_in_session"):
    """Prepare a call of a reserved turn. Answer: :class:`Prepared`.

    ``slot`` is negative for a ``!`` command. ``call_id`` is the engine's own (I-8).
    """

    session: Text
    turn: Count
    slot: int
    tool: Tool
    arguments: dict[str, Json]
    call_id: str
    provider_attempt: Ordinal = 1


class SettleInSession(_Message, frozen=True, tag="settle_in_session"):
    """Settle a session's row; ``result`` is not looked at (X-10). Answer: :class:`Settled`."""

    session: Text
    row_id: Count
    outcome: Outcome
    result: Json = None


class WriteExchange(_Message, frozen=True, tag="write_exchange"):
    """Write an exchange of a turn, whole, in one transaction (D-4). Answer: :class:`Done`."""

    session: Text
    turn: Count
    exchange: Exchange


class Compact(_Message, frozen=True, tag="compact"):
    """Compact or trim a session's history below a turn (D-2). Answer: :class:`Done`."""

    session: Text
    below_turn: Count


class ReadSession(_Message, frozen=True, tag="read_session"):
    """Read what a resumed session is to be told, in one snapshot (D-2). Answer: :class:`Told`."""

    session: Text


class Acknowledge(_Message, frozen=True, tag="acknowledge"):
    """Say what is known of the way of a reading's notice, and sweep. Answer: :class:`Swept`.

    ``reading`` counts this process's readings of the session from 0. ``owned``: the activation
    that asked for it is still the session's (D-7).
    """

    session: Text
    reading: Count
    acknowledgement: Acknowledgement
    owned: bool = True


class Unwind(_Message, frozen=True, tag="unwind"):
    """End a one-shot run; ``turn`` is what it reserved, if any (R-5). Answer: :class:`Swept`."""

    session: Text
    turn: Count | None = None


class ReadSessionRows(_Message, frozen=True, tag="session_rows"):
    """Read a session's rows, discarded ones included, oldest first. Answer: :class:`Rows`."""

    session: Text


class ReadRows(_Message, frozen=True, tag="rows"):
    """Read a run's rows, discarded ones included, oldest first. Answer: :class:`Rows`."""

    run_id: Text


class ReadEvents(_Message, frozen=True, tag="events"):
    """Read a run's event log. Answer: :class:`Events`."""

    run_id: Text


class Digest(_Message, frozen=True, tag="digest"):
    """Digest arguments as a prepare would (X-1, X-2). Answer: :class:`Digested`."""

    arguments: dict[str, Json]
    secret_keys: tuple[str, ...] = ()


class Classify(_Message, frozen=True, tag="classify"):
    """Ask how a call would be journaled (§3, §5). Answer: :class:`Classified`."""

    tool: Tool
    arguments: dict[str, Json]


class Claim(_Message, frozen=True, tag="claim"):
    """Ask which guarantee is claimed for a tier (T-5). Answer: :class:`Claimed`."""

    tier: Tier


class Release(_Message, frozen=True, tag="release"):
    """Go on from the point that was reached. No answer of its own."""


class Bye(_Message, frozen=True, tag="bye"):
    """Close the store and exit 0. Answer: :class:`Done`."""


Request: TypeAlias = (
    Hello
    | Open
    | RunJob
    | ResumeJob
    | TakeOver
    | ReadGate
    | BeginNode
    | Prepare
    | Settle
    | CompleteNode
    | Resolve
    | Attach
    | Close
    | Sweep
    | ReserveTurn
    | PrepareInSession
    | SettleInSession
    | WriteExchange
    | Compact
    | ReadSession
    | Acknowledge
    | Unwind
    | ReadSessionRows
    | ReadRows
    | ReadEvents
    | Digest
    | Classify
    | Claim
    | Release
    | Bye
)

# ── answers ──────────────────────────────────────────────────────────────────────────────────────


class Profile(Enum):
    """A group of operations that an implementation offers as a whole."""

    JOURNAL = "journal"
    RUN = "run"
    SESSION = "session"


class Absent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A capability that an implementation does not have, and why."""

    capability: str
    reason: str


class Welcome(_Message, frozen=True, tag="welcome"):
    """Who the adapter is. Its ``pid`` is the process that was spawned, so it can be waited for."""

    protocol: int
    contract: str
    name: str
    version: str
    language: str
    pid: int
    profiles: tuple[Profile, ...]
    places: tuple[Place, ...]
    failables: tuple[Failable, ...]
    absent: tuple[Absent, ...] = ()


class Reached(_Message, frozen=True, tag="reached"):
    """A point was reached; the adapter waits for :class:`Release`."""

    point: Point


class Done(_Message, frozen=True, tag="done"):
    """The operation was done; there is nothing to tell."""


class Ended(_Message, frozen=True, tag="ended"):
    """How an incarnation of a run ended, as its process would say it with its exit code.

    ``remedy`` is the text a person is shown. ``rows`` are the rows it speaks of.
    """

    exit_code: ExitCode
    error_code: ErrorCode | None = None
    remedy: str = ""
    rows: tuple[Count, ...] = ()


class Owned(_Message, frozen=True, tag="owned"):
    """Ownership was taken by a committed write."""

    fence: FenceToken


class Judged(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The gate's final verdict on one row, and the tiers it weighed (T-6)."""

    row_id: Count
    verdict: GateVerdict
    declared: Tier
    effective: Tier


class Gated(_Message, frozen=True, tag="gated"):
    """What the gate said, over every re-runnable node."""

    may_schedule: bool
    verdicts: tuple[Judged, ...]


class Begun(_Message, frozen=True, tag="begun"):
    """A start of a node; every prepare of it carries the number."""

    start: Ordinal


class Delivery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is recorded of a result and re-delivered as it was recorded (G-7)."""

    value: Json
    truncated: bool
    summary: str
    output: dict[str, Json]


class Prepared(_Message, frozen=True, tag="prepared"):
    """The answer to a prepare. ``clause`` and ``reason`` say why it was refused."""

    admission: Admission
    row_id: Count | None = None
    clause: str = ""
    reason: str = ""
    key: str | None = None
    reference: str | None = None
    delivery: Delivery | None = None


class Settled(_Message, frozen=True, tag="settled"):
    """What the settle did, and the state of the row after it."""

    settlement: Settlement
    state: State


class NodeEnded(_Message, frozen=True, tag="node_ended"):
    """Whether the node completed, and the rows that say why not or that it never delivered."""

    completed: bool
    rows: tuple[Count, ...] = ()


class Swept(_Message, frozen=True, tag="swept"):
    """How many rows the sweep deleted."""

    deleted: Count


class Reserved(_Message, frozen=True, tag="reserved"):
    """A turn that no other host is given."""

    turn: Count


class ToldRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a resumed session is told of one row."""

    row_id: Count
    turn: str
    slot: int
    disclosure: Disclosure


class Told(_Message, frozen=True, tag="told"):
    """What a resumed session is told, silence included; ``lines`` are those of its notice."""

    rows: tuple[ToldRow, ...]
    lines: tuple[str, ...]


class RowView(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row as anybody may see it: no argument bytes (X-1).

    Of a session's row ``run_id`` is the session, and ``node`` its turn.
    """

    row_id: Count
    run_id: Text
    node: Text
    slot: int
    tool: str
    tier: Tier
    state: State
    retained: bool
    digest: str
    generation: Count
    attempt: Count
    call_id: str
    key: str | None = None
    reference: str | None = None
    resolution: Resolution | None = None
    resolved_by: str | None = None
    resolved_at: str | None = None
    late_evidence: Count = 0


class Rows(_Message, frozen=True, tag="rows"):
    """A run's rows."""

    rows: tuple[RowView, ...]


class EventView(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One event of a run's log.

    Names: ``run:started``, ``run:resumed``, ``run:paused``, ``run:completed``, ``run:failed``,
    ``node:started``, ``node:completed``, ``node:failed``, ``tool:result``.
    """

    incarnation: Count
    name: str
    node: str | None = None
    code: str | None = None
    rows: tuple[Count, ...] = ()
    output: dict[str, Json] = {}


class Events(_Message, frozen=True, tag="events"):
    """A run's event log, and the generation that owns the run."""

    generation: Count
    events: tuple[EventView, ...]


class Digested(_Message, frozen=True, tag="digested"):
    """A digest in its persisted form."""

    digest: str


class Classified(_Message, frozen=True, tag="classified"):
    """How a call is journaled, and the tier that its declaration is worth."""

    journaled: bool
    tier: Tier


class Claimed(_Message, frozen=True, tag="claimed"):
    """The words that are used for a tier's guarantee."""

    words: str


class Code(Enum):
    """Why an operation was not done."""

    BAD_REQUEST = "bad_request"
    UNSUPPORTED = "unsupported"
    OWNED_BY_ANOTHER = "owned_by_another"
    FENCED = "fenced"
    REFUSED = "refused"
    BUSY = "busy"
    STORE = "store"
    UNKNOWN_RUN = "unknown_run"
    UNKNOWN_ROW = "unknown_row"
    INTERNAL = "internal"


class Error(_Message, frozen=True, tag="error"):
    """An operation that was not done, or not known to be done.

    ``definite``: nothing was changed. ``message`` names the thing, the place and the remedy.
    """

    code: Code
    message: str
    definite: bool


Answer: TypeAlias = (
    Welcome
    | Reached
    | Done
    | Ended
    | Owned
    | Gated
    | Begun
    | Prepared
    | Settled
    | NodeEnded
    | Swept
    | Reserved
    | Told
    | Rows
    | Events
    | Digested
    | Classified
    | Claimed
    | Error
)

_requests = msgspec.json.Decoder(Request)
_answers = msgspec.json.Decoder(Answer)


class BadMessage(ValueError):
    """A line that is no message of the protocol; the text names the field or the byte."""


def encode(message: Request | Answer) -> bytes:
    """A message as the line that carries it."""
    return msgspec.json.encode(message) + b"\n"


def decode_request(line: bytes) -> Request:
    """Read a request. Raises :class:`BadMessage`."""
    try:
        return decoded(_requests, line)
    except Unreadable as error:
        raise BadMessage(f"not a request of protocol {PROTOCOL_VERSION}: {error}") from error


def decode_answer(line: bytes) -> Answer:
    """Read an answer. Raises :class:`BadMessage`."""
    try:
        return decoded(_answers, line)
    except Unreadable as error:
        raise BadMessage(f"not an answer of protocol {PROTOCOL_VERSION}: {error}") from error
