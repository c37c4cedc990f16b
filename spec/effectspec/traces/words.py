"""What happens and what a journal answers, in plain words; each without who does it, too."""

from collections.abc import Iterator
from typing import Final, assert_never

from effectspec.admission import Admission
from effectspec.gate import GateVerdict
from effectspec.model.actions import (
    OWN_ACTS,
    Action,
    Advance,
    Approve,
    Arrival,
    Arrive,
    Attach,
    BeginIncarnation,
    BeginNode,
    Close,
    CompleteNode,
    Crash,
    EndRun,
    FollowUpFails,
    ForgetKeys,
    GiveUp,
    Join,
    NodeAct,
    OperatorAct,
    OutsideAct,
    OverBudget,
    Prepare,
    PrepareFails,
    ReadGate,
    ReadGateFails,
    ReadGateUnowned,
    Resolve,
    RunAct,
    Send,
    SetLookups,
    Settle,
    SettleFails,
    Sweep,
    TakeOver,
)
from effectspec.model.answers import (
    Answer,
    Begun,
    Done,
    Failed,
    Gated,
    Judged,
    NodeEnded,
    Owned,
    Prepared,
    Settled,
    Silent,
    Swept,
)
from effectspec.model.world import Call, Request, Result
from effectspec.settlement import Outcome

OPERATOR: Final = "an operator"

_OUTCOMES: Final = {
    Outcome.DONE: "done",
    Outcome.NOT_DONE: "not done",
    Outcome.UNKNOWN: "nobody knows",
}
_RESULTS: Final = {
    None: "",
    Result.FITS: "",
    Result.OTHER: ", with another answer",
    Result.TOO_LARGE: ", with an answer too large to keep",
}
_VERDICTS: Final = {
    GateVerdict.REDELIVER: "re-deliver",
    GateVerdict.RETRY: "may be sent again",
    GateVerdict.RECONCILE: "look up",
    GateVerdict.ATTENTION: "needs attention",
    GateVerdict.IGNORE: "evidence only",
}


def action_words(action: Action) -> str:
    """Who does what."""
    if isinstance(action, (*OWN_ACTS, Crash)):
        return f"{action.process} {deed(action)}"
    return f"{OPERATOR} {deed(action)}" if isinstance(action, OperatorAct) else deed(action)


def deed(action: Action) -> str:
    """What is done, without the process or the operator who does it."""
    if isinstance(action, RunAct):
        return _of_run(action)
    if isinstance(action, NodeAct):
        return _of_node(action)
    if isinstance(action, OperatorAct):
        return _of_operator(action)
    return _of_outside(action)


def _of_run(action: RunAct) -> str:
    match action:
        case TakeOver(reconcilers=reconcilers, declared_dead=declared_dead):
            dead = ", its owner declared dead" if declared_dead else ""
            return f"takes the run over{_with(reconcilers)}{dead}"
        case Join(owner=owner):
            return f"joins in under the fence of {owner}"
        case ReadGate():
            return "reads the gate"
        case ReadGateFails():
            return "cannot read the gate"
        case ReadGateUnowned(reconcilers=reconcilers):
            return f"reads the gate of a run that it does not own{_with(reconcilers)}"
        case BeginIncarnation():
            return "goes on with the run"
        case Approve():
            return "is given more to spend"
        case EndRun(code=code):
            return "completes the run" if code is None else f"ends the run: {code.value}"
        case _:
            assert_never(action)


def _with(reconcilers: frozenset[str]) -> str:
    return f", with a reconciler for {', '.join(sorted(reconcilers))}" if reconcilers else ""


def _of_node(action: NodeAct) -> str:
    match action:
        case BeginNode(node_id=node_id):
            return f"begins node {node_id}"
        case Prepare(node_id=node_id, slot=slot, call=call):
            return f"prepares {_call(call)} at {node_id}, slot {slot}"
        case PrepareFails(node_id=node_id, slot=slot, call=call):
            return f"cannot prepare {_call(call)} at {node_id}, slot {slot}"
        case OverBudget(node_id=node_id):
            return f"has no money for another provider call of node {node_id}"
        case Settle(row_id=row_id, outcome=outcome, result=result):
            return f"settles row {row_id}: {_OUTCOMES[outcome]}{_RESULTS[result]}"
        case FollowUpFails(node_id=node_id):
            return f"fails at what follows a settle in node {node_id}"
        case SettleFails(row_id=row_id):
            return f"cannot settle row {row_id}"
        case CompleteNode(node_id=node_id):
            return f"completes node {node_id}"
        case _:
            assert_never(action)


