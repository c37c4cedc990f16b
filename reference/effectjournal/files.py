"""What the tools write on this machine: files below the store's folder, and notifications."""

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from effectjournal.sent import NO_ANSWER, Sent
from effectspec.json_value import Json
from effectspec.settlement import Outcome

FILES = "files"
"""The folder of a store below which ``write_file`` writes."""

NOTIFICATIONS = "notifications.jsonl"
"""The log of a store to which ``notify`` appends."""

_OWNER_ONLY = 0o600


class Files:
    """The part of a store's folder that its tools may write."""

    def __init__(self, store: Path) -> None:
        self._files = store / FILES
        self._notifications = store / NOTIFICATIONS

    def locate(self, path: str) -> Path:
        """Where a file of that name is. Raises ``ValueError`` for a path that leads elsewhere."""
        root = self._files.resolve()
        try:
            located = (root / path).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise ValueError("`path` cannot name a file") from error
        if root not in located.parents:
            raise ValueError("`path` leaves the store's files")
        return located

    def write(self, path: str, text: str, *, append: bool) -> Sent:
        """Write a file whole, or append to it.

        What cannot be opened was not written; a write that breaks off may have been, in part.
        """
        content = text.encode()
        flags = os.O_APPEND if append else os.O_TRUNC
        try:
            located = self.locate(path)
            located.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(located, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | flags, _OWNER_ONLY)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            return Sent(Outcome.NOT_DONE, {"error": f"the file cannot be opened: {reason}"})
        try:
            with os.fdopen(file, "wb") as opened:
                opened.write(content)
        except OSError:
            return NO_ANSWER
        return Sent(Outcome.DONE, {"path": path, "bytes": len(content)})

    def notify(self, tool_id: str, message: Mapping[str, Json]) -> Sent:
        """Append a notification to the log; a second one does no harm (J-4)."""
        line = msgspec.json.encode({"tool": tool_id, "message": message}) + b"\n"
        try:
            with self._notifications.open("ab") as log:
                log.write(line)
        except OSError as error:
            return Sent(Outcome.UNKNOWN, {"error": f"the log cannot be written: {error.strerror}"})
        return Sent(Outcome.DONE, {"notified": tool_id})
