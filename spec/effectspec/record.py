"""A journal row as the contract reads it, and the decisions that a row and a call lead to.

The reference journal and the model hold the same :class:`Record`; both take their decisions here,
so what is explored is what runs. What is built for every decision is a msgspec struct: building
frozen dataclasses took a sixth of a dispatch.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import msgspec

from effectspec.admission import Admission, Age, Bearing, Completion, Facts, Hold, Likeness, Place
from effectspec.contract import Contract
from effectspec.digest import comparable
from effectspec.gate import GateVerdict, Lookup, Standing, standing
from effectspec.identity import EffectIdentity
from effectspec.lifecycle import Resolution, State, Transition
from effectspec.settlement import Outcome, Settlement, Writer
from effectspec.tiers import Tier


class Record(msgspec.Struct, frozen=True):
    """One row. Ages and lifetimes are in seconds; ``now`` of a decision is in the row's clock.

    ``key_issued_at`` is None where no key was: a call that was sent without one cannot be sent
    again under one (T-6).

    ``start`` is the node's start that prepared it and ``generation`` the fence generation that
    holds it. ``retrying`` is the generation whose gate found it retry-pending, ``retried_in`` the
    start that sent the retry (reading 4). ``settled_as`` is the fingerprint of the settle that
    landed (reading 11). ``landed`` says that late evidence shows the effect (reading 8).
    ``undelivered`` marks a committed effect that its completed node never delivered (reading 17).
    """

    row_id: int
    identity: EffectIdentity
    start: int
    generation: int
    tier: Tier
    digest: str
    mapping: str
    state: State
    retained: bool = False
    key_issued_at: int | None = None
    key_lifetime_s: int | None = None
    retrying: int | None = None
    retried_in: int | None = None
    settled_as: str | None = None
    resolution: Resolution | None = None
    landed: bool = False
    undelivered: bool = False

    @property
    def standing(self) -> Standing:
        """The record as the gate reads it (reading 20)."""
        return standing(self.state, self.resolution, retained=self.retained)


class Occasion(msgspec.Struct, frozen=True):
    """What is true now, beside the rows: the clock and the tools that have a reconciler (T-6)."""

    now: int
    reconcilers: Collection[str]


def tier_now(contract: Contract, record: Record, occasion: Occasion) -> Tier:
    """The tier whose promise can be kept for the row now (T-6, reading 3)."""
    return contract.effective_tier(
        record.tier,
        reconciler=record.identity.tool_id in occasion.reconcilers,
        key_live=record.key_issued_at is not None
        and contract.key_is_live(
            age_s=occasion.now - record.key_issued_at, lifetime_s=record.key_lifetime_s
        ),
    )


# ── the gate ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Finding:
    """What the gate says of one row, and what the resume records on it (reading 1)."""

    record: Record
    verdict: GateVerdict
    effective: Tier
    transitions: tuple[Transition, ...]

    @property
    def names_declared_tier(self) -> bool:
        """Whether a refusal must say that the declared tier could not be kept (T-6)."""
        return self.effective is not self.record.tier


def judge(contract: Contract, record: Record, occasion: Occasion) -> Finding:
    """The gate's finding on one row."""
    effective = tier_now(contract, record, occasion)
    verdict = contract.gate(record.standing, effective)
    return Finding(record, verdict, effective, _marks(record.state, verdict))


def conclude(contract: Contract, finding: Finding, lookup: Lookup, *, retained: bool) -> Finding:
    """The finding after the receipt look-up that ``finding`` asked for (T-3, reading 2).

    ``retained``: the receipt's result fits the row. A receipt too large to keep commits the row
    and leaves it blocking (G-5).
    """
    verdict = contract.after_lookup(lookup)
    if verdict is not GateVerdict.REDELIVER:
        marks = _marks(finding.record.state, verdict)
        return Finding(finding.record, verdict, finding.effective, marks)
    if not retained:
        verdict = GateVerdict.ATTENTION
    unsettled = finding.record.state in {State.PREPARED, State.AMBIGUOUS}
    marks = (*finding.transitions, Transition.RECONCILE) if unsettled else ()
    return Finding(finding.record, verdict, finding.effective, marks)


