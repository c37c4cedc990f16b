"""Whole lives of a run: transitions one after another, from the beginning."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import z3  # type: ignore[import-untyped]  # z3 ships no types

from proofs.at_most_once import STEP_PROPERTIES, Sentence
from proofs.finite import Expr
from proofs.induction import instances, solve
from proofs.rules import Rules
from proofs.telling import Telling
from proofs.transitions import Ids, Transition, join, prepare, take_over
from proofs.world import World, any_choice, any_world, initial

Ending: TypeAlias = Callable[[World, World, Ids], Expr]
"""What is asked of the last step of a life: of the world before it and of the world after it."""


def against(claim: Sentence) -> Ending:
    """The claim is false of some process or row."""

    def ending(before: World, after: World, ids: Ids) -> Expr:
        worlds = (before, after) if claim in STEP_PROPERTIES else (after,)
        return z3.Not(z3.And(*instances(claim, ids, *worlds)))

    return ending


def life(rules: Rules, script: Sequence[Transition], ending: Ending) -> str | None:
    """A life that follows ``script`` to such an ending, told; None if there is none.

    The script says what happens; z3 finds to whom, and what they choose.
    """
    choices = [any_choice(f" {step}") for step in range(len(script))]
    steps = list(zip(script, choices, strict=True))
    ids = Ids(
        tuple(choice.process for step, choice in steps if step in {take_over, join}),
        tuple(z3.IntVal(number + 1) for number in range(script.count(prepare))),
    )
    before = after = any_world()
    solver = z3.Solver()
    solver.add(initial(after))
    for transition, choice in steps:
        before = after
        guard, after = transition(before, choice, ids, rules)
        solver.add(guard)
    solver.add(ending(before, after, ids))
    model = solve(solver)
    if model is None:
        return None
    telling = Telling(model, ids)
    told = (f"{step.__name__}: {telling.choice(choice)}" for step, choice in steps)
    return "\n".join((*told, telling.worlds(after, after)))
