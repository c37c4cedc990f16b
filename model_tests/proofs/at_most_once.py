"""At most once, for any number of effects and processes: what holds of every world and step.

Each sentence stands under its clause and holds for every process (p, q) and every row (r, s).
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from z3 import And, Implies, Not, Or  # type: ignore[import-untyped]  # z3 ships no types

from effectspec.lifecycle import State
from effectspec.retention import RunPhase
from effectspec.tiers import Tier
from proofs.finite import Expr
from proofs.rules import PHASE, RESOLUTION, STATE, TIER
from proofs.world import CALL, NONE, World

Sentence: TypeAlias = Callable[..., Expr]
"""Of one world, or of a step's two, and of the processes and rows that its parameters name."""


def _opaque(w: World, r: Expr) -> Expr:
    return w.tier[r] == TIER[Tier.OPAQUE]


def _later(w: World, r: Expr, s: Expr) -> Expr:
    """Row s was prepared after row r, in the same node."""
    return And(w.prepared(r), w.prepared(s), r < s, w.node[r] == w.node[s])


def _same_identity(w: World, r: Expr, s: Expr) -> Expr:
    return And(w.slot[r] == w.slot[s], CALL.tool(w.call[r]) == CALL.tool(w.call[s]))


def _over(w: World) -> Expr:
    return Or(w.phase == PHASE[RunPhase.ENDED], w.phase == PHASE[RunPhase.CLOSED])


def _goes_on(w: World, p: Expr) -> Expr:
    return And(w.holds[p] != NONE, w.holds[p] == w.generation, Not(w.stopped[p]))


def _left_open(w: World, r: Expr) -> Expr:
    """An opaque effect of an earlier owner, its outcome unknown, that a gate would meet."""
    return And(_opaque(w, r), Not(w.settled(r)), w.met(r), w.written_by[r] < w.generation)


# ── the invariant ────────────────────────────────────────────────────────────────────────────────


def rows_are_counted(w: World) -> Expr:
    """I-5: from one."""
    return w.rows >= 0


def no_process_is_ahead_of_the_run(w: World, p: Expr) -> Expr:
    """F-1: whoever takes over has a generation that nobody holds."""
    return w.holds[p] <= w.generation


def no_start_is_ahead_of_its_node(w: World, p: Expr, r: Expr) -> Expr:
    """Reading 5: a start that begins has a number that nobody knows."""
    process = Or(w.in_start[p] == NONE, w.in_start[p] <= w.starts[w.in_node[p]])
    started, retried_in = w.starts[w.node[r]], w.retried_in[r]
    row = And(w.start[r] <= started, Or(retried_in == NONE, retried_in <= started))
    return And(process, Implies(w.prepared(r), row))


def a_start_is_one_process_s(w: World, p: Expr, q: Expr) -> Expr:
    """Reading 5: two processes that hold one fence are in two starts (C-7)."""
    same = And(w.in_node[p] == w.in_node[q], w.in_start[p] == w.in_start[q])
    return Implies(And(w.in_start[p] != NONE, same), p == q)


def what_a_process_knows_of_has_a_row(w: World, p: Expr, r: Expr) -> Expr:
    """T-1: nothing is delivered or sent before its prepare."""
    return Implies(Or(w.delivered[p][r], w.to_send[p][r]), w.prepared(r))


def a_start_has_asked_for_its_rows(w: World, p: Expr, r: Expr) -> Expr:
    """Reading 5: a row that is not "earlier" to a start is of a call that the start asked for."""
    number = w.in_start[p]
    of_start = Or(w.start[r] == number, w.retried_in[r] == number, w.delivered[p][r])
    in_node = And(number != NONE, w.node[r] == w.in_node[p])
    return Implies(And(w.prepared(r), in_node, of_start), w.asked[p][w.call[r]])


def only_a_resolved_row_has_a_resolution(w: World, r: Expr) -> Expr:
    """A-5: so that none is given a second one (reading 20)."""
    has_one = And(w.prepared(r), w.resolution[r] != RESOLUTION[None])
    return Implies(has_one, w.state[r] == STATE[State.RESOLVED])


def an_identity_has_one_row(w: World, r: Expr, s: Expr) -> Expr:
    """I-5: a second one comes after a discard."""
    return Implies(And(_later(w, r, s), _same_identity(w, r, s)), w.discarded(r))


def a_call_has_one_row(w: World, r: Expr, s: Expr) -> Expr:
    """G-8, reading 5: at whatever slot a later start asks for it."""
    return Implies(And(_later(w, r, s), w.call[r] == w.call[s]), w.discarded(r))


def nothing_is_swept_from_a_run_that_can_be_resumed(w: World, r: Expr) -> Expr:
    """R-2: a run needs its rows for as long as it may ask for them (reading 6)."""
    return Implies(w.prepared(r), Or(w.present[r], _over(w)))


