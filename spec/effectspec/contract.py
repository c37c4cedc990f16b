"""The contract as one value: its functions, as explorer, oracle and engine are given them.

A rule fault is a :class:`Contract` with one function replaced, so whoever takes a ``Contract``
can be shown to catch it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from effectspec import (
    admission,
    attention,
    budget,
    digest,
    disclosure,
    gate,
    journaling,
    ordering,
    ownership,
    resolution,
    retention,
    session,
    settlement,
    tiers,
    transcript,
)
from effectspec.gate import GateRead, GateVerdict, Lookup, Standing
from effectspec.json_value import Json
from effectspec.lifecycle import Resolution, State


class EffectiveTier(Protocol):
    """:func:`effectspec.tiers.effective_tier`."""

    def __call__(self, declared: tiers.Tier, *, reconciler: bool, key_live: bool) -> tiers.Tier: ...


class KeyIsLive(Protocol):
    """:func:`effectspec.tiers.key_is_live`."""

    def __call__(self, *, age_s: int, lifetime_s: int | None) -> bool: ...


class MaySend(Protocol):
    """:func:`effectspec.tiers.may_send`."""

    def __call__(self, *, keyed: bool, key_live: bool) -> bool: ...


class Settle(Protocol):
    """:func:`effectspec.settlement.settle`."""

    def __call__(
        self,
        state: State,
        resolution: Resolution | None,
        outcome: settlement.Outcome,
        writer: settlement.Writer,
        *,
        retained: bool,
        repeated: bool,
    ) -> settlement.Settlement: ...


class NodeRetryable(Protocol):
    """:func:`effectspec.ordering.node_retryable`."""

    def __call__(self, *, prepared_in_attempt: bool) -> bool: ...


class FenceHolds(Protocol):
    """:func:`effectspec.ownership.fence_holds`."""

    def __call__(self, *, writer: int, current: int) -> bool: ...


class Sweepable(Protocol):
    """:func:`effectspec.retention.sweepable`."""

    def __call__(self, state: State, phase: retention.RunPhase, *, undelivered: bool) -> bool: ...


class EvidenceMayGo(Protocol):
    """:func:`effectspec.session.evidence_may_go`."""

    def __call__(self, acknowledgement: session.Acknowledgement, *, owned: bool) -> bool: ...


class SessionSweepable(Protocol):
    """:func:`effectspec.session.session_sweepable`."""

    def __call__(self, captured: State, found: State | None, *, same_address: bool) -> bool: ...


class OneShotSweepable(Protocol):
    """:func:`effectspec.session.one_shot_sweepable`."""

    def __call__(self, state: State, *, reserved: bool) -> bool: ...


class MayResolve(Protocol):
    """:func:`effectspec.resolution.may_resolve`."""

    def __call__(self, state: State, resolution: Resolution, *, landed: bool) -> bool: ...


class JudgeBudget(Protocol):
    """:func:`effectspec.budget.budget_verdict`."""

    def __call__(self, *, within_budget: bool, egress: int) -> budget.BudgetVerdict: ...


@dataclass(frozen=True, slots=True)
class Contract:
    """Every decision of the contract that an implementation takes at run time."""

    effective_tier: EffectiveTier
    key_is_live: KeyIsLive
    may_send: MaySend
    is_journaled: Callable[[journaling.ToolKind, journaling.CallShape, journaling.Origin], bool]
    trusted_tier: Callable[[tiers.Tier, journaling.Origin], tiers.Tier]
    gate: Callable[[Standing, tiers.Tier], GateVerdict]
    after_lookup: Callable[[Lookup], GateVerdict]
    may_schedule: Callable[[GateRead, tuple[GateVerdict, ...]], bool]
    bearing: Callable[[admission.Facts], admission.Bearing]
    admit: Callable[[Collection[admission.Bearing]], tuple[admission.Admission, admission.Bearing]]
    settle: Settle
    may_resolve: MayResolve
    completion: Callable[[admission.Age, Standing], admission.Completion]
    node_retryable: NodeRetryable
    may_take_over: Callable[[ownership.OwnerSign], bool]
    fence_holds: FenceHolds
    may_resume: Callable[[retention.RunPhase], bool]
    sweepable: Sweepable
    attribution: Callable[[Sequence[transcript.Exchange], str, str], transcript.Attribution]
    disclosure: Callable[
        [disclosure.SessionStanding, transcript.Attribution], disclosure.Disclosure
    ]
    evidence_may_go: EvidenceMayGo
    session_sweepable: SessionSweepable
    one_shot_sweepable: OneShotSweepable
    turn_floor: Callable[[Sequence[str]], int | None]
    budget_verdict: JudgeBudget
    digest: Callable[[Mapping[str, Json], Collection[str]], str]
    claim: Callable[[tiers.Tier], str]
    exit_code: Callable[[frozenset[attention.ExitCode]], attention.ExitCode]


CONTRACT = Contract(
    effective_tier=tiers.effective_tier,
    key_is_live=tiers.key_is_live,
    may_send=tiers.may_send,
    is_journaled=journaling.is_journaled,
    trusted_tier=journaling.trusted_tier,
    gate=gate.gate,
    after_lookup=gate.after_lookup,
    may_schedule=gate.may_schedule,
    bearing=admission.bearing,
    admit=admission.admit,
    settle=settlement.settle,
    may_resolve=resolution.may_resolve,
    completion=admission.completion,
    node_retryable=ordering.node_retryable,
    may_take_over=ownership.may_take_over,
    fence_holds=ownership.fence_holds,
    may_resume=retention.may_resume,
    sweepable=retention.sweepable,
    attribution=transcript.attribution,
    disclosure=disclosure.disclosure,
    evidence_may_go=session.evidence_may_go,
    session_sweepable=session.session_sweepable,
    one_shot_sweepable=session.one_shot_sweepable,
    turn_floor=session.turn_floor,
    budget_verdict=budget.budget_verdict,
    digest=digest.digest,
    claim=tiers.claim,
    exit_code=attention.exit_code,
)
"""The contract as it stands, every function its own undecorated core."""
