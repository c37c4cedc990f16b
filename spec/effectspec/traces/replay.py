"""Steps a trace through the model that it says it is of."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from effectspec.faults import FAULTS
from effectspec.model.answers import Answer
from effectspec.model.configuration import STANDARD, Configuration
from effectspec.model.endless import ENDLESS, renamed
from effectspec.model.liveness import LIVENESS, Sentence
from effectspec.model.model import Model
from effectspec.model.properties import SAFETY
from effectspec.model.variant import EXPRESSED, under
from effectspec.model.world import World
from effectspec.traces.broken import Way, breaks
from effectspec.traces.difference import difference
from effectspec.traces.expressions import form
from effectspec.traces.itf import world_state
from effectspec.traces.trace import BEGINNING, Trace, TraceStep
from effectspec.traces.words import action_words

WORLDS: Final[Mapping[str, Configuration]] = MappingProxyType(
    {each.name: each for each in (*STANDARD, *ENDLESS)}
)
SENTENCES: Final[Mapping[str, Sentence]] = MappingProxyType(
    {each.name: each for each in (*SAFETY, *LIVENESS)}
)
_answers = form(Answer)
_configurations = form(Configuration)


class Differs(Exception):
    """A trace is not of the model as it is now; the message says where, and what differs."""


def follow(trace: Trace) -> None:
    """Step a trace through its model, and see that it breaks what it says.

    Raises :class:`Differs`.
    """
    model = model_of(trace)
    sentence = _sentence(trace)
    before = BEGINNING
    for number, step in enumerate(trace.steps, 1):
        _take(model, before, step, number)
        before = step.after
    if not breaks(Way(model, trace.worlds, trace.actions, trace.loop), sentence):
        raise Differs(
            f"every step is the model's, but they do not break {sentence.clause}: {sentence.name}"
        )


def _take(model: Model, before: World, step: TraceStep, number: int) -> None:
    said = f"step {number} ({action_words(step.action)})"
    if step.action not in model.actions(before):
        raise Differs(f"{said}: the model does not allow it there")
    after, answer = model.step(before, step.action)
    if model.configuration in ENDLESS:
        after = renamed(after)
    wrong = difference(
        {"answer": _answers.encode(answer), **world_state(after)},
        {"answer": _answers.encode(step.answer), **world_state(step.after)},
    )
    if wrong is not None:
        raise Differs(f"{said}: {wrong}")


# ── what the trace is of ─────────────────────────────────────────────────────────────────────────


def model_of(trace: Trace) -> Model:
    """The model that a trace is of. Raises :class:`Differs` where it is not what it was."""
    name = trace.configuration.name
    known = WORLDS.get(name)
    if known is None:
        raise Differs(
            f"it is of a world {name!r}, and there is none; there are: {', '.join(WORLDS)}"
        )
    changed = difference(_configurations.encode(known), _configurations.encode(trace.configuration))
    if changed is not None:
        raise Differs(f"the world {name!r} is not what it was: {changed}")
    if trace.fault is None:
        return under(None, known)
    fault = FAULTS.get(trace.fault)
    if fault not in EXPRESSED:
        names = ", ".join(each.name for each in EXPRESSED)
        raise Differs(f"no model can be under a fault {trace.fault!r}; there are: {names}")
    return under(fault, known)


def _sentence(trace: Trace) -> Sentence:
    known = SENTENCES.get(trace.sentence)
    if known is None:
        raise Differs(f"there is no property {trace.sentence!r}; `effectspec check` names them all")
    if known.clause != trace.clause:
        raise Differs(f"the property {known.name!r} is of {known.clause}, not of {trace.clause!r}")
    return known
