"""A trace as a scenario that the crash harness plays against an implementation's processes."""

from effectspec.model.actions import Arrive, GiveUp, Send
from effectspec.model.script import Unscriptable, script
from effectspec.scenario import Scenario
from effectspec.traces.engine import engine_script
from effectspec.traces.replay import model_of
from effectspec.traces.trace import Trace
from effectspec.traces.words import action_words


class NoScenario(ValueError):
    """A trace that no scenario does; the message says at which steps it cannot."""


def scenario(trace: Trace) -> Scenario:
    """The scenario in which engines do what is done in a trace, or else journals do.

    A journal is asked operation by operation: it shows what it answers, and no effects. Raises
    :class:`NoScenario`, and :class:`~effectspec.traces.replay.Differs` as ``model_of`` does.
    """
    try:
        return engine_script(trace)
    except Unscriptable as reason:
        no_engine = _told(trace, reason)
    try:
        return _journal_script(trace)
    except Unscriptable as reason:
        raise NoScenario(
            f"no engine can be made to do it: {no_engine}; nor can it be asked of a journal alone: "
            f"{_told(trace, reason)}"
        ) from reason


def _journal_script(trace: Trace) -> Scenario:
    if isinstance(trace.actions[-1], Send | Arrive | GiveUp):
        raise Unscriptable(len(trace.actions), "what breaks happens outside a journal")
    return script(trace.actions, model_of(trace).contract, trace.configuration.nodes)


def _told(trace: Trace, reason: Unscriptable) -> str:
    action = trace.actions[reason.number - 1]
    return f"step {reason.number} ({action_words(action)}): {reason.why}"
