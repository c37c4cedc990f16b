"""What must hold of every step of the world, each under its clause.

A property never asks the contract's functions or tables: it says in its own words what they are
for, so that a wrong cell breaks it instead of redefining it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from effectspec.identity import EffectIdentity
from effectspec.lifecycle import State
from effectspec.model.actions import (
    Action,
    Approve,
    BeginNode,
    CompleteNode,
    FollowUpFails,
    NodeAct,
    OverBudget,
    Prepare,
    PrepareFails,
    ReadGate,
    ReadGateFails,
    ReadGateUnowned,
    Resolve,
    RunAct,
    Settle,
    SettleFails,
    TakeOver,
)
from effectspec.model.world import (
    Call,
    Entry,
    Fate,
    NodeStart,
    Process,
    Request,
    Row,
    Stage,
    World,
    row_part,
)
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome
from effectspec.tiers import Tier


class Swept(NamedTuple):
    """What bears on a row's being swept."""

    settled: bool
    undelivered: bool


@dataclass(frozen=True)
class Move:
    """One step: an action, the world before it and the world after it."""

    before: World
    action: Action
    after: World

    def changed(self, kind: str) -> bool:
        """Whether the step has changed any part of a kind."""
        return bool(self.after.parts.changed(self.before.parts, kind))

    @cached_property
    def changed_rows(self) -> tuple[tuple[Row | Fate, Row], ...]:
        """Every row that the step has changed and left there, as it was and as it is."""
        return tuple(
            (self.before.parts.read(part), now)
            for part in self.after.parts.changed(self.before.parts, "row")
            if isinstance(now := self.after.parts.read(part), Row)
        )

    @cached_property
    def swept(self) -> tuple[Swept, ...]:
        """What can be said of every row that the step has swept."""
        return tuple(
            said
            for part in self.after.parts.changed(self.before.parts, "row")
            if self.after.parts.read(part) is Fate.SWEPT
            and (said := self.before.parts.ask(part, _to_sweep)) is not None
        )


@dataclass(frozen=True, slots=True)
class Property:
    """A sentence of ``clause``, and whether it holds of a step.

    ``says`` is None where the sentence is about steps of another sort.
    """

    name: str
    clause: str
    says: Callable[[Move], bool | None]

    def holds(self, move: Move) -> bool:
        """Whether the step does not break it."""
        return self.says(move) is not False


@dataclass(frozen=True, slots=True)
class Invariant:
    """A sentence of ``clause``, and whether it holds of a world.

    ``says`` is None where the sentence is about worlds of another sort.
    """

    name: str
    clause: str
    says: Callable[[World], bool | None]

    def holds(self, move: Move) -> bool:
        """Whether the world after the step does not break it."""
        return self.says(move.after) is not False


@dataclass(frozen=True, slots=True)
class Ending:
    """A sentence of ``clause``, and whether it holds where no process can do anything of its own.

    It is told which of the processes that live there wait for nobody; None where none does.
    """

    name: str
    clause: str
    says: Callable[[World, Iterable[Process]], bool | None]


AnyProperty: TypeAlias = Property | Invariant | Ending


def every(answers: Iterable[bool]) -> bool | None:
    """Whether all of them are true; None if there are none."""
    said = list(answers)
    return all(said) if said else None


_OPEN: Final = frozenset({State.PREPARED, State.AMBIGUOUS, State.NEEDS_ATTENTION})
_SETTLED: Final = frozenset({State.COMMITTED, State.RESOLVED})

_WAYS: Final[Mapping[State, frozenset[State]]] = MappingProxyType(
    {
        State.PREPARED: _OPEN | _SETTLED,
        State.AMBIGUOUS: (_OPEN | _SETTLED) - {State.PREPARED},
        State.NEEDS_ATTENTION: frozenset({State.NEEDS_ATTENTION, State.RESOLVED}),
        State.COMMITTED: frozenset({State.COMMITTED}),
        State.RESOLVED: frozenset({State.RESOLVED}),
    }
)
"""Where a row can be found after one step, by where it was: §6's diagram, drawn once more."""


