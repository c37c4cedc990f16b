"""The owner's lock of a run: the kernel drops it when the process dies (F-1)."""

import fcntl
import hashlib
import os
from pathlib import Path


class OwnerLock:
    """An advisory lock on a file of the run's own, held from take-over until release or death.

    A child that is forked inherits the lock, so it can outlive its parent: that delays a
    take-over and never lets two owners in.
    """

    def __init__(self, folder: Path, run_id: str) -> None:
        folder.mkdir(exist_ok=True)
        # A run id is any text; a file name is not.
        name = hashlib.sha256(run_id.encode()).hexdigest()[:32]
        self._file = os.open(folder / f"{name}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)

    def acquire(self) -> bool:
        """Take the lock if nobody holds it."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        """Let go of the lock and its file."""
        os.close(self._file)
