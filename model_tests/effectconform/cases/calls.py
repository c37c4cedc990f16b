"""J-2, J-3, J-4: through a real run, which calls leave a row."""

from collections.abc import Iterator
from typing import Final

from effectcrash.case import Case, expect
from effectcrash.facts import ending, found_by, states
from effectcrash.telling import GET, OPAQUE, SECOND, calls, job, killed_at, node, payment, resumed
from effectspec.attention import ExitCode
from effectspec.journaling import ToolKind
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.scenario import Call, Scenario, Tool

FILE: Final = Tool(id="file", kind=ToolKind.WRITE_FILE)
PAGER: Final = Tool(id="pager", kind=ToolKind.NOTIFY)
CLIPBOARD: Final = Tool(id="clipboard", kind=ToolKind.READ)


def cases() -> Iterator[Case]:
    """A node that makes one call is killed once it is completed, before any sweep."""
    yield _case("J-3/append", "J-3", FILE, _write(append=True), (State.COMMITTED,))
    yield _case("J-3/whole-file", "J-3", FILE, _write(append=False), ())
    yield _case("J-3/get", "J-3", payment(OPAQUE), GET, ())
    yield _case("J-2/read", "J-2", CLIPBOARD, _call(CLIPBOARD, path="/clipboard"), ())
    yield _case("J-4/notify", "J-4", PAGER, _call(PAGER, text="done"), ())


def _case(id_: str, clause: str, tool: Tool, call: Call, rows: tuple[State, ...]) -> Case:
    return Case(
        id_,
        tool.tier,
        Scenario(
            job=job(tool, node(calls(call), mapping={})),
            steps=(*killed_at(Place.NODE_COMPLETED), *resumed()),
        ),
        (
            expect(clause, states(found_by(SECOND)), rows),
            expect("J-1", ending(SECOND), ExitCode.COMPLETED),
        ),
    )


def _write(*, append: bool) -> Call:
    return Call(
        tool=FILE.id,
        arguments={"path": "log.txt", "text": "a line\n", "append": append},
        call_id="call-file",
    )


def _call(tool: Tool, **arguments: str) -> Call:
    return Call(tool=tool.id, arguments={**arguments}, call_id=f"call-{tool.id}")
