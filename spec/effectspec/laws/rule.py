"""A contract function together with its laws and the finite domain over which all are tried."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import unwrap
from itertools import product
from typing import Any, Generic, TypeAlias, TypeVar

from effectspec.laws.law import Law, laws_of, premises_of

Case: TypeAlias = Mapping[str, object]
"""One call: the arguments by the names that the contract gives them."""

Function = TypeVar("Function", bound=Callable[..., Any])

BOTH = (False, True)
"""The domain of a flag."""


def domain(**axes: Iterable[object]) -> tuple[Case, ...]:
    """Every call that takes each argument from its axis."""
    return tuple(dict(zip(axes, values, strict=True)) for values in product(*axes.values()))


@dataclass(frozen=True, slots=True)
class Rule(Generic[Function]):
    """One function of the contract.

    ``laws`` puts its laws around an implementation, of which ``core`` is the contract's own.
    ``domain`` are the calls for which the laws are tried, ``answers`` what a wrong implementation
    could answer to each of them.
    """

    laws: Callable[[Function], Function]
    core: Any  # a Function, whose parameters the laws do not name
    domain: tuple[Case, ...]
    answers: tuple[object, ...]

    @property
    def name(self) -> str:
        """The module and the name of the function, such as "gate.after_lookup"."""
        return f"{self.core.__module__.rpartition('.')[2]}.{self.core.__name__}"

    def lawful(self, implementation: Function) -> Function:
        """``implementation`` under its laws.

        Raises :class:`~effectspec.laws.law.LawsRemoved` where there are none (``python -O``).
        """
        lawful = self.laws(implementation)
        laws_of(lawful)
        return lawful

    def cases(self, lawful: Function) -> Iterator[Case]:
        """The calls that the laws speak of, given any implementation that carries them."""
        premises = premises_of(lawful)
        return (case for case in self.domain if all(law.holds(case) for law in premises))

    def broken_by(self, implementation: Function) -> frozenset[Law]:
        """The laws that ``implementation`` breaks somewhere in the domain."""
        lawful = self.lawful(implementation)
        answer = unwrap(lawful)
        answers = [{**case, "result": answer(**case)} for case in self.cases(lawful)]
        return frozenset(law for law in laws_of(lawful) if not all(map(law.holds, answers)))

    def forbidding(self) -> Iterator[frozenset[Law]]:
        """For every wrong answer to every call: the laws that forbid it."""
        lawful = self.lawful(self.core)
        laws = laws_of(lawful)
        for case in self.cases(lawful):
            right = self.core(**case)
            for wrong in self.answers:
                if wrong != right:
                    situation = {**case, "result": wrong}
                    yield frozenset(law for law in laws if not law.holds(situation))
