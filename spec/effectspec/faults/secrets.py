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
        red=red(contracts="X-5", besides="X-5"),
        witness=("X-2/vectors",),
        unseen="nothing is killed to learn a digest",
    ),
    Fault(
        "userinfo-to-the-first-at",
        "X-6",
        "the end of a password with an @ in it can be guessed from its digest",
        wrong_rules.userinfo_to_the_first_at,
        red=red(contracts="X-6", besides="X-6"),
        witness=("X-6/vectors",),
        unseen="nothing is killed to learn a digest",
    ),
    Fault(
        "flag-values-kept",
        "X-8",
        "a command's password can be guessed from its digest",
        wrong_rules.flag_values_kept,
        red=red(contracts="X-8", besides="X-8"),
        witness=("X-8/vectors",),
        unseen="nothing is killed to learn a digest",
    ),
    Fault(
        "credential-suffix-left",
        "X-9",
        "the end of a credential can be guessed, and with it the rest",
        wrong_rules.credential_suffix_left,
        red=red(contracts="X-6 X-7 X-8 X-15", besides="X-6 X-7 X-8 X-9 X-15"),
        witness=("X-7/vectors",),
        unseen="nothing is killed to learn a digest",
    ),
    Fault(
        "media-digested",
        "X-15",
        "the same call with its picture encoded anew is refused as another",
        wrong_rules.media_digested,
        red=red(contracts="X-15", besides="X-15"),
        witness=("X-15/vectors",),
        unseen="nothing is killed to learn a digest",
    ),
)
"""In the order of the rules that they break."""
