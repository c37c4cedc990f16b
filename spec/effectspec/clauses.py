"""The register of clauses: every rule of the contract under a permanent id.

Code, tests, reports and documentation cite a rule by its id ("G-4"). The contract document stays
the authority; this table says what each rule asks for and which kinds of evidence show it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

SUGGESTIONS: Final = 3
"""Ids offered for an unknown one: enough to cover a slip, few enough for one line."""

Section: TypeAlias = Literal[
    "§1",
    "§2",
    "§3",
    "§4",
    "§5",
    "§6",
    "§7",
    "§8",
    "§9",
    "§10",
    "§11",
    "§12",
    "§13",
    "§14",
]
"""A section of the contract document."""


class Evidence(StrEnum):
    """A kind of evidence; :data:`MEANINGS` says what each is."""

    RULE = "rule"
    MODEL = "model"
    REF = "ref"
    CONF = "conf"
    KILL = "kill"


RULE, MODEL, REF, CONF, KILL = Evidence

MEANINGS: Final[Mapping[Evidence, str]] = MappingProxyType(
    {
        RULE: "a pure function with contracts, checked symbolically and by exhaustive tables",
        MODEL: "a property of the explored model",
        REF: "the reference journal or engine, tested on real storage",
        CONF: "the conformance suite, which reaches any implementation through its adapter",
        KILL: "the crash harness: a process really is killed, or a write really fails",
    }
)
"""What each kind of evidence is."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule of the contract that can be shown true or false."""

    id: str
    section: Section
    title: str
    text: str
    shown_by: tuple[Evidence, ...]


class UnknownClauseError(LookupError):
    """No clause has the given id; the message names the nearest ids."""


def clause(clause_id: str) -> Clause:
    """The clause of this id, such as "G-4" or "g-4". Raises `UnknownClauseError`."""
    known = CLAUSES.get(clause_id.upper())
    if known is None:
        nearest = get_close_matches(clause_id.upper(), CLAUSES, n=SUGGESTIONS, cutoff=0.0)
        raise UnknownClauseError(
            f"no clause {clause_id!r} in the register; the nearest ids are {', '.join(nearest)}"
        )
    return known


