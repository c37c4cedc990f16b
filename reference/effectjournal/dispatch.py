"""One call of a node's turn, in the fixed order of §7: O-1 to O-5."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from effectjournal.calls import BadCall
from effectjournal.delivery import ProjectionFailed, ResultPolicy, project
from effectjournal.errors import Busy, Fenced, StoreFailed
from effectjournal.owned import OwnedRun
from effectjournal.preparation import Dispatch, NodeStart, PlannedCall, Refused, Replay
from effectjournal.probe import InjectedFailure, Probe
from effectjournal.sent import HELD_BACK, Sent
from effectjournal.settling import Settled
from effectjournal.stops import AttemptFailed, NeedsAttention
from effectjournal.tools import ResolvedCall, ToolBox
from effectspec.json_value import Json
from effectspec.points import Failable, Place
from effectspec.protocol import Delivery
from effectspec.scenario import Call, Node
from effectspec.settlement import Outcome, Settlement


@dataclass(slots=True)
class Turn:
    """One start of a node, while its model's calls are done.

    ``prepared``: the start has prepared something, so no failure of it is retried (O-6).
    """

    node: Node
    start: NodeStart
    output: dict[str, Json] = field(default_factory=dict)
    prepared: bool = False


def policy_of(resolved: ResolvedCall, mapping: Mapping[str, str]) -> ResultPolicy:
    """How a result of the call is projected in a node with this output mapping."""
    return ResultPolicy(mapping, bound=resolved.tool.bound, retention=resolved.tool.retention)


def plan(
    resolved: ResolvedCall, mapping: Mapping[str, str], *, slot: int, call_id: str
) -> PlannedCall:
    """A journaled call as its prepare takes it."""
    return PlannedCall(
        slot=slot,
        tool_id=resolved.tool.id,
        tier=resolved.tier,
        arguments=resolved.arguments,
        call_id=call_id,
        policy=policy_of(resolved, mapping),
        secret_keys=resolved.tool.secret_keys,
        key_lifetime_s=resolved.tool.key_lifetime_s,
    )


class Dispatcher:
    """Does the calls of a run that this process owns."""

    def __init__(self, owned: OwnedRun, toolbox: ToolBox, probe: Probe) -> None:
        self.owned = owned
        self.toolbox = toolbox
        self.probe = probe

    def perform(self, turn: Turn, slot: int, call: Call) -> Delivery:
        """Do one call, or deliver what is recorded of it.

        Raises :class:`AttemptFailed` or :class:`NeedsAttention`, and ``Fenced`` where another
        owner has taken over.
        """
        resolved = self.admit(call)
        if not resolved.journaled:
            return self.just_do(turn, resolved)
        planned = plan(resolved, turn.node.mapping, slot=slot, call_id=call.call_id)
        match self.prepare(turn, planned):
            case Dispatch(row_id) as dispatch:
                turn.prepared = True
                delivery = self.bracket(resolved, dispatch)
            case Replay(row_id, delivery):
                pass
            case Refused(clause, reason, in_the_way):
                raise NeedsAttention(
                    () if in_the_way is None else (in_the_way,),
                    f"node {turn.node.id!r}, slot {slot}, tool {call.tool!r}: refused, nothing "
                    f"was sent: {reason} ({clause})",
                )
            case answer:
                assert_never(answer)
        self.report(turn, row_id, delivery)
        return delivery

    def admit(self, call: Call) -> ResolvedCall:
        """Validate the call; a refusal journals nothing (O-1)."""
        try:
            return self.toolbox.resolve(call.tool, call.arguments)
        except BadCall as error:
            raise AttemptFailed(str(error)) from error

    def just_do(self, turn: Turn, resolved: ResolvedCall) -> Delivery:
        """Do a call that changes nothing outside, or that may be done twice (J-1)."""
        sent = self.toolbox.send(resolved)
        if sent.outcome is Outcome.UNKNOWN:
            raise AttemptFailed(f"tool {resolved.tool.id!r} did not answer; it changed nothing")
        try:
            return project(sent.answer, policy_of(resolved, turn.node.mapping))
        except ProjectionFailed as error:
            raise AttemptFailed(f"tool {resolved.tool.id!r}: {error}") from error

    def prepare(self, turn: Turn, planned: PlannedCall) -> Dispatch | Replay | Refused:
        """The durable write before the effect; without it nothing is sent (O-2)."""
        try:
            return self.owned.prepare(turn.start, planned)
        except (StoreFailed, Busy):
            # The write may have landed all the same, so the attempt counts as one that prepared.
            turn.prepared = True
            raise

    def bracket(self, resolved: ResolvedCall, dispatch: Dispatch) -> Delivery:
        """Send what is prepared, once, and settle it at once (O-3, O-4)."""
        sent = self.send(resolved, dispatch)
        settled = self.settle(dispatch, sent)
        return self.finish(settled)

    def send(self, resolved: ResolvedCall, dispatch: Dispatch) -> Sent:
        """Send the call with the handle that its row gives it (O-3).

        A key that is past by now binds nothing: the call stays where it is (T-2, reading 3).
        """
        if not self.owned.may_send(dispatch):
            return HELD_BACK
        sent = self.toolbox.send(resolved, key=dispatch.key, reference=dispatch.reference)
        self.probe.reach(Place.ANSWERED)
        return sent

    def settle(self, dispatch: Dispatch, sent: Sent) -> Settled:
        """The durable write after the effect (O-4); an open outcome ends the run (reading 19)."""
        row_id = dispatch.row_id
        fate = "was sent" if sent.left else "was not sent, for its key may be forgotten by now"
        try:
            settled = self.owned.settle(row_id, sent.outcome, sent.answer)
        except (StoreFailed, Busy) as error:
            self.probe.reach(Place.SETTLE_FAILED)
            raise NeedsAttention(
                (row_id,), f"the call {fate}, and its outcome could not be recorded: {error}"
            ) from error
        if sent.outcome is Outcome.UNKNOWN:
            raise NeedsAttention((row_id,), f"the call {fate}, and its outcome is unknown")
        if settled.settlement is Settlement.EVIDENCE:
            raise Fenced(
                f"effect {row_id} is no longer this process's to settle; what its target answered "
                "is kept as evidence beside it"
            )
        return settled

    def finish(self, settled: Settled) -> Delivery:
        """What can still go wrong after the effect; the settle stands (O-5)."""
        try:
            self.probe.fail(Failable.ABORT)
            self.probe.fail(Failable.GUARD_RECEIPT)
        except InjectedFailure as error:
            raise AttemptFailed(f"after the effect: {error}") from error
        if settled.delivery is None:
            raise AttemptFailed(f"after the effect: {settled.shortfall}")
        return settled.delivery

    def report(self, turn: Turn, row_id: int, delivery: Delivery) -> None:
        """Tell the run's log what is delivered to the model."""
        self.owned.emit("tool:result", node=turn.node.id, row_ids=(row_id,), output=delivery.output)
        self.probe.reach(Place.RESULT_EMITTED)
