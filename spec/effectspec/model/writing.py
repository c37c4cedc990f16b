"""What every write of an owner begins with, and how one settle is told from another."""

from dataclasses import replace
from typing import TypeAlias

from effectspec.contract import Contract
from effectspec.model.answers import Answer, Failed
from effectspec.model.world import Process, Result, Stage, World
from effectspec.protocol import Code
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome

Stepped: TypeAlias = tuple[World, Answer]
"""The world after an action, and what the journal answered."""


def owns(world: World, process: Process, contract: Contract) -> bool:
    """Whether a write of the process goes through; asked in its transaction (F-2)."""
    return contract.fence_holds(writer=process.generation, current=world.generation)


def fenced(world: World, process: Process) -> Stepped:
    """The answer to a write under a stale fence: nothing is written, and its sender stops."""
    return world.with_process(replace(process, stage=Stage.OVER)), Failed(Code.FENCED)


def is_open(world: World) -> bool:
    """Whether the run's incarnation has no terminal yet: nothing of it follows that (A-4)."""
    return world.phase is RunPhase.OPEN


def over(world: World, process: Process) -> Stepped:
    """The answer to work in an incarnation that has its terminal: nothing is written."""
    return world.with_process(replace(process, stage=Stage.OVER)), Failed(Code.REFUSED)


def fingerprint(outcome: Outcome, result: Result | None) -> str:
    """Tells one settle from another, so that the same one sent twice is answered alike."""
    return f"{outcome.value}:{None if result is None else result.name}"
