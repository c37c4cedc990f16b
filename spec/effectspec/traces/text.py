"""A trace as numbered lines: who does what, what the journal answers, what that changed."""

from collections.abc import Iterator

from effectspec.traces.changes import changes
from effectspec.traces.trace import Trace, TraceStep
from effectspec.traces.words import action_words, answer_words

LOOP = "from here on, round and round:"
END = "and nothing more has to happen, for ever"


def text(trace: Trace) -> str:
    """The trace as lines; the last one says what it breaks."""
    return "".join(f"{line}\n" for line in _lines(trace))


def _lines(trace: Trace) -> Iterator[str]:
    yield trace.where
    margin = len(str(len(trace.steps)))
    within = " " * (margin + 4)
    for index, step in enumerate(trace.steps):
        if index == trace.loop:
            yield f"{within}{LOOP}"
        yield f"  {index + 1:>{margin}}  {_step(step)}"
        for line in changes(trace.worlds[index], step.after):
            yield f"{within}  {line}"
    if trace.loop == len(trace.steps):
        yield f"{within}{END}"
    yield trace.breaks


def _step(step: TraceStep) -> str:
    answer = answer_words(step.answer)
    return f"{action_words(step.action)} → {answer}" if answer else action_words(step.action)
