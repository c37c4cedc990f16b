"""Faults in the order of a dispatch (§7)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault

FAULTS = (
    Fault(
        "effect-before-prepare",
        "T-1",
        "killed in between, the effect has no row",
    ),
    Fault(
        "settle-before-send",
        "O-3",
        "killed in between, a row says done and nothing was done",
    ),
    Fault(
        "send-inside-the-transaction",
        "O-2",
        "killed at the send, the row is rolled back",
    ),
    Fault(
        "state-and-result-in-two-commits",
        "S-2",
        "killed in between, the result is lost",
    ),
    Fault(
        "transport-retries",
        "O-3",
        "a connection that breaks after the effect doubles it",
    ),
    Fault(
        "node-retried-after-prepare",
        "O-6",
        "a later failure runs the whole node, and its effects, again",
        wrong_rules.node_retried_after_prepare,
    ),
    Fault(
        "nothing-is-retried",
        "O-1",
        "a slip of the model ends a run that had attempts left",
        wrong_rules.nothing_is_retried,
    ),
)
"""In the order of the rules that they break."""
