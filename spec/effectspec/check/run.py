"""Explores world after world, and puts together what they say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from effectspec.check.results import CheckResults, Said, WorldResult
from effectspec.checker.completeness import unreached
from effectspec.checker.coverage import Coverage
from effectspec.checker.exploration import Counterexample, Exploration, Limits, Progress
from effectspec.checker.explorer import explore
from effectspec.faults import Fault
from effectspec.model.configuration import SMALL, Configuration
from effectspec.model.model import Model
from effectspec.model.properties import SAFETY, AnyProperty
from effectspec.model.variant import under
from effectspec.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be explored, what is asked, under which fault, and how far it may go."""

    worlds: Sequence[Configuration]
    properties: Sequence[AnyProperty]
    fault: Fault | None
    limits: Limits


@dataclass(frozen=True, slots=True)
class Explored:
    """A world, as a model, and what its exploration found."""

    model: Model
    found: Exploration

    @property
    def name(self) -> str:
        """The name of the world."""
        return self.model.configuration.name


def run(
    plan: Plan, progress: Callable[[Configuration, Progress], None]
) -> tuple[list[Explored], CheckResults]:
    """Explore every world of a plan; ``progress`` is told how far each has come."""
    explored = []
    for small in plan.worlds:
        model = under(plan.fault, small)

        def told(now: Progress, small: Configuration = small) -> None:
            progress(small, now)

        found = explore(model, plan.properties, limits=plan.limits, progress=told)
        explored.append(Explored(model, found))
    return explored, CheckResults(
        fault=None if plan.fault is None else plan.fault.name,
        worlds=tuple(_result(plan, each) for each in explored),
        unreached=_unreached(plan, explored),
    )


def _result(plan: Plan, explored: Explored) -> WorldResult:
    found = explored.found
    broken = {each.broken: each for each in found.counterexamples}
    return WorldResult(
        world=explored.name,
        states=found.states,
        steps=found.steps,
        depth=found.depth,
        seconds=found.seconds,
        bytes=found.bytes,
        said=tuple(_said(each, broken.get(each), found) for each in plan.properties),
        stopped=None if found.stopped is None else found.stopped.value,
    )


def _said(asked: AnyProperty, broken: Counterexample | None, found: Exploration) -> Said:
    if broken is not None:
        steps = tuple(str(action) for action in broken.actions)
        return Said(property=asked.name, clause=asked.clause, verdict=Verdict.FAIL, steps=steps)
    verdict = Verdict.PASS if found.stopped is None else Verdict.UNKNOWN
    return Said(property=asked.name, clause=asked.clause, verdict=verdict)


def _unreached(plan: Plan, explored: Sequence[Explored]) -> tuple[str, ...] | None:
    whole = {each.name for each in explored if each.found.stopped is None}
    is_judged = (
        plan.fault is None
        and {small.name for small in SMALL} <= whole
        and set(plan.properties) == set(SAFETY)
    )
    if not is_judged:
        return None
    coverage = Coverage()
    for each in explored:
        coverage.add(each.found.coverage)
    return tuple(unreached(coverage, plan.properties))
