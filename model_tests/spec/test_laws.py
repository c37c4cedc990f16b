"""Every law against every wrong answer, and every wrong answer against the laws."""

import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import pytest
from icontract import ViolationError

from effectspec import admission as core_admission
from effectspec import attention as core_attention
from effectspec import gate as core_gate
from effectspec import journaling as core_journaling
from effectspec import lifecycle as core_lifecycle
from effectspec import ordering as core_ordering
from effectspec import tiers as core_tiers
from effectspec.admission import Admission, Bearing
from effectspec.attention import ExitCode
from effectspec.clauses import CLAUSES
from effectspec.contract import CONTRACT, Contract
from effectspec.gate import GateVerdict, Standing
from effectspec.laws import (
    EVERY_RULE,
    RULES,
    broken_laws,
    checked,
    violations,
)
from effectspec.laws.law import Law, LawsRemoved, laws_of
from effectspec.laws.rule import Rule
from effectspec.lifecycle import State, Transition
from effectspec.ordering import Ending, FailureRow
from effectspec.tiers import Tier

FLAGS = (False, True)


each_rule = pytest.mark.parametrize("rule", EVERY_RULE.values(), ids=EVERY_RULE.keys())


@cache
def forbidding(name: str) -> tuple[frozenset[Law], ...]:
    """For every wrong answer to every call: the laws that forbid it."""
    return tuple(EVERY_RULE[name].forbidding())


# ── the laws bite ────────────────────────────────────────────────────────────────────────────────


@each_rule
def test_every_law_holds_of_the_core_everywhere(rule: Rule[Any]) -> None:
    assert rule.broken_by(rule.core) == frozenset()


@pytest.mark.parametrize("name", EVERY_RULE)
def test_every_wrong_value_of_every_cell_breaks_a_law(name: str) -> None:
    laws = forbidding(name)

    assert laws
    assert all(laws)


@pytest.mark.parametrize("name", EVERY_RULE)
def test_every_law_forbids_something_that_no_other_law_forbids(name: str) -> None:
    rule = EVERY_RULE[name]
    alone = {law for laws in forbidding(name) if len(laws) == 1 for law in laws}

    assert alone == set(laws_of(rule.lawful(rule.core)))


@each_rule
def test_every_law_begins_with_the_id_of_a_clause_and_is_stated_once(rule: Rule[Any]) -> None:
    laws = laws_of(rule.lawful(rule.core))

    assert {law.clause for law in laws} <= CLAUSES.keys()
    assert len(set(laws)) == len(laws)


