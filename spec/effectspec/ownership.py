"""Who owns a run (§2, §7, the fence): one owner, one generation, take-over before the gate."""

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Fence:
    """The token that every write of a run's owner carries."""

    run_id: str
    owner_id: str
    generation: int


class OwnerSign(Enum):
    """What is known of the present owner when another asks to take over (F-1)."""

    NONE = "nobody owns the run"
    GONE = "its lock or lease is gone"
    ALIVE = "it holds its lock"
    DECLARED_DEAD = "an operator says that it is dead"


def may_take_over(sign: OwnerSign) -> bool:
    """Whether the generation may be raised.

    A lapsed lease or an operator's word skips the test of liveness only; it proves nothing about
    any effect (F-1, reading 12).
    """
    return sign is not OwnerSign.ALIVE


def next_generation(generation: int) -> int:
    """The generation that a take-over writes; 0 is a run that nobody has owned yet (F-1)."""
    return generation + 1


def fence_holds(*, writer: int, current: int) -> bool:
    """Whether a write under generation ``writer`` may proceed; asked in its transaction (F-2)."""
    return writer == current
