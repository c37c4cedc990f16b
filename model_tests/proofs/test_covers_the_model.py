"""The proof is about the model: what may happen in the model may happen in the proof.

Walks through the model come to steps of many kinds; the first few steps of each kind are looked at.
"""

from collections import Counter
from random import Random

import pytest
import z3  # type: ignore[import-untyped]  # z3 ships no types

from effectspec import wrong_rules
from effectspec.contract import CONTRACT
from effectspec.model import configuration as worlds
from effectspec.model.actions import (
    Action,
    Advance,
    Close,
    Crash,
    EndRun,
    ReadGateFails,
    SetLookups,
    SettleFails,
    Sweep,
)
from effectspec.model.answers import (
    Answer,
    Failed,
    Gated,
    NodeEnded,
    Prepared,
    Settled,
    Swept,
)
from effectspec.model.model import Model
from effectspec.model.world import World
from proofs.finite import Expr
from proofs.rules import Rules
from proofs.shadow import Shadow
from proofs.transitions import TRANSITIONS, Transition

CONFIGURATIONS = (
    worlds.OPAQUE,
    worlds.TWO_OWNERS,
    worlds.KEYED,
    worlds.EXPIRING,
    worlds.QUERYABLE,
    worlds.INCARNATIONS,
    worlds.TWINS,
)
WALKS = 100
STEPS = 60
LOOKS = 2
"""How many steps of a kind are looked at."""

SELDOM = (Advance, Close, Crash, EndRun, ReadGateFails, SetLookups, SettleFails, Sweep)
"""Actions that end a walk's progress, or are always possible."""
OFTEN = 15
"""How much likelier each other action is."""


def _drawn(model: Model, world: World, random: Random) -> Action | None:
    actions = list(model.actions(world))
    weights = [1 if isinstance(action, SELDOM) else OFTEN for action in actions]
    return random.choices(actions, weights)[0] if actions else None


def _kind(action: Action, answer: Answer) -> tuple[object, ...]:
    """What was done and answered, whatever the processes and rows."""
    said: tuple[object, ...]
    match answer:
        case Prepared():
            said = (answer.admission, answer.bearing)
        case Settled():
            said = (answer.settlement, answer.state)
        case Gated():
            said = tuple((each.declared, each.verdict) for each in answer.verdicts)
        case NodeEnded():
            said = (answer.completed, bool(answer.rows))
        case Swept():
            said = (answer.deleted > 0,)
        case Failed():
            said = (answer.code,)
        case _:
            said = (action.code,) if isinstance(action, EndRun) else ()
    return type(action), type(answer), *said


def _reduced(expression: Expr) -> Expr:
    return z3.simplify(expression)


def _look(
    shadow: Shadow, action: Action, after: World, answer: Answer, rules: Rules
) -> list[Transition]:
    """Follow the action, and the proof beside it."""
    world = shadow.seen()
    happenings = shadow.happenings(action, after, answer)
    for transition, choice in happenings:
        guard, world = transition(world, choice, shadow.ids, rules)
        assert z3.is_true(_reduced(guard)), f"{transition.__name__} forbids {action}"
    shadow.follow(action, after, answer)
    modelled = shadow.facts(shadow.seen())
    for (fact, is_), (_, ought) in zip(shadow.facts(world), modelled, strict=True):
        assert _reduced(is_).eq(_reduced(ought)), f"{fact} after {action} is not {ought}"
    return [transition for transition, _ in happenings]


def _explore(rules: Rules) -> set[Transition]:
    """Compare along the walks, and give the transitions that they called for."""
    random = Random(0)  # noqa: S311  (a walk, not a secret)
    looks: Counter[tuple[object, ...]] = Counter()
    met: set[Transition] = set()
    for configuration in CONFIGURATIONS * WALKS:
        model = Model(configuration)
        shadow = Shadow(configuration, model.initial()[0])
        for _ in range(STEPS):
            action = _drawn(model, shadow.world, random)
            if action is None:
                break
            after, answer = model.step(shadow.world, action)
            kind = _kind(action, answer)
            looks[kind] += 1
            if looks[kind] <= LOOKS:
                met |= {*_look(shadow, action, after, answer, rules)}
            else:
                shadow.follow(action, after, answer)
    return met


def test_what_happens_in_the_model_may_happen_in_the_proof() -> None:
    met = _explore(Rules(CONTRACT))
    assert {each.__name__ for each in met} == {each.__name__ for each in TRANSITIONS}


def test_a_proof_under_other_rules_is_not_about_the_model() -> None:
    wrong = Rules(wrong_rules.opaque_effect_retried(CONTRACT))
    with pytest.raises(AssertionError, match=r"after ReadGate"):
        _explore(wrong)
