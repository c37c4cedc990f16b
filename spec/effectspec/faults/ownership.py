"""Faults of the fence (§2, §7)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault, red

FAULTS = (
    Fault(
        "gate-before-ownership",
        "F-1",
        "a dead writer's row appears after the gate looked",
        red=red(model="G-9", kills="T-2 I-6 I-7 G-3 G-4 G-12 G-13 F-1 F-2 A-1 C-6"),
        witness=("F-1/declared-dead/tier-1",),
    ),
    Fault(
        "fence-unchecked",
        "F-2",
        "a stalled owner writes on beside its successor",
        wrong_rules.fence_unchecked,
        red=red(contracts="F-2", model="G-9 F-2", interleavings="F-2", kills="T-4 F-2 A-1"),
        witness=("F-2/woken-before-a-prepare/tier-3",),
    ),
    Fault(
        "live-owner-replaced",
        "F-1",
        "two live processes work on one run",
        wrong_rules.live_owner_replaced,
        red=red(contracts="F-1", model="F-1", interleavings="F-1", besides="F-1"),
        witness=("F-1/owner-alive/tier-3",),
        unseen="no kill shows it, since the owner has to live",
    ),
    Fault(
        "late-settle-overwrites",
        "S-3",
        "what a resume or an operator decided is undone by a straggler",
        wrong_rules.late_settle_overwrites,
        red=red(
            contracts="S-1 S-3 F-2 A-5",
            model="G-5 S-1 S-3 O-3 F-2",
            interleavings="S-3",
            kills="T-4 F-2 A-1",
            besides="A-5",
        ),
        witness=("F-1/declared-dead/tier-3",),
        unseen="S-3 is not asked of the suite; what a late settle leaves is F-2 there",
    ),
)
"""In the order of the rules that they break."""
