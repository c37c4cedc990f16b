"""What a resume does about the rows that its gate judges: look up, and record (§4)."""

from collections.abc import Mapping
from dataclasses import dataclass

from effectjournal import rows
from effectjournal.delivery import decode_policy, projected_for_row
from effectjournal.reconcilers import ReceiptQuery
from effectjournal.settling import fingerprint
from effectjournal.storage import Store, Transaction
from effectspec.contract import Contract
from effectspec.gate import GateVerdict, Lookup
from effectspec.json_value import Json
from effectspec.lifecycle import State, Transition
from effectspec.record import Finding, conclude
from effectspec.settlement import Outcome


@dataclass(frozen=True, slots=True)
class GateReport:
    """The gate's final findings, and the rows that block (G-9)."""

    findings: tuple[Finding, ...]
    may_schedule: bool

    @property
    def blocking(self) -> tuple[int, ...]:
        """The ids of the rows that need attention."""
        return tuple(
            finding.record.row_id
            for finding in self.findings
            if finding.verdict is GateVerdict.ATTENTION
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """An answer that was looked up, and its projections if the row may hold them."""

    answer: Json
    retained: bytes | None


def reconcile(
    store: Store, contract: Contract, queries: Mapping[str, ReceiptQuery], finding: Finding
) -> tuple[Finding, Receipt | None]:
    """Look up the receipt where the finding asks for it; no transaction is open meanwhile."""
    if finding.verdict is not GateVerdict.RECONCILE:
        return finding, None
    row_id = finding.record.row_id
    with store.snapshot() as snapshot:
        reference = rows.handle_of(snapshot, row_id).reference
        policy = decode_policy(rows.policy_of(snapshot, row_id))
    query = queries.get(finding.record.identity.tool_id)
    looked_up = Lookup.FAILED if query is None or reference is None else query(reference)
    if isinstance(looked_up, Lookup):
        return conclude(contract, finding, looked_up, retained=False), None
    receipt = Receipt(looked_up.answer, projected_for_row(looked_up.answer, policy).retained)
    retained = receipt.retained is not None
    return conclude(contract, finding, Lookup.FOUND, retained=retained), receipt


def record(
    transaction: Transaction,
    finding: Finding,
    receipt: Receipt | None,
    *,
    generation: int,
    at: int,
) -> None:
    """Record on the row what was found, by the owner that holds ``generation`` (reading 1)."""
    row = finding.record
    for transition in finding.transitions:
        if transition is Transition.RECONCILE and receipt is not None:
            settled = rows.Settled(
                State.COMMITTED, receipt.retained, fingerprint(Outcome.DONE, receipt.answer), at
            )
            rows.settle(transaction, row, settled, fence=generation)
        else:
            row = rows.move(transaction, row, transition)
    if finding.transitions:
        rows.note_mark(transaction, row.row_id, generation, at)
    elif receipt is not None and receipt.retained is not None:
        rows.fill(
            transaction, row.row_id, receipt.retained, fingerprint(Outcome.DONE, receipt.answer)
        )
    if finding.verdict is GateVerdict.RETRY:
        rows.mark_retry_pending(transaction, row.row_id, generation)
