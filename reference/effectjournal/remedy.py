"""What a process says when it is done with a run: exit code, effects in the way, remedy."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from effectjournal.health import Health
from effectspec.attention import EXITS, ErrorCode, ExitCode
from effectspec.contract import Contract
from effectspec.lifecycle import State
from effectspec.protocol import Ended, RowView
from effectspec.tiers import Tier

_LOOK_FIRST = EXITS[ExitCode.EFFECT_ATTENTION].remedy


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
    told = [ending.reason, *(effects or [EXITS[exit_code].remedy])]
    return Ended(
        exit_code=exit_code,
        error_code=ending.code,
        remedy="\n".join(line for line in told if line),
        rows=ending.row_ids + ending.undelivered,
    )


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
    match row.state:
        case State.COMMITTED | State.RESOLVED if row.retained:
            return (
                "it is done and its result is recorded; resume so that its node asks for it "
                "again, or look at what it did and close the run"
            )
        case State.COMMITTED | State.RESOLVED:
            return (
                "it is done but its result is not recorded; look at the target first, then "
                "attach the result; do not repeat"
            )
        case State.PREPARED | State.DISPATCHED | State.AMBIGUOUS:
            return f"{_by_resume(trouble.effective)}{_LOOK_FIRST}"
        case State.NEEDS_ATTENTION:
            return _LOOK_FIRST
        case _:
            assert_never(row.state)


def _by_resume(tier: Tier) -> str:
    match tier:
        case Tier.KEYED:
            return "a resume sends the same call again under its key; to decide it by hand, "
        case Tier.QUERYABLE:
            return "a resume looks its receipt up; to decide it by hand, "
        case Tier.OPAQUE:
            return ""
        case _:
            assert_never(tier)
