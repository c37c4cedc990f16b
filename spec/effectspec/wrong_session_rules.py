"""What wrong implementations do about sessions: each is the contract with one rule replaced."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from effectspec.contract import Contract
from effectspec.disclosure import Disclosure, SessionStanding
from effectspec.identity import can_prove_completion
from effectspec.lifecycle import TERMINAL, State
from effectspec.session import Acknowledgement
from effectspec.transcript import Attribution, Course, Exchange


def undelivered_notice_sweeps(contract: Contract) -> Contract:
    """What was read is deleted, whatever became of the notice."""
    return _accepting(contract, *Acknowledgement)


def enqueued_is_delivered(contract: Contract) -> Contract:
    """A write that returned is taken for one that arrived."""
    return _accepting(contract, Acknowledgement.ENQUEUED)


def older_notice_acknowledges(contract: Contract) -> Contract:
    """A notice that reads alike acknowledges the one that was never shown."""
    return _accepting(contract, Acknowledgement.ANOTHER)


def clipped_notice_acknowledges(contract: Contract) -> Contract:
    """A notice of which the window shows a part counts as shown."""
    return _accepting(contract, Acknowledgement.CLIPPED)


def _accepting(contract: Contract, *accepted: Acknowledgement) -> Contract:
    def evidence_may_go(acknowledgement: Acknowledgement, *, owned: bool) -> bool:
        return contract.evidence_may_go(acknowledgement, owned=owned) or (
            owned and acknowledgement in accepted
        )

    return replace(contract, evidence_may_go=evidence_may_go)


def late_callback_sweeps(contract: Contract) -> Contract:
    """A session that was torn down or swapped is swept when its notice arrives at last."""

    def evidence_may_go(acknowledgement: Acknowledgement, *, owned: bool) -> bool:
        return contract.evidence_may_go(acknowledgement, owned=True)

    return replace(contract, evidence_may_go=evidence_may_go)


def disclosed_for_ever(contract: Contract) -> Contract:
    """No notice is good enough for a sweep."""
    return replace(contract, evidence_may_go=lambda acknowledgement, *, owned: False)


def changed_row_swept(contract: Contract) -> Contract:
    """A row goes as it is found, whatever it was when it was read."""

    def session_sweepable(captured: State, found: State | None, *, same_address: bool) -> bool:
        return found in TERMINAL and same_address

    return replace(contract, session_sweepable=session_sweepable)


def unresolved_session_row_swept(contract: Contract) -> Contract:
    """What was told is deleted, settled or not."""

    def session_sweepable(captured: State, found: State | None, *, same_address: bool) -> bool:
        return found is captured and same_address

    return replace(contract, session_sweepable=session_sweepable)


def refused_reservation_sweeps(contract: Contract) -> Contract:
    """A one-shot run that got no turn sweeps those of the session it was refused."""

    def one_shot_sweepable(state: State, *, reserved: bool) -> bool:
        return contract.one_shot_sweepable(state, reserved=True)

    return replace(contract, one_shot_sweepable=one_shot_sweepable)


def unresolved_silent(contract: Contract) -> Contract:
    """What nobody knows the outcome of is not told."""
    return _silencing(contract, SessionStanding.UNRESOLVED, *Attribution)


def landed_silent(contract: Contract) -> Contract:
    """A session resumes as if its last turn had not begun."""
    return _silencing(contract, SessionStanding.COMMITTED, Attribution.NOT_COMPLETED)


def doubt_silent(contract: Contract) -> Contract:
    """What proves nothing is taken for proof."""
    return _silencing(contract, SessionStanding.COMMITTED, Attribution.DOUBTFUL)


def _silencing(contract: Contract, standing: SessionStanding, *turns: Attribution) -> Contract:
    def disclosure(record: SessionStanding, turn: Attribution) -> Disclosure:
        is_silenced = record is standing and turn in turns
        return Disclosure.SILENT if is_silenced else contract.disclosure(record, turn)

    return replace(contract, disclosure=disclosure)


def commands_disclosed(contract: Contract) -> Contract:
    """A committed command is told as if a turn had broken off."""

    def disclosure(record: SessionStanding, turn: Attribution) -> Disclosure:
        is_command = record is SessionStanding.COMMAND
        return Disclosure.LANDED if is_command else contract.disclosure(record, turn)

    return replace(contract, disclosure=disclosure)


def completed_turns_counted(contract: Contract) -> Contract:
    """A turn counts as completed if as many are, whichever they are."""

    def counted(history: Sequence[Exchange], call_id: str, tool_id: str) -> Attribution:
        completed = [each for each in history if each.course is Course.COMPLETED]
        return Attribution.COMPLETED if completed else Attribution.NOT_COMPLETED

    return _attributing(contract, counted)


def calls_complete_by_themselves(contract: Contract) -> Contract:
    """A call that history has is completed, whatever became of its exchange."""

    def found(history: Sequence[Exchange], call_id: str, tool_id: str) -> Attribution:
        answer = contract.attribution(history, call_id, tool_id)
        has_it = any(call.id == call_id for each in history for call in each.calls)
        return Attribution.COMPLETED if has_it and answer is _NOT else answer

    return _attributing(contract, found)


def first_match_counts(contract: Contract) -> Contract:
    """The first call of the id decides, whatever else history has under it."""

    def first(history: Sequence[Exchange], call_id: str, tool_id: str) -> Attribution:
        if not can_prove_completion(call_id):
            return Attribution.DOUBTFUL
        for exchange in history:
            if any(call.id == call_id for call in exchange.calls):
                completed = exchange.course is Course.COMPLETED
                return Attribution.COMPLETED if completed else _NOT
        return _NOT

    return _attributing(contract, first)


def placeholders_prove(contract: Contract) -> Contract:
    """A placeholder of old wiring joins to whichever call has it too."""

    def joined(history: Sequence[Exchange], call_id: str, tool_id: str) -> Attribution:
        if can_prove_completion(call_id):
            return contract.attribution(history, call_id, tool_id)
        named = any(call.id == call_id for each in history for call in each.calls)
        return Attribution.COMPLETED if named else _NOT

    return _attributing(contract, joined)


_NOT = Attribution.NOT_COMPLETED


def _attributing(
    contract: Contract, attribution: Callable[[Sequence[Exchange], str, str], Attribution]
) -> Contract:
    return replace(contract, attribution=attribution)
