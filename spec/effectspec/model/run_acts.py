"""What a process does to its run: own it, read its gate, go on with it, end it."""

from dataclasses import replace
from typing import assert_never

from msgspec import structs

from effectspec.attention import ErrorCode
from effectspec.contract import Contract
from effectspec.gate import GateRead, GateVerdict, Lookup
from effectspec.lifecycle import State, Transition, advance
from effectspec.model.actions import (
    Approve,
    BeginIncarnation,
    EndRun,
    Join,
    ReadGate,
    ReadGateFails,
    ReadGateUnowned,
    RunAct,
    TakeOver,
)
from effectspec.model.answers import Done, Failed, Gated, Judged, Owned, Silent
from effectspec.model.world import LOCK, RUN, Lookups, Process, Result, Row, Run, Stage, World
from effectspec.model.writing import Stepped, fenced, fingerprint, is_open, over, owns
from effectspec.ownership import OwnerSign, next_generation
from effectspec.protocol import Code
from effectspec.record import Finding, Occasion, conclude, judge
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome


def run_step(world: World, act: RunAct, contract: Contract) -> Stepped:
    """The world after ``act``, and the answer."""
    match act:
        case TakeOver():
            return _take_over(world, act, contract)
        case Join(process=name, owner=owner):
            held = world.living(owner)
            joined = Process(name, held.generation, held.reconcilers, gated=held.gated)
            return world.with_process(joined), Silent()
        case ReadGate():
            return _read_gate(world, act, contract)
        case ReadGateFails():
            return _read_gate_fails(world, act, contract)
        case ReadGateUnowned():
            return _read_gate_unowned(world, act, contract)
        case BeginIncarnation():
            return _begin_incarnation(world, act, contract)
        case Approve(process=name):
            # It goes on as any resume does, so what its gate has said counts no more (G-13).
            approved = replace(world.living(name), gated=None, starts=(), stage=Stage.GOING)
            return world.with_process(approved), Silent()
        case EndRun():
            return _end_run(world, act, contract)
        case _:
            assert_never(act)


# ── ownership ────────────────────────────────────────────────────────────────────────────────────


def _take_over(world: World, act: TakeOver, contract: Contract) -> Stepped:
    run = world.run
    if run is None:
        run = Run(next_generation(0))
    elif not contract.may_resume(run.phase):
        return world, Failed(Code.REFUSED)
    elif not contract.may_take_over(owner_sign(world, declared_dead=act.declared_dead)):
        return world, Failed(Code.OWNED_BY_ANOTHER)
    else:
        run = replace(run, generation=next_generation(run.generation))
    before = world.process(act.process)
    process = Process(
        act.process,
        run.generation,
        act.reconcilers,
        gated=None if before is None else before.gated,
        dispatches=() if before is None else before.dispatches,
    )
    owned = world.having(RUN, run).having(LOCK, act.process)
    return owned.with_process(process), Owned(run.generation)


def owner_sign(world: World, *, declared_dead: bool) -> OwnerSign:
    """What is known of the present owner: a lock is dropped with its holder's death alone."""
    if world.lock is None:
        return OwnerSign.GONE
    return OwnerSign.DECLARED_DEAD if declared_dead else OwnerSign.ALIVE


# ── the gate ─────────────────────────────────────────────────────────────────────────────────────


def _read_gate(world: World, act: ReadGate, contract: Contract) -> Stepped:
    process = world.living(act.process)
    if not owns(world, process, contract):
        return fenced(world, process)
    judged = _judge_rows(world, process, contract)
    for row, finding, receipt in judged:
        world = world.with_row(_marked(row, finding, receipt, process.generation))
    answer = _gated([finding for _, finding, _ in judged], contract)
    return world.with_process(_having_read(process, answer)), answer


def _read_gate_unowned(world: World, act: ReadGateUnowned, contract: Contract) -> Stepped:
    process = Process(act.process, 0, act.reconcilers)
    judged = _judge_rows(world, process, contract)
    answer = _gated([finding for _, finding, _ in judged], contract)
    return world.with_process(_having_read(process, answer)), answer


