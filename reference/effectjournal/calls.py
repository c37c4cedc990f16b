"""What a tool call asks for, once its arguments are checked: the first half of O-1."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias, assert_never
from urllib.parse import unquote

import msgspec

from effectspec.digest import NotCanonicalJson, canonical
from effectspec.journaling import CallShape, ToolKind
from effectspec.json_value import Json
from effectspec.scenario import Tool

USAGE: Mapping[ToolKind, str] = {
    ToolKind.HTTP_REQUEST: "give {method, path} and perhaps {body}, the method in capitals",
    ToolKind.WRITE_FILE: "give {path, text} and perhaps {append: true}",
    ToolKind.NOTIFY: "give any object",
    ToolKind.READ: "give {path}",
    ToolKind.MCP: "give any object",
}
"""How each kind of tool is called: the remedy that a refusal names."""

_TARGET_PATH = re.compile(r"[!-~]+", re.ASCII)
_DOTS = frozenset({".", ".."})


class BadCall(ValueError):
    """A call that is refused before anything is journaled; names tool, argument and remedy."""


class _Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class HttpRequest(_Arguments, frozen=True):
    """One request to the target; ``path`` is relative to the account."""

    method: Annotated[str, msgspec.Meta(pattern="^[A-Z]+(-[A-Z]+)*$")]
    path: str
    body: Json = None

    def __post_init__(self) -> None:
        """Refuse a path that leaves the account, and a body that a GET would not send."""
        _check_target_path(self.path)
        if self.method == "GET" and self.body is not None:
            raise ValueError("a GET has no `body`")


class WriteFile(_Arguments, frozen=True):
    """One file below the store's files, written whole or appended to."""

    path: str
    text: str
    append: bool = False


class Read(_Arguments, frozen=True):
    """One read of the target; ``path`` is relative to the account."""

    path: str

    def __post_init__(self) -> None:
        """Refuse a path that leaves the account."""
        _check_target_path(self.path)


@dataclass(frozen=True, slots=True)
class Notify:
    """One notification."""

    message: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class McpCall:
    """One call of a discovered tool, about which nothing is known (M-1)."""

    arguments: Mapping[str, Json]


Invocation: TypeAlias = HttpRequest | WriteFile | Read | Notify | McpCall


def parse(tool: Tool, arguments: Mapping[str, Json]) -> Invocation:
    """Check the arguments of a call. Raises :class:`BadCall` (O-1, reading 14)."""
    for name, value in arguments.items():
        try:
            canonical([name, value])
        except NotCanonicalJson:
            # Its own text may quote the value, which may be a secret.
            raise BadCall(
                f"tool {tool.id!r}: argument {name!r} cannot be held in canonical JSON; leave out "
                "NaN, infinities, integers beyond 2^53 and lone surrogates"
            ) from None
    try:
        return _converted(tool.kind, arguments)
    except msgspec.ValidationError as error:
        raise BadCall(f"tool {tool.id!r}: {error}; {USAGE[tool.kind]}") from error


def _converted(kind: ToolKind, arguments: Mapping[str, Json]) -> Invocation:
    match kind:
        case ToolKind.HTTP_REQUEST:
            return msgspec.convert(arguments, HttpRequest)
        case ToolKind.WRITE_FILE:
            return msgspec.convert(arguments, WriteFile)
        case ToolKind.READ:
            return msgspec.convert(arguments, Read)
        case ToolKind.NOTIFY:
            return Notify(arguments)
        case ToolKind.MCP:
            return McpCall(arguments)
        case _:
            assert_never(kind)


def shape(invocation: Invocation) -> CallShape:
    """What the call is about to do, read off the call and not off its class (J-2, J-3)."""
    match invocation:
        case HttpRequest(method=method):
            return CallShape.GET if method == "GET" else CallShape.NON_GET
        case WriteFile(append=append):
            return CallShape.APPEND if append else CallShape.WHOLE_FILE
        case Read() | Notify() | McpCall():
            return CallShape.PLAIN
        case _:
            assert_never(invocation)


def _check_target_path(path: str) -> None:
    if not _TARGET_PATH.fullmatch(path) or "#" in path:
        raise ValueError("`path` is not one of a URL; percent-encode what is no printable ASCII")
    segments = path.partition("?")[0].split("/")
    if any(unquote(segment) in _DOTS for segment in segments):
        raise ValueError("`path` leaves the target's account; leave `.` and `..` out of it")
