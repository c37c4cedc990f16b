"""The obligations of the proof, put to z3.

What holds of every process and row is shown of any of them, and assumed of those that a step or a
sentence mentions: nothing is quantified.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from itertools import product
from typing import Final

from z3 import (  # type: ignore[import-untyped]  # z3 ships no types
    And,
    Bool,
    BoolVal,
    Implies,
    Int,
    Not,
    Solver,
    sat,
    unknown,
)

from proofs.at_most_once import INVARIANT, PROPERTIES, STEP_PROPERTIES, Sentence
from proofs.finite import Expr
from proofs.rules import Rules
from proofs.telling import Telling
from proofs.transitions import TRANSITIONS, Ids, Transition
from proofs.world import INT, WORLD_FIELDS, World, any_choice, any_world, initial


class Undecided(RuntimeError):
    """z3 came to neither a proof nor a counterexample."""


def solve(solver: Expr, *assumed: Expr) -> Expr | None:
    """A model of what the solver was told, None if there is none. Raises :class:`Undecided`."""
    answer = solver.check(*assumed)
    if answer == unknown:
        raise Undecided(solver.reason_unknown())
    return solver.model() if answer == sat else None


def _names(sentence: Sentence) -> list[str]:
    return [name for name in signature(sentence).parameters if name in ANY]


def instances(sentence: Sentence, ids: Ids, *worlds: World) -> Iterator[Expr]:
    """The sentence of every process and row in ``ids``."""
    pools = (ids.processes if name in {"p", "q"} else ids.rows for name in _names(sentence))
    return (sentence(*worlds, *chosen) for chosen in product(*pools))


READABLE: Final = 4
"""The greatest number in a counterexample that can do with so few."""

ANY: Final = {name: Int(name) for name in ("p", "q", "r", "s")}
"""The processes and rows of whom a sentence is shown."""

BEFORE: Final = any_world()
CHOICE: Final = any_choice()
MENTIONED: Final = Ids(
    (ANY["p"], ANY["q"], CHOICE.process, CHOICE.other), (ANY["r"], ANY["s"], CHOICE.row)
)
ASSUMED: Final = {each: Bool(each.__name__) for each in INVARIANT}
"""A name for each sentence of the invariant, under which it is assumed."""
ASSUMPTIONS: Final = tuple(
    Implies(name, And(*instances(each, MENTIONED, BEFORE))) for each, name in ASSUMED.items()
)


def _small() -> Expr:
    """Every number that is mentioned is one that a reader can follow."""
    ids = {"row": MENTIONED.rows, "process": MENTIONED.processes}
    numbers = [BEFORE.generation, BEFORE.rows, *MENTIONED.rows, *MENTIONED.processes]
    for name, of in WORLD_FIELDS.items():
        if of.value == INT and of.kind in ids:
            numbers += [getattr(BEFORE, name)[each] for each in ids[of.kind]]
    return And(*(And(number >= 0, number <= READABLE) for number in numbers))


SMALL: Final = _small()


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A sentence that is lost, by which transition if by one, and what z3 found."""

    lost: Sentence
    transition: Transition | None
    tell: Callable[[], str] = field(repr=False)

    def __str__(self) -> str:
        """Readable by somebody who knows the sentences."""
        by = "" if self.transition is None else f"{self.transition.__name__} breaks "
        return f"{by}{self.lost.__name__} ({self.lost.__doc__})\n{self.tell()}"


class Induction:
    """The proof under the rules of one contract."""

    def __init__(self, rules: Rules) -> None:
        self.steps = {each: each(BEFORE, CHOICE, MENTIONED, rules) for each in TRANSITIONS}
        self._said: dict[tuple[Sentence, Transition | None], Expr] = {}
        self._solver = Solver()
        self._solver.add(*ASSUMPTIONS)

    def begins(self) -> Iterator[Counterexample]:
        """What of the invariant is false at the beginning."""
        return self._lost(INVARIANT, None, initial(BEFORE), ())

    def breaks(
        self, transition: Transition, without: Sentence | None = None
    ) -> Iterator[Counterexample]:
        """What of the invariant a transition breaks, and what it does against the claims."""
        sentences = [each for each in (*INVARIANT, *STEP_PROPERTIES) if each is not without]
        guard = self.steps[transition].guard
        return self._lost(sentences, transition, guard, _assumed(without))

    def leaves_open(self, without: Sentence | None = None) -> Iterator[Counterexample]:
        """Which claims about worlds the invariant does not imply."""
        return self._lost(PROPERTIES, None, BoolVal(True), _assumed(without))

    def enables(self, transition: Transition) -> bool:
        """Whether the transition may happen in a world of the invariant."""
        return self._model(self.steps[transition].guard, _assumed()) is not None

    def differs(self, transition: Transition, other: "Induction") -> bool:
        """Whether the transition is another one under the other's rules."""
        (guard, after), (others, theirs) = self.steps[transition], other.steps[transition]
        fields = ((getattr(after, name), getattr(theirs, name)) for name in WORLD_FIELDS)
        return not all(own.eq(its) for own, its in ((guard, others), *fields))

    def _model(self, fact: Expr, assumed: tuple[Expr, ...]) -> Expr | None:
        self._solver.push()
        try:
            self._solver.add(fact)
            return solve(self._solver, *assumed)
        finally:
            self._solver.pop()

    def _lost(
        self,
        sentences: Sequence[Sentence],
        transition: Transition | None,
        premise: Expr,
        assumed: tuple[Expr, ...],
    ) -> Iterator[Counterexample]:
        said = {each: self._says(each, transition) for each in sentences}
        if self._model(And(premise, Not(And(*said.values()))), assumed) is None:
            return
        for sentence, holds in said.items():
            lost = And(premise, Not(holds))
            model = self._model(lost, assumed)
            if model is not None:
                found = self._model(And(lost, SMALL), assumed) or model
                yield Counterexample(sentence, transition, partial(self._told, found, transition))

    def _says(self, sentence: Sentence, transition: Transition | None) -> Expr:
        if (sentence, transition) not in self._said:
            after = self._after(transition)
            worlds = (BEFORE, after) if sentence in STEP_PROPERTIES else (after,)
            of = (ANY[name] for name in _names(sentence))
            self._said[sentence, transition] = sentence(*worlds, *of)
        return self._said[sentence, transition]

    def _after(self, transition: Transition | None) -> World:
        return BEFORE if transition is None else self.steps[transition].after

    def _told(self, model: Expr, transition: Transition | None) -> str:
        telling = Telling(model, MENTIONED)
        choice = "" if transition is None else f"  {telling.choice(CHOICE)}\n"
        return choice + telling.worlds(BEFORE, self._after(transition))


def _assumed(without: Sentence | None = None) -> tuple[Expr, ...]:
    return tuple(name for each, name in ASSUMED.items() if each is not without)
