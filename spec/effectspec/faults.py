"""The catalogue of faults: what a wrong implementation does, and who is expected to notice.

A fault is one named deviation from one rule. A *rule fault* maps a :class:`Contract` to another,
so that the explorer, the oracle and the engine all have it for free. A *conduct fault* replaces
one collaborator of an engine or journal and is known here by its name; whoever has a journal
provides it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from effectspec import wrong_rules
from effectspec.contract import Contract

RuleChange: TypeAlias = Callable[[Contract], Contract]
"""A rule fault: gives the contract with the wrong rule in it."""


class Method(Enum):
    """A way of noticing a fault."""

    CONTRACTS = "contracts"
    MODEL = "model"
    INTERLEAVINGS = "interleavings"
    CONFORMANCE = "conformance"
    KILLS = "kills"


@dataclass(frozen=True, slots=True)
class Fault:
    """One deviation from the rule ``clause``.

    ``danger`` says what comes of it. ``rule`` is None for a conduct fault. ``red`` holds, for each
    method that can run against it, exactly the clauses that turn red; an empty set is an
    expectation too, and ``unseen`` gives its reason. ``witness`` names cases in which a short run
    of the conformance suite sees it.
    """

    name: str
    clause: str
    danger: str
    rule: RuleChange | None = None
    red: Mapping[Method, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    witness: tuple[str, ...] = ()
    unseen: str = ""


class UnknownFault(LookupError):
    """No fault has the given name; the message names the nearest."""


def fault(name: str) -> Fault:
    """The fault of this name. Raises :class:`UnknownFault`."""
    known = FAULTS.get(name)
    if known is None:
        nearest = get_close_matches(name, FAULTS, n=3, cutoff=0.0)
        raise UnknownFault(f"no fault {name!r} in the catalogue; nearest: {', '.join(nearest)}")
    return known


def _catalogue(*faults: Fault) -> Mapping[str, Fault]:
    return MappingProxyType({fault.name: fault for fault in faults})


FAULTS: Mapping[str, Fault] = _catalogue(
    # ── the order of a dispatch ──
    Fault("effect-before-prepare", "T-1", "killed in between, the effect has no row"),
    Fault("settle-before-send", "O-3", "killed in between, a row says done and nothing was done"),
    Fault("send-inside-the-transaction", "O-2", "killed at the send, the row is rolled back"),
    Fault("state-and-result-in-two-commits", "S-2", "killed in between, the result is lost"),
    Fault("transport-retries", "O-3", "a connection that breaks after the effect doubles it"),
    Fault(
        "node-retried-after-prepare",
        "O-6",
        "a later failure runs the whole node, and its effects, again",
        wrong_rules.node_retried_after_prepare,
    ),
    # ── identity ──
    Fault("no-unique-identity", "I-5", "two processes send the same effect"),
    Fault("attempt-in-the-look-up", "I-2", "the row of a second attempt is not found by a resume"),
    Fault("new-key-on-retry", "I-7", "the target cannot know that it is the same request"),
    # ── the gate ──
    Fault(
        "opaque-effect-retried",
        "G-4",
        "an effect that may have happened is done again",
        wrong_rules.opaque_effect_retried,
    ),
    Fault(
        "queryable-effect-retried",
        "G-4",
        "an effect whose receipt could be looked up is done again",
        wrong_rules.queryable_effect_retried,
    ),
    Fault(
        "no-receipt-is-absence",
        "T-3",
        "a late request or a slow receipt becomes a second effect",
        wrong_rules.no_receipt_is_absence,
    ),
    Fault(
        "committed-is-a-green-light",
        "G-5",
        "a node runs on although its effect's result is gone",
        wrong_rules.committed_is_a_green_light,
    ),
    Fault(
        "gate-fails-open",
        "G-10",
        "a run whose effects are unknown goes on",
        wrong_rules.gate_fails_open,
    ),
    Fault(
        "gate-skipped",
        "G-9",
        "a model that answers differently sails past its own effect",
        wrong_rules.gate_skipped,
    ),
    Fault(
        "identity-alone",
        "G-8",
        "[A] re-run as [B, A] does A twice",
        wrong_rules.identity_alone,
    ),
    Fault(
        "same-slot-alone",
        "G-8",
        "[A] re-run as [GET, A] does A twice",
        wrong_rules.same_slot_alone,
    ),
    Fault(
        "mismatch-replayed",
        "G-6",
        "an old answer is given to a new question",
        wrong_rules.mismatch_replayed,
    ),
    Fault("derived-again", "G-7", "a replay puts another value into the run than the original"),
    Fault(
        "completes-beside-unresolved",
        "G-12",
        "a run reports success over an effect that nobody knows the outcome of",
        wrong_rules.completes_beside_unresolved,
    ),
    # ── ownership ──
    Fault("gate-before-ownership", "F-1", "a dead writer's row appears after the gate looked"),
    Fault(
        "fence-unchecked",
        "F-2",
        "a stalled owner writes on beside its successor",
        wrong_rules.fence_unchecked,
    ),
    Fault(
        "live-owner-replaced",
        "F-1",
        "two live processes work on one run",
        wrong_rules.live_owner_replaced,
    ),
    Fault(
        "late-settle-overwrites",
        "S-3",
        "what a resume or an operator decided is undone by a straggler",
        wrong_rules.late_settle_overwrites,
    ),
    # ── tiers and trust ──
    Fault(
        "key-lives-for-ever",
        "T-2",
        "a retry after the target forgot the key is a second effect",
        wrong_rules.key_lives_for_ever,
    ),
    Fault(
        "tier-kept-without-reconciler",
        "T-6",
        "a promise is made that nothing can keep",
        wrong_rules.tier_kept_without_reconciler,
    ),
    Fault(
        "annotation-trusted",
        "M-1",
        "a hostile server declares its own tool safe to repeat",
        wrong_rules.annotation_trusted,
    ),
    Fault(
        "everything-exactly-once",
        "T-5",
        "people build on a guarantee that is not there",
        wrong_rules.everything_exactly_once,
    ),
    # ── what is journaled ──
    Fault(
        "reads-journaled",
        "J-2",
        "a crashed read halts a run",
        wrong_rules.reads_journaled,
    ),
    Fault(
        "appends-unjournaled",
        "J-3",
        "a line is appended twice",
        wrong_rules.appends_unjournaled,
    ),
    Fault(
        "secrets-digested",
        "X-1",
        "a stored digest confirms a guess at a short secret",
        wrong_rules.secrets_digested,
    ),
    # ── endings ──
    Fault(
        "attention-sweeps",
        "R-2",
        "after a later discard, a committed effect is done again",
        wrong_rules.attention_sweeps,
    ),
    Fault(
        "unresolved-swept",
        "R-1",
        "the only record of an unknown outcome is deleted",
        wrong_rules.unresolved_swept,
    ),
    Fault(
        "budget-pauses-late",
        "B-1",
        "an approval replays what the turn has already done",
        wrong_rules.budget_pauses_late,
    ),
    Fault(
        "attention-exits-as-failure",
        "A-3",
        "a script retries what a human must look at",
        wrong_rules.attention_exits_as_failure,
    ),
)
"""Every fault, by name."""
