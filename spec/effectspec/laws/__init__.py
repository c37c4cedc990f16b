"""The laws of the contract: what must hold of every answer of every contract function.

A law is a sentence of the contract under its clause id, stated as an icontract condition and never
by looking into the tables that it judges. Each module here holds the laws of the core module of
the same name: ``gate_laws`` puts them around any implementation of ``gate``, ``gate`` is the core
under its laws, and ``GATE`` says over which calls all of them can be tried.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from effectspec.contract import Contract
from effectspec.laws import (
    admission,
    attention,
    budget,
    digest,
    disclosure,
    gate,
    identity,
    journaling,
    lifecycle,
    ordering,
    ownership,
    resolution,
    retention,
    session,
    settlement,
    tiers,
    transcript,
)
from effectspec.laws.law import Law
from effectspec.laws.rule import Rule

RULES: Final[Mapping[str, Rule[Any]]] = MappingProxyType(
    {
        "effective_tier": tiers.EFFECTIVE_TIER,
        "key_is_live": tiers.KEY_IS_LIVE,
        "may_send": tiers.MAY_SEND,
        "is_journaled": journaling.IS_JOURNALED,
        "trusted_tier": journaling.TRUSTED_TIER,
        "gate": gate.GATE,
        "after_lookup": gate.AFTER_LOOKUP,
        "may_schedule": gate.MAY_SCHEDULE,
        "bearing": admission.BEARING,
        "admit": admission.ADMIT,
        "settle": settlement.SETTLE,
        "may_resolve": resolution.MAY_RESOLVE,
        "completion": admission.COMPLETION,
        "node_retryable": ordering.NODE_RETRYABLE,
        "may_take_over": ownership.MAY_TAKE_OVER,
        "fence_holds": ownership.FENCE_HOLDS,
        "may_resume": retention.MAY_RESUME,
        "sweepable": retention.SWEEPABLE,
        "attribution": transcript.ATTRIBUTION,
        "disclosure": disclosure.DISCLOSURE,
        "evidence_may_go": session.EVIDENCE_MAY_GO,
        "session_sweepable": session.SESSION_SWEEPABLE,
        "one_shot_sweepable": session.ONE_SHOT_SWEEPABLE,
        "turn_floor": session.TURN_FLOOR,
        "budget_verdict": budget.BUDGET_VERDICT,
        "digest": digest.DIGEST,
        "claim": tiers.CLAIM,
        "exit_code": attention.EXIT_CODE,
    }
)
"""Field of :class:`~effectspec.contract.Contract` → the rule that judges it."""

EVERY_RULE: Final[Mapping[str, Rule[Any]]] = MappingProxyType(
    {
        rule.name: rule
        for module in (
            tiers,
            identity,
            journaling,
            lifecycle,
            gate,
            admission,
            settlement,
            resolution,
            ordering,
            ownership,
            retention,
            budget,
            attention,
            digest,
            disclosure,
            session,
            transcript,
        )
        for rule in vars(module).values()
        if isinstance(rule, Rule)
    }
)
"""Every function whose laws can be tried over all calls, whether a ``Contract`` has it or not."""


def checked(contract: Contract) -> Contract:
    """``contract`` with every function under its laws: a wrong answer raises, naming the law.

    The error is :class:`icontract.ViolationError`, and its message states the law.
    """
    return Contract(
        **{field: rule.lawful(getattr(contract, field)) for field, rule in RULES.items()}
    )


def broken_laws(contract: Contract) -> frozenset[Law]:
    """The laws that some answer of ``contract`` breaks, over every call of every domain."""
    return frozenset().union(
        *(rule.broken_by(getattr(contract, field)) for field, rule in RULES.items())
    )


def violations(contract: Contract) -> frozenset[str]:
    """The ids of the clauses whose laws ``contract`` breaks; empty for the contract itself."""
    return frozenset(law.clause for law in broken_laws(contract))
