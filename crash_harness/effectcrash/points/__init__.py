"""The cases of the crash matrix: a module for each point of §12, then one for each subject."""

from effectcrash.case import Case
from effectcrash.points import (
    budget,
    c1,
    c2,
    c3,
    c4,
    c5,
    c6,
    c7,
    c8,
    c9,
    c10,
    c11,
    gate,
    operator,
    ordering,
    ownership,
)

_MODULES = (
    c1,
    c2,
    c3,
    c4,
    c5,
    c6,
    c7,
    c8,
    c9,
    c10,
    c11,
    gate,
    ordering,
    ownership,
    operator,
    budget,
)


def all_cases() -> tuple[Case, ...]:
    """Every case, in the order of the contract's list."""
    return tuple(case for module in _MODULES for case in module.cases())
