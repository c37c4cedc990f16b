"""What a law is: one sentence of the contract that every answer of a function keeps or breaks.

The laws are icontract conditions. They never look into the tables that they judge, so a wrong cell
breaks a law instead of redefining it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


def implies(premise: bool, conclusion: bool) -> bool:  # noqa: FBT001  (a connective, not a flag)
    """Whether ``conclusion`` holds wherever ``premise`` does."""
    return conclusion or not premise


@dataclass(frozen=True, slots=True)
class Law:
    """One condition around a function. Its sentence begins with the id of the clause it states."""

    sentence: str
    condition: Callable[..., bool] = field(compare=False, repr=False)
    speaks_of: tuple[str, ...] = field(compare=False, repr=False)
    """The names of the arguments that the condition reads, and "result"."""

    @property
    def clause(self) -> str:
        """The id of the clause, such as "G-4"."""
        return self.sentence.partition(":")[0]

    def holds(self, situation: Mapping[str, object]) -> bool:
        """Whether the law holds of the arguments by name and, under "result", the answer."""
        return self.condition(**{name: situation[name] for name in self.speaks_of})


class LawsRemoved(RuntimeError):
    """A function carries no laws: the interpreter was told to remove assertions."""


def laws_of(lawful: Callable[..., object]) -> tuple[Law, ...]:
    """The laws around a function, in the order in which they are written.

    Raises :class:`LawsRemoved` under ``python -O``: without laws nothing can be broken, and that
    must not look like a contract that keeps them all.
    """
    laws = tuple(_law(each) for each in reversed(getattr(lawful, "__postconditions__", ())))
    if not laws:
        raise LawsRemoved(
            f"no laws around {lawful.__name__}: run Python without -O, which removes them"
        )
    return laws


def premises_of(lawful: Callable[..., object]) -> tuple[Law, ...]:
    """What a function may take for granted of its arguments: its laws speak of nothing else."""
    alternatives = getattr(lawful, "__preconditions__", ())
    return tuple(_law(each) for premises in alternatives for each in premises)


def _law(contract: Any) -> Law:  # noqa: ANN401  (icontract does not export the type)
    return Law(contract.description, contract.condition, tuple(contract.condition_args))
