"""What is journaled (§3), and whom the answer trusts (§5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from effectspec.tiers import Tier


class ToolKind(Enum):
    """The kinds of tool the contract speaks of."""

    HTTP_REQUEST = "http_request"
    WRITE_FILE = "write_file"
    NOTIFY = "notify"
    READ = "read"
    MCP = "mcp"


class Origin(Enum):
    """Who declared a tool: this code base, or bytes from outside it (M-1)."""

    FIRST_PARTY = "first_party"
    DISCOVERED = "discovered"


class CallShape(Enum):
    """What the resolved call of a tool is about to do (J-1, J-2)."""

    GET = "get"
    NON_GET = "non_get"
    WHOLE_FILE = "whole_file"
    APPEND = "append"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class MutationRow:
    """One row of the table of external mutations."""

    clause: str
    mutates: bool
    why: str


EXTERNAL_MUTATION: Mapping[tuple[ToolKind, CallShape], MutationRow] = {
    (ToolKind.HTTP_REQUEST, CallShape.GET): MutationRow("J-3", False, "a read"),
    (ToolKind.HTTP_REQUEST, CallShape.NON_GET): MutationRow("J-3", True, "changes the target"),
    (ToolKind.WRITE_FILE, CallShape.WHOLE_FILE): MutationRow(
        "J-3", False, "writing the same bytes again changes nothing: the file is its receipt"
    ),
    (ToolKind.WRITE_FILE, CallShape.APPEND): MutationRow("J-3", True, "appends add up"),
    (ToolKind.NOTIFY, CallShape.PLAIN): MutationRow("J-4", True, "reaches outside the process"),
    (ToolKind.READ, CallShape.PLAIN): MutationRow("J-2", False, "governed, but changes nothing"),
    (ToolKind.MCP, CallShape.PLAIN): MutationRow("M-1", True, "opaque, so assumed to change"),
}


def performs_external_mutation(kind: ToolKind, shape: CallShape) -> bool:
    """Whether a resolved call changes state outside this process (J-1, J-3, J-5).

    Raises ``KeyError`` for a shape that the kind of tool cannot have.
    """
    return EXTERNAL_MUTATION[kind, shape].mutates


BENIGN_KINDS = frozenset({ToolKind.NOTIFY})
"""The tools whose duplication is benign (J-4). The set is closed."""


def duplication_benign(kind: ToolKind, origin: Origin) -> bool:
    """Whether doing the call twice is harmless; only first-party code may say so (J-4, M-2)."""
    return origin is Origin.FIRST_PARTY and kind in BENIGN_KINDS


def is_journaled(kind: ToolKind, shape: CallShape, origin: Origin) -> bool:
    """Whether a dispatch is bracketed by a prepare and a settle (J-1)."""
    return performs_external_mutation(kind, shape) and not duplication_benign(kind, origin)


def trusted_tier(declared: Tier, origin: Origin) -> Tier:
    """The tier a declaration is worth: what was discovered is opaque for good (M-1)."""
    return declared if origin is Origin.FIRST_PARTY else Tier.OPAQUE
