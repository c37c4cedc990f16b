"""Faults in which calls are journaled (§3)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault

FAULTS = (
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
        "notifications-journaled",
        "J-4",
        "a crashed notification halts a run",
        wrong_rules.notifications_journaled,
    ),
    Fault(
        "discovered-benign",
        "M-2",
        "a hostile server keeps its effects out of the journal",
        wrong_rules.discovered_benign,
    ),
)
"""In the order of the rules that they break."""