# ── effects ──────────────────────────────────────────────────────────────────────────────────────


def _happens_once(world: World, counts: Callable[[Entry], bool]) -> bool | None:
    """No call takes effect more often than once, and once more for each discard of it."""
    effects: dict[tuple[str, Call], int] = {}
    for entry in filter(counts, world.ledger):
        call = (entry.node_id, entry.call)
        effects[call] = effects.get(call, 0) + entry.effects - entry.discarded
    return every(count <= 1 for count in effects.values())


def _opaque_effect_happens_once(world: World) -> bool | None:
    return _happens_once(world, lambda entry: entry.call.tool.tier is Tier.OPAQUE)


def _keyed_effect_happens_once(world: World) -> bool | None:
    return _happens_once(
        world, lambda entry: entry.reconciler and entry.call.tool.tier is Tier.KEYED
    )


def _queryable_effect_happens_once(world: World) -> bool | None:
    return _happens_once(
        world, lambda entry: entry.reconciler and entry.call.tool.tier is Tier.QUERYABLE
    )


def _unreconciled_effect_happens_once(world: World) -> bool | None:
    return _happens_once(world, lambda entry: not entry.reconciler)


def _sent(move: Move) -> Iterator[Request]:
    """The request, if there is one, that the step has put on its way."""
    for part in move.after.parts.changed(move.before.parts, "wire"):
        was, now = move.before.parts.read(part), move.after.parts.read(part)
        yield from now.requests - was.requests


def _nothing_is_sent_without_a_row(move: Move) -> bool | None:
    return every(
        move.before.parts.read(row_part(each.row_id)) not in {Fate.NOT_YET, Fate.UNWRITTEN}
        for each in _sent(move)
    )


def _what_is_recorded_as_done_was_done(move: Move) -> bool | None:
    if not isinstance(move.action, Settle) or move.action.outcome is not Outcome.DONE:
        return None
    return move.before.entry(move.action.row_id).effects > 0


# ── prepare ──────────────────────────────────────────────────────────────────────────────────────


def _a_prepare_that_fails_sends_nothing(move: Move) -> bool | None:
    if not isinstance(move.action, PrepareFails):
        return None
    return not any(move.changed(kind) for kind in ("row", "wire"))


def _told_to_send_again(move: Move) -> Iterator[Row]:
    """The row, if there is one, that a prepare found and wants to have sent."""
    if isinstance(move.action, Prepare):
        was = move.before.living(move.action.process)
        now = move.after.living(move.action.process)
        for dispatch in now.dispatches:
            row = move.before.row(dispatch.row_id)
            if row is not None and was.dispatch(row.id) is None:
                yield row


def _opaque_call_is_never_sent_again(move: Move) -> bool | None:
    return every(row.record.tier is not Tier.OPAQUE for row in _told_to_send_again(move))


def _retained_result_is_not_sent_for(move: Move) -> bool | None:
    return every(row.result is None for row in _told_to_send_again(move))


def _what_is_settled_is_sent_again_under_a_key(move: Move) -> bool | None:
    """Only tier 1 may be asked once more for a result that was not kept."""
    return every(
        row.record.tier is Tier.KEYED and row.record.key_issued_at is not None
        for row in _told_to_send_again(move)
        if row.record.state in _SETTLED
    )


def _delivered(move: Move) -> Iterator[tuple[Row, Prepare]]:
    """The row, if there is one, that a prepare has just re-delivered."""
    if isinstance(move.action, Prepare):
        was = _start(move.before.living(move.action.process), move.action)
        now = _start(move.after.living(move.action.process), move.action)
        for row_id in now.delivered - was.delivered:
            row = move.before.row(row_id)
            assert row is not None, "what is delivered is there"
            yield row, move.action


def _a_replay_answers_the_very_call(move: Move) -> bool | None:
    return every(
        (row.identity.slot, row.identity.tool_id, row.record.digest)
        == (asked.slot, asked.call.tool.id, asked.call.digest)
        for row, asked in _delivered(move)
    )


