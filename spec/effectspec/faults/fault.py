"""What a fault is: one named deviation from one rule, and who is expected to notice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

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


Reds: TypeAlias = Mapping[Method, frozenset[str]]
"""Method → exactly the clauses that turn red."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One deviation from the rule ``clause``.

    ``danger`` says what comes of it. ``rule`` is None for a conduct fault. ``red`` holds the
    expectation for each method that can run against it; an empty set is an expectation too, and
    ``unseen`` gives its reason. ``witness`` names cases in which a short run of the conformance
    suite sees it.
    """

    name: str
    clause: str
    danger: str
    rule: RuleChange | None = None
    red: Reds = field(default_factory=lambda: MappingProxyType({}))
    witness: tuple[str, ...] = ()
    unseen: str = ""


def red(*, contracts: str | None = None, kills: str = "", besides: str = "") -> Reds:
    """The clauses that turn red, their ids parted by blanks.

    ``contracts`` is left out for a conduct fault, which changes no rule. ``besides`` are those
    that turn red only in cases that kill nothing and make nothing fail.
    """
    by_contracts = {} if contracts is None else {Method.CONTRACTS: _ids(contracts)}
    return MappingProxyType(
        {
            **by_contracts,
            Method.CONFORMANCE: _ids(kills) | _ids(besides),
            Method.KILLS: _ids(kills),
        }
    )


def _ids(text: str) -> frozenset[str]:
    return frozenset(text.split())
