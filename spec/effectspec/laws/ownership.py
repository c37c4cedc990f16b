"""The laws of who owns a run (the fence that §2 and §7 name)."""

from collections.abc import Callable

from icontract import ensure

from effectspec import ownership as core
from effectspec.contract import FenceHolds
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.ownership import OwnerSign

GENERATIONS = range(4)
"""Generations that are tried: unowned, first, and two take-overs."""


def may_take_over_laws(
    implementation: Callable[[OwnerSign], bool],
) -> Callable[[OwnerSign], bool]:
    """Put the laws of :func:`effectspec.ownership.may_take_over` around ``implementation``."""

    @ensure(
        lambda sign, result: implies(sign is OwnerSign.ALIVE, not result),
        "F-1: a run is not taken from an owner that holds its lock",
    )
    @ensure(
        lambda sign, result: implies(sign in (OwnerSign.NONE, OwnerSign.GONE), result),
        "F-1: a run whose owner's lock or lease is gone can be taken over",
    )
    @ensure(
        lambda sign, result: implies(sign is OwnerSign.DECLARED_DEAD, result),
        "F-1: an operator's word stands for the test of liveness (reading 12)",
    )
    def may_take_over(sign: OwnerSign) -> bool:
        return implementation(sign)

    return may_take_over


may_take_over = may_take_over_laws(core.may_take_over)
MAY_TAKE_OVER = Rule(may_take_over_laws, core.may_take_over, domain(sign=OwnerSign), answers=BOTH)


def next_generation_laws(implementation: Callable[[int], int]) -> Callable[[int], int]:
    """Put the law of :func:`effectspec.ownership.next_generation` around ``implementation``."""

    @ensure(
        lambda generation, result: result == generation + 1,
        "F-1: each take-over raises the generation by one",
    )
    def next_generation(generation: int) -> int:
        return implementation(generation)

    return next_generation


next_generation = next_generation_laws(core.next_generation)
NEXT_GENERATION = Rule(
    next_generation_laws,
    core.next_generation,
    domain(generation=GENERATIONS),
    answers=tuple(range(6)),
)


def fence_holds_laws(implementation: FenceHolds) -> FenceHolds:
    """Put the laws of :func:`effectspec.ownership.fence_holds` around ``implementation``."""

    @ensure(
        lambda writer, current, result: implies(writer < current, not result),
        "F-2: a superseded generation writes nothing",
    )
    @ensure(
        lambda writer, current, result: implies(writer > current, not result),
        "F-2: a generation that was never written writes nothing",
    )
    @ensure(
        lambda writer, current, result: implies(writer == current, result),
        "F-2: the run's owner writes",
    )
    def fence_holds(*, writer: int, current: int) -> bool:
        return implementation(writer=writer, current=current)

    return fence_holds


fence_holds = fence_holds_laws(core.fence_holds)
FENCE_HOLDS = Rule(
    fence_holds_laws,
    core.fence_holds,
    domain(writer=GENERATIONS, current=GENERATIONS),
    answers=BOTH,
)
