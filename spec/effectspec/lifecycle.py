"""The state machine of one effect (§6)."""

from collections.abc import Mapping
from enum import Enum


class State(Enum):
    """The states of an effect; ``DISPATCHED`` is read off a prepared row, never stored (S-2)."""

    PREPARED = "prepared"
    DISPATCHED = "dispatched"
    COMMITTED = "committed"
    AMBIGUOUS = "ambiguous"
    NEEDS_ATTENTION = "needs_attention"
    RESOLVED = "resolved"


class Resolution(Enum):
    """What an operator said of an unresolved effect (A-5, readings 7 and 8)."""

    ACCEPTED = "accepted"
    DISCARDED = "discarded"


class Transition(Enum):
    """What can happen to an effect."""

    PREPARE = "durable prepare, before the effect"
    SEND = "the call left the process"
    ANSWER = "a result came back"
    NO_ANSWER = "no answer: time-out, abort, crash"
    FOUND = "a resume found it unsettled"
    GIVE_UP = "tier 3, or reconciliation failed"
    RECONCILE = "a receipt or a keyed retry gave the result"
    RESOLVE = "an operator resolved it"


LIFECYCLE: Mapping[tuple[State | None, Transition], State] = {
    (None, Transition.PREPARE): State.PREPARED,
    (State.PREPARED, Transition.SEND): State.DISPATCHED,
    (State.DISPATCHED, Transition.ANSWER): State.COMMITTED,
    (State.DISPATCHED, Transition.NO_ANSWER): State.AMBIGUOUS,
    (State.PREPARED, Transition.FOUND): State.AMBIGUOUS,
    (State.AMBIGUOUS, Transition.GIVE_UP): State.NEEDS_ATTENTION,
    (State.AMBIGUOUS, Transition.RECONCILE): State.COMMITTED,
    (State.NEEDS_ATTENTION, Transition.RESOLVE): State.RESOLVED,
}
"""Every transition there is (S-1). What is not in the table cannot happen."""

UNRESOLVED = frozenset({State.PREPARED, State.DISPATCHED, State.AMBIGUOUS, State.NEEDS_ATTENTION})
"""The states of an effect whose outcome nobody has established (R-1, A-5)."""

TERMINAL = frozenset({State.COMMITTED, State.RESOLVED})
"""The states that nothing leaves (S-3)."""

STORED = frozenset(State) - {State.DISPATCHED}
"""The states that a row can hold (S-2)."""


def advance(state: State | None, transition: Transition) -> State | None:
    """The state after ``transition``, or None where the contract has no such transition (S-1)."""
    return LIFECYCLE.get((state, transition))


def steps_to_resolution(state: State) -> tuple[Transition, ...]:
    """What an operator's resolve takes an unresolved row through, in one transaction (reading 6).

    Empty for a state that cannot be resolved.
    """
    match state:
        case State.PREPARED:
            return (Transition.FOUND, Transition.GIVE_UP, Transition.RESOLVE)
        case State.AMBIGUOUS:
            return (Transition.GIVE_UP, Transition.RESOLVE)
        case State.NEEDS_ATTENTION:
            return (Transition.RESOLVE,)
        case State.DISPATCHED | State.COMMITTED | State.RESOLVED:
            return ()
