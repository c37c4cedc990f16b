"""J-1 to J-4, M-1, M-2: what is journaled, and what a tool's own word is worth."""

from collections.abc import Iterator
from typing import Final

from effectconform.ask import Question, Questions, question
from effectcrash.facts import NotTold
from effectspec.journaling import ToolKind
from effectspec.json_value import Json
from effectspec.protocol import Answer, Classified, Classify
from effectspec.scenario import Tool
from effectspec.tiers import Tier

BOASTS: Final[dict[str, Json]] = {
    "idempotentHint": True,
    "readOnlyHint": True,
    "destructiveHint": False,
    "duplicationBenign": True,
    "tier": 1,
}
"""What a discovered tool may claim of itself; the first three are MCP's own annotations."""

METHODS: Final = ("POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
"""Every non-GET method is journaled, by the contract's letter (J-3)."""


def cases() -> Iterator[Questions]:
    """The call decides, not the class of its tool, and never what a tool says of itself."""
    yield Questions(
        "J-1/predicate",
        (
            _journaled("J-1", ToolKind.HTTP_REQUEST, _http("POST"), expected=True),
            _journaled("J-1", ToolKind.MCP, {"anything": 1}, expected=True),
            _journaled("J-1", ToolKind.NOTIFY, {"text": "done"}, expected=False),
        ),
    )
    yield Questions(
        "J-2/governed-reads",
        (
            _journaled("J-2", ToolKind.HTTP_REQUEST, _http("GET"), expected=False),
            _journaled("J-2", ToolKind.READ, {"path": "/clipboard"}, expected=False),
        ),
    )
    yield Questions(
        "J-3/by-arguments",
        (
            *(
                _journaled("J-3", ToolKind.HTTP_REQUEST, _http(method), expected=True)
                for method in METHODS
            ),
            _journaled("J-3", ToolKind.HTTP_REQUEST, _http("GET"), expected=False),
            _journaled("J-3", ToolKind.WRITE_FILE, _write(append=True), expected=True),
            _journaled("J-3", ToolKind.WRITE_FILE, _write(append=False), expected=False),
            _journaled("J-3", ToolKind.WRITE_FILE, {"path": "a", "text": "b"}, expected=False),
        ),
    )
    yield Questions(
        "J-4/benign-duplicates",
        (
            _journaled("J-4", ToolKind.NOTIFY, {"text": "done"}, expected=False),
            _journaled(
                "J-4", ToolKind.HTTP_REQUEST, _http("POST"), expected=True, annotations=BOASTS
            ),
            _journaled(
                "J-4", ToolKind.WRITE_FILE, _write(append=True), expected=True, annotations=BOASTS
            ),
        ),
    )
    yield Questions(
        "M-1/annotations",
        tuple(
            question(
                "M-1",
                f"the tier of an MCP tool that says tier {declared.value}, annotations {shown}",
                Classify(tool=_tool(ToolKind.MCP, declared, annotations), arguments={"x": 1}),
                lambda answer: _classified(answer).tier,
                Tier.OPAQUE,
            )
            for declared in Tier
            for shown, annotations in (("none", {}), ("boasting", BOASTS))
        ),
    )
    yield Questions(
        "M-2/annotations",
        tuple(
            _journaled("M-2", ToolKind.MCP, {"x": 1}, expected=True, annotations=BOASTS, id_=id_)
            for id_ in ("discovered", "notify", "read")
        ),
    )


def _journaled(
    clause: str,
    kind: ToolKind,
    arguments: dict[str, Json],
    *,
    expected: bool,
    annotations: dict[str, Json] | None = None,
    id_: str | None = None,
) -> Question:
    tool = _tool(kind, Tier.OPAQUE, annotations or {}, id_)
    boasting = ", which boasts," if annotations else ""
    return question(
        clause,
        f"{kind.value} tool “{tool.id}”{boasting} with {_shown(arguments)} is journaled",
        Classify(tool=tool, arguments=arguments),
        lambda answer: _classified(answer).journaled,
        expected,
    )


def _tool(kind: ToolKind, tier: Tier, annotations: dict[str, Json], id_: str | None = None) -> Tool:
    return Tool(id=id_ or kind.value, kind=kind, tier=tier, annotations=annotations)


def _http(method: str) -> dict[str, Json]:
    return {"method": method, "path": "/payments"}


def _write(*, append: bool) -> dict[str, Json]:
    return {"path": "log.txt", "text": "a line", "append": append}


def _shown(arguments: dict[str, Json]) -> str:
    return ", ".join(f"{name} {value}" for name, value in arguments.items())


def _classified(answer: Answer) -> Classified:
    if not isinstance(answer, Classified):
        raise NotTold(f"not classified: {answer}")
    return answer
