"""What this process can keep a promise of tier 1 or 2 with (T-6)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from effectspec.gate import Lookup
from effectspec.json_value import Json


@dataclass(frozen=True, slots=True)
class ReceiptFound:
    """A receipt: what the target answered when it did the effect (T-3)."""

    answer: Json


ReceiptQuery: TypeAlias = Callable[[str], ReceiptFound | Lookup]
"""Asks the target for the receipt of a reference; ``Lookup.NOTHING`` or ``FAILED`` without one."""


@dataclass(frozen=True, slots=True)
class Reconcilers:
    """The tools whose tier 1 or 2 promise can be kept here (T-6).

    ``keyed``: tool ids whose dispatch sends the idempotency key. ``queries``: how to ask for a
    receipt, by tool id.
    """

    keyed: frozenset[str] = frozenset()
    queries: Mapping[str, ReceiptQuery] = field(default_factory=dict)

    def tool_ids(self) -> frozenset[str]:
        """All of them, for the decisions that only ask whether there is one."""
        return self.keyed | self.queries.keys()
