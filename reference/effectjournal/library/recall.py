"""A completed node, run through again: it re-delivers what it recorded and dispatches nothing."""

from dataclasses import dataclass

from effectjournal import rows
from effectjournal.delivery import mapping_digest, recorded
from effectjournal.journal import Journal
from effectjournal.preparation import PlannedCall, Refused, Replay
from effectspec.admission import Admission
from effectspec.identity import EffectIdentity, NodeKey
from effectspec.record import Ask, Occasion, decide

BEFORE_EVERY_START = 0
"""No start and no generation has this number, so every row counts as an earlier one's."""


@dataclass(frozen=True, slots=True)
class Recall:
    """The record of a completed node. ``tools`` are the ids of those with a reconciler (T-6)."""

    journal: Journal
    node: NodeKey
    tools: frozenset[str]

    def prepare(self, call: PlannedCall) -> Replay | Refused:
        """Re-deliver a recorded call, read and decided as a prepare would, and nothing written."""
        contract = self.journal.contract
        ask = Ask(
            EffectIdentity(self.node, call.slot, call.tool_id),
            contract.digest(call.arguments, call.secret_keys),
            mapping_digest(call.policy.mapping),
            BEFORE_EVERY_START,
            BEFORE_EVERY_START,
            frozenset(),
        )
        with self.journal.store.snapshot() as snapshot:
            records = rows.of_node(snapshot, self.node.run_id, self.node.node_id)
            occasion = Occasion(self.journal.clock(), self.tools)
            decision = decide(contract, records, ask, occasion)
            row = decision.record
            if decision.admission is not Admission.REPLAY or row is None:
                return Refused(
                    "G-8",
                    "its node has completed and no such call is recorded there; skip the work of a "
                    "completed node with `if not node.completed`",
                    None if row is None else row.row_id,
                )
            return Replay(row.row_id, recorded(rows.result_of(snapshot, row.row_id)))