def _marks(state: State, verdict: GateVerdict) -> tuple[Transition, ...]:
    match state:
        case State.PREPARED:
            found: tuple[Transition, ...] = (Transition.FOUND,)
        case State.AMBIGUOUS:
            found = ()
        case _:
            return ()
    return (*found, Transition.GIVE_UP) if verdict is GateVerdict.ATTENTION else found


# ── prepare ──────────────────────────────────────────────────────────────────────────────────────


class Ask(msgspec.Struct, frozen=True):
    """A call that is about to be prepared, and the start of the node that makes it."""

    identity: EffectIdentity
    digest: str
    mapping: str
    start: int
    generation: int
    delivered: Collection[int]
    """Row ids that this start has re-delivered."""


class Decision(msgspec.Struct, frozen=True):
    """The answer to a prepare: what to do, the bearing that decided, and the row it speaks of."""

    admission: Admission
    bearing: Bearing
    record: Record | None


def decide(contract: Contract, records: Iterable[Record], ask: Ask, occasion: Occasion) -> Decision:
    """Decide a run's prepare over every row of its node (G-6, G-8, readings 4 and 5)."""
    borne = [(contract.bearing(_facts(contract, row, ask, occasion)), row) for row in records]
    admission, deciding = contract.admit([bearing for bearing, _ in borne])
    named = next((row for bearing, row in borne if bearing is deciding), None)
    return Decision(admission, deciding, named if deciding is not Bearing.SILENT else None)


def _facts(contract: Contract, record: Record, ask: Ask, occasion: Occasion) -> Facts:
    return Facts(
        place=_place(record, ask),
        age=age(record, ask.start, ask.delivered),
        likeness=_likeness(record, ask),
        standing=record.standing,
        verdict=judge(contract, record, occasion).verdict,
        hold=_hold(record, ask.generation),
    )


def _place(record: Record, ask: Ask) -> Place:
    if record.identity == ask.identity:
        return Place.SAME_IDENTITY
    return Place.SAME_SLOT if record.identity.slot == ask.identity.slot else Place.ELSEWHERE


def age(record: Record, start: int, delivered: Collection[int]) -> Age:
    """Which start of the node a row belongs to, seen from ``start``."""
    if record.start == start:
        return Age.THIS_START
    if record.row_id in delivered or record.retried_in == start:
        return Age.DELIVERED
    return Age.EARLIER


def _likeness(record: Record, ask: Ask) -> Likeness:
    if record.digest != ask.digest or not comparable(record.digest):
        return Likeness.OTHER_ARGUMENTS
    return Likeness.SAME if record.mapping == ask.mapping else Likeness.OTHER_MAPPING


def _hold(record: Record, generation: int) -> Hold:
    if record.retrying == generation:
        return Hold.RETRYABLE
    in_flight = record.state is State.PREPARED and record.generation == generation
    return Hold.IN_FLIGHT if in_flight else Hold.CLOSED


# ── settle ───────────────────────────────────────────────────────────────────────────────────────


class Report(msgspec.Struct, frozen=True):
    """What a sender reports of its call: the outcome, a fingerprint of outcome and result."""

    outcome: Outcome
    fingerprint: str
    generation: int


def settle_row(
    contract: Contract, record: Record, report: Report, *, current_generation: int
) -> Settlement:
    """What a settle does to the row (readings 10 and 11)."""
    return contract.settle(
        record.state,
        record.resolution,
        report.outcome,
        _writer(contract, record, report.generation, current_generation),
        retained=record.retained,
        repeated=(
            record.settled_as == report.fingerprint and record.generation == report.generation
        ),
    )


def _writer(contract: Contract, record: Record, generation: int, current: int) -> Writer:
    if not contract.fence_holds(writer=generation, current=current):
        return Writer.FENCED
    if record.retrying == generation:
        return Writer.RETRIER
    return Writer.OWNER if record.generation == generation else Writer.FENCED


# ── completion ───────────────────────────────────────────────────────────────────────────────────


def may_complete(
    contract: Contract, records: Iterable[Record], start: int, delivered: Collection[int]
) -> tuple[Completion, tuple[Record, ...]]:
    """Whether a node may complete, and the rows that say why not, or that it never delivered."""
    said = [(contract.completion(age(row, start, delivered), row.standing), row) for row in records]
    for worst in (Completion.UNRESOLVED, Completion.UNDELIVERED):
        rows = tuple(row for answer, row in said if answer is worst)
        if rows:
            return worst, rows
    return Completion.CLEAR, ()
