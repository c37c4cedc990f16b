"""What may happen to a run, each transition under its clause.

A transition is a guard and the world after it. It may do more than the model's action of that
name, never less: ``docs/proof.md`` says where.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from z3 import (  # type: ignore[import-untyped]  # z3 ships no types
    And,
    BoolVal,
    EmptySet,
    If,
    Implies,
    Not,
    Or,
    SetAdd,
    SetDel,
)

from effectspec.admission import Admission
from effectspec.gate import GateVerdict, Standing
from effectspec.lifecycle import State
from effectspec.ownership import next_generation
from effectspec.retention import RunPhase
from effectspec.settlement import Settlement
from proofs.finite import Expr
from proofs.rules import ADMISSION, PHASE, RESOLUTION, SETTLEMENT, STANDING, STATE, VERDICT, Rules
from proofs.world import (
    CALL,
    INT,
    NONE,
    Choice,
    World,
    admission,
    effective_tier,
    standing,
    verdict,
    writer,
)


@dataclass(frozen=True, slots=True)
class Ids:
    """The processes and rows in question: what a guard says of every one, it says of these."""

    processes: tuple[Expr, ...]
    rows: tuple[Expr, ...]


class Step(NamedTuple):
    """When a transition may happen, and the world after it."""

    guard: Expr
    after: World


Transition: TypeAlias = Callable[[World, Choice, Ids, Rules], Step]


def _owns(w: World, p: Expr, rules: Rules) -> Expr:
    """F-2: the fence holds, asked in the transaction of each write."""
    return And(w.holds[p] != NONE, rules.fence_holds(writer=w.holds[p], current=w.generation))


def _works(w: World, p: Expr, rules: Rules) -> Expr:
    """G-9: it owns the run, its gate has passed, and nothing has stopped it."""
    return And(_owns(w, p, rules), w.gated[p], Not(w.stopped[p]))


# ── a process and its run ────────────────────────────────────────────────────────────────────────


def _entered(w: World, p: Expr, generation: Expr, gated: Expr) -> World:
    nothing = EmptySet(INT)
    return w.put(p, holds=generation, gated=gated, stopped=False, in_start=NONE, to_send=nothing)


def take_over(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """F-1: a new process raises the generation, and reads the gate after that."""
    generation = next_generation(w.generation)
    guard = And(w.holds[c.process] == NONE, rules.may_resume(w.phase))
    entered = _entered(w, c.process, generation, BoolVal(False))
    return Step(guard, replace(entered, generation=generation))


def join(w: World, c: Choice, _ids: Ids, _rules: Rules) -> Step:
    """C-7: a new process acts under the fence of one that goes on."""
    p, q = c.process, c.other
    guard = And(w.holds[p] == NONE, w.holds[q] != NONE, Not(w.stopped[q]))
    return Step(guard, _entered(w, p, w.holds[q], w.gated[q]))


def stop(w: World, c: Choice, _ids: Ids, _rules: Rules) -> Step:
    """G-9, G-10, O-4: a process is refused, fails, or dies."""
    return Step(BoolVal(True), w.put(c.process, stopped=True))


def mark(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """G-2, G-3, G-4: the gate judges a row and records what it finds."""
    p, r = c.process, c.row
    tier = effective_tier(w, r, c, rules)
    found = (w.state[r], w.resolution[r], w.retained[r], tier, c.lookup, c.kept)
    retried = rules.concluded(*found) == VERDICT[GateVerdict.RETRY]
    moved = w.put(r, state=rules.marked(*found))
    after = moved.put(
        r,
        retained=Or(w.retained[r], And(moved.settled(r), c.kept)),
        retrying=If(retried, w.holds[p], w.retrying[r]),
    )
    reads = And(_owns(w, p, rules), Not(w.gated[p]), Not(w.stopped[p]))
    return Step(And(reads, w.met(r)), after)


def pass_gate(w: World, c: Choice, ids: Ids, rules: Rules) -> Step:
    """G-9: no row that the gate meets stands in the way."""
    clear = (Implies(w.met(r), rules.may_schedule(verdict(w, r, c, rules))) for r in ids.rows)
    guard = And(_owns(w, c.process, rules), Not(w.stopped[c.process]), *clear)
    return Step(guard, w.put(c.process, gated=True))


def begin_incarnation(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """Reading 6: a run whose incarnation ended in attention goes on."""
    return Step(_works(w, c.process, rules), replace(w, phase=PHASE[RunPhase.OPEN]))


def end_in_attention(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """A-1: the incarnation ends, and the run can be resumed."""
    guard = And(_owns(w, c.process, rules), w.phase == PHASE[RunPhase.OPEN])
    stopped = w.put(c.process, stopped=True)
    return Step(guard, replace(stopped, phase=PHASE[RunPhase.NEEDS_ATTENTION]))


def end(w: World, c: Choice, ids: Ids, rules: Rules) -> Step:
    """A-3: the run ends, after all admitted work has joined."""
    p = c.process
    joined = (Or(q == p, w.holds[q] != w.holds[p], w.stopped[q]) for q in ids.processes)
    guard = And(_works(w, p, rules), w.phase == PHASE[RunPhase.OPEN], *joined)
    return Step(guard, replace(w.put(p, stopped=True), phase=PHASE[RunPhase.ENDED]))


# ── a process in a node ──────────────────────────────────────────────────────────────────────────


def begin_node(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """Reading 5: a start of a node, with a number of its own."""
    p, number = c.process, w.starts[c.node] + 1
    begun = w.put(c.node, starts=number).put(p, in_node=c.node, in_start=number)
    fresh = begun.put(p, asked=EmptySet(CALL), delivered=EmptySet(INT))
    return Step(_works(w, p, rules), fresh)


def _asks(w: World, c: Choice, rules: Rules) -> Expr:
    """A start asks for a call that it has not asked for: asked for twice, it is two effects."""
    started = w.in_start[c.process] != NONE
    return And(_works(w, c.process, rules), started, Not(w.asked[c.process][c.call]))


def _of_node(w: World, c: Choice, r: Expr) -> Expr:
    return And(w.bears(r), w.node[r] == w.in_node[c.process])


def _answers(w: World, c: Choice, r: Expr, rules: Rules, answer: Admission) -> Expr:
    return admission(w, r, c, rules) == ADMISSION[answer]


def _asked(w: World, c: Choice) -> World:
    return w.put(c.process, asked=SetAdd(w.asked[c.process], c.call))


def _told_to_send(w: World, c: Choice, r: Expr) -> World:
    return _asked(w, c).put(c.process, to_send=SetAdd(w.to_send[c.process], r))


def prepare(w: World, c: Choice, ids: Ids, rules: Rules) -> Step:
    """O-2, G-8: a fresh dispatch, which no row of the node speaks against."""
    silent = (
        Implies(_of_node(w, c, r), _answers(w, c, r, rules, Admission.DISPATCH)) for r in ids.rows
    )
    new = w.rows + 1
    after = replace(_told_to_send(w, c, new), rows=new).put(
        new,
        present=True,
        node=w.in_node[c.process],
        slot=c.slot,
        call=c.call,
        tier=c.tier,
        state=STATE[State.PREPARED],
        resolution=RESOLUTION[None],
        retained=False,
        start=w.in_start[c.process],
        written_by=w.holds[c.process],
        retrying=NONE,
        retried_in=NONE,
        attempts=0,
        flying=0,
        effects=0,
    )
    return Step(And(_asks(w, c, rules), *silent), after)


def retry(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """T-2, reading 4: the same call once more, on the same row."""
    p, r = c.process, c.row
    answered = And(_of_node(w, c, r), _answers(w, c, r, rules, Admission.RETRY))
    told = _told_to_send(w, c, r).put(r, written_by=w.holds[p], retried_in=w.in_start[p])
    return Step(And(_asks(w, c, rules), answered), told)


def replay(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """G-6: the recorded result is the answer, and nothing is sent."""
    p, r = c.process, c.row
    answered = And(_of_node(w, c, r), _answers(w, c, r, rules, Admission.REPLAY))
    delivered = _asked(w, c).put(p, delivered=SetAdd(w.delivered[p], r))
    return Step(And(_asks(w, c, rules), answered), delivered)


def settle(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """Reading 11: whoever has owned the run reports an outcome of any row, however late."""
    p, r = c.process, c.row
    facts = (w.state[r], w.resolution[r], c.outcome, writer(w, r, p, rules), w.retained[r])
    does = rules.settle(*facts, c.repeated)
    commits = does == SETTLEMENT[Settlement.COMMIT]
    doubted = If(does == SETTLEMENT[Settlement.MARK_AMBIGUOUS], STATE[State.AMBIGUOUS], w.state[r])
    fills = Or(commits, does == SETTLEMENT[Settlement.FILL])
    after = w.put(
        r,
        state=If(commits, STATE[State.COMMITTED], doubted),
        retained=If(fills, c.kept, w.retained[r]),
    )
    return Step(And(w.holds[p] != NONE, w.prepared(r), w.present[r]), after)


def complete_node(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """G-1: a completed node does not run again, and no gate meets its rows."""
    guard = And(_works(w, c.process, rules), w.in_start[c.process] != NONE)
    return Step(guard, w.put(w.in_node[c.process], completed=True))


# ── outside the journal, and operators ───────────────────────────────────────────────────────────


def send(w: World, c: Choice, _ids: Ids, _rules: Rules) -> Step:
    """O-3: a process sends a call that it was told to send, once, however late."""
    p, r = c.process, c.row
    sent = w.put(p, to_send=SetDel(w.to_send[p], r))
    after = sent.put(r, attempts=w.attempts[r] + 1, flying=w.flying[r] + 1)
    return Step(And(w.to_send[p][r], Not(w.stopped[p])), after)


def arrive(w: World, c: Choice, _ids: Ids, _rules: Rules) -> Step:
    """O-3: a request arrives, however late, and its effect is done or is not."""
    r = c.row
    after = w.put(r, flying=w.flying[r] - 1, effects=w.effects[r] + If(c.done, 1, 0))
    return Step(And(w.prepared(r), w.flying[r] > 0), after)


def _taken(w: World) -> World:
    """Under the operator's own generation: whoever owned the run writes no more (reading 6)."""
    return replace(w, generation=next_generation(w.generation))


