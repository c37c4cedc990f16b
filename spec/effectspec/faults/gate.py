"""Faults of the resume gate and of what a re-run is answered (§4)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault, red

FAULTS = (
    Fault(
        "opaque-effect-retried",
        "G-4",
        "an effect that may have happened is done again",
        wrong_rules.opaque_effect_retried,
        red=red(
            contracts="G-4",
            model="T-2 T-4 T-6",
            interleavings="G-4",
            kills=("T-4 T-6 I-2 G-1 G-4 G-9 G-13 M-1 S-1 F-1 F-2 A-1 A-3 A-4 R-1 R-2 C-6 C-9"),
        ),
        witness=("C-8/made-to-fail/tier-1/without-reconciler",),
    ),
    Fault(
        "queryable-effect-retried",
        "G-4",
        "an effect whose receipt could be looked up is done again",
        wrong_rules.queryable_effect_retried,
        red=red(
            contracts="G-4",
            model="T-3",
            interleavings="G-4",
            kills="T-3 I-2 G-2 G-4 G-9 G-12 S-1 A-1 A-4 C-6 C-9",
            besides="F-2",
        ),
        witness=("C-2/tier-2",),
    ),
    Fault(
        "no-receipt-is-absence",
        "T-3",
        "a late request or a slow receipt becomes a second effect",
        wrong_rules.no_receipt_is_absence,
        red=red(
            contracts="G-4 G-5 G-6 A-5",
            model="T-3 G-3",
            interleavings="T-3",
            kills="T-3 G-4 G-9 A-1 A-4 C-6 C-9",
        ),
        witness=("C-2/tier-2",),
    ),
    Fault(
        "committed-is-a-green-light",
        "G-5",
        "a node runs on although its effect's result is gone",
        wrong_rules.committed_is_a_green_light,
        red=red(contracts="G-3", model="G-5", interleavings="G-5", kills="G-3 G-5"),
        witness=("C-9/result-not-retained/tier-1/without-reconciler",),
    ),
    Fault(
        "unretained-opaque-retried",
        "G-3",
        "an effect that is known to have happened is done again, for want of its answer",
        wrong_rules.unretained_opaque_retried,
        red=red(contracts="G-3", model="G-3 T-4 T-6", interleavings="G-3", kills="G-3 G-5 S-3 C-9"),
        witness=("C-9/result-not-retained/tier-3",),
    ),
    Fault(
        "retained-results-are-sent-for",
        "G-2",
        "an effect whose answer is there is done again",
        wrong_rules.retained_results_are_sent_for,
        red=red(
            contracts="G-2",
            model="T-2 T-3 T-4 T-6 I-6 G-2 G-3",
            interleavings="G-2",
            kills=(
                "T-2 I-3 I-6 I-7 G-2 G-3 G-4 G-6 G-7 G-12 G-13 S-3 A-1 A-3 A-5 R-2 B-1 X-9 L-3 "
                "C-4 C-5 C-6 C-7 C-9 C-11"
            ),
            besides="F-1 F-2",
        ),
        witness=("C-4/tier-3",),
    ),
    Fault(
        "rows-bear-on-nothing",
        "G-8",
        "only the unique index stands between a re-run and a second effect",
        wrong_rules.rows_bear_on_nothing,
        red=red(
            contracts="T-2 I-5 G-3 G-4 G-5 G-6 G-8 A-4",
            model="T-2 T-3 T-4 T-6 I-2 I-4 I-5 I-6 G-4 G-8",
            interleavings="G-8",
            kills=(
                "T-2 I-3 I-6 I-7 G-2 G-3 G-4 G-6 G-7 G-8 G-12 G-13 S-3 A-1 A-5 R-2 B-1 L-3 "
                "C-4 C-6 C-7 C-11"
            ),
            besides="F-1 F-2",
        ),
        witness=("G-8/read-first/tier-3",),
    ),
    Fault(
        "gate-fails-open",
        "G-10",
        "a run whose effects are unknown goes on",
        wrong_rules.gate_fails_open,
        red=red(contracts="G-10", model="G-9 G-10", interleavings="G-10", kills="G-10 A-1"),
        witness=("G-10/recorded-effect/tier-3",),
    ),
    Fault(
        "gate-skipped",
        "G-9",
        "a model that answers differently sails past its own effect",
        wrong_rules.gate_skipped,
        red=red(contracts="G-9", model="G-1 G-9", interleavings="G-9", kills="G-1 G-9 A-1 A-4"),
        witness=("C-9/gate/tier-1/without-reconciler",),
    ),
    Fault(
        "approval-skips-the-gate",
        "G-13",
        "money granted after a crash is taken for leave to repeat what the crash left open",
        red=red(model="G-13", kills="G-13"),
        witness=("G-13/pending/tier-1",),
    ),
    Fault(
        "identity-alone",
        "G-8",
        "[A] re-run as [B, A] does A twice",
        wrong_rules.identity_alone,
        red=red(
            contracts="G-3 G-4 G-5 G-8 A-4",
            model="T-2 T-3 T-4 T-6 I-4 G-4 G-8",
            interleavings="G-8",
            kills="G-4 G-8 G-12 A-1 C-6",
        ),
        witness=("G-8/read-first/tier-3",),
    ),
    Fault(
        "same-slot-alone",
        "G-8",
        "[A] re-run as [GET, A] does A twice",
        wrong_rules.same_slot_alone,
        red=red(
            contracts="G-3 G-4 G-5 G-8 A-4",
            model="T-2 T-3 T-4 T-6 I-4 G-4 G-8",
            interleavings="G-8",
            kills="G-4 G-8 G-12 A-1 C-6",
        ),
        witness=("G-8/read-first/tier-3",),
    ),
    Fault(
        "mismatch-replayed",
        "G-6",
        "an old answer is given to a new question",
        wrong_rules.mismatch_replayed,
        red=red(
            contracts="G-6 G-8",
            model="T-4 T-6 G-8",
            interleavings="G-6",
            kills="G-6 G-8 G-12 A-1 C-6 L-3",
        ),
        witness=("G-6/other-arguments",),
    ),
    Fault(
        "derived-again",
        "G-7",
        "a replay puts another value into the run than the original",
        red=red(interleavings="", kills="G-7"),
        witness=("G-7/beyond-the-bound/tier-3",),
        unseen="no node of the interleavings maps an output, which is what differs",
    ),
    Fault(
        "completes-beside-unresolved",
        "G-12",
        "a run reports success over an effect that nobody knows the outcome of",
        wrong_rules.completes_beside_unresolved,
        red=red(
            contracts="G-5 G-12 A-3",
            model="A-4 G-5 G-12",
            interleavings="G-12",
            kills="G-12 A-3 R-2",
        ),
        witness=("G-12/prepared/tier-3",),
    ),
)
"""In the order of the rules that they break."""