def _read_gate_fails(world: World, act: ReadGateFails, contract: Contract) -> Stepped:
    process = world.living(act.process)
    if not contract.may_schedule(GateRead.FAILED, ()):
        return world.with_process(replace(process, stage=Stage.OVER)), Failed(Code.STORE)
    if not owns(world, process, contract):
        return fenced(world, process)
    answer = _gated([], contract)
    return world.with_process(_having_read(process, answer)), answer


def _judge_rows(
    world: World, process: Process, contract: Contract
) -> list[tuple[Row, Finding, Result | None]]:
    occasion = Occasion(world.now, process.reconcilers)
    judged = []
    for row in world.rerunnable():
        finding = judge(contract, row.record, occasion)
        receipt = None
        if finding.verdict is GateVerdict.RECONCILE:
            lookup, receipt = _look_up(world, row)
            retained = receipt is not None and receipt.kept is not None
            finding = conclude(contract, finding, lookup, retained=retained)
        judged.append((row, finding, receipt))
    return judged


def _look_up(world: World, row: Row) -> tuple[Lookup, Result | None]:
    match world.lookups:
        case Lookups.FAILING:
            return Lookup.FAILED, None
        case Lookups.HIDDEN:
            return Lookup.NOTHING, None
        case Lookups.SHOWN:
            receipt = world.wire(row.id).receipt
            return (Lookup.NOTHING if receipt is None else Lookup.FOUND), receipt


def _marked(row: Row, finding: Finding, receipt: Result | None, generation: int) -> Row:
    """The row with what the gate records on it (reading 1)."""
    for transition in finding.transitions:
        row = _moved(row, transition, receipt)
    if receipt is not None and receipt.kept is not None and not finding.transitions:
        row = _settled_by_receipt(row.filled(receipt.kept), receipt)
    if finding.verdict is GateVerdict.RETRY:
        row = replace(row, record=structs.replace(row.record, retrying=generation))
    return row


def _moved(row: Row, transition: Transition, receipt: Result | None) -> Row:
    state = advance(row.record.state, transition)
    assert state is not None, f"{row.record.state} has no {transition} (S-1)"
    moved = replace(row, record=structs.replace(row.record, state=state))
    if state is State.COMMITTED and receipt is not None:
        return _settled_by_receipt(moved.filled(receipt.kept), receipt)
    return moved


def _settled_by_receipt(row: Row, receipt: Result) -> Row:
    settled_as = fingerprint(Outcome.DONE, receipt)
    return replace(row, record=structs.replace(row.record, settled_as=settled_as))


def _gated(findings: list[Finding], contract: Contract) -> Gated:
    return Gated(
        contract.may_schedule(GateRead.READ, tuple(finding.verdict for finding in findings)),
        tuple(
            Judged(each.record.row_id, each.verdict, each.record.tier, each.effective)
            for each in findings
        ),
    )


def _having_read(process: Process, gated: Gated) -> Process:
    if gated.may_schedule:
        return replace(process, gated=process.generation)
    return replace(process, stage=Stage.ATTENTION)


# ── the incarnation ──────────────────────────────────────────────────────────────────────────────


def _begin_incarnation(world: World, act: BeginIncarnation, contract: Contract) -> Stepped:
    process, run = world.living(act.process), world.run
    if run is None or not owns(world, process, contract):
        return fenced(world, process)
    if run.phase is RunPhase.OPEN:
        return world, Done()
    if not contract.may_resume(run.phase):
        return over(world, process)
    begun = replace(run, incarnation=run.incarnation + 1, phase=RunPhase.OPEN, ended=None)
    return world.having(RUN, begun), Done()


def _end_run(world: World, act: EndRun, contract: Contract) -> Stepped:
    process, run = world.living(act.process), world.run
    if run is None or not owns(world, process, contract):
        return fenced(world, process)
    if not is_open(world):
        return over(world, process)
    attention = act.code is ErrorCode.EFFECT_NEEDS_ATTENTION
    phase = RunPhase.NEEDS_ATTENTION if attention else RunPhase.ENDED
    ended = world.having(RUN, replace(run, phase=phase, ended=act.code))
    return ended.with_process(replace(process, stage=Stage.OVER)), Done()
