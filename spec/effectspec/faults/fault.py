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
    """A way of noticing a fault.

    ``MODEL``: every step of the small worlds is asked for every property, under the wrong rule.
    ``INTERLEAVINGS``: a journal with the fault is driven beside the model under the contract, by
    several processes. That method names no clause, since all it knows is that the two disagree;
    what turns red is recorded under the fault's own clause.
    """

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


def red(
    *,
    contracts: str | None = None,
    model: str | None = None,
    interleavings: str | None = None,
    kills: str = "",
    besides: str = "",
) -> Reds:
    """The clauses that turn red, their ids parted by blanks.

    ``contracts``, ``model`` and ``interleavings`` are left out where the method cannot express the
    fault: laws are about rules, and neither of the other two asks every rule. ``besides`` are those
    that turn red only in cases that kill nothing and make nothing fail.
    """
    expected = {
        Method.CONTRACTS: contracts,
        Method.MODEL: model,
        Method.INTERLEAVINGS: interleavings,
        Method.CONFORMANCE: f"{kills} {besides}",
        Method.KILLS: kills,
    }
    return MappingProxyType(
        {method: _ids(clauses) for method, clauses in expected.items() if clauses is not None}
    )


def _ids(text: str) -> frozenset[str]:
    return frozenset(text.split())