def resolve(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """A-5: an operator accepts or discards an unresolved row."""
    r = c.row
    allowed = rules.may_resolve(w.state[r], c.resolution, c.landed)
    resolved = {"state": STATE[State.RESOLVED], "resolution": c.resolution, "retained": c.kept}
    return Step(And(w.prepared(r), w.present[r], allowed), _taken(w).put(r, **resolved))


def attach(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """Reading 7: an operator attaches an absent result."""
    absent = standing(w, c.row, rules) == STANDING[Standing.COMMITTED_UNRETAINED]
    return Step(And(w.bears(c.row), absent), _taken(w).put(c.row, retained=True))


def close(w: World, _c: Choice, _ids: Ids, _rules: Rules) -> Step:
    """Reading 6: an operator closes the run for good."""
    return Step(BoolVal(True), replace(_taken(w), phase=PHASE[RunPhase.CLOSED]))


def sweep(w: World, c: Choice, _ids: Ids, rules: Rules) -> Step:
    """R-1, R-2: a row that may go is deleted."""
    may_go = rules.sweepable(w.state[c.row], w.phase, c.undelivered)
    guard = And(w.prepared(c.row), w.present[c.row], may_go)
    return Step(guard, w.put(c.row, present=False))


TRANSITIONS: Final[tuple[Transition, ...]] = (
    *(take_over, join, stop, mark, pass_gate, begin_incarnation, end_in_attention, end),
    *(begin_node, prepare, retry, replay, settle, complete_node),
    *(send, arrive, resolve, attach, close, sweep),
)
"""Everything that may happen."""
