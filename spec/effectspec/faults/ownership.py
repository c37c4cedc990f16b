"""Faults of the fence (§2, §7)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault

FAULTS = (
    Fault(
        "gate-before-ownership",
        "F-1",
        "a dead writer's row appears after the gate looked",
    ),
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
)
"""In the order of the rules that they break."""