def _only_what_is_retained_is_delivered(move: Move) -> bool | None:
    return every(row.result is not None for row, _ in _delivered(move))


def _fresh(move: Move) -> Iterator[tuple[Row, NodeStart]]:
    """The row, if there is one, that a prepare has just written, and the start it is of."""
    if isinstance(move.action, Prepare):
        for was, row in move.changed_rows:
            if was is Fate.NOT_YET:
                yield row, _start(move.after.living(move.action.process), move.action)


def _start(
    process: Process, action: Prepare | CompleteNode | OverBudget | FollowUpFails
) -> NodeStart:
    start = process.start(action.node_id)
    assert start is not None, "only a start prepares and completes"
    return start


def _is_of(row: Row, start: NodeStart) -> bool:
    """Whether the start has sent the row's call itself."""
    return start.number in {row.record.start, row.record.retried_in}


def _what_is_recorded_comes_first(move: Move) -> bool | None:
    return every(
        row.id in start.delivered or _is_of(row, start)
        for fresh, start in _fresh(move)
        for row in move.before.of_node(fresh.node_id)
        if row.record.state in _SETTLED
    )


def _nothing_fresh_beside_an_open_effect(move: Move) -> bool | None:
    """But beside a call of the same start that is on its way, in another process."""
    return every(
        row.record.state in _SETTLED
        or (row.record.state is State.PREPARED and row.record.start == start.number)
        for fresh, start in _fresh(move)
        for row in move.before.of_node(fresh.node_id)
    )


def _fresh_beside_its_like(move: Move) -> Iterator[tuple[Row, Prepare, Row, NodeStart]]:
    """A row that a prepare has just written, and each that its node had before, undiscarded."""
    if isinstance(move.action, Prepare):
        for fresh, start in _fresh(move):
            for row in move.before.of_node(fresh.node_id):
                yield fresh, move.action, row, start


def _an_earlier_start_is_looked_up_too(move: Move) -> bool | None:
    return every(
        row.identity != fresh.identity or row.record.start == start.number
        for fresh, _, row, start in _fresh_beside_its_like(move)
    )


def _another_slot_makes_no_other_call(move: Move) -> bool | None:
    """What an earlier start has asked for is not asked for anew because it now stands elsewhere."""
    return every(
        row.id in start.delivered
        or _is_of(row, start)
        or row.record.state not in _SETTLED
        or move.before.entry(row.id).call != asked.call
        for _, asked, row, start in _fresh_beside_its_like(move)
    )


def _a_slot_counts_every_call(move: Move) -> bool | None:
    if not isinstance(move.action, Prepare):
        return None
    return every(row.identity.slot == move.action.slot for row, _ in _fresh(move))


def _a_call_is_known_whatever_its_id(move: Move) -> bool | None:
    """Where the very call of an earlier start is asked for, what is recorded of it is delivered."""
    action = move.action
    if not isinstance(action, Prepare) or move.before.phase is not RunPhase.OPEN:
        return None
    process = move.before.living(action.process)
    if process.generation != move.before.generation:
        return None
    number = _start(process, action).number
    return every(
        row.id in _start(move.after.living(action.process), action).delivered
        for row in move.before.of_node(action.node_id)
        if row.record.state in _SETTLED
        and row.result is not None
        and number not in {row.record.start, row.record.retried_in}
        and row.identity.slot == action.slot
        and move.before.entry(row.id).call == action.call
    )


def _identities_are_unique(world: World) -> bool | None:
    identities = [each for each in world.ask_rows(_counted_identity) if each is not None]
    return len(set(identities)) == len(identities) if identities else None


def _counted_identity(row: Row) -> EffectIdentity | None:
    return None if row.discarded else row.identity


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────


def _begins(move: Move) -> bool:
    return isinstance(move.action, BeginNode) and move.changed("node")


