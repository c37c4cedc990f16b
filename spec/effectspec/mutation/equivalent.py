"""Mutants that nobody can notice, because they change nothing; each with its reason."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

EQUIVALENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tiers.effective_tier: declared is Tier.OPAQUE → nothing": (
            "what is declared opaque is given back as it is declared, which is opaque"
        ),
    }
)
"""Name of a mutant → why it is none."""
