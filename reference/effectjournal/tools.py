"""The tools of a job: how a call of one is resolved, classified, sent and reconciled."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never
from urllib.parse import quote

from effectjournal.calls import (
    BadCall,
    HttpRequest,
    Invocation,
    McpCall,
    Notify,
    Read,
    WriteFile,
    parse,
    shape,
)
from effectjournal.files import Files
from effectjournal.reconcilers import Reconcilers
from effectjournal.sent import Sent
from effectjournal.target import Target
from effectspec.contract import CONTRACT, Contract
from effectspec.journaling import Origin, ToolKind
from effectspec.json_value import Json
from effectspec.projection import projection
from effectspec.protocol import KEY_HEADER, REFERENCE_HEADER
from effectspec.scenario import Job, Tool
from effectspec.tiers import Tier

_REACHES_TARGET = frozenset({ToolKind.HTTP_REQUEST, ToolKind.MCP})
"""The kinds that can carry a key or a reference; no reconciler exists for the others (T-6)."""


@dataclass(frozen=True, slots=True)
class ResolvedCall:
    """A call whose arguments are checked, and how it counts (J-1, M-1)."""

    tool: Tool
    arguments: Mapping[str, Json]
    invocation: Invocation
    journaled: bool
    tier: Tier


def origin(tool: Tool) -> Origin:
    """Who declared a tool: what came over MCP describes itself, and is not believed (M-1)."""
    return Origin.DISCOVERED if tool.kind is ToolKind.MCP else Origin.FIRST_PARTY


def resolve(contract: Contract, tool: Tool, arguments: Mapping[str, Json]) -> ResolvedCall:
    """Check and classify a call (O-1, J-1, J-2). Raises :class:`BadCall`."""
    invocation = parse(tool, arguments)
    return ResolvedCall(
        tool=tool,
        arguments=arguments,
        invocation=invocation,
        journaled=contract.is_journaled(tool.kind, shape(invocation), origin(tool)),
        tier=contract.trusted_tier(tool.tier, origin(tool)),
    )


class ToolBox:
    """The tools that one job may call, on one target and in one store's folder."""

    def __init__(
        self, job: Job, target: Target, store: Path, *, contract: Contract = CONTRACT
    ) -> None:
        self._tools = {tool.id: tool for tool in job.tools}
        self._target = target
        self._files = Files(store)
        self._contract = contract

    def resolve(self, tool_id: str, arguments: Mapping[str, Json]) -> ResolvedCall:
        """Check and classify a call (O-1). Raises :class:`BadCall`; nothing is journaled yet."""
        tool = self._tools.get(tool_id)
        if tool is None:
            known = ", ".join(map(repr, self._tools)) or "none"
            raise BadCall(f"tool {tool_id!r} is not one of the job's; its tools are: {known}")
        resolved = resolve(self._contract, tool, arguments)
        if isinstance(resolved.invocation, WriteFile):
            try:
                self._files.locate(resolved.invocation.path)
            except ValueError as error:
                raise BadCall(
                    f"tool {tool_id!r}: {error}; give a relative path that stays below them"
                ) from error
        return resolved

    def send(
        self, call: ResolvedCall, *, key: str | None = None, reference: str | None = None
    ) -> Sent:
        """Do the call, once, and say what came of it (reading 10).

        ``key`` and ``reference`` are the journal's, of the row's tier (I-7, reading 9).
        """
        headers = {
            name: value
            for name, value in ((KEY_HEADER, key), (REFERENCE_HEADER, reference))
            if value is not None
        }
        match call.invocation:
            case HttpRequest(method=method, path=path, body=body):
                return self._target.send(method, path, body, headers)
            case McpCall(arguments=arguments):
                path = f"/mcp/{quote(call.tool.id, safe='')}"
                return self._target.send("POST", path, dict(arguments), headers)
            case Read(path=path):
                return self._target.send("GET", path)
            case WriteFile(path=path, text=text, append=append):
                return self._files.write(path, text, append=append)
            case Notify(message=message):
                # The log stays in the store, which holds no declared secret.
                public = projection(message, call.tool.secret_keys)
                return self._files.notify(call.tool.id, public)
            case _:
                assert_never(call.invocation)

    def reconcilers(self) -> Reconcilers:
        """The tools whose tier 1 or 2 promise can be kept (T-6)."""
        tiers = {
            tool.id: self._contract.trusted_tier(tool.tier, origin(tool))
            for tool in self._tools.values()
            if tool.reconciler and tool.kind in _REACHES_TARGET
        }
        return Reconcilers(
            keyed=frozenset(tool_id for tool_id, tier in tiers.items() if tier is Tier.KEYED),
            queries={
                tool_id: self._target.receipt
                for tool_id, tier in tiers.items()
                if tier is Tier.QUERYABLE
            },
        )