def _nothing_starts_beside_what_blocks(move: Move) -> bool | None:
    """What another generation left open, this one's gate has seen, and found that it may retry."""
    if not _begins(move):
        return None
    return every(
        row.record.state in _SETTLED
        or move.after.generation in {row.record.retrying, row.record.generation}
        for row in move.after.rerunnable()
    )


def _what_cannot_be_read_lets_nobody_through(move: Move) -> bool | None:
    if not isinstance(move.action, ReadGateFails):
        return None
    was = move.before.living(move.action.process)
    return move.after.living(move.action.process).gated == was.gated


def _the_gate_judges_every_row(move: Move) -> bool | None:
    """Of a run whose gate has passed: nothing is as open as it was found."""
    if not isinstance(move.action, ReadGate):
        return None
    process = move.after.living(move.action.process)
    if process.gated != move.after.generation or process.generation != move.after.generation:
        return None
    return every(
        row.record.state in _SETTLED or row.record.retrying == process.generation
        for row in move.after.rerunnable()
    )


def _an_approval_leads_through_the_gate(move: Move) -> bool | None:
    if not isinstance(move.action, Approve):
        return None
    return move.after.living(move.action.process).gated is None


def _the_budget(move: Move, *, first: bool) -> Process | None:
    """The process that the budget has stopped before the first egress of a turn, or a later one."""
    action = move.action
    if not isinstance(action, OverBudget):
        return None
    if (not _start(move.before.living(action.process), action).asked) is not first:
        return None
    return move.after.living(action.process)


def _the_first_egress_pauses(move: Move) -> bool | None:
    process = _the_budget(move, first=True)
    return None if process is None else process.stage is Stage.PAUSED


def _a_later_egress_fails_the_node(move: Move) -> bool | None:
    process = _the_budget(move, first=False)
    return None if process is None else process.stage is Stage.OVER_BUDGET


def _what_follows_a_settle_does_not_undo_it(move: Move) -> bool | None:
    """The row stands, and the node fails for good, if it is the start's own."""
    action = move.action
    if not isinstance(action, FollowUpFails):
        return None
    start = _start(move.before.living(action.process), action)
    if not any(_is_of(row, start) for row in move.before.of_node(action.node_id)):
        return None
    return not move.changed("row") and move.after.living(action.process).stage is Stage.FAILED


def _a_settle_that_fails_stops_the_run(move: Move) -> bool | None:
    if not isinstance(move.action, SettleFails):
        return None
    stopped = move.after.living(move.action.process).stage is Stage.ATTENTION
    return stopped and not move.changed("row")


def _no_start_follows_a_prepare(move: Move) -> bool | None:
    """But in another process."""
    if not _begins(move) or not isinstance(move.action, BeginNode):
        return None
    start = move.before.living(move.action.process).start(move.action.node_id)
    if start is None:
        return None
    return not any(row.node_id == start.node_id and _is_of(row, start) for row in move.before.rows)


def _completed(move: Move) -> Iterator[tuple[Row, NodeStart]]:
    """The rows of the node that has just completed, and the start that completed it."""
    if isinstance(move.action, CompleteNode) and move.changed("node"):
        start = _start(move.after.living(move.action.process), move.action)
        for row in move.after.of_node(move.action.node_id):
            yield row, start


def _no_node_completes_beside_an_open_effect(move: Move) -> bool | None:
    return every(row.record.state in _SETTLED for row, _ in _completed(move))


def _no_node_completes_without_the_answer(move: Move) -> bool | None:
    return every(
        row.record.state in _OPEN or row.result is not None or _is_of(row, start)
        for row, start in _completed(move)
    )


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


def _versions(move: Move) -> Iterator[tuple[Row, Row]]:
    for was, now in move.changed_rows:
        if isinstance(was, Row):
            yield was, now


def _rows_move_as_drawn(move: Move) -> bool | None:
    return every(now.record.state in _WAYS[was.record.state] for was, now in _versions(move))


def _what_is_unknown_stays_open(move: Move) -> bool | None:
    if not isinstance(move.action, Settle) or move.action.outcome is not Outcome.UNKNOWN:
        return None
    return all(
        now.record.state in {was.record.state, State.AMBIGUOUS} for was, now in _versions(move)
    )


