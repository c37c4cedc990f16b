"""How large a world is, and which of the things that can happen do happen in it."""

from dataclasses import dataclass, replace

from effectspec.model.actions import (
    Action,
    Arrival,
    Attach,
    Close,
    Crash,
    FollowUpFails,
    GiveUp,
    Join,
    OverBudget,
    PrepareFails,
    ReadGateFails,
    Resolve,
    SetLookups,
    SettleFails,
    Sweep,
)
from effectspec.model.world import Call, Result, Tool
from effectspec.tiers import REQUEST_TRAVEL_ALLOWANCE_S, Tier


@dataclass(frozen=True, slots=True)
class Timing:
    """How time passes: in steps of ``step_s`` up to ``horizon_s``.

    A process may pause for as long as it likes before it sends; a request arrives within
    ``travel_s``, or never (reading 3).
    """

    step_s: int
    horizon_s: int
    travel_s: int


@dataclass(frozen=True, slots=True)
class Configuration:
    """A small world.

    ``calls`` are what the model of a node may ask for, each once a start, in any order and at any
    of ``slots`` slots; a slot that is passed over is a call that is not journaled. ``hazards`` are
    the kinds of action that happen beside a run that goes well; without ``lapses`` no take-over
    comes while the owner lives, and if ``bare`` a process may come up without its reconcilers.
    ``generations`` bounds how often the fence is taken, by operators too, and ``starts`` how often
    a node is begun. ``results`` are what may be kept of an answer: the same call may be answered by
    another each time. Without ``timing`` no time passes, and a request may arrive however late.
    ``rows`` bounds how many can be prepared; without it that is one a slot of every start.
    """

    name: str
    calls: tuple[Call, ...]
    slots: int
    generations: int
    starts: int
    hazards: frozenset[type[Action]]
    nodes: tuple[str, ...] = ("n1",)
    processes: tuple[str, ...] = ("p1",)
    reconcilers: frozenset[str] = frozenset()
    arrivals: tuple[Arrival, ...] = (Arrival.ANSWERED,)
    results: tuple[Result, ...] = (Result.FITS,)
    lapses: bool = False
    bare: bool = False
    timing: Timing | None = None
    rows: int | None = None


_OPAQUE_A = Call(Tool("a", Tier.OPAQUE), "A")
_OPAQUE_B = Call(Tool("b", Tier.OPAQUE), "B")
_OTHER_ARGUMENTS = Call(Tool("a", Tier.OPAQUE), "not A")
_KEYED = Call(Tool("k", Tier.KEYED), "K")
_QUERYABLE = Call(Tool("q", Tier.QUERYABLE), "Q")
_MINUTE_S = REQUEST_TRAVEL_ALLOWANCE_S
_EXPIRING = Call(Tool("k", Tier.KEYED, key_lifetime_s=2 * _MINUTE_S), "K")

OPAQUE = Configuration(
    name="opaque",
    calls=(_OPAQUE_A, _OPAQUE_B),
    slots=2,
    generations=3,
    starts=2,
    hazards=frozenset({Crash, GiveUp, SettleFails, ReadGateFails, Resolve, Sweep}),
    arrivals=(Arrival.ANSWERED, Arrival.UNHEARD),
)
"""Two tier 3 effects in one node, one process at a time, an operator."""

TWO_OWNERS = Configuration(
    name="two-owners",
    calls=(_OPAQUE_A,),
    slots=1,
    generations=3,
    starts=2,
    hazards=frozenset({Crash, GiveUp, SettleFails, Resolve}),
    processes=("p1", "p2"),
    lapses=True,
)
"""A tier 3 effect, and an owner that is taken for dead while it lives (reading 12)."""

KEYED = Configuration(
    name="keyed",
    calls=(_KEYED, _OPAQUE_A),
    slots=2,
    generations=3,
    starts=2,
    hazards=frozenset({Crash, GiveUp}),
    reconcilers=frozenset({"k"}),
    arrivals=(Arrival.ANSWERED, Arrival.UNHEARD),
)
"""A tier 1 effect beside a tier 3 one."""

UNRECONCILED = replace(KEYED, name="unreconciled", calls=(_KEYED,), slots=1, bare=True)
"""A tier 1 effect whose key is sometimes not sent (T-6)."""

