"""Faults in the order of a dispatch (§7)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault, red

FAULTS = (
    Fault(
        "effect-before-prepare",
        "T-1",
        "killed in between, the effect has no row",
        red=red(
            model="T-1 T-4 T-6",
            kills=(
                "T-1 T-2 T-3 T-4 T-6 I-2 I-3 I-6 I-7 G-1 G-2 G-3 G-4 G-6 G-7 G-8 G-9 G-12 G-13 "
                "M-1 S-1 S-2 O-2 O-3 F-1 A-1 A-3 A-4 A-5 R-1 R-2 X-9 C-1 C-2 C-3 C-4 C-5 C-6 "
                "C-9 C-11 B-1 L-3"
            ),
            besides="F-2",
        ),
        witness=("C-1/tier-1",),
    ),
    Fault(
        "settle-before-send",
        "O-3",
        "killed in between, a row says done and nothing was done",
        red=red(
            model="T-1",
            kills=(
                "T-2 T-3 T-4 T-6 I-2 I-6 I-7 G-1 G-2 G-3 G-4 G-6 G-7 G-8 G-9 G-10 G-12 G-13 M-1 "
                "S-1 S-2 O-3 O-4 F-1 F-2 A-1 A-2 A-3 A-4 A-5 R-1 R-2 X-9 C-3 C-4 C-6 C-8 C-9 "
                "C-11 B-2 L-3"
            ),
        ),
        witness=("C-9/drop-after/tier-1",),
    ),
    Fault(
        "send-inside-the-transaction",
        "O-2",
        "killed at the send, the row is rolled back",
        red=red(
            model="T-1 T-4 T-6 O-2",
            kills=(
                "T-1 T-2 T-3 T-4 T-6 I-2 I-5 I-6 I-7 G-1 G-2 G-4 G-8 G-9 G-12 G-13 M-1 S-1 S-2 "
                "O-2 O-3 F-1 A-1 A-3 A-4 A-5 R-1 R-2 C-1 C-2 C-3 C-6 C-9"
            ),
            besides="F-2",
        ),
        witness=("C-1/tier-1",),
    ),
    Fault(
        "state-and-result-in-two-commits",
        "S-2",
        "killed in between, the result is lost",
        red=red(
            model="S-2 F-2",
            interleavings="",
            kills="I-6 I-7 G-2 G-7 G-12 G-13 S-2 A-1 A-2 R-2 P-1 C-4 C-6 C-9 C-11 B-2 L-3",
        ),
        witness=("S-2/one-settle/tier-1",),
        unseen="the interleavings kill between two operations, never within one",
    ),
    Fault(
        "unknown-recorded-as-done",
        "O-3",
        "a run goes on as if an effect had happened that may not have",
        wrong_rules.unknown_recorded_as_done,
        red=red(
            contracts="T-2 S-3 O-3",
            model="O-3",
            interleavings="O-3",
            kills="T-3 G-4 S-1 O-3",
            besides="G-12",
        ),
        witness=("C-9/drop-after/tier-3",),
    ),
    Fault(
        "failed-settle-ignored",
        "O-4",
        "a run goes on, and reports success, over an effect that its journal holds for open",
        red=red(model="O-4", kills="O-4 C-8"),
        witness=("C-8/nothing-follows/tier-3",),
    ),
    Fault(
        "transport-retries",
        "O-3",
        "a connection that breaks after the effect doubles it",
        red=red(kills="T-2 T-3 T-4 T-6 G-4 G-9 S-1 O-3 A-1 A-2 A-3"),
        witness=("C-9/drop-after/tier-1",),
    ),
    Fault(
        "node-retried-after-prepare",
        "O-6",
        "a later failure runs the whole node, and its effects, again",
        wrong_rules.node_retried_after_prepare,
        red=red(contracts="O-6", model="O-5 O-6", kills="O-2 O-5 O-6 A-1 A-3"),
        witness=("O-6/bad-call/tier-1",),
    ),
    Fault(
        "nothing-is-retried",
        "O-1",
        "a slip of the model ends a run that had attempts left",
        wrong_rules.nothing_is_retried,
        red=red(contracts="O-1", model="", besides="O-1 O-6 A-1"),
        witness=("O-1/not-canonical/tier-3",),
        unseen=(
            "where something is killed or fails, nothing is retried anyway; "
            "a node that ends early breaks no property of the model"
        ),
    ),
)
"""In the order of the rules that they break."""
