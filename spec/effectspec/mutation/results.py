"""What became of the mutants, as values that can be written to a file."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

import msgspec

from effectspec.mutation.mutants import SPEC
from effectspec.mutation.score import Score
from effectspec.mutation.trial import Trial

SCHEMA: Final = 1
"""The version of this shape; it grows when a field changes its meaning or goes away."""


class Outcome(Enum):
    """What became of a mutant."""

    NOTICED = "noticed"
    EQUIVALENT = "equivalent"
    NOT_NOTICED = "not noticed"


class MutantResult(msgspec.Struct, frozen=True, kw_only=True):
    """One mutant. ``oracle`` is who noticed it; ``why`` says how, or why it is no mistake."""

    name: str
    file: str
    line: int
    clauses: tuple[str, ...]
    outcome: Outcome
    oracle: str | None
    why: str


class MutationResults(msgspec.Struct, frozen=True, kw_only=True):
    """All that were tried, and the listed ones that were noticed or are no mutants any more."""

    seconds: float
    mutants: tuple[MutantResult, ...]
    stale: tuple[str, ...]
    gone: tuple[str, ...]
    schema: int = SCHEMA


def results(score: Score, seconds: float) -> MutationResults:
    """The score as it is written."""
    return MutationResults(
        seconds=seconds,
        mutants=tuple(_result(each, score.equivalent) for each in score.trials),
        stale=tuple(score.stale),
        gone=tuple(score.gone),
    )


def _result(trial: Trial, equivalent: Mapping[str, str]) -> MutantResult:
    mutant = trial.mutant
    if trial.oracle is not None:
        outcome, why = Outcome.NOTICED, trial.how
    elif mutant.name in equivalent:
        outcome, why = Outcome.EQUIVALENT, equivalent[mutant.name]
    else:
        outcome, why = Outcome.NOT_NOTICED, ""
    return MutantResult(
        name=mutant.name,
        file=mutant.path.relative_to(SPEC.parent).as_posix(),
        line=mutant.line,
        clauses=mutant.clauses,
        outcome=outcome,
        oracle=None if trial.oracle is None else trial.oracle.value,
        why=why,
    )