EXPIRING = Configuration(
    name="expiring",
    calls=(_EXPIRING,),
    slots=1,
    generations=2,
    starts=2,
    hazards=frozenset({Crash, GiveUp}),
    reconcilers=frozenset({"k"}),
    arrivals=(Arrival.ANSWERED, Arrival.UNHEARD),
    timing=Timing(step_s=_MINUTE_S, horizon_s=2 * _MINUTE_S, travel_s=_MINUTE_S),
)
"""A tier 1 effect at a target that forgets keys (reading 3)."""

QUERYABLE = Configuration(
    name="queryable",
    calls=(_QUERYABLE,),
    slots=1,
    generations=2,
    starts=3,
    hazards=frozenset({Crash, GiveUp, SetLookups}),
    processes=("p1", "p2"),
    reconcilers=frozenset({"q"}),
    arrivals=(Arrival.ANSWERED, Arrival.UNHEARD),
    lapses=True,
)
"""A tier 2 effect at a target that may show its receipts late (reading 2), and its late answer."""

INCARNATIONS = Configuration(
    name="incarnations",
    calls=(_OPAQUE_A, _OTHER_ARGUMENTS),
    slots=2,
    generations=3,
    starts=2,
    hazards=frozenset({Crash, SettleFails, Resolve, Attach, Close, Sweep}),
)
"""Two tier 3 effects of one tool, and a run that goes on after an operator's word (reading 6)."""

TWINS = Configuration(
    name="twins",
    calls=(_OPAQUE_A,),
    slots=1,
    generations=2,
    starts=2,
    hazards=frozenset({Crash, Join, Sweep}),
    processes=("p1", "p2"),
)
"""Two processes that hold one fence (C-7)."""

OVERSIZED = Configuration(
    name="oversized",
    calls=(_KEYED, _QUERYABLE),
    slots=2,
    generations=3,
    starts=2,
    hazards=frozenset({Crash, GiveUp, Resolve, Attach}),
    reconcilers=frozenset({"k", "q"}),
    results=(Result.FITS, Result.TOO_LARGE),
)
"""A tier 1 and a tier 2 effect whose answers may be too large to keep (G-5)."""

MISHAPS = Configuration(
    name="mishaps",
    calls=(_OPAQUE_A, _KEYED),
    slots=2,
    generations=2,
    starts=2,
    hazards=frozenset({Crash, PrepareFails, SettleFails, FollowUpFails}),
    reconcilers=frozenset({"k"}),
)
"""A tier 3 and a tier 1 effect, and everything around them that can fail (§7)."""

BUDGET = Configuration(
    name="budget",
    calls=(_OPAQUE_A, _KEYED),
    slots=2,
    generations=2,
    starts=3,
    hazards=frozenset({Crash, OverBudget}),
    reconcilers=frozenset({"k"}),
)
"""A tier 3 and a tier 1 effect, and a run whose money is at an end, or was meant to be (§13)."""

LAPSES = replace(OPAQUE, name="lapses", generations=5, processes=("p1", "p2"), lapses=True)
"""Two tier 3 effects, and owners that are taken for dead while they live, again and again."""

TWO_NODES = replace(
    OPAQUE, name="two-nodes", nodes=("n1", "n2"), processes=("p1", "p2"), lapses=True
)
"""Two nodes of two tier 3 effects each."""

MIXED = Configuration(
    name="mixed",
    calls=(_OPAQUE_A, _KEYED, _QUERYABLE),
    slots=2,
    generations=4,
    starts=2,
    hazards=frozenset({Crash, GiveUp, SettleFails, Resolve, Sweep, SetLookups}),
    processes=("p1", "p2"),
    reconcilers=frozenset({"k", "q"}),
    arrivals=(Arrival.ANSWERED, Arrival.UNHEARD),
    lapses=True,
)
"""An effect of each tier in one node."""

SMALL = (
    OPAQUE,
    TWO_OWNERS,
    KEYED,
    UNRECONCILED,
    EXPIRING,
    QUERYABLE,
    INCARNATIONS,
    TWINS,
    OVERSIZED,
    MISHAPS,
    BUDGET,
)
"""Worlds of some ten thousand states, which together come to everything that can be come to."""

LARGE = (LAPSES, TWO_NODES, MIXED)
"""Worlds of millions of states."""

STANDARD = (*SMALL, *LARGE)
"""Every world that a change of the contract has to hold in."""
