"""The obligations of the proof, put to z3."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from itertools import product

from z3 import (  # type: ignore[import-untyped]  # z3 ships no types
    And,
    Bool,
    BoolVal,
    Implies,
    Ints,
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
from proofs.world import World, any_choice, any_world, initial


class Undecided(RuntimeError):
    """z3 came to neither a proof nor a counterexample."""


def solve(solver: Expr, *assumed: Expr) -> Expr | None:
    """A model of what the solver was told, None if there is none. Raises :class:`Undecided`."""
    answer = solver.check(*assumed)
    if answer == unknown:
        raise Undecided(solver.reason_unknown())
    return solver.model() if answer == sat else None


def instances(sentence: Sentence, ids: Ids, *worlds: World) -> Iterator[Expr]:
    """The sentence of every process and row in ``ids``."""
    pools = (ids.processes if name in {"p", "q"} else ids.rows for name in _names(sentence))
    return (sentence(*worlds, *chosen) for chosen in product(*pools))


def _names(sentence: Sentence) -> list[str]:
    return [name for name in signature(sentence).parameters if name in {"p", "q", "r", "s"}]


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
    """The proof under the rules of one contract.

    What holds of every process and row is shown of any, and assumed of those that a step or a
    sentence mentions: nothing is quantified.
    """

    def __init__(self, rules: Rules) -> None:
        p, q, r, s = Ints("p q r s")
        self._any = {"p": p, "q": q, "r": r, "s": s}
        self._before, self._choice = any_world(), any_choice()
        self._ids = Ids((p, q, self._choice.process, self._choice.other), (r, s, self._choice.row))
        self._steps = {
            each: each(self._before, self._choice, self._ids, rules) for each in TRANSITIONS
        }
        self._sayings: dict[tuple[Sentence, Transition | None], Expr] = {}
        self._assumed = {each: Bool(each.__name__) for each in INVARIANT}
        self._solver = Solver()
        for sentence, assumed in self._assumed.items():
            holds = And(*instances(sentence, self._ids, self._before))
            self._solver.add(Implies(assumed, holds))

    def begins(self) -> Iterator[Counterexample]:
        """What of the invariant is false at the beginning."""
        return self._lost(INVARIANT, None, initial(self._before), ())

    def breaks(
        self, transition: Transition, without: Sentence | None = None
    ) -> Iterator[Counterexample]:
        """What of the invariant a transition breaks, and what it does against the claims."""
        sentences = [each for each in (*INVARIANT, *STEP_PROPERTIES) if each is not without]
        guard = self._steps[transition].guard
        return self._lost(sentences, transition, guard, self._invariant(without))

    def leaves_open(self, without: Sentence | None = None) -> Iterator[Counterexample]:
        """Which claims about worlds the invariant does not imply."""
        return self._lost(PROPERTIES, None, BoolVal(True), self._invariant(without))

    def enables(self, transition: Transition) -> bool:
        """Whether the transition may happen in a world of the invariant."""
        return self._model(self._steps[transition].guard, self._invariant()) is not None

    def _invariant(self, without: Sentence | None = None) -> tuple[Expr, ...]:
        return tuple(literal for each, literal in self._assumed.items() if each is not without)

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
        said = {each: self._said(each, transition) for each in sentences}
        if self._model(And(premise, Not(And(*said.values()))), assumed) is None:
            return
        for sentence, holds in said.items():
            model = self._model(And(premise, Not(holds)), assumed)
            if model is not None:
                yield Counterexample(sentence, transition, partial(self._told, model, transition))

    def _said(self, sentence: Sentence, transition: Transition | None) -> Expr:
        if (sentence, transition) not in self._sayings:
            after = self._after(transition)
            worlds = (self._before, after) if sentence in STEP_PROPERTIES else (after,)
            of = [each for name, each in self._any.items() if name in _names(sentence)]
            self._sayings[sentence, transition] = sentence(*worlds, *of)
        return self._sayings[sentence, transition]

    def _after(self, transition: Transition | None) -> World:
        return self._before if transition is None else self._steps[transition].after

    def _told(self, model: Expr, transition: Transition | None) -> str:
        telling = Telling(model, self._ids)
        choice = "" if transition is None else f"  {telling.choice(self._choice)}\n"
        return choice + telling.worlds(self._before, self._after(transition))
