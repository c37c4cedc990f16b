"""Every law against every wrong answer, and every wrong answer against the laws."""

import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from icontract import ViolationError

from effectspec import admission as core_admission
from effectspec import attention as core_attention
from effectspec import budget as core_budget
from effectspec import digest as core_digest
from effectspec import gate as core_gate
from effectspec import identity as core_identity
from effectspec import journaling as core_journaling
from effectspec import lifecycle as core_lifecycle
from effectspec import ordering as core_ordering
from effectspec import ownership as core_ownership
from effectspec import resolution as core_resolution
from effectspec import retention as core_retention
from effectspec import settlement as core_settlement
from effectspec import tiers as core_tiers
from effectspec.admission import Admission, Bearing, Completion
from effectspec.attention import ExitCode
from effectspec.budget import BudgetVerdict
from effectspec.clauses import CLAUSES
from effectspec.contract import CONTRACT, Contract
from effectspec.gate import GateVerdict, Standing
from effectspec.identity import NodeKey, TurnKey
from effectspec.laws import (
    RULES,
    admission,
    attention,
    broken_laws,
    budget,
    checked,
    digest,
    gate,
    identity,
    journaling,
    lifecycle,
    ordering,
    ownership,
    resolution,
    retention,
    settlement,
    tiers,
    violations,
)
from effectspec.laws.law import Law, LawsRemoved, laws_of
from effectspec.laws.rule import Case, Rule
from effectspec.lifecycle import State, Transition
from effectspec.ordering import Ending, FailureRow
from effectspec.settlement import Settlement
from effectspec.tiers import Tier

FLAGS = (False, True)


@dataclass(frozen=True, slots=True)
class Subject:
    """A core function, its rule, and every answer that a wrong table could give instead."""

    rule: Rule[Any]
    core: Callable[..., Any]
    answers: tuple[object, ...]

    def lawful(self) -> Callable[..., Any]:
        lawful: Callable[..., Any] = self.rule.lawful(self.core)
        return lawful

    def cases(self) -> Iterator[Case]:
        return self.rule.cases(self.lawful())


def _sequences(alphabet: tuple[object, ...], longest: int) -> tuple[tuple[object, ...], ...]:
    return tuple(
        sequence for length in range(longest + 1) for sequence in product(alphabet, repeat=length)
    )


_RANGES = tuple(range(start, stop) for start in range(3) for stop in range(start, 5))

