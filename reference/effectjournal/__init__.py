"""The reference journal of the tiered effect contract, and the engine around it.

The names below are the journal as a library, for a caller's own effects: see docs/library.md.
"""

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from effectjournal.library import (
        Attachment,
        Busy,
        Effect,
        Fenced,
        JournalError,
        Keyed,
        KeyPast,
        Lookup,
        Misuse,
        NeedsAttention,
        Node,
        NodeFailed,
        Opaque,
        OpenJournal,
        Operator,
        OwnedByAnother,
        Paused,
        Queryable,
        ReceiptFound,
        Resolution,
        Run,
        RunEnded,
        StoreFailed,
        TerminalHeld,
        Tool,
        exit_code,
        open,  # noqa: A004  (it is called effectjournal.open)
    )
else:

    def __getattr__(name: str) -> object:
        # Loaded when first asked for: an adapter starts without the library.
        if name in __all__:
            from effectjournal import library  # noqa: PLC0415

            return getattr(library, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
