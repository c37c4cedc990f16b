"""Standard output that may be full, or that nobody reads any more."""

import os
import signal
import sys
from io import TextIOWrapper
from typing import Final, Self, TextIO

from effectspec.terminal import fail

NOBODY_READS: Final = 128 + signal.SIGPIPE
"""The exit status that a shell shows of a process which wrote to a closed pipe."""


class Lost(Exception):
    """Standard output takes no more."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error: Final = error


class Stdout(TextIOWrapper):
    """Standard output whose failures cannot be taken for those of any other file."""

    @classmethod
    def of(cls, stream: TextIO) -> Self:
        """What writes where ``stream`` does."""
        return cls(
            stream.buffer,
            encoding=stream.encoding,
            errors="replace",  # a mark that the terminal does not have is no reason to fail
            line_buffering=bool(stream.line_buffering),
        )

    def write(self, text: str) -> int:
        """Write, or raise :class:`Lost`."""
        try:
            return super().write(text)
        except OSError as error:
            raise Lost(error) from error

    def flush(self) -> None:
        """Flush, or raise :class:`Lost`."""
        try:
            super().flush()
        except OSError as error:
            raise Lost(error) from error


def give_up(lost: Lost) -> int:
    """Say why, unless it is a reader who has left; the exit status."""
    # What is still buffered would fail once more when the interpreter ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(lost.error, BrokenPipeError):
        return NOBODY_READS
    return fail(
        f"standard output cannot be written ({lost.error.strerror}); send it somewhere else"
    ).exit_code
