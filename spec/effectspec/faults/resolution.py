"""Faults in what an operator may decide (§8)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault, red

FAULTS = (
    Fault(
        "resolved-again",
        "A-5",
        "a decision that a re-run has already acted upon is turned around",
        wrong_rules.resolved_again,
        red=red(contracts="A-5", model="S-3 A-5", interleavings="A-5", kills="A-5"),
        witness=("A-5/accepted-is-not-discarded-later/tier-3",),
    ),
    Fault(
        "landed-discarded",
        "A-5",
        "an effect that is known to have happened is done again",
        wrong_rules.landed_discarded,
        red=red(contracts="A-5", model="A-5", interleavings="A-5", besides="A-5"),
        witness=("A-5/landed-is-not-discarded/tier-3",),
        unseen="an answer that comes late needs nobody to die",
    ),
)
"""In the order of the rules that they break."""
