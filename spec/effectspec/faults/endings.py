"""Faults in how a run ends and what is swept then (§8, §9, §13)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault

FAULTS = (
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
    Fault(
        "first-egress-fails",
        "B-2",
        "a run that an approval could have saved is lost",
        wrong_rules.first_egress_fails,
    ),
    Fault(
        "attention-reported-as-held",
        "A-2",
        "a script waits for an outbox that holds nothing, and nobody looks at the target",
        wrong_rules.attention_reported_as_held,
    ),
)
"""In the order of the rules that they break."""
