"""Faults in what a tier promises and whom it believes (§1, §5)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault

FAULTS = (
    Fault(
        "key-lives-for-ever",
        "T-2",
        "a retry after the target forgot the key is a second effect",
        wrong_rules.key_lives_for_ever,
    ),
    Fault(
        "tier-kept-without-reconciler",
        "T-6",
        "a promise is made that nothing can keep",
        wrong_rules.tier_kept_without_reconciler,
    ),
    Fault(
        "annotation-trusted",
        "M-1",
        "a hostile server declares its own tool safe to repeat",
        wrong_rules.annotation_trusted,
    ),
    Fault(
        "everything-exactly-once",
        "T-5",
        "people build on a guarantee that is not there",
        wrong_rules.everything_exactly_once,
    ),
)
"""In the order of the rules that they break."""
