"""The lock of a run's owner: the kernel drops it when the process dies (F-1).

Each generation of a run has a lock of its own. An owner that was declared dead and lives holds the
lock of a generation that is past, so it neither stands for its successor nor keeps others out.
"""

import fcntl
import hashlib
import os
from pathlib import Path

from effectjournal.errors import OwnedByAnother


class OwnerLock:
    """An advisory lock on a generation's own file, held from take-over until release or death.

    A child that is forked inherits the lock, so it can outlive its parent: that delays a
    take-over and never lets two owners in.
    """

    def __init__(self, folder: Path, run_id: str, generation: int) -> None:
        """Take the lock of a generation that nobody has owned yet.

        Raises :class:`OwnedByAnother` where a child that was forked in a take-over holds it, which
        did not commit in its parent.
        """
        folder.mkdir(exist_ok=True)
        self._path = _path(folder, run_id, generation)
        self._file = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        if not _lock(self._file):
            os.close(self._file)
            raise OwnedByAnother(
                f"run {run_id!r}: a child of a process that failed to take it over holds its lock; "
                "end that child"
            )

    def release(self) -> None:
        """Let go of the lock and remove its file."""
        self._path.unlink(missing_ok=True)
        os.close(self._file)


def is_held(folder: Path, run_id: str, generation: int) -> bool:
    """Whether the owner of that generation lives and has not let go."""
    try:
        file = os.open(_path(folder, run_id, generation), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not _lock(file)
    finally:
        os.close(file)


def remove(folder: Path, run_id: str, generation: int) -> None:
    """Remove the file of a generation that is past: nobody asks for it again."""
    _path(folder, run_id, generation).unlink(missing_ok=True)


def _path(folder: Path, run_id: str, generation: int) -> Path:
    # A run id is any text; a file name is not.
    name = hashlib.sha256(run_id.encode()).hexdigest()[:32]
    return folder / f"{name}.{generation}.lock"


def _lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
