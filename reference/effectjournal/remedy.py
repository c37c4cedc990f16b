"""What a process says when it is done with a run: exit code, effects in the way, remedy."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from effectjournal.health import Health
from effectspec.attention import EXITS, ErrorCode, ExitCode
from effectspec.contract import Contract
from effectspec.lifecycle import State
from effectspec.projection import masked_text
from effectspec.protocol import Ended, RowView
from effectspec.tiers import Tier

_RESOLVE = "look at the target first, then resolve the effect as accepted or discarded"
_ATTACH = "look at the target first, then attach the result"


class Act(Enum):
    """What an operator can do about an effect that is in the way (A-5, readings 7 and 17)."""

    RESOLVE = "resolve"
    ATTACH = "attach"
    CLOSE = "close the run"


@dataclass(frozen=True, slots=True)
class Ending:
    """All that is true when a process is done with a run (A-2, A-3).

    ``holding`` are the exit codes that hold, ``row_ids`` the effects in the way, ``undelivered``
    those that completed nodes never delivered (reading 17). ``effective`` is the tier that the
    gate found for a row.
    """

    holding: frozenset[ExitCode]
    code: ErrorCode | None = None
    reason: str = ""
    row_ids: tuple[int, ...] = ()
    undelivered: tuple[int, ...] = ()
    health: Health = field(default_factory=Health)
    effective: Mapping[int, Tier] = field(default_factory=dict)


def say(contract: Contract, reconcilers: Collection[str], ending: Ending) -> Ended:
    """Choose the exit code, and put the reason, each effect and its remedy into words (A-3).

    ``reconcilers`` are the ids of the tools that have one (T-6).
    """
    attention = {ExitCode.EFFECT_ATTENTION} if ending.undelivered else frozenset()
    exit_code = contract.exit_code(ending.holding | attention)
    rows = ending.health.rows
    effects = [
        *(
            _explain(_trouble(contract, reconcilers, rows[row_id], ending.effective))
            for row_id in ending.row_ids
            if row_id in rows
        ),
        *(_explain_undelivered(rows[row_id]) for row_id in ending.undelivered),
    ]
    told = [masked_text(ending.reason), *(effects or [EXITS[exit_code].remedy])]
    return Ended(
        exit_code=exit_code,
        error_code=ending.code,
        remedy="\n".join(line for line in told if line),
        rows=ending.row_ids + ending.undelivered,
    )


def acts(ending: Ending) -> Mapping[Act, int]:
    """What an operator can do, and the first effect that each is for."""
    rows = [ending.health.rows[row] for row in ending.row_ids if row in ending.health.rows]
    found = [(_act(row), row.row_id) for row in rows]
    found += [(Act.CLOSE, row_id) for row_id in ending.undelivered]
    return dict(reversed(found))


def _act(row: RowView) -> Act:
    match row.state:
        case State.COMMITTED | State.RESOLVED:
            return Act.CLOSE if row.retained else Act.ATTACH
        case State.PREPARED | State.DISPATCHED | State.AMBIGUOUS | State.NEEDS_ATTENTION:
            return Act.RESOLVE
        case _:
            assert_never(row.state)


@dataclass(frozen=True, slots=True)
class _Trouble:
    row: RowView
    effective: Tier
    reconciler: bool


def _trouble(
    contract: Contract,
    reconcilers: Collection[str],
    row: RowView,
    effective: Mapping[int, Tier],
) -> _Trouble:
    reconciler = row.tool in reconcilers
    tier = contract.effective_tier(row.tier, reconciler=reconciler, key_live=True)
    return _Trouble(row, effective.get(row.row_id, tier), reconciler)


def _explain(trouble: _Trouble) -> str:
    return f"{_name(trouble.row, _tier(trouble))}: {_advice(trouble)}"


def _explain_undelivered(row: RowView) -> str:
    return (
        f"{_name(row, f'tier {row.tier}')}: its node completed without its result; look at what "
        "it did, then close the run"
    )


def _name(row: RowView, tier: str) -> str:
    return f"effect {row.row_id} (node {row.node!r}, slot {row.slot}, tool {row.tool!r}, {tier})"


def _tier(trouble: _Trouble) -> str:
    declared = trouble.row.tier
    if trouble.effective is declared:
        return f"tier {declared}"
    why = "its key may be forgotten" if trouble.reconciler else "no reconciler is registered"
    return f"declared tier {declared}, treated as tier {trouble.effective}: {why}"


def _advice(trouble: _Trouble) -> str:
    row = trouble.row
    match _act(row):
        case Act.CLOSE:
            return (
                "it is done and its result is recorded; resume so that its node asks for it "
                "again, or look at what it did and close the run"
            )
        case Act.ATTACH:
            by_hand = _by_resume(trouble.effective, _ATTACH)
            return f"it is done but its result is not recorded; {by_hand}"
        case Act.RESOLVE if row.state is State.NEEDS_ATTENTION:
            # No resume goes past it, whatever its tier.
            return _by_resume(Tier.OPAQUE, _RESOLVE)
        case Act.RESOLVE:
            return _by_resume(trouble.effective, _RESOLVE)
        case act:
            assert_never(act)


def _by_resume(tier: Tier, by_hand: str) -> str:
    """What a resume does of itself, and what is left to a person; only tier 1 repeats safely."""
    match tier:
        case Tier.KEYED:
            return (
                "a resume sends the same call again under its key, which repeats nothing while "
                f"the target remembers it; to decide it by hand, {by_hand}"
            )
        case Tier.QUERYABLE:
            return f"a resume looks its receipt up; to decide it by hand, {by_hand}; do not repeat"
        case Tier.OPAQUE:
            return f"{by_hand}; do not repeat"
        case _:
            assert_never(tier)
