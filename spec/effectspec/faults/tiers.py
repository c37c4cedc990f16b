"""Faults in what a tier promises and whom it believes (§1, §5)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault, red

FAULTS = (
    Fault(
        "key-lives-for-ever",
        "T-2",
        "a retry after the target forgot the key is a second effect",
        wrong_rules.key_lives_for_ever,
        red=red(
            contracts="T-2",
            model="T-2",
            interleavings="T-2",
            kills="T-2 T-6 G-4 G-9 G-13 S-1 A-1 A-3",
            besides="O-3",
        ),
        witness=("T-2/key-forgotten/tier-1",),
    ),
    Fault(
        "key-judged-once",
        "T-2",
        "a sender that pauses sends a second effect under a key that is forgotten by then",
        wrong_rules.key_judged_once,
        red=red(contracts="T-2", model="T-2", besides="T-2 O-3"),
        witness=("T-2/key-over-before-the-call-leaves/tier-1",),
        unseen="the sender is only slow, nothing is killed",
    ),
    Fault(
        "tier-kept-without-reconciler",
        "T-6",
        "a promise is made that nothing can keep",
        wrong_rules.tier_kept_without_reconciler,
        red=red(
            contracts="T-6",
            model="T-2",
            interleavings="T-6",
            kills="T-6",
        ),
        witness=("C-9/gate/tier-2/without-reconciler",),
    ),
    Fault(
        "annotation-trusted",
        "M-1",
        "a hostile server declares its own tool safe to repeat",
        wrong_rules.annotation_trusted,
        red=red(contracts="M-1", kills="M-1 A-1"),
        witness=("M-1/annotations",),
    ),
    Fault(
        "everything-exactly-once",
        "T-5",
        "people build on a guarantee that is not there",
        wrong_rules.everything_exactly_once,
        red=red(contracts="T-4 T-5", besides="T-5"),
        witness=("T-5/claims",),
        unseen="a claim is only asked for, nothing is killed",
    ),
)
"""In the order of the rules that they break."""
