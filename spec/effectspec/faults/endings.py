"""Faults in how a run ends and what is swept then (§8, §9, §13)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault, red

FAULTS = (
    Fault(
        "attention-sweeps",
        "R-2",
        "after a later discard, a committed effect is done again",
        wrong_rules.attention_sweeps,
        red=red(
            contracts="R-2",
            model="T-4 T-6 R-2",
            interleavings="R-2",
            kills="G-1 G-2 G-7 G-8 S-3 R-2",
        ),
        witness=("C-11/discarded-later/tier-3",),
    ),
    Fault(
        "ended-runs-are-resumed",
        "R-2",
        "a run that has completed goes on, and does more",
        wrong_rules.ended_runs_are_resumed,
        red=red(
            contracts="R-2",
            model="T-4 T-6 A-4",
            interleavings="R-2",
            kills="A-1",
            besides="A-3 B-1",
        ),
        witness=("B-1/second-egress/tier-3",),
        unseen="no case sweeps a run beside its next incarnation; that it has one is A-1 there",
    ),
    Fault(
        "unresolved-swept",
        "R-1",
        "the only record of an unknown outcome is deleted",
        wrong_rules.unresolved_swept,
        red=red(contracts="A-3 R-1", model="R-1 R-2", interleavings="R-1", kills="A-3 R-1 R-2"),
        witness=("R-1/aged/tier-3",),
    ),
    Fault(
        "budget-pauses-late",
        "B-1",
        "an approval replays what the turn has already done",
        wrong_rules.budget_pauses_late,
        red=red(contracts="B-1", model="B-1", kills="B-1", besides="A-3"),
        witness=("B-1/nothing-done-yet/tier-3",),
    ),
    Fault(
        "attention-exits-as-failure",
        "A-3",
        "a script retries what a human must look at",
        wrong_rules.attention_exits_as_failure,
        red=red(
            contracts="F-1 A-3",
            kills=("T-2 G-1 G-3 G-4 G-5 G-6 G-8 G-9 G-12 G-13 M-1 O-3 O-4 A-2 A-3 A-4 L-3"),
            besides="F-1",
        ),
        witness=("C-6/first/C-4/no calls/tier-3",),
    ),
    Fault(
        "first-egress-fails",
        "B-2",
        "a run that an approval could have saved is lost",
        wrong_rules.first_egress_fails,
        red=red(contracts="B-2", model="B-2", kills="G-13 B-2", besides="A-1"),
        witness=("B-2/approved/tier-3",),
    ),
    Fault(
        "attention-reported-as-held",
        "A-2",
        "a script waits for an outbox that holds nothing, and nobody looks at the target",
        wrong_rules.attention_reported_as_held,
        red=red(
            contracts="F-1 A-3",
            kills=("T-2 G-1 G-3 G-4 G-5 G-6 G-8 G-9 G-12 G-13 M-1 O-3 O-4 A-2 A-3 A-4 L-3"),
            besides="F-1",
        ),
        witness=("A-2/attention-is-recorded/tier-1",),
    ),
)
"""In the order of the rules that they break."""