def _call(call: Call) -> str:
    return f"{call.body} by tool {call.tool.id}, tier {call.tool.tier.value},"


def _of_operator(action: OperatorAct) -> str:
    match action:
        case Resolve(row_id=row_id, resolution=resolution, result=result):
            return f"resolves row {row_id}: {resolution.value}{_RESULTS[result]}"
        case Attach(row_id=row_id, result=result):
            return f"attaches an answer to row {row_id}{_RESULTS[result]}"
        case Close():
            return "closes the run"
        case Sweep():
            return "sweeps the run"
        case _:
            assert_never(action)


def _of_outside(action: OutsideAct) -> str:
    match action:
        case Send(row_id=row_id):
            return f"sends the call of row {row_id}"
        case Arrive(request=request, arrival=arrival, result=result):
            return f"{request_words(request)} arrives: {_arrival(arrival)}{_RESULTS[result]}"
        case GiveUp(row_id=row_id):
            return f"waits no longer for an answer to row {row_id}"
        case Crash():
            return "dies"
        case Advance(seconds=seconds):
            return f"{seconds} seconds pass"
        case ForgetKeys():
            return "the target forgets every key"
        case SetLookups(lookups=lookups):
            return f"the target answers look-ups {lookups.value}"
        case _:
            assert_never(action)


def request_words(request: Request) -> str:
    """Whose request it is."""
    key = ", under its key," if request.keyed else ""
    return f"{request.process}'s request for row {request.row_id}{key}"


def _arrival(arrival: Arrival) -> str:
    match arrival:
        case Arrival.ANSWERED:
            return "done and answered"
        case Arrival.UNHEARD:
            return "done, and the answer is lost"
        case Arrival.REJECTED:
            return "rejected"


# ── answers ──────────────────────────────────────────────────────────────────────────────────────


def answer_words(answer: Answer) -> str:
    """What the journal answers; nothing where it has nothing to say."""
    match answer:
        case Silent() | Done():
            return ""
        case Failed(code=code):
            return f"not done: {code.value.replace('_', ' ')}"
        case Owned(generation=generation):
            return f"generation {generation}"
        case Gated(may_schedule=may_schedule, verdicts=verdicts):
            said = ", ".join((*_judged(verdicts), ""))
            return f"{said}the run {'may' if may_schedule else 'must not'} go on"
        case Begun(start=start):
            return f"start {start}"
        case Prepared():
            return _prepared(answer)
        case Settled(settlement=settlement, state=state):
            return f"{settlement.value}; the row is {state.value.replace('_', ' ')}"
        case NodeEnded(completed=completed, rows=rows):
            why = f", because of {_rows(rows)}" if rows and not completed else ""
            left = f", {_rows(rows)} never delivered" if rows and completed else ""
            return f"{'completed' if completed else 'not completed'}{why}{left}"
        case Swept(deleted=deleted):
            return f"{deleted} rows deleted" if deleted != 1 else "1 row deleted"
        case _:
            assert_never(answer)


def _judged(verdicts: tuple[Judged, ...]) -> Iterator[str]:
    for each in verdicts:
        lost = "" if each.effective is each.declared else f", as of tier {each.effective.value}"
        yield f"row {each.row_id}: {_VERDICTS[each.verdict]}{lost}"


def _prepared(answer: Prepared) -> str:
    row = f"row {answer.row_id}"
    match answer.admission:
        case Admission.DISPATCH:
            return f"{row}: send it"
        case Admission.RETRY:
            return f"{row}: send it again"
        case Admission.REPLAY:
            return f"{row}: its recorded answer"
        case Admission.REFUSE:
            return f"refused, {answer.bearing.value}" + (
                "" if answer.row_id is None else f" ({row})"
            )


def _rows(row_ids: tuple[int, ...]) -> str:
    noun = "row" if len(row_ids) == 1 else "rows"
    return f"{noun} {', '.join(map(str, row_ids))}"
