"""A trace as a sequence diagram in Mermaid: a column for each process, the journal and the target.

What is lost on its way ends in a cross.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from effectspec.model.actions import (
    Action,
    Advance,
    Arrival,
    Arrive,
    Crash,
    ForgetKeys,
    GiveUp,
    Join,
    NodeAct,
    OperatorAct,
    ReadGateFails,
    RunAct,
    Send,
    SetLookups,
    SettleFails,
)
from effectspec.model.world import Request, World
from effectspec.traces.text import END, LOOP
from effectspec.traces.trace import Trace
from effectspec.traces.words import answer_words, deed, request_words

JOURNAL: Final = "Journal"
TARGET: Final = "Target"
OPERATOR: Final = "Operator"

_MISREAD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "#": "#35;",  # begins the code of a character
        ";": "#59;",  # ends a line
        "<": "#lt;",  # begins a tag of HTML
        ">": "#gt;",
        "&": "#amp;",  # begins a code of HTML
        "%": "#37;",  # twice, it begins a comment
        "$": "#36;",  # twice, it begins a formula
        "\n": " ",
        "\r": " ",
    }
)
"""The characters that Mermaid takes for something else, and how they are written for it."""


def mermaid(trace: Trace) -> str:
    """The trace as the text of a sequence diagram."""
    return "".join(f"{line}\n" for line in _Diagram(trace).lines())


def escaped(text: str) -> str:
    """A text that Mermaid shows as it is.

    The words that begin a line of Mermaid's, and end its blocks, are none within a text.
    """
    return "".join(_MISREAD.get(character, character) for character in text)


@dataclass(frozen=True, slots=True)
class _Diagram:
    trace: Trace

    def lines(self) -> Iterator[str]:
        yield "sequenceDiagram"
        for number, name in enumerate(self._columns):
            yield f"  participant {_id(number)} as {escaped(name)}"
        indent = "  "
        for index in range(len(self.trace.steps)):
            if index == self.trace.loop:
                yield f"{indent}loop {escaped(LOOP)}"
                indent = "    "
            yield from (f"{indent}{line}" for line in self._step(index))
        if indent != "  ":
            yield "  end"
        if self.trace.loop == len(self.trace.steps):
            yield f"  {self._note_over_all(END)}"
        yield f"  {self._note_over_all(self.trace.breaks)}"

    @property
    def _columns(self) -> tuple[str, ...]:
        operated = any(isinstance(each, OperatorAct) for each in self.trace.actions)
        operators = (OPERATOR,) if operated else ()
        return (*self.trace.configuration.processes, JOURNAL, TARGET, *operators)

    def _column(self, name: str) -> str:
        return _id(self._columns.index(name))

    # ── the lines of a step ──────────────────────────────────────────────────────────────────────

    def _step(self, index: int) -> Iterator[str]:
        step = self.trace.steps[index]
        match step.action:
            case Send(process=name, row_id=row_id):
                arrow = "-)" if self._arrives(index, row_id) else "-x"
                yield self._message(name, arrow, TARGET, deed(step.action))
            case Arrive():
                yield from self._arrival(step.action, self.trace.worlds[index], step.after)
            case Crash(process=name) | GiveUp(process=name) | Join(process=name):
                yield self._note(name, deed(step.action))
            case Advance():
                yield self._note_over_all(deed(step.action))
            case ForgetKeys() | SetLookups():
                yield self._note(TARGET, deed(step.action))
            case SettleFails(process=name) | ReadGateFails(process=name):
                yield self._message(name, "-x", JOURNAL, deed(step.action))
            case _:
                yield from self._asked(step.action, index)

    def _asked(self, action: Action, index: int) -> Iterator[str]:
        """What the journal is asked to do, and its answer."""
        name = action.process if isinstance(action, RunAct | NodeAct) else OPERATOR
        words = answer_words(self.trace.steps[index].answer)
        yield self._message(name, "->>", JOURNAL, deed(action))
        if words:
            yield self._message(JOURNAL, "-->>", name, words)

    def _arrives(self, sent: int, row_id: int) -> bool:
        """Whether the request that a step sends comes to the target within the trace."""
        came = self.trace.worlds[sent + 1].wire(row_id).requests
        new = came - self.trace.worlds[sent].wire(row_id).requests
        return any(
            isinstance(each, Arrive) and each.request in new
            for each in self.trace.actions[sent + 1 :]
        )

    def _arrival(self, action: Arrive, before: World, after: World) -> Iterator[str]:
        request = action.request
        rejected = action.arrival is Arrival.REJECTED
        came_of_it = "rejected" if rejected else _effect(request, before, after)
        yield self._note(TARGET, f"{request_words(request)}: {came_of_it}")
        if before.process(request.process) == after.process(request.process):
            yield self._message(TARGET, "--x", request.process, "an answer that nobody hears")
        else:
            answer = "rejected" if rejected else "done"
            yield self._message(TARGET, "-->>", request.process, answer)

    # ── lines ────────────────────────────────────────────────────────────────────────────────────

    def _message(self, sender: str, arrow: str, receiver: str, text: str) -> str:
        return f"{self._column(sender)}{arrow}{self._column(receiver)}: {escaped(text)}"

    def _note(self, name: str, text: str) -> str:
        return f"Note over {self._column(name)}: {escaped(text)}"

    def _note_over_all(self, text: str) -> str:
        return f"Note over {_id(0)},{_id(len(self._columns) - 1)}: {escaped(text)}"


def _id(column: int) -> str:
    """What Mermaid calls a column: no name of ours, which might be a word of its own."""
    return f"C{column}"


def _effect(request: Request, before: World, after: World) -> str:
    entry = after.entry(request.row_id)
    if entry.effects == before.entry(request.row_id).effects:
        return "no effect, its key is known"
    alike = (
        each for each in after.ledger if (each.node_id, each.call) == (entry.node_id, entry.call)
    )
    return f"effect {sum(each.effects for each in alike)} of {entry.call.body}"
