"""Faults of the resume gate and of what a re-run is answered (§4)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault

FAULTS = (
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
    Fault(
        "derived-again",
        "G-7",
        "a replay puts another value into the run than the original",
    ),
    Fault(
        "completes-beside-unresolved",
        "G-12",
        "a run reports success over an effect that nobody knows the outcome of",
        wrong_rules.completes_beside_unresolved,
    ),
)
"""In the order of the rules that they break."""
