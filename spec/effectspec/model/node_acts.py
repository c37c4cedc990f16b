"""What a process does in a node: begin it, prepare, settle, complete it."""

from dataclasses import replace
from typing import assert_never

from msgspec import structs

from effectspec.admission import Admission, Bearing, Completion
from effectspec.budget import BudgetVerdict
from effectspec.contract import Contract
from effectspec.identity import EffectIdentity, NodeKey
from effectspec.lifecycle import State
from effectspec.model.actions import (
    BeginNode,
    CompleteNode,
    FollowUpFails,
    NodeAct,
    OverBudget,
    Prepare,
    PrepareFails,
    Settle,
    SettleFails,
)
from effectspec.model.answers import Begun, Failed, NodeEnded, Prepared, Settled, Silent
from effectspec.model.world import (
    MAPPING,
    RUN_ID,
    Call,
    Dispatch,
    Entry,
    NodeStart,
    Process,
    Result,
    Row,
    Stage,
    World,
)
from effectspec.model.writing import Stepped, fenced, fingerprint, is_open, over, owns
from effectspec.protocol import Code
from effectspec.record import Ask, Occasion, Record, Report, decide, may_complete, settle_row
from effectspec.settlement import Outcome, Settlement
from effectspec.tiers import Tier


def node_step(world: World, act: NodeAct, contract: Contract) -> Stepped:
    """The world after ``act``, and the answer."""
    match act:
        case BeginNode():
            return _begin(world, act, contract)
        case Prepare():
            return _prepare(world, act, contract)
        case PrepareFails():
            return _failed(world, act, contract), Failed(Code.STORE)
        case OverBudget():
            return _over_budget(world, act, contract), Silent()
        case Settle():
            return _settle(world, act, contract)
        case SettleFails(process=name, row_id=row_id):
            failed = replace(world.living(name).without(row_id), stage=Stage.ATTENTION)
            return world.with_process(failed), Failed(Code.STORE)
        case FollowUpFails():
            return _failed(world, act, contract), Silent()
        case CompleteNode():
            return _complete(world, act, contract)
        case _:
            assert_never(act)


def _begin(world: World, act: BeginNode, contract: Contract) -> Stepped:
    process = world.living(act.process)
    if not owns(world, process, contract):
        return fenced(world, process)
    if not is_open(world):
        return over(world, process)
    node = world.node(act.node_id)
    number = node.starts + 1
    begun = world.with_node(replace(node, starts=number))
    return begun.with_process(process.in_start(NodeStart(act.node_id, number))), Begun(number)


def _over_budget(world: World, act: OverBudget, contract: Contract) -> World:
    """What the budget says before a provider call: the turn's first, or a later one (§13)."""
    process = world.living(act.process)
    egress = 2 if _start_of(process, act.node_id).asked else 1
    match contract.budget_verdict(within_budget=False, egress=egress):
        case BudgetVerdict.PROCEED:
            return world
        case BudgetVerdict.PAUSE:
            return world.with_process(replace(process, stage=Stage.PAUSED))
        case BudgetVerdict.FAIL_CLOSED:
            return world.with_process(replace(process, stage=Stage.OVER_BUDGET))


def _failed(world: World, act: PrepareFails | FollowUpFails, contract: Contract) -> World:
    """What an error does to a start: it may be begun again, or its node has failed (O-6)."""
    process = world.living(act.process)
    prepared = world.has_prepared(_start_of(process, act.node_id))
    if contract.node_retryable(prepared_in_attempt=prepared):
        return world
    return world.with_process(replace(process, stage=Stage.FAILED))


# ── prepare ──────────────────────────────────────────────────────────────────────────────────────


def _prepare(world: World, act: Prepare, contract: Contract) -> Stepped:
    process = world.living(act.process)
    if not owns(world, process, contract):
        return fenced(world, process)
    if not is_open(world):
        return over(world, process)
    start = _start_of(process, act.node_id)
    identity = EffectIdentity(NodeKey(RUN_ID, act.node_id), act.slot, act.call.tool.id)
    ask = Ask(identity, act.call.digest, MAPPING, start.number, process.generation, start.delivered)
    asked = replace(start, asked=start.asked | {act.call}, next_slot=act.slot + 1)
    process = process.in_start(asked)
    rows = world.of_node(act.node_id)
    decision = decide(
        contract, (row.record for row in rows), ask, Occasion(world.now, process.reconcilers)
    )
    row = None if decision.record is None else world.row(decision.record.row_id)
    match decision.admission:
        case Admission.DISPATCH:
            return _dispatched(world, process, act.call, ask)
        case Admission.RETRY:
            return _retried(world, process, row, ask)
        case Admission.REPLAY:
            return _replayed(world, process, asked, row)
        case Admission.REFUSE:
            return _refused(world, process, decision.bearing, row)


def _start_of(process: Process, node_id: str) -> NodeStart:
    start = process.start(node_id)
    assert start is not None, f"{process.name!r} has not begun node {node_id!r}"
    return start


