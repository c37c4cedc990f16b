"""What is taken to happen at last, and what is taken to stop.

Nothing can be promised of a run whose every owner is killed, or that nobody ever starts again. So:
*hazards* come to an end (crashes, failing writes and reads, owners that are declared dead, a model
that makes its node begin again), and whoever can go on all the time goes on at last (weak fairness,
for each process by itself, and for whoever is to take over a run that nobody owns).
"""

from effectspec.model.actions import (
    Action,
    Approve,
    Arrive,
    BeginIncarnation,
    BeginNode,
    CompleteNode,
    Crash,
    EndRun,
    GiveUp,
    Prepare,
    ReadGate,
    Send,
    Settle,
    TakeOver,
)
from effectspec.model.world import Stage, World
from effectspec.model.writing import is_open

SUCCESSOR = "whoever takes over"


def due(world: World, action: Action) -> str | None:
    """Who has to do this at last, None for what need not happen."""
    match action:
        case TakeOver(declared_dead=False) if world.lock is None:
            return SUCCESSOR
        case BeginNode(process=name, node_id=node_id):
            return name if world.living(name).start(node_id) is None else None
        case Crash(process=name):
            return name if _is_through(world, name) else None
        case (
            Approve(process=name)
            | ReadGate(process=name)
            | BeginIncarnation(process=name)
            | EndRun(process=name)
            | Send(process=name)
            | GiveUp(process=name)
            | Settle(process=name)
            | CompleteNode(process=name)
        ):
            return name
        case _:
            return None


def may_go_on(world: World, action: Action) -> bool:
    """Whether this may still happen when all hazards have come to an end."""
    return due(world, action) is not None or isinstance(action, Prepare | Arrive)


def _is_through(world: World, name: str) -> bool:
    """Whether a process has nothing left to do but to exit."""
    match world.living(name).stage:
        case Stage.OVER:
            return True
        case Stage.ATTENTION | Stage.FAILED | Stage.OVER_BUDGET:
            return not is_open(world)
        case Stage.GOING | Stage.PAUSED:
            return False
