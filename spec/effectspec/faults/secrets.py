"""Faults in the digest of the arguments (§11)."""

from effectspec import wrong_rules
from effectspec.faults.fault import Fault

FAULTS = (
    Fault(
        "secrets-digested",
        "X-1",
        "a stored digest confirms a guess at a short secret",
        wrong_rules.secrets_digested,
    ),
    Fault(
        "sorted-as-in-python",
        "X-2",
        "another language digests the same call otherwise, and refuses its replay",
        wrong_rules.sorted_as_in_python,
    ),
    Fault(
        "long-values-clipped",
        "X-4",
        "two long texts with a common beginning are taken for one call",
        wrong_rules.long_values_clipped,
    ),
    Fault(
        "underscored-keys-dropped",
        "X-5",
        "a call that differs in such a key is given the answer of another",
        wrong_rules.underscored_keys_dropped,
    ),
)
"""In the order of the rules that they break."""
