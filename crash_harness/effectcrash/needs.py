"""What a scenario asks of an implementation, and what is missing of it in a hello."""

from collections.abc import Iterator
from typing import Final, TypeAlias, get_args

from effectspec import scenario as steps
from effectspec.points import Failable, Place
from effectspec.protocol import Profile, Welcome
from effectspec.scenario import Scenario, Step

RUN_STEPS: Final = (steps.Run, steps.Resume)
"""Steps that only an engine can take."""

JOURNAL_STEPS: Final = (
    steps.TakeOver,
    steps.BeginNode,
    steps.Prepare,
    steps.Settle,
    steps.CompleteNode,
    steps.Gate,
)
"""The journal's own operations."""

SESSION_STEPS: Final = get_args(steps.SessionStep)
"""The steps that are about sessions."""

OFFERED: Final = (steps.Resolve, steps.Attach, steps.Close, steps.Sweep)
"""Steps that any implementation takes unless it says that it does not."""

Capability: TypeAlias = Profile | Place | Failable | str
"""What a hello offers by name, or what it may say to be absent: a step, a kind of tool, a tier."""


def lacking(scenario: Scenario, welcome: Welcome) -> str | None:
    """Why an implementation cannot play ``scenario``, or None if it can."""
    offered = {*welcome.profiles, *welcome.places, *welcome.failables}
    absent = {absence.capability: absence.reason for absence in welcome.absent}
    for capability in needs(scenario):
        name = capability if isinstance(capability, str) else str(capability.value)
        if name in absent:
            return f"{name}: {absent[name]}"
        if not isinstance(capability, str) and capability not in offered:
            return f"{name}: the hello of {welcome.name} does not offer it"
    return None


def needs(scenario: Scenario) -> Iterator[Capability]:
    """Every capability that a scenario uses, in the order in which it does."""
    for tool in scenario.job.tools:
        yield tool.kind.value
        yield f"tier {tool.tier.value}"
    for step in scenario.steps:
        yield from _needs_of(step)


def _needs_of(step: Step) -> Iterator[Capability]:
    if isinstance(step, RUN_STEPS):
        yield Profile.RUN
    elif isinstance(step, JOURNAL_STEPS):
        yield Profile.JOURNAL
    elif isinstance(step, SESSION_STEPS):
        yield Profile.SESSION
    elif isinstance(step, steps.Start):
        yield from (point.place for point in step.points)
        yield from (failure.kind for failure in step.failures)
    if isinstance(step, (*RUN_STEPS, *JOURNAL_STEPS, *SESSION_STEPS, *OFFERED)):
        yield str(type(step).__struct_config__.tag)