_TABLE: Final = (
    # T · Tiers
    Clause(
        "T-1",
        "§1",
        "Prepare first, settle last",
        "A tool call that changes the outside world is written to the journal before it leaves the "
        "process, and again as soon as its outcome is known; both writes survive the process.",
        (MODEL, REF, CONF, KILL),
    ),
    Clause(
        "T-2",
        "§1",
        "Tier 1 may send again",
        "If the target de-duplicates on a key that its caller chose, an attempt of unknown outcome "
        "is sent once more with the very key kept on the row, and the effect still happens once.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "T-3",
        "§1",
        "Tier 2 asks for a receipt",
        "If the target can tell later what it did, the journal mints a reference at prepare, keeps "
        "it on the row, sends it along, and settles an open row by looking it up (reading 9).",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "T-4",
        "§1",
        "Tier 3 goes out at most once",
        "A call whose target offers neither key nor receipt leaves the process one time at most; "
        "nothing but an operator's decision can lead to a second one.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "T-5",
        "§1",
        "Who may say “exactly once”",
        "One claim function words the guarantee for every surface: plainly for tier 1, for tier 2 "
        "only with its condition (after reconciliation), for tier 3 not at all.",
        (RULE, CONF),
    ),
    Clause(
        "T-6",
        "§1",
        "No reconciler, no tier",
        "Declaring tier 1 or 2 buys nothing until a reconciler is registered: the answer is tier "
        "3's, and the refusal says which tier was declared.",
        (RULE, MODEL, REF, CONF),
    ),
    # I · The five identities
    Clause(
        "I-1",
        "§2",
        "A run's or a session's, never both",
        "A correlation holds either run id, node id and attempt or session id and turn; it is a "
        "closed union, so that a mixture cannot be built.",
        (RULE,),
    ),
    Clause(
        "I-2",
        "§2",
        "The attempt number identifies nothing",
        "Node-retry attempts count from 1 again after a crash-resume and after a budget approval; "
        "the number is kept for audit and stays out of every look-up and every identity.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "I-3",
        "§2",
        "A slot numbers every call of a turn",
        "Slots count from zero in the provider's order and on through all provider rounds of a "
        "turn, whether a call is journaled or not; a session's `!` commands take negative numbers.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "I-4",
        "§2",
        "Slots of two responses do not match up",
        "A replayed model may ask for other calls, or for the same ones in another order, so equal "
        "slot numbers from before and after it say nothing about each other.",
        (MODEL,),
    ),
    Clause(
        "I-5",
        "§2",
        "One identity, one undiscarded row",
        "Correlation less attempt, slot and tool id together occur once among the rows that nobody "
        "discarded; of two processes that prepare the same three, exactly one succeeds.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "I-6",
        "§2",
        "Attempt ids are for audit",
        "Node and provider attempt, tool-call id and the owner's fence tell which occurrence a row "
        "records; no decision about duplicates looks at them.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "I-7",
        "§2",
        "Tier 1 keys are minted once",
        "Only tier 1 has a key for its target; it is made at prepare, kept on the row and sent "
        "unchanged with each retry, and nothing that the model wrote goes into it.",
        (RULE, REF, CONF),
    ),
    Clause(
        "I-8",
        "§2",
        "A session records the engine's call ids",
        "The provider attempt and engine-assigned id given with a session's call replace what the "
        "wiring supplied, while a run keeps its node and fence fields; an id chosen by a provider "
        "or a model is never part of a session's stored attempt.",
        (REF, CONF),
    ),
    Clause(
        "I-9",
        "§2",
        "A placeholder proves nothing",
        "`session`, `home` and `agent-run`, which old wiring wrote where a call id belongs, are no "
        "evidence that a turn was completed.",
        (RULE, REF, CONF),
    ),
    # J · What is journaled
    Clause(
        "J-1",
        "§3",
        "Journaling is a predicate",
        "A call is journaled exactly when its definition, validated arguments and resolved target "
        "amount to an external mutation and the definition does not declare duplicates benign.",
        (RULE, CONF),
    ),
    Clause(
        "J-2",
        "§3",
        "Governed does not mean journaled",
        "What decides is the resolved call and not its security class: a GET or a clipboard read "
        "may need approval and yet leaves no row.",
        (RULE, CONF),
    ),
    Clause(
        "J-3",
        "§3",
        "Two tools decide by their arguments",
        "`http_request` is journaled unless its method is GET, and `write_file` when it appends "
        "but not when it replaces the file.",
        (RULE, REF, CONF),
    ),
    Clause(
        "J-4",
        "§3",
        "Only first-party code calls a duplicate benign",
        "The flag belongs to built-in definitions, among which only `notify` carries it; bytes "
        "from an MCP server or a discovered descriptor have no way to set it.",
        (RULE, REF, CONF),
    ),
    Clause(
        "J-5",
        "§3",
        "A local file is external",
        "The boundary is the process and not the machine, so a write to the local file system is a "
        "mutation like any other.",
        (RULE, REF),
    ),
    # G · The resume gate
    Clause(
        "G-1",
        "§4",
        "The gate reads by node, not by attempt",
        "For a correlation without a terminal node record the gate takes in every earlier record "
        "whose duplicate would do harm, with the attempt left out of the key.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "G-2",
        "§4",
        "A retained result answers again",
        "A run's committed row that still has its result answers the repeated call from the "
        "record, and the tool is not called.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "G-3",
        "§4",
        "Committed without a result goes by tier",
        "Tier 1 sends again under the key on the row, tier 2 looks its receipt up, and tier 3 asks "
        "for a human.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "G-4",
        "§4",
        "An open outcome goes by tier",
        "On a row that is prepared, dispatched or ambiguous, tiers 1 and 2 first reconcile and "
        "decide on what that shows, while tier 3 asks for a human.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "G-5",
        "§4",
        "Committed is no green light",
        "A committed row that did not keep its result stops the node no less than an unresolved "
        "one of its tier.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "G-6",
        "§4",
        "A replay needs four matches",
        "Prepare answers `replay` when the identity, the argument digest and the output-mapping "
        "configuration are the row's own and its result was kept, and in no other case.",
        (RULE, REF, CONF),
    ),
    Clause(
        "G-7",
        "§4",
        "Delivered as recorded",
        "The value that the model saw, whether it was truncated, its summary and what the output "
        "mapping made of it come off the row; none of them is worked out a second time.",
        (REF, CONF),
    ),
    Clause(
        "G-8",
        "§4",
        "A mismatch refuses",
        "A committed row that differs from the call in its place neither answers that call nor "
        "lets it go out.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "G-9",
        "§4",
        "The gate runs before the scheduler",
        "Each node that the checkpoint leaves free to run again is judged before the first one is "
        "scheduled, so that a changed answer of the model does not slip by an open effect.",
        (MODEL, REF, CONF, KILL),
    ),
    Clause(
        "G-10",
        "§4",
        "An unreadable journal refuses",
        "If the gate cannot read its rows the resume is refused; not knowing of an effect is never "
        "taken for its absence.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "G-11",
        "§4",
        "A session never replays",
        "A prepare that meets a row of its own identity in a session is refused, also where an "
        "older version kept a result, and no reader gives a session's result out.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "G-12",
        "§4",
        "Open rows hold their node open",
        "While one of a node's effects is unresolved, the node cannot be recorded as completed.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "G-13",
        "§4",
        "An approved budget meets the gate",
        "Running a node again after a budget approval is judged just as it would be after a crash.",
        (RULE, MODEL, REF, CONF),
    ),
    # M · Trust
    Clause(
        "M-1",
        "§5",
        "MCP tools stay tier 3",
        "A tool discovered through MCP is opaque for good; no annotation or descriptor of its own "
        "lifts it.",
        (RULE, REF, CONF),
    ),
    Clause(
        "M-2",
        "§5",
        "MCP tools are never benign",
        "Nor can what a discovered tool says about itself make its duplicates harmless.",
        (RULE, REF, CONF),
    ),
    # S · The state machine
    Clause(
        "S-1",
        "§6",
        "A closed set of transitions",
        "A row starts prepared, is dispatched, and becomes committed or ambiguous; a resume may "
        "turn prepared into ambiguous, reconciling may turn ambiguous into committed, and what "
        "stays open becomes needs_attention until an operator resolves it. There is no other step: "
        "an operator who meets an open row first takes it along this path in one transaction "
        "(reading 6).",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "S-2",
        "§6",
        "Two writes per dispatch",
        "Only prepare and settle are written; `dispatched` is how a prepared row without a settle "
        "is read, and no state that is stored.",
        (MODEL, REF, CONF, KILL),
    ),
    Clause(
        "S-3",
        "§6",
        "Committed and resolved are final",
        "No row leaves either state; a committed row that lacks its result may be given it and its "
        "projections, one time (reading 4).",
        (RULE, MODEL, REF),
    ),
    # O · Ordering and failure
    Clause(
        "O-1",
        "§7",
        "Failed validation leaves no row",
        "Bad arguments, a policy's no or a missing approval end in an ordinary refusal before the "
        "journal is touched.",
        (RULE, REF, CONF),
    ),
    Clause(
        "O-2",
        "§7",
        "Without a prepare there is no effect",
        "The prepare is durable, checks the fence and has an immediate transaction to itself; when "
        "it fails, the call stays inside the process.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "O-3",
        "§7",
        "An unknown outcome settles ambiguous",
        "Silence from the target, or an answer that does not tell what happened (reading 10), is "
        "recorded as ambiguous and never reaches the node's retry policy.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "O-4",
        "§7",
        "A failed settle stops the run",
        "The settle follows its answer at once; if it cannot be written, the row is left prepared "
        "and the run ends with needs_attention, without a retry.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "O-5",
        "§7",
        "What follows the settle does not undo it",
        "Mapping, bounding, spilling, sending an event, an abort or a guard's receipt can fail "
        "after the effect; the settled row holds, and the node fails beyond the reach of a retry.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "O-6",
        "§7",
        "After a prepare no failure is retried",
        "Once a node attempt has prepared an effect, whatever fails later in it, such as its next "
        "provider call, stays off the node-retry path.",
        (RULE, MODEL, REF, CONF),
    ),
    # F · Ownership; the contract document names the fence in §2 and enforces it in §7
    Clause(
        "F-1",
        "§2",
        "One owner, taken before the gate reads",
        "Owner id and generation name the one owner of a run. A resume takes over only after the "
        "lock or lease before it has gone, commits a higher generation ahead of the gate's read, "
        "and otherwise leaves with exit 6.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "F-2",
        "§7",
        "Each write checks its generation",
        "Prepare, settle, checkpoint, terminal and sweep compare the generation within the "
        "transaction that writes; waiting for a lock has a bound, and its end is a refusal.",
        (MODEL, REF, CONF, KILL),
    ),
    # A · Needs attention on a run
    Clause(
        "A-1",
        "§8",
        "Attention is an error code",
        "A run that an unresolved tier 3 effect stops ends as `run:failed` carrying "
        "`effect_needs_attention`; no terminal event and no run status is added for it.",
        (RULE, REF, CONF, KILL),
    ),
    Clause(
        "A-2",
        "§8",
        "Effect health is not durability",
        "Whether the terminal reached the durable log and whether an effect is in doubt are told "
        "apart, so such a run is not called `uncertain`.",
        (RULE, REF, CONF),
    ),
    Clause(
        "A-3",
        "§8",
        "Exit 7 asks for a human",
        "Once all admitted work has joined, the exit is 7 for that error code or for attention "
        "found behind a good terminal, unless uncertain money outranks it; a held terminal (5), a "
        "run owned elsewhere (6) and an ordinary failure keep exits of their own.",
        (RULE, REF, CONF),
    ),
    Clause(
        "A-4",
        "§8",
        "A stopped run stops again",
        "Resumed without an operator's decision, it comes back to the gate and to the same stop, "
        "and nothing is sent.",
        (MODEL, REF, CONF, KILL),
    ),
    Clause(
        "A-5",
        "§8",
        "An operator decides, and once",
        "To accept or to discard an unresolved row is stored on the row with who did it and when; "
        "a further decision on it is refused.",
        (RULE, MODEL, REF, CONF),
    ),
    # D · Disclosure in a session
    Clause(
        "D-1",
        "§8",
        "A session tells and goes on",
        "A chat-resume and a reseat, of the model or from home, disclose and do not block. Input "
        "waits for the activation to end, and end-of-input for the delivery.",
        (RULE, REF, CONF),
    ),
    Clause(
        "D-2",
        "§8",
        "One snapshot of rows and transcript",
        "A read transaction of its own takes effect metadata without content together with all "
        "transcript rows that decode strictly, those older than a compaction or trim included.",
        (REF, CONF),
    ),
    Clause(
        "D-3",
        "§8",
        "Open rows are shown at each resume",
        "Whatever is unresolved, a `!` command's row too, is disclosed time after time until "
        "somebody resolves it.",
        (RULE, REF, CONF, KILL),
    ),
    Clause(
        "D-4",
        "§8",
        "An unfinished turn's landed effect is told",
        "A committed row of a model's call is disclosed when its engine call id is valid and no "
        "completed exchange holds it; when one does, nothing is said.",
        (RULE, REF, CONF),
    ),
    Clause(
        "D-5",
        "§8",
        "Doubtful attribution is disclosed",
        "Ids that are corrupt, repeated or at odds with their tool, and legacy placeholders, count "
        "as possibly incomplete. An exchange that is orphaned, abandoned or without a terminal is "
        "not a completed one, and no number of completed turns joins or limits anything.",
        (RULE, REF, CONF),
    ),
    Clause(
        "D-6",
        "§8",
        "A landed `!` command is silent",
        "Its committed row belongs to no turn of the model, and so to none that was cut short.",
        (RULE, REF, CONF),
    ),
    Clause(
        "D-7",
        "§8",
        "No deletion without an acknowledged notice",
        "Evidence goes only when exactly this notice reached the active surface and was "
        "acknowledged, and the ownership check after that still holds; a failure on the way, an "
        "older equal notice or a callback that comes too late keeps it, and a late one leaves a "
        "closed database alone. The notice sends its reader to the target first.",
        (MODEL, REF, CONF, KILL),
    ),
    Clause(
        "D-8",
        "§8",
        "On stderr, delivered means written",
        "On a plain or JSON surface the notice counts when the write to that very sink is done, "
        "not when it was queued; stdout carries events and nothing else.",
        (REF, KILL),
    ),
    Clause(
        "D-9",
        "§8",
        "Told once per completed sweep",
        "After its sweep a committed row is not disclosed again; a crash ahead of the sweep may "
        "repeat the notice. In neither case is an effect sent again.",
        (MODEL, REF, CONF, KILL),
    ),
    Clause(
        "D-10",
        "§8",
        "A hidden notice acknowledges nothing",
        "A surface that is clipped, replaced, suspended or unmounted, and so shows less than the "
        "whole notice, may not acknowledge; activation ends nevertheless and input works.",
        (MODEL, REF),
    ),
    # R · Retention
    Clause(
        "R-1",
        "§9",
        "Unresolved rows outlive their run",
        "Age removes none of them, and since no foreign key ties a row to its run, a purge of the "
        "run leaves it behind.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "R-2",
        "§9",
        "Committed rows wait for the terminal",
        "A run's committed rows are swept when it has ended, and not while a resume could still "
        "need them.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "R-3",
        "§9",
        "A session sweep deletes what it read",
        "Only rows that the disclosure captured go, after it was delivered, and each is compared "
        "anew in physical id, scope, slot, tool and committed state; a row that was committed "
        "later, has changed or sits under a reused id stays.",
        (RULE, MODEL, REF, CONF, KILL),
    ),
    Clause(
        "R-4",
        "§9",
        "A sweep is one transaction of its own",
        "One immediate transaction, tried again while busy, holds every chunk and the turn "
        "allocator's floor, so that no turn key comes free; what is counted is what was deleted, "
        "and inside somebody else's transaction both reads and sweeps refuse.",
        (REF, CONF, KILL),
    ),
    Clause(
        "R-5",
        "§9",
        "A one-shot run sweeps what it reserved",
        "However an agent run ends, failed set-up and teardown included, its committed rows are "
        "swept and its unresolved ones kept; where the reservation was refused nothing is swept.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "R-6",
        "§9",
        "Each session sweep checkpoints",
        "The WAL is checkpointed behind the commit of every session sweep, also of one that found "
        "nothing to delete.",
        (REF, CONF),
    ),
    Clause(
        "R-7",
        "§9",
        "Resolving bounds growth, time does not",
        "What accumulates stays until an operator clears it, who can list it, count it and resolve "
        "it.",
        (REF,),
    ),
    # P · Durability scope
    Clause(
        "P-1",
        "§10",
        "Process death yes, power loss no",
        "The promise covers the death of a process; no output and no page may let a reader think "
        "that it covers a power cut.",
        (REF, KILL),
    ),
    # X · Secrets
    Clause(
        "X-1",
        "§11",
        "Rows hold a digest, no arguments",
        "All that is kept of a call's arguments is the digest of a redacted projection, from which "
        "declared secret keys were taken out before hashing.",
        (RULE, REF, CONF),
    ),
    Clause(
        "X-2",
        "§11",
        "The digest has one form",
        "It reads `v5:` and then, in hex, the SHA-256 of the projection as canonical JSON; hash "
        "and canonicaliser are vetted libraries (reading 14).",
        (RULE, CONF),
    ),
    Clause(
        "X-3",
        "§11",
        "Older digests match nothing",
        "A row whose digest has no version, or one from `v2:` to `v4:`, refuses the prepare that "
        "meets it, and the older form is never computed to compare.",
        (RULE, REF, CONF),
    ),
    Clause(
        "X-4",
        "§11",
        "Whole values are hashed",
        "Nothing that survives redaction is cut: strings that part only after a long common start "
        "give different digests.",
        (RULE, CONF),
    ),
    Clause(
        "X-5",
        "§11",
        "Odd keys stay data",
        "A nested key of the arguments' own, be it `__proto__`, is carried over as a member like "
        "the rest.",
        (RULE, CONF),
    ),
    Clause(
        "X-6",
        "§11",
        "Masks reach a secret's real end",
        "In a URL, user information is masked up to the last `@` of the authority and a recognised "
        "query value up to its delimiter, however long; everything else stays. A quoted value is "
        "masked up to the quote that really closes it, escapes heeded.",
        (RULE, CONF),
    ),
    Clause(
        "X-7",
        "§11",
        "A credential key hides its whole value",
        "The mask falls before anyone looks inside; at most the canonical name of a Bearer, Basic "
        "or Token scheme that opens the value remains, with `[redacted]` after it.",
        (RULE, CONF),
    ),
    Clause(
        "X-8",
        "§11",
        "Credential flags hide their argument",
        "In an argument vector such a flag masks the element behind it, or all that follows its "
        "`=`; only `-p`, which may also mean a port, is let off when its value looks like one.",
        (RULE, CONF),
    ),
    Clause(
        "X-9",
        "§11",
        "No tail survives, nothing else is lost",
        "Recognised values are masked to their end, public fields of no known shape keep all they "
        "hold, and the tool receives its arguments unmasked.",
        (RULE, CONF),
    ),
    Clause(
        "X-10",
        "§11",
        "Session results are never stored",
        "The column is SQL NULL on every session row; a result that is offered is not looked at, "
        "its serialiser included, and readers for sessions leave the column out.",
        (REF, CONF),
    ),
    Clause(
        "X-11",
        "§11",
        "Opening clears legacy session results",
        "With secure_delete on, an open migrates, sets the high-water marks, removes in an "
        "immediate transaction what older versions stored as session results and nothing else, "
        "and ends with a TRUNCATE checkpoint.",
        (REF, CONF, KILL),
    ),
    Clause(
        "X-12",
        "§11",
        "Freed bytes leave both files",
        "When a checkpoint has succeeded, neither the database nor its WAL holds them. A reader in "
        "the way postpones that and a fixed warning tells so; a later open or sweep catches up, "
        "even one that changes no row.",
        (REF, CONF, KILL),
    ),
    Clause(
        "X-13",
        "§11",
        "A broken sink breaks no open",
        "A warning that cannot be written neither takes back an open that succeeded nor runs its "
        "maintenance twice. There is no VACUUM, and nothing is promised of pages that were free "
        "before the upgrade.",
        (REF,),
    ),
    Clause(
        "X-14",
        "§11",
        "Bad history isolates one session",
        "Back-fill gives every legacy session its turn allocator and keeps the erasure of orphans "
        "without rows. Where identity history is invalid, that session alone is refused turns "
        "and committed-row sweeps, keeps its evidence and shows a fixed warning.",
        (REF, CONF),
    ),
    Clause(
        "X-15",
        "§11",
        "Redaction states its limits",
        "Inline media is masked; previews are cut after projection and never hashed; stored "
        "digests are not rewritten, nor is the admission of top-level arguments changed. Only a "
        "finite list of shapes is detected, and the documentation says so.",
        (RULE, REF, CONF),
    ),
    # C · The crash matrix
    Clause(
        "C-1",
        "§12",
        "Death ahead of the prepare's commit",
        "Neither row nor effect is found, and the resume makes the call as an ordinary first one.",
        (KILL,),
    ),
    Clause(
        "C-2",
        "§12",
        "Death between prepare and call",
        "The row is prepared and the target counts 0; at tier 3 a human is asked and nothing goes "
        "out.",
        (KILL,),
    ),
    Clause(
        "C-3",
        "§12",
        "Death between effect and settle",
        "The row is prepared and the target counts 1, as it still does after the resume: tier 3 "
        "asks a human, tier 1 sends again under its key, tier 2 commits on the receipt it finds.",
        (KILL,),
    ),
    Clause(
        "C-4",
        "§12",
        "Death between settle and tool result",
        "The row is committed, the resume delivers what it holds, and the count is 1.",
        (KILL,),
    ),
    Clause(
        "C-5",
        "§12",
        "Death between tool result and node end",
        "Before `node:completed` is stored the record still answers the resume, and the count is "
        "1.",
        (KILL,),
    ),
    Clause(
        "C-6",
        "§12",
        "Death among two effects of one node",
        "A kill at each of these points for each of the two leaves either effect as its own point "
        "says; if one of them blocks, the node is blocked.",
        (KILL,),
    ),
    Clause(
        "C-7",
        "§12",
        "Two processes, one identity",
        "One of the two prepares is accepted, the other refused, and the count is 1.",
        (KILL,),
    ),
    Clause(
        "C-8",
        "§12",
        "A settle that cannot be written",
        "The row is left prepared, needs_attention stops the run, and the count is 1.",
        (KILL,),
    ),
    Clause(
        "C-9",
        "§12",
        "Three tiers, three answers",
        "With its reconciler tier 1 retries and tier 2 reconciles; without one both ask, as tier 3 "
        "always does. The guarantee of each tier holds either way.",
        (KILL,),
    ),
    Clause(
        "C-10",
        "§12",
        "One disclosure, two chat-resumes",
        "A landed effect is told once per completed sweep (D-9); two resumes at a time get turn "
        "keys that differ, and neither of them is said to be alone.",
        (KILL,),
    ),
    Clause(
        "C-11",
        "§12",
        "The edge of the retention sweep",
        "Kills on both sides of a sweep lose no evidence: nothing goes that a resume could need, "
        "and nothing that is unresolved (R-2, R-3).",
        (KILL,),
    ),
    # B · The budget path
    Clause(
        "B-1",
        "§13",
        "After the first egress a pause becomes a failure",
        "From the second provider call of a turn onward, a budget verdict that would have paused "
        "the node fails it with the budget error; nothing is replayed and no further call goes "
        "out.",
        (RULE, MODEL, REF, CONF),
    ),
    Clause(
        "B-2",
        "§13",
        "The first egress may pause",
        "Before a turn's first provider call a pause is as usual: no tool of the turn has run yet, "
        "so a fresh start repeats no effect.",
        (RULE, MODEL, REF, CONF),
    ),
    # L · Named limits
    Clause(
        "L-1",
        "§14",
        "Sessions have no owner",
        "To resume one session twice at a time is not supported: the durable allocator hands each "
        "host a turn key of its own, and both may send one request under two identities. The model "
        "reaches this duplicate, and the documentation calls it a limit.",
        (MODEL, REF, CONF),
    ),
    Clause(
        "L-2",
        "§14",
        "`!` commands count anew per key",
        "Each newly allocated turn key begins their negative ordinals from the start.",
        (REF,),
    ),
    Clause(
        "L-3",
        "§14",
        "Credentials alone change no digest",
        "Calls that differ only in what is excluded or masked have one digest; a difference in "
        "anything else refuses the replay at a slot that is taken.",
        (RULE, CONF),
    ),
)

CLAUSES: Final[Mapping[str, Clause]] = MappingProxyType({entry.id: entry for entry in _TABLE})
"""All clauses by id, in the order of the contract's own list."""
