"""The catalogue of faults: what a wrong implementation does, and who is expected to notice.

A fault is one named deviation from one rule. A *rule fault* maps a :class:`Contract` to another,
so that the explorer, the oracle and the engine all have it for free. A *conduct fault* replaces
one collaborator of an engine or journal and is known here by its name; whoever has a journal
provides it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import TypeAlias

from effectspec import wrong_rules
from effectspec.contract import Contract

RuleChange: TypeAlias = Callable[[Contract], Contract]
"""A rule fault: gives the contract with the wrong rule in it."""


class Method(Enum):
    """A way of noticing a fault."""

    CONTRACTS = "contracts"
    MODEL = "model"
    INTERLEAVINGS = "interleavings"
    CONFORMANCE = "conformance"
    KILLS = "kills"


@dataclass(frozen=True, slots=True)
class Fault:
    """One deviation from the rule ``clause``.

    ``danger`` says what comes of it. ``red`` holds, for each method that is expected to notice,
    exactly the clauses it turns red; ``witness`` the cases in which a short run sees that.
    ``unseen`` says why a method that could run against it is expected not to notice. ``rule`` is
    None for a conduct fault.
    """

    name: str
    clause: str
    danger: str
    rule: RuleChange | None
    red: Mapping[Method, frozenset[str]]
    witness: tuple[str, ...] = ()
    unseen: str = ""


class UnknownFault(LookupError):
    """No fault has the given name; the message names the nearest."""
