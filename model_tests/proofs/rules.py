"""The contract's decisions as z3 expressions, each read off the function that takes it."""

from functools import reduce
from typing import NamedTuple

from effectspec.admission import Admission, Age, Bearing, Facts, Hold, Likeness, Place
from effectspec.contract import Contract
from effectspec.gate import GateRead, GateVerdict, Lookup, Standing, standing
from effectspec.identity import EffectIdentity, NodeKey
from effectspec.lifecycle import (
    STORED,
    Resolution,
    State,
    Transition,
    advance,
)
from effectspec.record import Finding, Occasion, Record, conclude, judge
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome, Settlement, Writer
from effectspec.tiers import Tier
from proofs.finite import BOOL, finite, table

STATE = finite("State", (state for state in State if state in STORED))
RESOLUTION = finite("Resolution", (None, *Resolution))
TIER = finite("Tier", Tier)
STANDING = finite("Standing", Standing)
VERDICT = finite("GateVerdict", GateVerdict)
LOOKUP = finite("Lookup", Lookup)
PLACE = finite("Place", Place)
AGE = finite("Age", Age)
LIKENESS = finite("Likeness", Likeness)
HOLD = finite("Hold", Hold)
BEARING = finite("Bearing", Bearing)
ADMISSION = finite("Admission", Admission)
OUTCOME = finite("Outcome", Outcome)
WRITER = finite("Writer", Writer)
SETTLEMENT = finite("Settlement", Settlement)
PHASE = finite("RunPhase", RunPhase)


class Rules:
    """A contract's decisions, each an expression of the facts that it is taken on."""

    def __init__(self, contract: Contract) -> None:
        self.fence_holds = contract.fence_holds
        """Generations are any numbers, so the function itself is asked, of expressions."""
        self.effective_tier = table(
            lambda declared, reconciler, key_live: contract.effective_tier(
                declared, reconciler=reconciler, key_live=key_live
            ),
            (TIER, BOOL, BOOL),
            TIER,
        )
        self.standing = table(
            lambda state, resolution, retained: standing(state, resolution, retained=retained),
            (STATE, RESOLUTION, BOOL),
            STANDING,
        )
        self.gate = table(contract.gate, (STANDING, TIER), VERDICT)
        gated = (STATE, RESOLUTION, BOOL, TIER, LOOKUP, BOOL)
        self.concluded = table(lambda *met: _found(contract, Met(*met)).verdict, gated, VERDICT)
        self.marked = table(lambda *met: _marked(_found(contract, Met(*met))), gated, STATE)
        self.may_schedule = table(
            lambda verdict: contract.may_schedule(GateRead.READ, (verdict,)), (VERDICT,), BOOL
        )
        self.bearing = table(
            lambda *facts: contract.bearing(Facts(*facts)),
            (PLACE, AGE, LIKENESS, STANDING, VERDICT, HOLD),
            BEARING,
        )
        self.admit = table(lambda bearing: contract.admit((bearing,))[0], (BEARING,), ADMISSION)
        """Of a row alone: what one row refuses, it refuses among others too."""
        self.settle = table(
            lambda state, resolution, outcome, writer, retained, repeated: contract.settle(
                state, resolution, outcome, writer, retained=retained, repeated=repeated
            ),
            (STATE, RESOLUTION, OUTCOME, WRITER, BOOL, BOOL),
            SETTLEMENT,
        )
        self.may_resolve = table(
            lambda state, resolution, landed: (
                resolution is not None and contract.may_resolve(state, resolution, landed=landed)
            ),
            (STATE, RESOLUTION, BOOL),
            BOOL,
        )
        self.may_resume = table(contract.may_resume, (PHASE,), BOOL)
        self.sweepable = table(
            lambda state, phase, undelivered: contract.sweepable(
                state, phase, undelivered=undelivered
            ),
            (STATE, PHASE, BOOL),
            BOOL,
        )


_SOME_EFFECT = EffectIdentity(NodeKey("run", "node"), 0, "tool")


class Met(NamedTuple):
    """A row that the gate meets, and the receipt that is looked up if it asks for one."""

    state: State
    resolution: Resolution | None
    retained: bool
    effective: Tier
    lookup: Lookup
    fits: bool


def _found(contract: Contract, met: Met) -> Finding:
    """The gate's last word on the row (G-2, G-3, G-4, T-3)."""
    record = Record(
        row_id=1,
        identity=_SOME_EFFECT,
        start=1,
        generation=1,
        tier=met.effective,
        digest="",
        mapping="",
        state=met.state,
        retained=met.retained,
        key_issued_at=0,
        resolution=met.resolution,
    )
    found = judge(contract, record, Occasion(0, {_SOME_EFFECT.tool_id}))
    if found.verdict is GateVerdict.RECONCILE:
        return conclude(contract, found, met.lookup, retained=met.fits)
    return found


def _marked(found: Finding) -> State:
    """The state that the gate leaves the row in (reading 1)."""
    return reduce(_after, found.transitions, found.record.state)


def _after(state: State, transition: Transition) -> State:
    moved = advance(state, transition)
    assert moved is not None, f"{state} has no {transition} (S-1)"
    return moved
