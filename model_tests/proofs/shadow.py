"""What in the proof stands for a walk through the model: its worlds, and the steps between them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

import z3  # type: ignore[import-untyped]  # z3 ships no types

from effectspec.admission import Admission
from effectspec.attention import ErrorCode
from effectspec.contract import CONTRACT
from effectspec.gate import GateVerdict, Lookup
from effectspec.model import actions as acts
from effectspec.model import answers
from effectspec.model import world as model
from effectspec.model.configuration import Configuration
from effectspec.model.writing import fingerprint
from effectspec.record import Occasion, Record, judge
from effectspec.retention import RunPhase
from proofs import transitions as may
from proofs.finite import Expr
from proofs.rules import LOOKUP, OUTCOME, PHASE, RESOLUTION, STATE, TIER
from proofs.transitions import Ids, Transition
from proofs.world import CALL, INT, NONE, WORLD_FIELDS, Choice, World, any_choice

Happening = tuple[Transition, Choice]

_ADMITTED: Mapping[Admission, Transition] = {
    Admission.DISPATCH: may.prepare,
    Admission.RETRY: may.retry,
    Admission.REPLAY: may.replay,
}


def _number(number: int | None) -> Expr:
    return z3.IntVal(NONE if number is None else number)


def _call(call: model.Call) -> Expr:
    """Tool and digest as numbers: equal ones are equal."""
    return CALL.call(*(int.from_bytes(name.encode()) for name in (call.tool.id, call.digest)))


def _node(node_id: str) -> Expr:
    return z3.IntVal(int.from_bytes(node_id.encode()))


def _set(of: Expr, members: Iterable[Expr]) -> Expr:
    held = z3.EmptySet(of)
    for member in members:
        held = z3.SetAdd(held, member)
    return held


def _array(otherwise: Expr, values: Iterable[tuple[Expr, Expr]]) -> Expr:
    array = z3.K(INT, otherwise)
    for index, value in values:
        array = z3.Store(array, index, value)
    return array


@dataclass(slots=True)
class Shadow:
    """A walk, and what the model forgets of it and the proof does not.

    That is: processes that died and rows that were swept, which call a start asked for and was not
    refused, and how often a call was sent. A process's ``number`` is never used again.
    """

    configuration: Configuration
    world: model.World
    numbers: dict[str, int] = field(default_factory=dict)
    processes: dict[int, model.Process] = field(default_factory=dict)
    dead: set[int] = field(default_factory=set)
    asked: dict[int, tuple[model.Call, ...]] = field(default_factory=dict)
    rows: dict[int, model.Row] = field(default_factory=dict)
    sent: Counter[int] = field(default_factory=Counter)
    arrived: Counter[int] = field(default_factory=Counter)

    @property
    def ids(self) -> Ids:
        """Every process and row that there is or was."""
        return Ids(tuple(map(_number, self.processes)), tuple(map(_number, self.rows)))

    # ── a world ──────────────────────────────────────────────────────────────────────────────────

    def seen(self) -> World:
        """The proof's world."""
        run = self.world.run
        scalars = {
            "generation": _number(self.world.generation),
            "phase": PHASE[RunPhase.OPEN if run is None else run.phase],
            "rows": _number(len(self.world.ledger)),
        }
        of_kind = {
            "row": [(_number(row_id), self._row(row)) for row_id, row in self.rows.items()],
            "process": [(_number(number), self._process(number)) for number in self.processes],
            "node": [(_node(name), self._node(name)) for name in self.configuration.nodes],
        }
        arrays = {
            name: _array(
                _number(None) if name == "holds" else z3.FreshConst(of.value),
                ((index, known[name]) for index, known in of_kind[of.kind]),
            )
            for name, of in WORLD_FIELDS.items()
            if of.kind is not None
        }
        return World(**scalars, **arrays)

    def _row(self, row: model.Row) -> dict[str, Expr]:
        entry, record = self.world.ledger[row.id - 1], row.record
        return {
            "present": z3.BoolVal(self.world.row(row.id) is not None),
            "node": _node(row.node_id),
            "slot": z3.IntVal(row.identity.slot),
            "call": _call(entry.call),
            "tier": TIER[record.tier],
            "state": STATE[record.state],
            "resolution": RESOLUTION[record.resolution],
            "retained": z3.BoolVal(record.retained),
            "start": _number(record.start),
            "written_by": _number(record.generation),
            "retrying": _number(record.retrying),
            "retried_in": _number(record.retried_in),
            "attempts": _number(self.sent[row.id]),
            "flying": _number(self.sent[row.id] - self.arrived[row.id]),
            "effects": _number(entry.effects),
        }

    def _process(self, number: int) -> dict[str, Expr]:
        process = self.processes[number]
        start = process.starts[-1] if process.starts else None
        unsent = (each.row_id for each in process.dispatches if not each.sent)
        return {
            "holds": _number(process.generation),
            "gated": z3.BoolVal(process.gated == process.generation),
            "stopped": z3.BoolVal(self._stopped(number)),
            "in_node": _node("" if start is None else start.node_id),
            "in_start": _number(None if start is None else start.number),
            "asked": _set(CALL, map(_call, self.asked[number])),
            "delivered": _set(INT, map(_number, () if start is None else start.delivered)),
            "to_send": _set(INT, map(_number, unsent)),
        }

    def _node(self, name: str) -> dict[str, Expr]:
        node = self.world.node(name)
        return {"starts": _number(node.starts), "completed": z3.BoolVal(node.completed)}

    def _stopped(self, number: int) -> bool:
        return number in self.dead or self.processes[number].stage is not model.Stage.GOING

    def facts(self, world: World) -> Iterator[tuple[tuple[object, ...], Expr]]:
        """Everything that can be asked of a world of the proof.

        What a process did in its start is not asked of one that is in none.
        """
        calls = [_call(each) for each in self.configuration.calls]
        rows = [_number(row_id) for row_id in self.rows]
        started = [_number(number) for number, each in self.processes.items() if each.starts]
        of_kind = {
            None: [None],
            "row": rows,
            "process": [_number(number) for number in self.processes],
            "node": [_node(name) for name in self.configuration.nodes],
        }
        for name, of in WORLD_FIELDS.items():
            of_start = name in {"in_node", "asked", "delivered"}
            for index in started if of_start else of_kind[of.kind]:
                value = getattr(world, name)
                said = value if index is None else value[index]
                if not z3.is_array(said):
                    yield (name, index), said
                    continue
                for member in calls if name == "asked" else rows:
                    yield (name, index, member), said[member]

    # ── a step ───────────────────────────────────────────────────────────────────────────────────

    def happenings(
        self, action: acts.Action, after: model.World, answer: answers.Answer
    ) -> list[Happening]:
        """What happens in the proof when this happens in the model."""
        name = getattr(action, "process", None)
        happened = list(self._happenings(action, after, answer))
        if name in self.numbers and self._stops(name, after):
            ends = happened and happened[-1][0] in {may.end, may.end_in_attention}
            return happened if ends else [*happened, (may.stop, self._about(name))]
        return happened

    def _stops(self, name: str, after: model.World) -> bool:
        process = after.process(name)
        stopped = process is None or process.stage is not model.Stage.GOING
        return stopped and not self._stopped(self.numbers[name])

    def _happenings(
        self, action: acts.Action, after: model.World, answer: answers.Answer
    ) -> Iterator[Happening]:
        if isinstance(answer, answers.Failed):
            return iter(())
        if isinstance(action, acts.RunAct):
            return self._of_run(action, answer)
        if isinstance(action, acts.NodeAct):
            return self._of_node(action, answer)
        if isinstance(action, acts.OperatorAct):
            return self._of_operator(action, after)
        return self._of_outside(action, after)

    def _of_run(self, action: acts.RunAct, answer: answers.Answer) -> Iterator[Happening]:
        match action:
            case acts.TakeOver():
                yield may.take_over, self._choice(process=_number(len(self.processes) + 1))
            case acts.Join(owner=owner):
                entering, other = len(self.processes) + 1, self.numbers[owner]
                yield may.join, self._choice(process=_number(entering), other=_number(other))
            case acts.ReadGate(process=name):
                assert isinstance(answer, answers.Gated), f"{answer} to a gate that was read"
                yield from (self._mark(name, row) for row in self.world.rerunnable())
                if answer.may_schedule:
                    yield may.pass_gate, self._about(name)
            case acts.BeginIncarnation(process=name):
                yield may.begin_incarnation, self._about(name)
            case acts.EndRun(process=name, code=code):
                attention = code is ErrorCode.EFFECT_NEEDS_ATTENTION
                yield may.end_in_attention if attention else may.end, self._about(name)
            case acts.ReadGateFails() | acts.ReadGateUnowned() | acts.Approve():
                """It stops its process, is what reading 12 forbids, or is of no world here."""
            case _:
                assert_never(action)

    def _of_node(self, action: acts.NodeAct, answer: answers.Answer) -> Iterator[Happening]:
        match action, answer:
            case acts.BeginNode(process=name, node_id=node_id), _:
                yield may.begin_node, self._about(name, node=_node(node_id))
            case acts.Prepare(), answers.Prepared(admission=admission) if admission in _ADMITTED:
                yield _ADMITTED[admission], self._prepared(action, answer)
            case acts.Settle(row_id=row_id), _:
                yield may.settle, self._settled(action, self.rows[row_id])
            case acts.CompleteNode(process=name), answers.NodeEnded(completed=True):
                yield may.complete_node, self._about(name)
            case _:
                """A refusal, which stops its process."""

    def _of_operator(self, action: acts.OperatorAct, after: model.World) -> Iterator[Happening]:
        match action:
            case acts.Resolve(row_id=row_id, resolution=resolution):
                word = {"resolution": RESOLUTION[resolution], "landed": z3.BoolVal(False)}
                kept = z3.BoolVal(action.result is not None and action.result.kept is not None)
                yield may.resolve, self._choice(row=_number(row_id), kept=kept, **word)
            case acts.Attach(row_id=row_id):
                yield may.attach, self._choice(row=_number(row_id))
            case acts.Close():
                yield may.close, self._choice()
            case acts.Sweep():
                for row in self.world.rows:
                    if after.row(row.id) is None:
                        left = z3.BoolVal(row.record.undelivered)
                        yield may.sweep, self._choice(row=_number(row.id), undelivered=left)
            case _:
                assert_never(action)

    def _of_outside(self, action: acts.OutsideAct, after: model.World) -> Iterator[Happening]:
        match action:
            case acts.Send(process=name, row_id=row_id):
                yield may.send, self._about(name, row=_number(row_id))
            case acts.Arrive(request=request):
                done = after.entry(request.row_id) != self.world.entry(request.row_id)
                yield may.arrive, self._choice(row=_number(request.row_id), done=z3.BoolVal(done))
            case _:
                """The proof has no clock, no look-ups and no keys; a crash stops its process."""

    def _choice(self, **chosen: Expr) -> Choice:
        return replace(any_choice(), **chosen)

    def _about(self, name: str, **chosen: Expr) -> Choice:
        """A choice of a living process, to which every row is as its tools and the clock say."""
        reconcilers = self.world.living(name).reconcilers
        occasion = Occasion(self.world.now, reconcilers)
        rows = [(_number(row_id), row.record) for row_id, row in self.rows.items()]
        return self._choice(
            process=_number(self.numbers[name]),
            reconciler=_array(
                z3.BoolVal(False),
                ((r, z3.BoolVal(record.identity.tool_id in reconcilers)) for r, record in rows),
            ),
            key_live=_array(
                z3.BoolVal(False),
                ((r, z3.BoolVal(_key_lives(record, occasion))) for r, record in rows),
            ),
            comparable=z3.K(INT, z3.BoolVal(True)),
            same_mapping=z3.K(INT, z3.BoolVal(True)),
            **chosen,
        )

    def _mark(self, name: str, row: model.Row) -> Happening:
        occasion = Occasion(self.world.now, self.world.living(name).reconcilers)
        asks = judge(CONTRACT, row.record, occasion).verdict is GateVerdict.RECONCILE
        shown = self.world.lookups is model.Lookups.SHOWN
        receipt = self.world.wire(row.id).receipt if shown else None
        found = asks and receipt is not None
        kept = found and receipt is not None and receipt.kept is not None
        return may.mark, self._about(
            name,
            row=_number(row.id),
            lookup=LOOKUP[Lookup.FOUND if found else Lookup.NOTHING],
            kept=z3.BoolVal(kept),
        )

    def _prepared(self, action: acts.Prepare, answer: answers.Prepared) -> Choice:
        return self._about(
            action.process,
            row=_number(answer.row_id),
            slot=z3.IntVal(action.slot),
            call=_call(action.call),
            tier=TIER[action.call.tool.tier],
        )

    def _settled(self, action: acts.Settle, row: model.Row) -> Choice:
        own = row.record.generation == self.world.living(action.process).generation
        alike = row.record.settled_as == fingerprint(action.outcome, action.result)
        kept = action.result is not None and action.result.kept is not None
        return self._about(
            action.process,
            row=_number(row.id),
            outcome=OUTCOME[action.outcome],
            kept=z3.BoolVal(kept),
            repeated=z3.BoolVal(own and alike),
        )

    def follow(self, action: acts.Action, after: model.World, answer: answers.Answer) -> None:
        """Go on to the world after the action."""
        match action:
            case acts.TakeOver(process=name) | acts.Join(process=name):
                if not isinstance(answer, answers.Failed):
                    self.numbers[name] = len(self.processes) + 1
                    self.asked[self.numbers[name]] = ()
            case acts.BeginNode(process=name):
                self.asked[self.numbers[name]] = ()
            case acts.Prepare(process=name, call=call):
                if isinstance(answer, answers.Prepared) and answer.admission in _ADMITTED:
                    self.asked[self.numbers[name]] += (call,)
            case acts.Send(row_id=row_id):
                self.sent[row_id] += 1
            case acts.Arrive(request=request):
                self.arrived[request.row_id] += 1
            case acts.Crash(process=name):
                self.dead.add(self.numbers.pop(name))
            case _:
                """Nothing that the model forgets."""
        self.world = after
        self.rows |= {row.id: row for row in after.rows}
        living = (after.process(name) for name in self.numbers)
        self.processes |= {
            self.numbers[process.name]: process for process in living if process is not None
        }


def _key_lives(record: Record, occasion: Occasion) -> bool:
    if record.key_issued_at is None:
        return False
    age_s = occasion.now - record.key_issued_at
    return CONTRACT.key_is_live(age_s=age_s, lifetime_s=record.key_lifetime_s)