# ── a wrong cell of a table breaks a law that its clause names ───────────────────────────────────


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table: its wrong values, the function that shows them, and the clause."""

    table: Any
    key: object
    wrong: tuple[object, ...]
    shown_by: str
    clause: str


def gate_cells() -> list[Cell]:
    return [
        Cell(
            core_gate.GATE,
            place,
            tuple(
                replace(cell, verdict=verdict)
                for verdict in GateVerdict
                if verdict is not cell.verdict
            ),
            "gate.gate",
            cell.clause,
        )
        for place, cell in core_gate.GATE.items()
    ]


def mutation_cells() -> list[Cell]:
    return [
        Cell(
            core_journaling.EXTERNAL_MUTATION,
            call,
            (replace(cell, mutates=not cell.mutates),),
            "journaling.performs_external_mutation",
            cell.clause,
        )
        for call, cell in core_journaling.EXTERNAL_MUTATION.items()
    ]


def lifecycle_cells() -> list[Cell]:
    return [
        Cell(
            core_lifecycle.LIFECYCLE,
            (state, transition),
            tuple(
                after
                for after in (None, *State)
                if after is not core_lifecycle.advance(state, transition)
            ),
            "lifecycle.advance",
            "S-3" if state in (State.COMMITTED, State.RESOLVED) else "S-1",
        )
        for state in (None, *State)
        for transition in Transition
    ]


def ordering_cells() -> list[Cell]:
    every_row = [
        (row, effect_possible, ending)
        for row in (None, *State)
        for effect_possible in FLAGS
        for ending in Ending
    ]
    return [
        Cell(
            core_ordering.ORDERING,
            step,
            tuple(
                FailureRow(cell.clause, *parts)
                for parts in every_row
                if parts != (cell.row, cell.effect_possible, cell.ending)
            ),
            "ordering.failure",
            cell.clause,
        )
        for step, cell in core_ordering.ORDERING.items()
    ]


def claim_cells() -> list[Cell]:
    return [
        Cell(
            core_tiers.TIERS,
            tier,
            tuple(
                replace(row, claim=other.claim)
                for other in core_tiers.TIERS.values()
                if other.claim != row.claim
            ),
            "tiers.claim",
            "T-5",
        )
        for tier, row in core_tiers.TIERS.items()
    ]


CELLS = [
    *gate_cells(),
    *mutation_cells(),
    *lifecycle_cells(),
    *ordering_cells(),
    *claim_cells(),
]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.shown_by}-{cell.key}")
def test_every_wrong_value_of_a_cell_breaks_a_law_of_the_clause_that_the_cell_names(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = EVERY_RULE[cell.shown_by]

    for wrong in cell.wrong:
        monkeypatch.setitem(cell.table, cell.key, wrong)
        broken = {law.clause for law in rule.broken_by(rule.core)}
        assert cell.clause in broken, wrong


@pytest.mark.parametrize("bearing", core_admission.REFUSALS)
def test_a_refusal_that_lets_the_call_through_breaks_the_clause_it_names(bearing: Bearing) -> None:
    def wrong(bearings: Collection[Bearing]) -> tuple[Admission, Bearing]:
        if set(bearings) == {bearing}:
            return Admission.DISPATCH, Bearing.SILENT
        return core_admission.admit(bearings)

    assert violations(replace(CONTRACT, admit=wrong)) == {core_admission.REFUSALS[bearing].clause}


@pytest.mark.parametrize("code", core_attention.EXITS)
def test_a_wrong_exit_code_breaks_the_clause_of_its_row(code: ExitCode) -> None:
    def wrong(holding: frozenset[ExitCode]) -> ExitCode:
        if holding == {code}:
            return next(other for other in ExitCode if other is not code)
        return core_attention.exit_code(holding)

    assert violations(replace(CONTRACT, exit_code=wrong)) == {core_attention.EXITS[code].clause}


# ── the contract under its laws ──────────────────────────────────────────────────────────────────


def test_every_function_of_the_contract_has_a_rule_of_its_own() -> None:
    assert {name: rule.core for name, rule in RULES.items()} == {
        field.name: getattr(CONTRACT, field.name) for field in fields(Contract)
    }


def test_the_contract_breaks_no_law() -> None:
    assert broken_laws(CONTRACT) == frozenset()


@pytest.mark.parametrize("field", RULES)
def test_the_checked_contract_answers_as_the_core_does_everywhere(field: str) -> None:
    lawful = getattr(checked(CONTRACT), field)
    core = getattr(CONTRACT, field)
    cases = list(RULES[field].cases(lawful))

    assert cases
    assert [lawful(**case) for case in cases] == [core(**case) for case in cases]


def tier_3_retried(standing: Standing, now: Tier) -> GateVerdict:
    if standing is Standing.UNRESOLVED and now is Tier.OPAQUE:
        return GateVerdict.RETRY
    return core_gate.gate(standing, now)


def test_g4_a_contract_that_retries_an_unresolved_tier_3_effect_violates_g4_and_nothing_else() -> (
    None
):
    faulty = replace(CONTRACT, gate=tier_3_retried)

    assert violations(faulty) == {"G-4"}
    assert {law.sentence for law in broken_laws(faulty)} == {
        "G-4: an unresolved tier 3 effect is never retried; it needs attention"
    }


def test_g4_a_checked_contract_stops_a_wrong_answer_and_names_the_law() -> None:
    faulty = checked(replace(CONTRACT, gate=tier_3_retried))

    assert faulty.gate(Standing.UNRESOLVED, Tier.KEYED) is GateVerdict.RETRY
    with pytest.raises(ViolationError, match=r"G-4: an unresolved tier 3 effect is never retried"):
        faulty.gate(Standing.UNRESOLVED, Tier.OPAQUE)


def test_a_call_outside_the_contract_is_refused_with_the_premise_it_misses() -> None:
    with pytest.raises(ViolationError, match="B-2: the egresses of a turn are counted from one"):
        checked(CONTRACT).budget_verdict(within_budget=True, egress=0)


# ── the laws are there ───────────────────────────────────────────────────────────────────────────


def test_laws_are_checked_in_this_interpreter() -> None:
    assert __debug__


@pytest.mark.parametrize("asked", ["violations", "checked"])
def test_without_assertions_the_laws_say_that_they_are_gone_instead_of_being_kept(
    asked: str,
) -> None:
    program = (
        "from effectspec.contract import CONTRACT\n"
        f"from effectspec.laws import {asked}\n"
        f"{asked}(CONTRACT)\n"
    )

    done = subprocess.run(
        [sys.executable, "-O", "-c", program], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert "LawsRemoved: no laws around effective_tier: run Python without -O" in done.stderr


def test_a_function_without_laws_is_not_taken_for_a_lawful_one() -> None:
    with pytest.raises(LawsRemoved, match="no laws around advance"):
        laws_of(core_lifecycle.advance)
