"""Whether a way through a model breaks a sentence, asked again without the explorer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from effectspec.model.actions import OWN_ACTS, Action
from effectspec.model.endless import renamed
from effectspec.model.fairness import due, may_go_on
from effectspec.model.liveness import CanReach, LeadsTo, Sentence
from effectspec.model.model import Model
from effectspec.model.properties import Ending, Invariant, Move, Property
from effectspec.model.world import World


@dataclass(frozen=True, slots=True)
class Way:
    """A way through a model: the worlds, the actions between them, and the loop, if it has one."""

    model: Model
    worlds: Sequence[World]
    actions: Sequence[Action]
    loop: int | None

    @property
    def end(self) -> World:
        """Where it leads."""
        return self.worlds[-1]


def breaks(way: Way, sentence: Sentence) -> bool:
    """Whether the way, which is one of its model, breaks a sentence."""
    match sentence:
        case Property() | Invariant():
            return bool(way.actions) and not sentence.holds(
                Move(way.worlds[-2], way.actions[-1], way.end)
            )
        case Ending():
            return _is_an_end(way) and (
                sentence.says(way.end, way.model.waiting_for_nobody(way.end)) is False
            )
        case LeadsTo():
            return _is_fair_for_ever(way) and any(
                _never_comes(way, sentence, row_id + 1) for row_id in range(way.model.most_rows)
            )
        case CanReach():
            return sentence.given(way.end) and not _can_reach(way, sentence)
        case _:
            assert_never(sentence)


def _is_an_end(way: Way) -> bool:
    """Whether no process can do anything of its own where the way leads."""
    return not any(isinstance(each, OWN_ACTS) for each in way.model.actions(way.end))


# ── what must come at last ───────────────────────────────────────────────────────────────────────


def _never_comes(way: Way, sentence: LeadsTo, row_id: int) -> bool:
    """Whether what is given on the way is never followed by what it should lead to."""
    since = len(way.worlds)
    while since and not sentence.then(way.worlds[since - 1], row_id):
        since -= 1
    assert way.loop is not None, "a way without a loop does not go on for ever"
    return since <= way.loop and any(sentence.given(world, row_id) for world in way.worlds[since:])


def _is_fair_for_ever(way: Way) -> bool:
    """Whether the loop may go round for ever: no hazard in it, and everybody is served."""
    if way.loop is None or way.worlds[way.loop] != way.end:
        return False
    steps = list(zip(way.worlds[way.loop :], way.actions[way.loop :], strict=False))
    served = {due(world, action) for world, action in steps}
    waiting = [
        {due(world, each) for each in way.model.actions(world)} for world in way.worlds[way.loop :]
    ]
    always_waiting = set.intersection(*waiting) - {None}
    return all(may_go_on(*step) for step in steps) and always_waiting <= served


# ── what must stay possible ──────────────────────────────────────────────────────────────────────


def _can_reach(way: Way, sentence: CanReach) -> bool:
    """Whether what must stay possible is, in the endless world where the way leads."""
    todo = [way.end]
    seen = {*todo}
    while todo:
        world = todo.pop()
        if sentence.then(world):
            return True
        after = {
            renamed(way.model.step(world, action)[0])
            for action in way.model.actions(world)
            if sentence.allowed(world, action)
        }
        todo += after - seen
        seen |= after
    return False