SUBJECTS: Mapping[str, Subject] = {
    "tiers.claim": Subject(
        tiers.CLAIM,
        core_tiers.claim,
        (
            "exactly once",
            "exactly once after reconciliation",
            "at most once",
            "at most once, so exactly once",
            "best effort",
        ),
    ),
    "tiers.effective_tier": Subject(tiers.EFFECTIVE_TIER, core_tiers.effective_tier, tuple(Tier)),
    "tiers.key_is_live": Subject(tiers.KEY_IS_LIVE, core_tiers.key_is_live, FLAGS),
    "tiers.may_send": Subject(tiers.MAY_SEND, core_tiers.may_send, FLAGS),
    "identity.correlation_key": Subject(
        identity.CORRELATION_KEY,
        core_identity.correlation_key,
        (
            *(NodeKey(run, node) for run in "ab" for node in "xy"),
            *(TurnKey(session, turn) for session in "ab" for turn in (1, 2)),
        ),
    ),
    "identity.can_prove_completion": Subject(
        identity.CAN_PROVE_COMPLETION, core_identity.can_prove_completion, FLAGS
    ),
    "identity.slots": Subject(
        identity.SLOTS,
        core_identity.slots,
        tuple(list(ranges) for ranges in _sequences(_RANGES, 2)),
    ),
    "identity.carries_idempotency_key": Subject(
        identity.CARRIES_IDEMPOTENCY_KEY, core_identity.carries_idempotency_key, FLAGS
    ),
    "identity.carries_reference": Subject(
        identity.CARRIES_REFERENCE, core_identity.carries_reference, FLAGS
    ),
    "journaling.performs_external_mutation": Subject(
        journaling.PERFORMS_EXTERNAL_MUTATION, core_journaling.performs_external_mutation, FLAGS
    ),
    "journaling.duplication_benign": Subject(
        journaling.DUPLICATION_BENIGN, core_journaling.duplication_benign, FLAGS
    ),
    "journaling.is_journaled": Subject(
        journaling.IS_JOURNALED, core_journaling.is_journaled, FLAGS
    ),
    "journaling.trusted_tier": Subject(
        journaling.TRUSTED_TIER, core_journaling.trusted_tier, tuple(Tier)
    ),
    "lifecycle.advance": Subject(lifecycle.ADVANCE, core_lifecycle.advance, (None, *State)),
    "lifecycle.steps_to_resolution": Subject(
        lifecycle.STEPS_TO_RESOLUTION,
        core_lifecycle.steps_to_resolution,
        _sequences(tuple(Transition), 3),
    ),
    "gate.standing": Subject(gate.STANDING, core_gate.standing, tuple(Standing)),
    "gate.gate": Subject(gate.GATE, core_gate.gate, tuple(GateVerdict)),
    "gate.after_lookup": Subject(gate.AFTER_LOOKUP, core_gate.after_lookup, tuple(GateVerdict)),
    "gate.may_schedule": Subject(gate.MAY_SCHEDULE, core_gate.may_schedule, FLAGS),
    "admission.bearing": Subject(admission.BEARING, core_admission.bearing, tuple(Bearing)),
    "admission.admit": Subject(
        admission.ADMIT, core_admission.admit, tuple(product(Admission, Bearing))
    ),
    "admission.session_bearing": Subject(
        admission.SESSION_BEARING, core_admission.session_bearing, tuple(Bearing)
    ),
    "admission.completion": Subject(
        admission.COMPLETION, core_admission.completion, tuple(Completion)
    ),
    "settlement.settle": Subject(settlement.SETTLE, core_settlement.settle, tuple(Settlement)),
    "ordering.failure": Subject(
        ordering.FAILURE,
        core_ordering.failure,
        tuple(
            FailureRow(f"O-{number}", row, effect_possible, ending)
            for number in range(1, 7)
            for row in (None, *State)
            for effect_possible in FLAGS
            for ending in Ending
        ),
    ),
    "ordering.node_retryable": Subject(
        ordering.NODE_RETRYABLE, core_ordering.node_retryable, FLAGS
    ),
    "ownership.may_take_over": Subject(
        ownership.MAY_TAKE_OVER, core_ownership.may_take_over, FLAGS
    ),
    "ownership.next_generation": Subject(
        ownership.NEXT_GENERATION, core_ownership.next_generation, tuple(range(6))
    ),
    "ownership.fence_holds": Subject(ownership.FENCE_HOLDS, core_ownership.fence_holds, FLAGS),
    "resolution.may_resolve": Subject(resolution.MAY_RESOLVE, core_resolution.may_resolve, FLAGS),
    "retention.may_resume": Subject(retention.MAY_RESUME, core_retention.may_resume, FLAGS),
    "retention.sweepable": Subject(retention.SWEEPABLE, core_retention.sweepable, FLAGS),
    "budget.budget_verdict": Subject(
        budget.BUDGET_VERDICT, core_budget.budget_verdict, tuple(BudgetVerdict)
    ),
    "attention.exit_code": Subject(attention.EXIT_CODE, core_attention.exit_code, tuple(ExitCode)),
    "digest.comparable": Subject(digest.COMPARABLE, core_digest.comparable, FLAGS),
    "digest.digest": Subject(
        digest.DIGEST,
        core_digest.digest,
        (
            core_digest.digest({}),
            core_digest.digest({"path": "/orders"}),
            core_digest.digest({"path": "/orders", "token": "s3cret"}),
            core_digest.digest({}).removeprefix("v5:"),
            core_digest.digest({}).replace("v5:", "v4:"),
            core_digest.digest({}).upper(),
            "v5:",
        ),
    ),
}
"""Every function with laws, but for the two of JSON whose answers test_digest tries."""

each_subject = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS.keys())


@cache
def wrong_answers(name: str) -> tuple[frozenset[Law], ...]:
    """For every wrong answer to every call: the laws that it breaks."""
    subject = SUBJECTS[name]
    lawful = subject.lawful()
    laws = laws_of(lawful)
    return tuple(
        frozenset(law for law in laws if not law.holds({**case, "result": wrong}))
        for case in subject.cases()
        for right in (subject.core(**case),)
        for wrong in subject.answers
        if wrong != right
    )


# ── the laws bite ────────────────────────────────────────────────────────────────────────────────


@each_subject
def test_every_law_holds_of_the_core_everywhere(subject: Subject) -> None:
    assert subject.rule.broken_by(subject.core) == frozenset()


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_wrong_value_of_every_cell_breaks_a_law(name: str) -> None:
    broken = wrong_answers(name)

    assert broken
    assert all(broken)


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_law_forbids_something_that_no_other_law_forbids(name: str) -> None:
    alone = {law for broken in wrong_answers(name) if len(broken) == 1 for law in broken}

    assert alone == set(laws_of(SUBJECTS[name].lawful()))


@each_subject
def test_every_law_begins_with_the_id_of_a_clause_and_is_stated_once(subject: Subject) -> None:
    laws = laws_of(subject.lawful())

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
    subject = SUBJECTS[cell.shown_by]

    for wrong in cell.wrong:
        monkeypatch.setitem(cell.table, cell.key, wrong)
        broken = {law.clause for law in subject.rule.broken_by(subject.core)}
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


def test_every_function_of_the_contract_has_a_rule() -> None:
    assert list(RULES) == [field.name for field in fields(Contract)]


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
