"""One step of the world: the oracle of whoever keeps a journal, and what an explorer walks along.

A step takes its decisions where a journal does: from the functions of the contract that it is
given, through :mod:`effectspec.record`.
"""

from typing import assert_never

from effectspec.contract import Contract
from effectspec.model.actions import (
    Action,
    Advance,
    Arrive,
    Attach,
    BeginIncarnation,
    BeginNode,
    Close,
    CompleteNode,
    Crash,
    EndRun,
    ForgetKeys,
    GiveUp,
    Join,
    Prepare,
    ReadGate,
    ReadGateFails,
    ReadGateUnowned,
    Resolve,
    Send,
    SetLookups,
    Settle,
    SettleFails,
    Sweep,
    TakeOver,
)
from effectspec.model.answers import Answer, Silent
from effectspec.model.node_acts import node_step
from effectspec.model.operator_acts import operator_step
from effectspec.model.outside_acts import outside_step
from effectspec.model.run_acts import run_step
from effectspec.model.world import World


def step(world: World, action: Action, contract: Contract) -> tuple[World, Answer]:
    """The world after ``action``, and what a journal answers to it.

    ``action`` must be possible: the process that it names lives, has begun the node, and was told
    to send what it sends. What the journal refuses is possible, and leaves its rows as they are.
    """
    match action:
        case (
            TakeOver()
            | Join()
            | ReadGate()
            | ReadGateFails()
            | ReadGateUnowned()
            | BeginIncarnation()
            | EndRun()
        ):
            return run_step(world, action, contract)
        case BeginNode() | Prepare() | Settle() | SettleFails() | CompleteNode():
            return node_step(world, action, contract)
        case Resolve() | Attach() | Close() | Sweep():
            return operator_step(world, action, contract)
        case Send() | Arrive() | GiveUp() | Crash() | Advance() | ForgetKeys() | SetLookups():
            return outside_step(world, action), Silent()
        case _:
            assert_never(action)
