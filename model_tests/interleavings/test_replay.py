"""What the machine tells as a scenario is what it did: the harness plays it to the same end."""

from pathlib import Path
from typing import Final

from effectcrash.examinable import Stage
from effectcrash.play import play
from effectcrash.target_process import TargetProcess
from effectspec.contract import CONTRACT
from effectspec.lifecycle import Resolution
from effectspec.model.actions import (
    Advance,
    Attach,
    BeginNode,
    Crash,
    Join,
    Prepare,
    ReadGate,
    ReadGateFails,
    Resolve,
    SetLookups,
    Settle,
    SettleFails,
    Sweep,
    TakeOver,
)
from effectspec.model.script import script
from effectspec.model.step import step
from effectspec.model.world import Call, Lookups, Result, World
from effectspec.settlement import Outcome
from interleavings.job import KEYED, LATER_S, OPAQUE, RECONCILERS
from interleavings.processes import ADAPTER
from interleavings.search import ACCOUNTS

OPAQUE_CALL, KEYED_CALL = Call(OPAQUE, "first"), Call(KEYED, "first")
A_STORY: Final = (
    TakeOver("p1", RECONCILERS),
    BeginNode("p1", "n1"),
    Prepare("p1", "n1", 0, OPAQUE_CALL),
    Settle("p1", 1, Outcome.DONE, Result.FITS),
    Prepare("p1", "n1", 1, KEYED_CALL),
    SettleFails("p1", 2),
    TakeOver("p2", RECONCILERS, declared_dead=True),
    ReadGate("p2"),
    Settle("p1", 2, Outcome.DONE, Result.FITS),
    TakeOver("p3", RECONCILERS, declared_dead=True),
    Join("p2", "p3"),
    ReadGate("p2"),
    BeginNode("p3", "n1"),
    Prepare("p3", "n1", 0, OPAQUE_CALL),
    Prepare("p3", "n1", 1, KEYED_CALL),
    Settle("p3", 2, Outcome.DONE, Result.TOO_LARGE),
    Crash("p1"),
    Crash("p2"),
    Crash("p3"),
    Advance(LATER_S),
    SetLookups(Lookups.HIDDEN),
    TakeOver("p1", RECONCILERS),
    ReadGateFails("p1"),
    BeginNode("p1", "n2"),
    Prepare("p1", "n2", 0, OPAQUE_CALL),
    Crash("p1"),
    TakeOver("p1", RECONCILERS),
    ReadGate("p1"),
    Crash("p1"),
    Resolve(3, Resolution.ACCEPTED),
    Attach(3, Result.FITS),
    Sweep(),
    TakeOver("p1", RECONCILERS),
)


def test_what_was_done_in_the_model_can_be_played_as_a_scenario(
    target: TargetProcess, tmp_path: Path
) -> None:
    world = World()
    for action in A_STORY:
        world, _ = step(world, action, CONTRACT)
    scene = play(script(A_STORY), Stage(ADAPTER, target.account(next(ACCOUNTS)), tmp_path)).end

    assert scene.generation == world.generation
    assert [
        (row.state, row.retained, row.generation, row.resolution, row.late_evidence)
        for row in scene.rows
    ] == [
        (
            row.record.state,
            row.record.retained,
            row.record.generation,
            row.record.resolution,
            row.evidence,
        )
        for row in world.rows
    ]
    assert [row.evidence for row in world.rows] == [0, 1, 0], "the story is what it was meant to be"
