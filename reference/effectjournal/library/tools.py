"""The tools of a run, by what their target lets us know after a call went unanswered (§1)."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import TypeAlias

from effectjournal.delivery import ResultPolicy
from effectjournal.library.answers import keepable, too_large
from effectjournal.library.given import require, text, whole
from effectjournal.library.misuse import BadValue
from effectjournal.reconcilers import ReceiptFound, ReceiptQuery, Reconcilers
from effectspec.gate import Lookup
from effectspec.scenario import DEFAULT_RETENTION
from effectspec.tiers import Tier

NEVER_CUT = 2**63 - 1
"""No model is shown the answers of a library call, so they are delivered whole."""

RETENTION_LIMIT = 64 * 1024 * 1024
"""Bytes of an answer that a tool may keep: far more than a re-run needs, and far less than the
billion that SQLite holds in one value, beyond which a settle would fail."""


@dataclass(frozen=True, slots=True)
class _Tool:
    """What all tools have.

    ``secret_keys``: top-level arguments that are left out of the digest (X-1). ``retention``:
    bytes of an answer that a row may hold, up to :data:`RETENTION_LIMIT`; a larger one is not kept,
    and a re-run that meets its row needs attention (G-5).
    """

    id: str
    _: KW_ONLY
    secret_keys: tuple[str, ...] = ()
    retention: int = DEFAULT_RETENTION

    def __post_init__(self) -> None:
        """Raise :class:`BadValue` for a field that cannot be."""
        text(f"the id of a {type(self).__name__}", self.id)
        require(
            f"tool {self.id!r}: secret_keys",
            self.secret_keys,
            "a tuple of names, such as ('password',)",
            holds=isinstance(self.secret_keys, tuple),
        )
        for key in self.secret_keys:
            text(f"tool {self.id!r}: a name in secret_keys", key)
        whole(f"tool {self.id!r}: retention", self.retention, least=0, most=RETENTION_LIMIT)

    @property
    def policy(self) -> ResultPolicy:
        """How an answer is recorded."""
        return ResultPolicy({}, bound=NEVER_CUT, retention=self.retention)


@dataclass(frozen=True, slots=True)
class Keyed(_Tool):
    """Tier 1: the target honours an idempotency key, and every call sends ``effect.key`` (T-2).

    ``key_lifetime_s``: seconds for which the target keeps a key, None for ever (reading 3).
    """

    key_lifetime_s: int | None = None

    def __post_init__(self) -> None:
        """Raise :class:`BadValue` for a field that cannot be."""
        _Tool.__post_init__(self)
        if self.key_lifetime_s is not None:
            whole(f"tool {self.id!r}: key_lifetime_s", self.key_lifetime_s, least=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Queryable(_Tool):
    """Tier 2: what became of a call can be asked by the ``effect.reference`` it sent (T-3).

    ``query`` answers ``ReceiptFound(answer)``, ``Lookup.NOTHING`` or ``Lookup.FAILED``. An
    exception in it is a failed look-up.
    """

    query: ReceiptQuery

    def __post_init__(self) -> None:
        """Raise :class:`BadValue` for a field that cannot be."""
        _Tool.__post_init__(self)
        require(
            f"tool {self.id!r}: query",
            self.query,
            "a function of a reference",
            holds=callable(self.query),
        )


@dataclass(frozen=True, slots=True)
class Opaque(_Tool):
    """Tier 3: nothing can be asked and nothing may be repeated (T-4)."""


Tool: TypeAlias = Keyed | Queryable | Opaque


def is_tool(given: object) -> bool:
    """Whether ``given`` is a tool at all."""
    return isinstance(given, Keyed | Queryable | Opaque)


def tier_of(tool: Tool) -> Tier:
    """The tier that a tool declares."""
    match tool:
        case Keyed():
            return Tier.KEYED
        case Queryable():
            return Tier.QUERYABLE
        case Opaque():
            return Tier.OPAQUE


def key_lifetime_of(tool: Tool) -> int | None:
    """How long the tool's target keeps a key, in seconds."""
    return tool.key_lifetime_s if isinstance(tool, Keyed) else None


def by_id(place: str, tools: Collection[Tool]) -> Mapping[str, Tool]:
    """The tools of a run by id, which tells their effects apart. Raises :class:`BadValue`."""
    kinds = "Keyed, Queryable or Opaque"
    require(
        f"{place}: tools", tools, f"a list of tools: {kinds}", holds=isinstance(tools, Collection)
    )
    for tool in tools:
        require(f"{place}: one of tools", tool, f"a tool: {kinds}", holds=is_tool(tool))
    for tool_id, times in Counter(tool.id for tool in tools).items():
        if times > 1:
            raise BadValue(
                f"{place}: tools names {tool_id!r} twice; give each tool an id of its own"
            )
    return {tool.id: tool for tool in tools}


def reconcilers(tools: Collection[Tool], failed: Callable[[Exception], None]) -> Reconcilers:
    """What lets the tools keep the promise of their tier (T-6).

    ``failed`` is told of every exception that a query raised.
    """
    return Reconcilers(
        keyed=frozenset(tool.id for tool in tools if isinstance(tool, Keyed)),
        queries={
            tool.id: partial(_look_up, tool, failed)
            for tool in tools
            if isinstance(tool, Queryable)
        },
    )


def _look_up(
    tool: Queryable, failed: Callable[[Exception], None], reference: str
) -> ReceiptFound | Lookup:
    try:
        found = tool.query(reference)
    except Exception as error:  # noqa: BLE001  (the caller's code: any failure is "no answer")
        failed(error)
        return Lookup.FAILED
    if found is Lookup.NOTHING or found is Lookup.FAILED:
        return found
    if not isinstance(found, ReceiptFound):
        # Never a receipt: a row that is committed by mistake hides an effect nobody looked up.
        failed(
            TypeError(
                f"the query of tool {tool.id!r} returned {found!r}; return a ReceiptFound, "
                "Lookup.NOTHING or Lookup.FAILED"
            )
        )
        return Lookup.FAILED
    try:
        return ReceiptFound(keepable(found.answer, None).recorded)
    except Exception as error:  # noqa: BLE001  (the receipt stands, whatever its answer is like)
        failed(error)
        return ReceiptFound(too_large(tool.policy))
