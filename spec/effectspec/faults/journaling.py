"""Faults in which calls are journaled (§3)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault, red

FAULTS = (
    Fault(
        "reads-journaled",
        "J-2",
        "a crashed read halts a run",
        wrong_rules.reads_journaled,
        red=red(contracts="J-2 J-3", kills="I-3 J-2 J-3", besides="O-6 A-1"),
        witness=("J-2/governed-reads",),
    ),
    Fault(
        "appends-unjournaled",
        "J-3",
        "a line is appended twice",
        wrong_rules.appends_unjournaled,
        red=red(contracts="J-3", kills="J-3", besides="J-4"),
        witness=("J-3/by-arguments",),
    ),
    Fault(
        "notifications-journaled",
        "J-4",
        "a crashed notification halts a run",
        wrong_rules.notifications_journaled,
        red=red(contracts="J-4", kills="I-3 J-4", besides="J-1"),
        witness=("J-4/benign-duplicates",),
    ),
    Fault(
        "discovered-benign",
        "M-2",
        "a hostile server keeps its effects out of the journal",
        wrong_rules.discovered_benign,
        red=red(contracts="J-3 M-1 M-2", kills="M-1 M-2 A-1", besides="J-1"),
        witness=("M-2/annotations",),
    ),
)
"""In the order of the rules that they break."""
