"""Faults in the digest of the arguments (§11)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault, red

FAULTS = (
    Fault(
        "secrets-digested",
        "X-1",
        "a stored digest confirms a guess at a short secret",
        wrong_rules.secrets_digested,
        red=red(contracts="X-1", kills="X-1 L-3"),
        witness=("X-2/vectors",),
    ),
    Fault(
        "sorted-as-in-python",
        "X-2",
        "another language digests the same call otherwise, and refuses its replay",
        wrong_rules.sorted_as_in_python,
        red=red(contracts="X-2", besides="O-1 X-2"),
        witness=("X-2/vectors",),
        unseen="nothing is killed to learn a digest",
    ),
    Fault(
        "long-values-clipped",
        "X-4",
        "two long texts with a common beginning are taken for one call",
        wrong_rules.long_values_clipped,
        red=red(contracts="X-4", besides="X-4"),
        witness=("X-2/vectors",),
        unseen="nothing is killed to learn a digest",
    ),
    Fault(
        "underscored-keys-dropped",
        "X-5",
        "a call that differs in such a key is given the answer of another",
        wrong_rules.underscored_keys_dropped,
        red=red(contracts="X-4", besides="X-5"),
        witness=("X-2/vectors",),
        unseen="nothing is killed to learn a digest",
    ),
)
"""In the order of the rules that they break."""
