"""The journal as a library: the tiered contract around a caller's own effects, in any process.

::

    charge = Keyed("charge")
    with effectjournal.open("payments") as journal:
        with journal.run("order-17", tools=[charge]) as run:
            with run.node("pay") as node:
                with node.effect(charge, {"amount": 12}) as effect:
                    if not effect.replayed:
                        effect.done(provider.charge(12, idempotency_key=effect.key))
"""

from effectjournal.errors import (
    Busy,
    Fenced,
    JournalError,
    OwnedByAnother,
    RunEnded,
    StoreFailed,
)
from effectjournal.journal import Attachment
from effectjournal.library.effect import Effect
from effectjournal.library.endings import (
    KeyPast,
    NeedsAttention,
    NodeFailed,
    Paused,
    TerminalHeld,
    exit_code,
)
from effectjournal.library.misuse import Misuse
from effectjournal.library.node import Node
from effectjournal.library.opened import OpenJournal, open_journal
from effectjournal.library.operator import Operator
from effectjournal.library.run import Run
from effectjournal.library.tools import Keyed, Opaque, Queryable, Tool
from effectjournal.reconcilers import ReceiptFound
from effectspec.gate import Lookup
from effectspec.lifecycle import Resolution

open = open_journal  # noqa: A001  (it is called effectjournal.open)

__all__ = [
    "Attachment",
    "Busy",
    "Effect",
    "Fenced",
    "JournalError",
    "KeyPast",
    "Keyed",
    "Lookup",
    "Misuse",
    "NeedsAttention",
    "Node",
    "NodeFailed",
    "Opaque",
    "OpenJournal",
    "Operator",
    "OwnedByAnother",
    "Paused",
    "Queryable",
    "ReceiptFound",
    "Resolution",
    "Run",
    "RunEnded",
    "StoreFailed",
    "TerminalHeld",
    "Tool",
    "exit_code",
    "open",
]
