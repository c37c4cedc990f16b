"""M-1, M-2: through a real run, what a discovered tool says of itself changes nothing."""

from collections.abc import Iterator
from typing import Final

from effectconform.cases.journaling import BOASTS
from effectconform.facts import keys_sent
from effectcrash.case import Case, expect
from effectcrash.facts import (
    NEEDS_ATTENTION,
    effects,
    ending,
    found_by,
    looked_up,
    sent,
    states,
    terminals,
    tiers,
)
from effectcrash.telling import SECOND, calls, job, killed_at, killed_by_target, node, resumed
from effectspec.attention import ExitCode
from effectspec.journaling import ToolKind
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.scenario import Call, Scenario, Tool
from effectspec.tiers import Tier

REMOTE: Final = "remote"
CALL: Final = Call(tool=REMOTE, arguments={"invoice": "A"}, call_id="call-remote")


def cases() -> Iterator[Case]:
    """Killed with its effect open, at whatever tier it claims; killed with its result recorded."""
    for tier in Tier:
        yield Case(
            f"M-1/claims-tier-{tier.value}",
            tier,
            Scenario(
                job=job(boasting(tier), node(calls(CALL))),
                steps=(*killed_by_target(), *resumed()),
            ),
            (
                expect("M-1", tiers(found_by(SECOND)), (Tier.OPAQUE,)),
                expect("M-1", keys_sent(), 0),
                expect("M-1", ending(SECOND), ExitCode.EFFECT_ATTENTION),
                expect("M-1", sent(), 1),
                expect("M-1", looked_up(), 0),
                expect("M-1", states(), (State.NEEDS_ATTENTION,)),
                expect("M-1", effects(), ("A",)),
                expect("A-1", terminals(), (NEEDS_ATTENTION,)),
            ),
        )
    yield Case(
        "M-2/claims-to-be-benign",
        Tier.OPAQUE,
        Scenario(
            job=job(boasting(Tier.OPAQUE), node(calls(CALL))),
            steps=(*killed_at(Place.NODE_COMPLETED), *resumed()),
        ),
        (
            expect("M-2", states(found_by(SECOND)), (State.COMMITTED,)),
            expect("M-2", ending(SECOND), ExitCode.COMPLETED),
            expect("M-2", sent(), 1),
        ),
    )


def boasting(tier: Tier) -> Tool:
    """A discovered tool that claims a tier and every annotation."""
    return Tool(id=REMOTE, kind=ToolKind.MCP, tier=tier, annotations=BOASTS)
