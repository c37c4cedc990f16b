"""The tables around the effects: runs with their owner, nodes with their checkpoint, events."""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from effectjournal.storage import Transaction
from effectspec.attention import ErrorCode
from effectspec.json_value import Json
from effectspec.protocol import EventView
from effectspec.retention import RunPhase


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run: who owns it, its present incarnation, and how that ended, if it has."""

    generation: int
    owner_id: str
    incarnation: int
    phase: RunPhase
    ended: ErrorCode | None


_PHASES = {phase.name.lower(): phase for phase in RunPhase}
_PHASE_NAMES = {phase: name for name, phase in _PHASES.items()}
_CODES: dict[str | None, ErrorCode | None] = {
    None: None,
    **{code.value: code for code in ErrorCode},
}


def find(transaction: Transaction, run_id: str) -> RunRow | None:
    """A run, or None where there is none of that id."""
    found = transaction.query(
        "SELECT generation, owner_id, incarnation, phase, ended FROM runs WHERE run_id = ?",
        (run_id,),
    )
    if not found:
        return None
    ((generation, owner_id, incarnation, phase, ended),) = found
    return RunRow(generation, owner_id, incarnation, _PHASES[phase], _CODES[ended])


def generation(transaction: Transaction, run_id: str) -> int:
    """The present generation of a run, 0 if nobody has owned it (F-2)."""
    found = transaction.query("SELECT generation FROM runs WHERE run_id = ?", (run_id,))
    return int(found[0][0]) if found else 0


def create(transaction: Transaction, run_id: str, owner_id: str, generation_: int) -> None:
    """Write a new run, open in its first incarnation."""
    transaction.write(
        "INSERT INTO runs (run_id, generation, owner_id, incarnation, phase) "
        "VALUES (?, ?, ?, 1, ?)",
        (run_id, generation_, owner_id, _PHASE_NAMES[RunPhase.OPEN]),
    )


def take(transaction: Transaction, run_id: str, owner_id: str, generation_: int) -> None:
    """Raise a run's generation for a new owner (F-1)."""
    transaction.write(
        "UPDATE runs SET generation = ?, owner_id = ? WHERE run_id = ?",
        (generation_, owner_id, run_id),
    )


def open_incarnation(transaction: Transaction, run_id: str, incarnation: int) -> None:
    """Open the run's next incarnation (reading 6)."""
    transaction.write(
        "UPDATE runs SET incarnation = ?, phase = ?, ended = NULL WHERE run_id = ?",
        (incarnation, _PHASE_NAMES[RunPhase.OPEN], run_id),
    )


def end(transaction: Transaction, run_id: str, phase: RunPhase, code: ErrorCode | None) -> None:
    """End the run's present incarnation."""
    transaction.write(
        "UPDATE runs SET phase = ?, ended = ? WHERE run_id = ?",
        (_PHASE_NAMES[phase], None if code is None else code.value, run_id),
    )


def close(transaction: Transaction, run_id: str, by: str, at: int) -> None:
    """Write an operator's close on the run (readings 6 and 17)."""
    transaction.write(
        "UPDATE runs SET phase = ?, closed_by = ?, closed_at = ? WHERE run_id = ?",
        (_PHASE_NAMES[RunPhase.CLOSED], by, at, run_id),
    )


def spend(transaction: Transaction, run_id: str, cost: int) -> None:
    """Count what a provider egress costs."""
    transaction.write("UPDATE runs SET spent = spent + ? WHERE run_id = ?", (cost, run_id))


def approve(transaction: Transaction, run_id: str, amount: int) -> None:
    """Grant more to spend after a budget pause."""
    transaction.write("UPDATE runs SET approved = approved + ? WHERE run_id = ?", (amount, run_id))


def money(transaction: Transaction, run_id: str) -> tuple[int, int]:
    """What a run has spent, and what it was granted beyond its budget."""
    ((spent, approved),) = transaction.query(
        "SELECT spent, approved FROM runs WHERE run_id = ?", (run_id,)
    )
    return int(spent), int(approved)


def begin_node(transaction: Transaction, run_id: str, node_id: str) -> int:
    """Count a start of a node; its number, from 1, over all processes."""
    transaction.write(
        "INSERT INTO nodes (run_id, node_id, starts) VALUES (?, ?, 1) "
        "ON CONFLICT (run_id, node_id) DO UPDATE SET starts = starts + 1",
        (run_id, node_id),
    )
    ((starts,),) = transaction.query(
        "SELECT starts FROM nodes WHERE run_id = ? AND node_id = ?", (run_id, node_id)
    )
    return int(starts)


def complete_node(
    transaction: Transaction, run_id: str, node_id: str, output: Mapping[str, Json]
) -> None:
    """Write a node's checkpoint: it will not run again."""
    transaction.write(
        "UPDATE nodes SET completed = 1, output = ? WHERE run_id = ? AND node_id = ?",
        (msgspec.json.encode(output), run_id, node_id),
    )


def completed_nodes(transaction: Transaction, run_id: str) -> dict[str, dict[str, Json]]:
    """The outputs of the nodes that completed."""
    found = transaction.query(
        "SELECT node_id, output FROM nodes WHERE run_id = ? AND completed = 1", (run_id,)
    )
    return {node_id: msgspec.json.decode(output) for node_id, output in found}


def append(transaction: Transaction, run_id: str, at: int, event: EventView) -> None:
    """Append an event to the run's log."""
    transaction.write(
        "INSERT INTO events (run_id, seq, incarnation, at, body) "
        "SELECT ?, coalesce(max(seq), 0) + 1, ?, ?, ? FROM events WHERE run_id = ?",
        (run_id, event.incarnation, at, msgspec.json.encode(event), run_id),
    )


_events = msgspec.json.Decoder(EventView)


def events(transaction: Transaction, run_id: str) -> tuple[EventView, ...]:
    """A run's log, oldest first."""
    found = transaction.query("SELECT body FROM events WHERE run_id = ? ORDER BY seq", (run_id,))
    return tuple(_events.decode(body) for (body,) in found)
