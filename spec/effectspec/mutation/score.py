"""How many mutants of each clause were noticed, and by whom."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from effectspec.mutation.oracles import Oracle
from effectspec.mutation.trial import Trial


@dataclass(frozen=True, slots=True)
class Score:
    """What became of the mutants that were tried.

    ``equivalent`` says why some cannot be noticed. ``stale`` are those of them that were tried and
    noticed all the same, ``gone`` those that name no mutant.
    """

    trials: Sequence[Trial]
    equivalent: Mapping[str, str] = field(default_factory=dict)
    gone: Sequence[str] = ()

    @property
    def survivors(self) -> list[Trial]:
        """Those that nobody noticed although somebody should."""
        return [
            each
            for each in self.trials
            if each.oracle is None and each.mutant.name not in self.equivalent
        ]

    @property
    def is_whole(self) -> bool:
        """Whether everything was noticed, or is listed with a reason that is true."""
        return not (self.survivors or self.stale or self.gone)

    @property
    def stale(self) -> list[str]:
        """What is listed as equivalent and was noticed."""
        noticed = {each.mutant.name for each in self.trials if each.oracle is not None}
        return sorted(noticed & self.equivalent.keys())

    def by_clause(self) -> Iterator[tuple[str, Counter[Oracle | None]]]:
        """For each clause how many of its mutants were noticed by whom; None: by nobody."""
        clauses = {clause for each in self.trials for clause in each.mutant.clauses}
        for clause in sorted(clauses, key=_in_order):
            yield clause, _count(each for each in self.trials if clause in each.mutant.clauses)

    def altogether(self) -> Counter[Oracle | None]:
        """The same of all of them; a mutant of several clauses counts once here."""
        return _count(self.trials)


def _count(trials: Iterable[Trial]) -> Counter[Oracle | None]:
    return Counter(each.oracle for each in trials)


def _in_order(clause: str) -> tuple[str, int]:
    letter, _, number = clause.partition("-")
    return letter, int(number)
