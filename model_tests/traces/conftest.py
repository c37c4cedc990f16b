"""Counterexamples of small worlds, each found once for all tests."""

from collections.abc import Callable
from functools import cache

import pytest

from effectspec.check.selection import EVERYTHING
from effectspec.checker.explorer import explore
from effectspec.checker.liveness import explore_endless
from effectspec.faults import fault
from effectspec.model.actions import Action
from effectspec.model.configuration import Configuration
from effectspec.model.liveness import CanReach, LeadsTo
from effectspec.model.variant import under
from effectspec.model.world import World
from effectspec.traces.replay import WORLDS
from effectspec.traces.trace import Trace, TraceStep

FoundTrace = Callable[[str, str, str], Trace]
"""Gives the trace of a fault, in a world, that breaks a sentence."""


@cache
def _found(name: str, world: str, sentence: str) -> Trace:
    model = under(fault(name), WORLDS[world])
    (asked,) = (each for each in EVERYTHING if each.name == sentence)
    if isinstance(asked, LeadsTo | CanReach):
        exploration = explore_endless(model, (asked,))
    else:
        exploration = explore(model, (asked,))
    (counterexample,) = exploration.counterexamples
    return Trace.of(counterexample, model, name)


@pytest.fixture
def found() -> FoundTrace:
    """Finds a trace."""
    return _found


ToldTrace = Callable[..., Trace]
"""Gives the trace of what is done in a world, whatever it breaks."""


def _told(
    small: Configuration, *actions: Action, fault_: str | None = None, breaks: str = "nothing"
) -> Trace:
    model = under(None if fault_ is None else fault(fault_), small)
    world, steps = World(), []
    for action in actions:
        world, answer = model.step(world, action)
        steps.append(TraceStep(action, answer, world))
    (clause,) = {each.clause for each in EVERYTHING if each.name == breaks} or {"T-4"}
    return Trace(small, fault_, breaks, clause, tuple(steps))


@pytest.fixture
def told() -> ToldTrace:
    """Tells what is done as a trace."""
    return _told
