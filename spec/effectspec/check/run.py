"""Explores world after world, and puts together what they say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from effectspec.check.results import CheckResults, Said, WorldResult
from effectspec.check.selection import EVERYTHING
from effectspec.checker.completeness import unreached
from effectspec.checker.coverage import Coverage
from effectspec.checker.exploration import Counterexample, Exploration, Limits, Progress
from effectspec.checker.explorer import explore
from effectspec.checker.liveness import explore_endless
from effectspec.faults import Fault
from effectspec.model.configuration import SMALL, Configuration
from effectspec.model.endless import ENDLESS
from effectspec.model.liveness import Liveness, Sentence
from effectspec.model.model import Model
from effectspec.model.variant import under
from effectspec.traces.trace import Trace
from effectspec.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be explored, what is asked, under which fault, and how far it may go."""

    worlds: Sequence[Configuration]
    properties: Sequence[Sentence]
    fault: Fault | None
    limits: Limits

    def asked_in(self, small: Configuration) -> Sequence[Sentence]:
        """What a world can be asked for: what must come at last, if it is endless, or the rest."""
        is_endless = small in ENDLESS
        return [each for each in self.properties if isinstance(each, Liveness) is is_endless]


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
        if not plan.asked_in(small):
            continue
        model = under(plan.fault, small)

        def told(now: Progress, small: Configuration = small) -> None:
            progress(small, now)

        explored.append(Explored(model, _explore(plan, model, told)))
    return explored, CheckResults(
        fault=None if plan.fault is None else plan.fault.name,
        worlds=tuple(_result(plan, each) for each in explored),
        unreached=_unreached(plan, explored),
    )


def traces(plan: Plan, explored: Sequence[Explored]) -> list[Trace]:
    """The shortest way, in whichever world, to the breaking of each property that is broken."""
    shortest: dict[Sentence, Trace] = {}
    fault = None if plan.fault is None else plan.fault.name
    for each in explored:
        for found in each.found.counterexamples:
            known = shortest.get(found.broken)
            if known is None or len(found.steps) < len(known.steps):
                shortest[found.broken] = Trace.of(found, each.model, fault)
    return [shortest[each] for each in plan.properties if each in shortest]


def _explore(plan: Plan, model: Model, told: Callable[[Progress], None]) -> Exploration:
    safety, liveness = [], []
    for each in plan.asked_in(model.configuration):
        if isinstance(each, Liveness):
            liveness.append(each)
        else:
            safety.append(each)
    if liveness:
        return explore_endless(model, liveness, limits=plan.limits, progress=told)
    return explore(model, safety, limits=plan.limits, progress=told)


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
        said=tuple(
            _said(each, broken.get(each), found)
            for each in plan.asked_in(explored.model.configuration)
        ),
        stopped=None if found.stopped is None else found.stopped.value,
    )


def _said(asked: Sentence, broken: Counterexample | None, found: Exploration) -> Said:
    if broken is not None:
        steps = tuple(str(action) for action in broken.actions)
        return Said(property=asked.name, clause=asked.clause, verdict=Verdict.FAIL, steps=steps)
    verdict = Verdict.PASS if found.stopped is None else Verdict.UNKNOWN
    return Said(property=asked.name, clause=asked.clause, verdict=verdict)


def _unreached(plan: Plan, explored: Sequence[Explored]) -> tuple[str, ...] | None:
    whole = {each.name for each in explored if each.found.stopped is None}
    is_judged = (
        plan.fault is None
        and {small.name for small in (*SMALL, *ENDLESS)} <= whole
        and set(plan.properties) == set(EVERYTHING)
    )
    if not is_judged:
        return None
    coverage = Coverage()
    for each in explored:
        coverage.add(each.found.coverage)
    return tuple(unreached(coverage, plan.properties))
