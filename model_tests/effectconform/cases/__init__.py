"""The cases beyond the crash matrix: a module for each subject."""

from effectconform.ask import Questions
from effectconform.cases import (
    attempts,
    budget,
    calls,
    claims,
    digests,
    endings,
    journaling,
    keys,
    nodes,
    ordering,
    ownership,
    repeats,
    replay,
    secrets,
    sessions,
    slots,
    trust,
)
from effectcrash.case import Case

_PLAYED = (
    attempts,
    slots,
    repeats,
    keys,
    calls,
    nodes,
    replay,
    trust,
    ordering,
    ownership,
    endings,
    budget,
    secrets,
    sessions,
)
_ASKED = (claims, journaling, digests)


def played() -> tuple[Case, ...]:
    """The cases that play a scenario."""
    return tuple(case for module in _PLAYED for case in module.cases())


def asked() -> tuple[Questions, ...]:
    """The cases that only ask."""
    return tuple(case for module in _ASKED for case in module.cases())