def _one_settle_writes_all(move: Move) -> bool | None:
    """Whoever finds the state of a row finds its result with it."""
    action = move.action
    if not isinstance(action, Settle) or action.result is None or action.result.kept is None:
        return None
    return every(
        now.result is not None
        for was, now in _versions(move)
        if was.record.state in _OPEN and now.record.state in _SETTLED
    )


def _what_is_settled_stays(move: Move) -> bool | None:
    return every(
        now.record.state is was.record.state
        and now.record.resolution is was.record.resolution
        and was.result in {None, now.result}
        for was, now in _versions(move)
        if was.record.state in _SETTLED
    )


def _an_operator_resolves_once(move: Move) -> bool | None:
    """Nobody else does, and what is known to have landed is not discarded."""
    return every(
        now.record.resolution is was.record.resolution
        or (
            isinstance(move.action, Resolve)
            and was.record.resolution is None
            and not (was.record.landed and now.discarded)
        )
        for was, now in _versions(move)
    )


def _to_sweep(row: Row | Fate) -> Swept | None:
    if isinstance(row, Fate):
        return None
    return Swept(row.record.state in _SETTLED, row.record.undelivered)


def _no_open_row_is_swept(move: Move) -> bool | None:
    return every(row.settled for row in move.swept)


def _nothing_is_swept_while_resumable(move: Move) -> bool | None:
    over = {RunPhase.ENDED, RunPhase.CLOSED}
    return move.before.phase in over if move.swept else None


def _what_was_not_delivered_stays(move: Move) -> bool | None:
    """Until an operator closes the run."""
    left = any(row.undelivered for row in move.swept)
    return move.before.phase is RunPhase.CLOSED if left else None


# ── the run ──────────────────────────────────────────────────────────────────────────────────────


def _a_live_owner_is_not_replaced(move: Move) -> bool | None:
    """But where an operator declares it dead."""
    declared_dead = isinstance(move.action, TakeOver) and move.action.declared_dead
    if declared_dead or not move.changed("run"):
        return None
    if move.after.generation == move.before.generation:
        return None
    return move.before.lock is None


def _only_the_owner_writes(move: Move) -> bool | None:
    """A superseded process changes nothing but evidence, which tells what it alone may know."""
    before, action = move.before, move.action
    if not isinstance(action, RunAct | NodeAct) or isinstance(action, TakeOver | ReadGateUnowned):
        return None
    process = before.process(action.process)
    if process is None or process.generation == before.generation:
        return None
    return not (move.changed("run") or move.changed("node")) and all(
        _written(was) == _written(now) for was, now in move.changed_rows
    )


def _written(row: Row | Fate) -> object:
    if isinstance(row, Fate):
        return row
    record = row.record
    return record.state, row.result, record.retrying, record.retried_in, record.undelivered


def _terminals_do_not_flip(move: Move) -> bool | None:
    """A terminal is its incarnation's for good, and a run that has ended has no next one."""
    if not move.changed("run"):
        return None
    was, now = move.before.run, move.after.run
    if was is None or now is None or was.phase is RunPhase.OPEN:
        return None
    if now.incarnation > was.incarnation:
        return was.phase is RunPhase.NEEDS_ATTENTION
    return now.ended is was.ended and now.phase in {was.phase, RunPhase.CLOSED}


_ENDING: Final = frozenset({Stage.ATTENTION, Stage.FAILED, Stage.OVER_BUDGET})


def _nobody_is_stuck(world: World, processes: Iterable[Process]) -> bool | None:
    """Whoever can do no more has nothing left to do."""
    has_its_terminal = world.phase is not RunPhase.OPEN
    return every(
        process.stage is Stage.OVER or (process.stage in _ENDING and has_its_terminal)
        for process in processes
    )


