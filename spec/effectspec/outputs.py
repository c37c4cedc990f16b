"""Files for the results: known to be writable before the run, written after it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path


class NotWritable(Exception):
    """A file cannot be written; the message names it, why, and the remedy."""


@contextmanager
def opened(file: Path | None) -> Iterator[Callable[[bytes], None]]:
    """Open a file before a run, since a minute's work must not be lost for want of a folder.

    What this yields writes the file, or does nothing without one. A run that does not come to that
    leaves the file as it was. Both raise :class:`NotWritable`.
    """
    if file is None:
        yield lambda _: None
        return
    try:
        is_new = not file.exists()
        held = file.open("ab")
    except OSError as error:
        raise _not_writable(file, error) from error
    wrote = False

    def write(text: bytes) -> None:
        nonlocal wrote
        wrote = True
        try:
            file.write_bytes(text)
        except OSError as error:
            raise _not_writable(file, error) from error

    with held:
        try:
            yield write
        finally:
            if is_new and not wrote:
                file.unlink(missing_ok=True)


def refuse_one_for_two(files: Mapping[str, Path | None]) -> None:
    """Raise :class:`NotWritable` if two files that are open are one, however they are spelled.

    ``files``: what each is to hold, and where.
    """
    there = [(what, file) for what, file in files.items() if file is not None]
    for (what, file), (another, other) in combinations(there, 2):
        if file.samefile(other):
            raise NotWritable(
                f"{file}: is to hold both {what} and {another}; give each its own file"
            )


def _not_writable(file: Path, error: OSError) -> NotWritable:
    return NotWritable(f"{file}: cannot be written ({error.strerror}); give another file")
