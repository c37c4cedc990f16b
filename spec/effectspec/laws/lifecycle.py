"""The laws of the state machine (§6)."""

from collections.abc import Callable
from itertools import product

from icontract import ensure

from effectspec import lifecycle as core
from effectspec.laws.law import implies
from effectspec.laws.rule import Rule, domain
from effectspec.lifecycle import State, Transition

STEPS_TOGETHER = 3
"""Steps that are tried together: no row is further from its resolution."""


def advance_laws(
    implementation: Callable[[State | None, Transition], State | None],
) -> Callable[[State | None, Transition], State | None]:
    """Put the laws of :func:`effectspec.lifecycle.advance` around ``implementation``."""

    @ensure(
        lambda state, transition, result: implies(
            state is None, result is {Transition.PREPARE: State.PREPARED}.get(transition)
        ),
        "S-1: nothing but a durable prepare begins an effect",
    )
    @ensure(
        lambda state, transition, result: implies(
            state is State.PREPARED,
            result
            is {Transition.SEND: State.DISPATCHED, Transition.FOUND: State.AMBIGUOUS}.get(
                transition
            ),
        ),
        "S-1: a prepared effect is sent, or found unsettled by a resume",
    )
    @ensure(
        lambda state, transition, result: implies(
            state is State.DISPATCHED,
            result
            is {Transition.ANSWER: State.COMMITTED, Transition.NO_ANSWER: State.AMBIGUOUS}.get(
                transition
            ),
        ),
        "S-1: a dispatched effect is committed by an answer and ambiguous without one",
    )
    @ensure(
        lambda state, transition, result: implies(
            state is State.AMBIGUOUS,
            result
            is {
                Transition.GIVE_UP: State.NEEDS_ATTENTION,
                Transition.RECONCILE: State.COMMITTED,
            }.get(transition),
        ),
        "S-1: an ambiguous effect needs attention, unless it is reconciled",
    )
    @ensure(
        lambda state, transition, result: implies(
            state is State.NEEDS_ATTENTION,
            result is {Transition.RESOLVE: State.RESOLVED}.get(transition),
        ),
        "S-1: only an operator takes an effect out of needs_attention",
    )
    @ensure(
        lambda state, result: implies(state in (State.COMMITTED, State.RESOLVED), result is None),
        "S-3: nothing leaves committed or resolved",
    )
    def advance(state: State | None, transition: Transition) -> State | None:
        return implementation(state, transition)

    return advance


advance = advance_laws(core.advance)
ADVANCE = Rule(
    advance_laws,
    core.advance,
    domain(state=(None, *State), transition=Transition),
    answers=(None, *State),
)


def steps_to_resolution_laws(
    implementation: Callable[[State], tuple[Transition, ...]],
) -> Callable[[State], tuple[Transition, ...]]:
    """Put the laws of :func:`effectspec.lifecycle.steps_to_resolution` around an implementation."""

    @ensure(
        lambda state, result: implies(
            state is State.PREPARED,
            result == (Transition.FOUND, Transition.GIVE_UP, Transition.RESOLVE),
        ),
        "S-1: a resolve takes a prepared row through ambiguous and needs_attention (reading 6)",
    )
    @ensure(
        lambda state, result: implies(
            state is State.AMBIGUOUS, result == (Transition.GIVE_UP, Transition.RESOLVE)
        ),
        "S-1: a resolve takes an ambiguous row through needs_attention (reading 6)",
    )
    @ensure(
        lambda state, result: implies(
            state is State.NEEDS_ATTENTION, result == (Transition.RESOLVE,)
        ),
        "A-5: a row that needs attention waits for an operator's word alone",
    )
    @ensure(
        lambda state, result: implies(state is State.DISPATCHED, result == ()),
        "S-2: dispatched is never stored, so it is never resolved",
    )
    @ensure(
        lambda state, result: implies(state in (State.COMMITTED, State.RESOLVED), result == ()),
        "A-5: what is settled or resolved is not resolved again",
    )
    def steps_to_resolution(state: State) -> tuple[Transition, ...]:
        return implementation(state)

    return steps_to_resolution


steps_to_resolution = steps_to_resolution_laws(core.steps_to_resolution)
STEPS_TO_RESOLUTION = Rule(
    steps_to_resolution_laws,
    core.steps_to_resolution,
    domain(state=State),
    answers=tuple(
        steps
        for length in range(STEPS_TOGETHER + 1)
        for steps in product(Transition, repeat=length)
    ),
)
