"""What every example is about: a run of two nodes, and what their models may ask for."""

from typing import Final

from effectspec.model.script import job
from effectspec.model.world import Call, Tool
from effectspec.tiers import Tier

KEY_LIFETIME_S: Final = 1000
LATER_S: Final = 10_000
"""Far apart, so that the seconds that a test takes never decide whether a key lives."""

OPAQUE: Final = Tool("opaque", Tier.OPAQUE)
KEYED: Final = Tool("keyed", Tier.KEYED, KEY_LIFETIME_S)
QUERYABLE: Final = Tool("queryable", Tier.QUERYABLE)
TOOLS: Final = (KEYED, QUERYABLE, OPAQUE)
RECONCILERS: Final = frozenset({KEYED.id, QUERYABLE.id})
NODES: Final = ("n1", "n2")
BARE: Final = frozenset[str]()
"""What a process has that comes up without its reconcilers (T-6)."""

JOBS: Final = {each: job(TOOLS, each, NODES) for each in (RECONCILERS, BARE)}
"""The job, by the reconcilers of the process that is given it."""

CALLS: Final = (*(Call(tool, "first") for tool in TOOLS), Call(OPAQUE, "second"))
FRESH: Final = [(slot, each) for slot in range(3) for each in CALLS]
"""What a node may ask for first: any call at any of three slots."""