def _dispatched(world: World, process: Process, call: Call, ask: Ask) -> Stepped:
    row_id = world.next_row_id
    reconciler = call.tool.id in process.reconcilers
    keyed = reconciler and call.tool.tier is Tier.KEYED
    record = Record(
        row_id=row_id,
        identity=ask.identity,
        start=ask.start,
        generation=ask.generation,
        tier=call.tool.tier,
        digest=ask.digest,
        mapping=ask.mapping,
        state=State.PREPARED,
        key_issued_at=world.now if keyed else None,
        key_lifetime_s=call.tool.key_lifetime_s,
    )
    row = Row(record)
    prepared = world.with_row(row).with_entry(Entry(row_id, row.node_id, call, reconciler))
    answer = Prepared(Admission.DISPATCH, Bearing.SILENT, row_id)
    return prepared.with_process(process.knowing(Dispatch(row_id, record.key_issued_at))), answer


def _retried(world: World, process: Process, row: Row | None, ask: Ask) -> Stepped:
    assert row is not None, "a retry speaks of a row"
    record = structs.replace(
        row.record, generation=ask.generation, retried_in=ask.start, settled_as=None
    )
    stamped = world.with_row(replace(row, record=record))
    answer = Prepared(Admission.RETRY, Bearing.RETRY, row.id)
    return stamped.with_process(process.knowing(Dispatch(row.id, record.key_issued_at))), answer


def _replayed(world: World, process: Process, start: NodeStart, row: Row | None) -> Stepped:
    assert row is not None, "a replay speaks of a row"
    delivered = replace(start, delivered=start.delivered | {row.id})
    answer = Prepared(Admission.REPLAY, Bearing.REPLAY, row.id, row.result)
    return world.with_process(process.in_start(delivered)), answer


def _refused(world: World, process: Process, bearing: Bearing, row: Row | None) -> Stepped:
    stopped = replace(process, stage=Stage.ATTENTION)
    answer = Prepared(Admission.REFUSE, bearing, None if row is None else row.id)
    return world.with_process(stopped), answer


# ── settle ───────────────────────────────────────────────────────────────────────────────────────


def _settle(world: World, act: Settle, contract: Contract) -> Stepped:
    process = world.living(act.process)
    row = world.row(act.row_id)
    if row is None:
        # Whoever fenced this owner may have swept the row since.
        process = process.without(act.row_id)
        if not owns(world, process, contract):
            return fenced(world, process)
        return world.with_process(process), Failed(Code.UNKNOWN_ROW)
    report = Report(act.outcome, fingerprint(act.outcome, act.result), process.generation)
    settlement = settle_row(contract, row.record, report, current_generation=world.generation)
    settled = _written(row, report, settlement, act.result)
    after = world.with_row(settled).with_process(_having_settled(process, act, settlement))
    return after, Settled(settlement, settled.record.state)


def _written(row: Row, report: Report, settlement: Settlement, result: Result | None) -> Row:
    kept = None if result is None else result.kept
    match settlement:
        case Settlement.COMMIT | Settlement.MARK_AMBIGUOUS:
            committed = settlement is Settlement.COMMIT
            state = State.COMMITTED if committed else State.AMBIGUOUS
            record = structs.replace(row.record, state=state, settled_as=report.fingerprint)
            return replace(row, record=record).filled(kept)
        case Settlement.FILL:
            if kept is None:
                return row
            record = structs.replace(row.record, settled_as=report.fingerprint)
            return replace(row, record=record).filled(kept)
        case Settlement.ALIKE:
            return row
        case Settlement.EVIDENCE:
            landed = row.record.landed or report.outcome is Outcome.DONE
            record = structs.replace(row.record, landed=landed)
            return replace(row, record=record, evidence=row.evidence + 1)


def _having_settled(process: Process, act: Settle, settlement: Settlement) -> Process:
    process = process.without(act.row_id)
    if settlement is Settlement.EVIDENCE:
        return replace(process, stage=Stage.OVER)
    if act.outcome is Outcome.UNKNOWN:
        return replace(process, stage=Stage.ATTENTION)
    return process


# ── completion ───────────────────────────────────────────────────────────────────────────────────


def _complete(world: World, act: CompleteNode, contract: Contract) -> Stepped:
    process = world.living(act.process)
    if not owns(world, process, contract):
        return fenced(world, process)
    if not is_open(world):
        return over(world, process)
    start = _start_of(process, act.node_id)
    records = [row.record for row in world.of_node(act.node_id)]
    answer, named = may_complete(contract, records, start.number, start.delivered)
    row_ids = tuple(record.row_id for record in named)
    if answer is Completion.UNRESOLVED:
        stopped = replace(process, stage=Stage.ATTENTION)
        return world.with_process(stopped), NodeEnded(False, row_ids)
    for row_id in row_ids:
        row = world.row(row_id)
        assert row is not None, "it was read just now"
        world = world.with_row(replace(row, record=structs.replace(row.record, undelivered=True)))
    completed = world.with_node(replace(world.node(act.node_id), completed=True))
    return completed, NodeEnded(True, row_ids)
