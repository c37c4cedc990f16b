"""What a step changed in the world, in plain words, as far as its action does not say it."""

from collections.abc import Iterator, Mapping
from typing import Final

from effectspec.model.parts import Part
from effectspec.model.world import Entry, Fate, NodeState, Process, Row, Run, Stage, Wire, World
from effectspec.retention import RunPhase
from effectspec.traces.expressions import Value

KINDS: Final = ("run", "node", "process", "row", "entry", "wire")
"""The kinds of parts that are told of, in order; of the others the action says all."""

UNSAID: Final = frozenset({"goes on", "none kept", "nobody", "0", "delivered"})
"""What goes without saying of something that was not there before."""

_PHASES: Final = {
    RunPhase.OPEN: "open",
    RunPhase.NEEDS_ATTENTION: "needs attention",
    RunPhase.ENDED: "ended",
    RunPhase.CLOSED: "closed",
}
_STAGES: Final = {
    Stage.GOING: "goes on",
    Stage.ATTENTION: "must end with effect_needs_attention",
    Stage.OVER: "has nothing more to do",
}


def changes(before: World, after: World) -> Iterator[str]:
    """What is not as it was, a line each."""
    for kind in KINDS:
        for part in after.parts.changed(before.parts, kind):
            was = _facts(part, before.parts.read(part))
            for subject, now in _facts(part, after.parts.read(part)).items():
                if subject in was and was[subject] != now:
                    yield f"{subject}: {was[subject]} → {now}"
                elif subject not in was and now not in UNSAID:
                    yield f"{subject}: {now}"


def _facts(part: Part[Value], value: object) -> Mapping[str, str]:
    """What there is to say of the value of a part, by what it is said of."""
    row = f"row {part.key}"
    match value:
        case Run(phase=phase):
            return {"run": _PHASES[phase]}
        case NodeState(completed=completed):
            return {f"node {part.key}": "completed" if completed else "open"}
        case Process(stage=stage):
            return {str(part.key): _STAGES[stage]}
        case Row():
            return {row: _state(value), f"answer of {row}": _kept(value), **_marks(row, value)}
        case Fate.SWEPT:
            return {row: "swept"}
        case Entry(effects=effects):
            return {f"effects of {row}": str(effects)}
        case Wire(requests=requests, key_since=key_since, receipt=receipt):
            return {
                f"requests on their way for {row}": str(len(requests)),
                f"key of {row} at the target": "unknown" if key_since is None else "known",
                f"receipt of {row}": "none" if receipt is None else "there",
            }
        case _:
            return {}


def _state(row: Row) -> str:
    resolution = row.record.resolution
    state = row.record.state.value.replace("_", " ")
    return state if resolution is None else f"{state} as {resolution.value}"


def _kept(row: Row) -> str:
    return "none kept" if row.result is None else "kept"


def _marks(subject: str, row: Row) -> Mapping[str, str]:
    record = row.record
    retry = "nobody" if record.retrying is None else f"generation {record.retrying}"
    return {
        f"{subject} may be sent again by": retry,
        f"late answers beside {subject}": str(row.evidence),
        f"{subject} when its node completed": "undelivered" if record.undelivered else "delivered",
    }