PROPERTIES: Final = (
    Property("nothing is sent without a row", "T-1", _nothing_is_sent_without_a_row),
    Property("what is recorded as done was done", "T-1", _what_is_recorded_as_done_was_done),
    Invariant("an opaque effect happens at most once", "T-4", _opaque_effect_happens_once),
    Property("an opaque call is never sent again", "T-4", _opaque_call_is_never_sent_again),
    Invariant("a keyed effect happens at most once", "T-2", _keyed_effect_happens_once),
    Invariant("a queryable effect happens at most once", "T-3", _queryable_effect_happens_once),
    Invariant(
        "without a reconciler it happens at most once", "T-6", _unreconciled_effect_happens_once
    ),
    Property("a retained result is not sent for", "G-2", _retained_result_is_not_sent_for),
    Property(
        "what is settled is sent again under a key alone",
        "G-3",
        _what_is_settled_is_sent_again_under_a_key,
    ),
    Property("only what is retained is delivered", "G-5", _only_what_is_retained_is_delivered),
    Property("a prepare that fails sends nothing", "O-2", _a_prepare_that_fails_sends_nothing),
    Property("an earlier start is looked up too", "I-2", _an_earlier_start_is_looked_up_too),
    Property("a slot counts every call", "I-3", _a_slot_counts_every_call),
    Property("another slot makes no other call", "I-4", _another_slot_makes_no_other_call),
    Property("a call is known whatever its id", "I-6", _a_call_is_known_whatever_its_id),
    Property("a replay answers the very call", "G-8", _a_replay_answers_the_very_call),
    Property("what is recorded comes first", "G-8", _what_is_recorded_comes_first),
    Property("nothing fresh beside an open effect", "G-4", _nothing_fresh_beside_an_open_effect),
    Invariant("undiscarded identities are unique", "I-5", _identities_are_unique),
    Property("the gate judges every row", "G-1", _the_gate_judges_every_row),
    Property("nothing starts beside what blocks", "G-9", _nothing_starts_beside_what_blocks),
    Property(
        "what cannot be read lets nobody through", "G-10", _what_cannot_be_read_lets_nobody_through
    ),
    Property("an approval leads through the gate", "G-13", _an_approval_leads_through_the_gate),
    Property("the first egress pauses", "B-2", _the_first_egress_pauses),
    Property("a later egress fails the node", "B-1", _a_later_egress_fails_the_node),
    Property("a settle that fails stops the run", "O-4", _a_settle_that_fails_stops_the_run),
    Property(
        "what follows a settle does not undo it", "O-5", _what_follows_a_settle_does_not_undo_it
    ),
    Property("no start follows a prepare", "O-6", _no_start_follows_a_prepare),
    Property(
        "no node completes beside an open effect", "G-12", _no_node_completes_beside_an_open_effect
    ),
    Property("no node completes without the answer", "G-5", _no_node_completes_without_the_answer),
    Property("rows move as drawn", "S-1", _rows_move_as_drawn),
    Property("what is unknown stays open", "O-3", _what_is_unknown_stays_open),
    Property("one settle writes all", "S-2", _one_settle_writes_all),
    Property("what is settled stays", "S-3", _what_is_settled_stays),
    Property("an operator resolves once", "A-5", _an_operator_resolves_once),
    Property("no open row is swept", "R-1", _no_open_row_is_swept),
    Property("nothing is swept while resumable", "R-2", _nothing_is_swept_while_resumable),
    Property("what was not delivered stays", "R-2", _what_was_not_delivered_stays),
    Property("a live owner is not replaced", "F-1", _a_live_owner_is_not_replaced),
    Property("only the owner writes", "F-2", _only_the_owner_writes),
    Property("terminals do not flip", "A-4", _terminals_do_not_flip),
)
"""What holds of every step and of every world."""

ENDINGS: Final = (Ending("nobody is stuck", "A-4", _nobody_is_stuck),)
"""What holds wherever a process can do nothing of its own."""

SAFETY: Final[tuple[AnyProperty, ...]] = (*PROPERTIES, *ENDINGS)
"""Every safety property of the model."""
