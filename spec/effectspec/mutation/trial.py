"""Runs mutants, each in a process of its own in which it is what everything imports.

Such a process is forked from one that has loaded everything, and forgets what the mutant bears on;
that takes a tenth of the time in which an interpreter starts.
"""

import gc
import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from effectspec.mutation.loading import import_as
from effectspec.mutation.mutants import Mutant
from effectspec.mutation.oracles import Oracle, noticed

SECONDS: Final = 120
"""Ten times what the slowest oracle takes; what takes longer has no end."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a mutant: who noticed it, if anybody did, and how."""

    mutant: Mutant
    oracle: Oracle | None
    how: str


class Crashed(RuntimeError):
    """A process died of something that is no mutant's doing."""


def try_all(mutants: Iterable[Mutant], at_once: int) -> Iterator[Trial]:
    """Every mutant and what became of it, as it comes. Raises :class:`Crashed`."""
    todo = iter(mutants)
    running: dict[int, tuple[Mutant, int]] = {}
    gc.freeze()
    try:
        while True:
            while len(running) < at_once and (mutant := next(todo, None)) is not None:
                child, pipe = _start(mutant)
                running[child] = mutant, pipe
            if not running:
                return
            child, status = os.wait()
            yield _ended(*running.pop(child), status)
    finally:
        gc.unfreeze()
        for child in running:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _start(mutant: Mutant) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    status = os.EX_SOFTWARE
    try:
        signal.alarm(SECONDS)
        import_as(f"effectspec.{mutant.module}", mutant.code())
        said = noticed(mutant)
        os.write(writing, msgspec.json.encode(said))
        status = os.EX_OK
    finally:
        os._exit(status)


def _ended(mutant: Mutant, pipe: int, status: int) -> Trial:
    with os.fdopen(pipe, "rb") as reading:
        said = reading.read()
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        return Trial(mutant, Oracle.TIME, f"no end after {SECONDS} s")
    if status != 0:
        raise Crashed(f"{mutant.name}: the process that tried it died ({status}); run it again")
    noticed_by = msgspec.json.decode(said, type=tuple[Oracle, str] | None)
    return Trial(mutant, *(noticed_by or (None, "")))
