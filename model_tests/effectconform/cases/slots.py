"""I-3: a slot numbers every call of a turn, journaled or not, on through its rounds."""

from collections.abc import Iterator
from typing import Final

from effectconform.facts import slots
from effectcrash.case import Case, expect
from effectcrash.facts import effects, ending, found_by, sent
from effectcrash.telling import (
    GET,
    OPAQUE,
    SECOND,
    A,
    B,
    job,
    killed_at,
    node,
    payment,
    resumed,
    rounds,
)
from effectspec.attention import ExitCode
from effectspec.journaling import ToolKind
from effectspec.points import Place, Point
from effectspec.scenario import Call, Job, Play, Reply, Scenario, Tool

PAGER: Final = Tool(id="pager", kind=ToolKind.NOTIFY)
NOTE: Final = Call(tool=PAGER.id, arguments={"text": "paid"}, call_id="call-note")


def cases() -> Iterator[Case]:
    """A read counts, a benign call counts, and a second round goes on where the first ended."""
    yield _case("I-3/reads-count", rounds(Reply(calls=(GET, A)), Reply(calls=(B,))), (1, 2))
    yield _case("I-3/benign-calls-count", rounds(Reply(calls=(A, NOTE)), Reply(calls=(B,))), (0, 2))


def _case(id_: str, play: Play, expected: tuple[int, ...]) -> Case:
    paid = job(payment(OPAQUE), node(play, mapping={}))
    return Case(
        id_,
        OPAQUE.tier,
        Scenario(
            job=Job(run_id=paid.run_id, tools=(*paid.tools, PAGER), nodes=paid.nodes),
            steps=(*killed_at(Point(Place.RESULT_EMITTED, 2)), *resumed()),
        ),
        (
            expect("I-3", slots(found_by(SECOND)), expected),
            expect("I-3", ending(SECOND), ExitCode.COMPLETED),
            expect("I-3", effects(), ("A", "B")),
            expect("I-3", sent(), 2),
        ),
    )