def nobody_goes_on_with_a_run_that_is_over(w: World, p: Expr) -> Expr:
    """F-2: neither its last owner nor one before."""
    return Implies(_over(w), Not(_goes_on(w, p)))


def past_the_gate_nothing_is_left_open(w: World, p: Expr, r: Expr) -> Expr:
    """G-9: and nothing appears that the gate has not seen (reading 12)."""
    return Implies(And(_goes_on(w, p), w.gated[p]), Not(_left_open(w, r)))


def an_opaque_call_is_attempted_once(w: World, r: Expr) -> Expr:
    """T-4: under one row."""
    return Implies(And(w.prepared(r), _opaque(w, r)), w.attempts[r] <= 1)


def an_opaque_call_to_send_is_untried(w: World, p: Expr, r: Expr) -> Expr:
    """T-4: nobody is told to try again."""
    return Implies(And(w.to_send[p][r], _opaque(w, r)), w.attempts[r] == 0)


def one_process_has_an_opaque_call_to_send(w: World, p: Expr, q: Expr, r: Expr) -> Expr:
    """T-4: nor is another told to try as well."""
    return Implies(And(w.to_send[p][r], w.to_send[q][r], _opaque(w, r)), p == q)


def an_effect_has_its_attempt(w: World, r: Expr) -> Expr:
    """O-3: a request arrives once, or never."""
    arrived = w.effects[r] + w.flying[r] <= w.attempts[r]
    return Implies(w.prepared(r), And(w.flying[r] >= 0, arrived))


INVARIANT: Final[tuple[Sentence, ...]] = (
    rows_are_counted,
    no_process_is_ahead_of_the_run,
    no_start_is_ahead_of_its_node,
    a_start_is_one_process_s,
    what_a_process_knows_of_has_a_row,
    a_start_has_asked_for_its_rows,
    only_a_resolved_row_has_a_resolution,
    an_identity_has_one_row,
    a_call_has_one_row,
    nothing_is_swept_from_a_run_that_can_be_resumed,
    nobody_goes_on_with_a_run_that_is_over,
    past_the_gate_nothing_is_left_open,
    an_opaque_call_is_attempted_once,
    an_opaque_call_to_send_is_untried,
    one_process_has_an_opaque_call_to_send,
    an_effect_has_its_attempt,
)
"""What all worlds have in common that a run can come to."""


# ── the claims ───────────────────────────────────────────────────────────────────────────────────


def _at_most_once(w: World, times: Expr, r: Expr, s: Expr) -> Expr:
    """Once under a row, and under a second one only if the first was discarded."""
    opaque = And(w.prepared(r), w.prepared(s), _opaque(w, r), _opaque(w, s))
    twins = Or(_same_identity(w, r, s), w.call[r] == w.call[s])
    both = And(_later(w, r, s), twins, times[r] > 0, times[s] > 0)
    return Implies(opaque, And(times[r] <= 1, Implies(both, w.discarded(r))))


def an_opaque_effect_is_attempted_at_most_once(w: World, r: Expr, s: Expr) -> Expr:
    """T-4: by its identity, and by what is asked for."""
    return _at_most_once(w, w.attempts, r, s)


def an_opaque_effect_happens_at_most_once(w: World, r: Expr, s: Expr) -> Expr:
    """T-4: by the target's own count."""
    return _at_most_once(w, w.effects, r, s)


PROPERTIES: Final[tuple[Sentence, ...]] = (
    an_opaque_effect_is_attempted_at_most_once,
    an_opaque_effect_happens_at_most_once,
)
"""What is claimed of every world."""


def what_is_settled_stays(w: World, after: World, r: Expr) -> Expr:
    """S-3: committed and resolved, a resolution, and a result that is there."""
    same = And(w.state[r] == after.state[r], w.resolution[r] == after.resolution[r])
    kept = Implies(w.retained[r], after.retained[r])
    return Implies(And(w.prepared(r), w.settled(r)), And(same, kept))


def whoever_was_stopped_dispatches_nothing(w: World, after: World, p: Expr, r: Expr) -> Expr:
    """G-9: it is told nothing, sends nothing, and does not come back."""
    idle = w.to_send[p][r] == after.to_send[p][r]
    return Implies(And(w.holds[p] != NONE, w.stopped[p]), And(after.stopped[p], idle))


def nothing_is_dispatched_beside_what_was_left_open(
    w: World, after: World, p: Expr, r: Expr, s: Expr
) -> Expr:
    """A-4: whoever resumes, and whatever its model asks for."""
    told = And(after.to_send[p][r], Not(w.to_send[p][r]))
    return Implies(_left_open(w, s), Not(told))


STEP_PROPERTIES: Final[tuple[Sentence, ...]] = (
    what_is_settled_stays,
    whoever_was_stopped_dispatches_nothing,
    nothing_is_dispatched_beside_what_was_left_open,
)
"""What is claimed of every step."""
