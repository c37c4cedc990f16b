"""The proof speaks of the contract's own functions: its tables and readings, case by case."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, combinations, product
from typing import TypeVar

import pytest
import z3  # type: ignore[import-untyped]  # z3 ships no types
from msgspec import structs

from effectspec import gate, lifecycle, record, settlement, tiers
from effectspec.admission import Admission, Bearing, Facts, admit, bearing
from effectspec.contract import CONTRACT
from effectspec.gate import GateRead, GateVerdict, may_schedule
from effectspec.identity import EffectIdentity, NodeKey
from effectspec.lifecycle import Resolution, State
from effectspec.ownership import fence_holds, next_generation
from effectspec.record import Ask, Occasion, Record
from effectspec.resolution import may_resolve
from effectspec.retention import may_resume, sweepable
from effectspec.tiers import Tier
from proofs import world as readings
from proofs.finite import Expr, Table
from proofs.rules import AGE, HOLD, LIKENESS, PLACE, STATE, TIER, WRITER, Met, Rules
from proofs.world import CALL, INT, NONE, World, any_choice, any_world

RULES = Rules(CONTRACT)
TABLES = {name: each for name, each in vars(RULES).items() if isinstance(each, Table)}

ROW = Record(
    row_id=1,
    identity=EffectIdentity(NodeKey("run", "node"), 0, "tool"),
    start=1,
    generation=1,
    tier=Tier.OPAQUE,
    digest="v5:same",
    mapping="same",
    state=State.PREPARED,
    key_issued_at=0,
)


Value = TypeVar("Value")


# ── the tables ───────────────────────────────────────────────────────────────────────────────────


def _found(met: Met) -> record.Finding:
    row = structs.replace(
        ROW,
        state=met.state,
        resolution=met.resolution,
        retained=met.retained,
        tier=met.effective,
    )
    found = record.judge(CONTRACT, row, Occasion(0, {"tool"}))
    if found.verdict is not GateVerdict.RECONCILE:
        return found
    return record.conclude(CONTRACT, found, met.lookup, retained=met.fits)


def _walked(state: State, transitions: Iterable[lifecycle.Transition]) -> State:
    for transition in transitions:
        moved = lifecycle.advance(state, transition)
        assert moved is not None, f"{state} has no {transition} (S-1)"
        state = moved
    return state


FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "effective_tier": lambda declared, reconciler, key_live: tiers.effective_tier(
        declared, reconciler=reconciler, key_live=key_live
    ),
    "standing": lambda state, resolution, retained: gate.standing(
        state, resolution, retained=retained
    ),
    "gate": gate.gate,
    "concluded": lambda *met: _found(Met(*met)).verdict,
    "marked": lambda *met: _walked(met[0], _found(Met(*met)).transitions),
    "may_schedule": lambda verdict: may_schedule(GateRead.READ, (verdict,)),
    "bearing": lambda *facts: bearing(Facts(*facts)),
    "admit": lambda each: admit((each,))[0],
    "settle": lambda *facts: settlement.settle(*facts[:4], retained=facts[4], repeated=facts[5]),
    "may_resolve": lambda state, resolution, landed: (
        resolution is not None and may_resolve(state, resolution, landed=landed)
    ),
    "may_resume": may_resume,
    "sweepable": lambda state, phase, undelivered: sweepable(state, phase, undelivered=undelivered),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_answers_as_its_function_in_every_case(name: str) -> None:
    table = TABLES[name]
    for case in product(*(argument.values for argument in table.arguments)):
        constants = (each[value] for each, value in zip(table.arguments, case, strict=True))
        assert _is(table(*constants), table.answers[FUNCTIONS[name](*case)]), case


def _is(expression: Expr, constant: Expr) -> bool:
    return bool(z3.simplify(expression).eq(constant))


def test_reading_6_what_may_be_resolved_has_a_way_to_resolved() -> None:
    for state in map(State, STATE.values):
        steps = lifecycle.steps_to_resolution(state)
        ends = _walked(state, steps) if steps else None
        assert (ends is State.RESOLVED) == may_resolve(state, Resolution.ACCEPTED, landed=False)


def _subsets(values: Iterable[Value]) -> Iterator[tuple[Value, ...]]:
    listed = tuple(values)
    return chain.from_iterable(combinations(listed, size) for size in range(len(listed) + 1))


def test_g8_what_one_row_speaks_against_no_other_row_lets_through() -> None:
    for said in _subsets(Bearing):
        answer, deciding = admit(said)
        alone = {each: admit((each,))[0] for each in said}
        if answer is Admission.DISPATCH:
            assert set(alone.values()) <= {Admission.DISPATCH}
        else:
            assert alone[deciding] is answer


def test_g9_what_one_row_blocks_no_other_row_lets_through() -> None:
    for verdicts in _subsets(GateVerdict):
        alone = (may_schedule(GateRead.READ, (verdict,)) for verdict in verdicts)
        assert may_schedule(GateRead.READ, verdicts) == all(alone)


@pytest.mark.parametrize(("own", "current"), list(product(range(3), range(3))))
def test_f2_generations_are_compared_as_numbers(own: int, current: int) -> None:
    writer_, current_ = z3.IntVal(own), z3.IntVal(current)
    held = z3.simplify(RULES.fence_holds(writer=writer_, current=current_))
    assert z3.is_true(held) == fence_holds(writer=own, current=current)
    assert _is(next_generation(current_), z3.IntVal(next_generation(current)))


# ── the readings: of row 1, seen by process 1, about a call of tool 0 with digest 0 at slot 0 ────

HERE = z3.IntVal(1)
ASK = Ask(ROW.identity, ROW.digest, ROW.mapping, start=2, generation=2, delivered=())
CALLED = replace(any_choice(), process=HERE, slot=z3.IntVal(0), call=CALL.call(0, 0))


def _world(**numbers: Expr) -> World:
    """A world in which this is so of every row and process."""
    arrays = {name: z3.K(INT, value) for name, value in numbers.items()}
    return replace(any_world(), **arrays)


def _number(number: int | None) -> Expr:
    return z3.IntVal(NONE if number is None else number)


@pytest.mark.parametrize(("slot", "tool"), list(product((0, 1), (0, 1))))
def test_i5_place_is_read_as_the_journal_does(slot: int, tool: int) -> None:
    row = structs.replace(
        ROW, identity=EffectIdentity(NodeKey("run", "node"), slot, ("tool", "other")[tool])
    )
    seen = _world(slot=_number(slot), call=CALL.call(tool, 0))
    assert _is(readings.place(seen, HERE, CALLED), PLACE[record._place(row, ASK)])


@pytest.mark.parametrize(
    ("start", "retried_in", "delivered"), list(product((1, 2), (None, 1, 2), (False, True)))
)
def test_reading_5_age_is_read_as_the_journal_does(
    start: int, retried_in: int | None, delivered: bool
) -> None:
    row = structs.replace(ROW, start=start, retried_in=retried_in)
    known = z3.SetAdd(z3.EmptySet(INT), HERE) if delivered else z3.EmptySet(INT)
    seen = _world(
        start=_number(start), retried_in=_number(retried_in), in_start=_number(2), delivered=known
    )
    age = record.age(row, 2, {row.row_id} if delivered else set())
    assert _is(readings.age(seen, HERE, HERE), AGE[age])


@pytest.mark.parametrize(
    ("digest", "mapping"), list(product(("v5:same", "v5:other", "v4:same"), ("same", "other")))
)
def test_g6_likeness_is_read_as_the_journal_does(digest: str, mapping: str) -> None:
    row = structs.replace(ROW, digest=digest, mapping=mapping)
    called = replace(
        CALLED,
        comparable=z3.K(INT, z3.BoolVal(digest.startswith("v5:"))),
        same_mapping=z3.K(INT, z3.BoolVal(mapping == "same")),
    )
    seen = _world(call=CALL.call(0, 0 if digest.endswith(":same") else 1))
    assert _is(readings.likeness(seen, HERE, called), LIKENESS[record._likeness(row, ASK)])


@pytest.mark.parametrize("state", STATE.values)
@pytest.mark.parametrize(("written_by", "retrying"), list(product((1, 2), (None, 1, 2))))
def test_reading_4_hold_is_read_as_the_journal_does(
    state: State, written_by: int, retrying: int | None
) -> None:
    row = structs.replace(ROW, state=state, generation=written_by, retrying=retrying)
    seen = _world(
        state=STATE[state],
        written_by=_number(written_by),
        retrying=_number(retrying),
        holds=_number(2),
    )
    assert _is(readings.hold(seen, HERE, HERE), HOLD[record._hold(row, 2)])


@pytest.mark.parametrize(
    ("written_by", "retrying", "current"), list(product((1, 2), (None, 1, 2), (2, 3)))
)
def test_reading_11_writer_is_read_as_the_journal_does(
    written_by: int, retrying: int | None, current: int
) -> None:
    row = structs.replace(ROW, generation=written_by, retrying=retrying)
    seen = _world(written_by=_number(written_by), retrying=_number(retrying), holds=_number(2))
    seen = replace(seen, generation=_number(current))
    expected = WRITER[record._writer(CONTRACT, row, 2, current)]
    assert _is(readings.writer(seen, HERE, HERE, RULES), expected)


@pytest.mark.parametrize(
    ("declared", "reconciler", "lifetime"), list(product(Tier, (False, True), (None, 0)))
)
def test_t6_the_effective_tier_is_read_as_the_journal_does(
    declared: Tier, reconciler: bool, lifetime: int | None
) -> None:
    row = structs.replace(ROW, tier=declared, key_lifetime_s=lifetime)
    effective = record.tier_now(CONTRACT, row, Occasion(0, {"tool"} if reconciler else set()))
    called = replace(
        CALLED,
        reconciler=z3.K(INT, z3.BoolVal(reconciler)),
        key_live=z3.K(INT, z3.BoolVal(lifetime is None)),
    )
    seen = _world(tier=TIER[declared])
    assert _is(readings.effective_tier(seen, HERE, called, RULES), TIER[effective])
