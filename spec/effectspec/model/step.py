"""One step of the world: the oracle of whoever keeps a journal, and what an explorer walks along.

A step takes its decisions where a journal does: from the functions of the contract that it is
given, through :mod:`effectspec.record`.
"""

from effectspec.contract import Contract
from effectspec.model.actions import Action, NodeAct, OperatorAct, RunAct
from effectspec.model.answers import Silent
from effectspec.model.node_acts import node_step
from effectspec.model.operator_acts import operator_step
from effectspec.model.outside_acts import outside_step
from effectspec.model.run_acts import run_step
from effectspec.model.world import World
from effectspec.model.writing import Stepped


def step(world: World, action: Action, contract: Contract) -> Stepped:
    """The world after ``action``, and what a journal answers to it.

    ``action`` must be possible: the process that it names lives, has begun the node, and was told
    to send what it sends. What the journal refuses is possible, and leaves its rows as they are.
    """
    if isinstance(action, RunAct):
        return run_step(world, action, contract)
    if isinstance(action, NodeAct):
        return node_step(world, action, contract)
    if isinstance(action, OperatorAct):
        return operator_step(world, action, contract)
    return outside_step(world, action, contract), Silent()
