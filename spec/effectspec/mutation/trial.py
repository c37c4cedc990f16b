"""Tries mutants, each in a process of its own in which it is what everything imports.

Such a process is forked from one that has loaded everything, which takes a tenth of the time in
which an interpreter starts; what the mutant bears on is loaded anew.
"""

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Final, TypeVar

import msgspec

from effectspec.mutation.loading import import_as, users
from effectspec.mutation.mutants import Mutant
from effectspec.mutation.oracles import COMPLAINTS, Oracle, Seen, noticed

SECONDS: Final = 120
"""Ten times what the slowest oracle takes; a mutant that takes longer has no end."""

LOADED_ONCE: Final = ("hypothesis", "effectspec.checker.explorer", "effectspec.faults")
"""What the oracles need and what takes long to load."""

What = TypeVar("What")


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a mutant: who noticed it, if anybody did, and how."""

    mutant: Mutant
    oracle: Oracle | None
    how: str


class NotSound(RuntimeError):
    """An oracle is red without any mutant, so that nothing can be said of one."""


class Crashed(RuntimeError):
    """A process died of something that is no mutant's doing."""


def refuse_what_is_red(rules: Sequence[str]) -> None:
    """Ask every oracle about these modules of rules as they stand.

    Raises :class:`NotSound` if one complains, and :class:`Crashed`.
    """
    for _, seen in _apart((ask, partial(ask, rules)) for ask in COMPLAINTS):
        if seen is not None:
            oracle, how = seen
            raise NotSound(
                f"without any mutant, {oracle.value}: {how}; let `make test` pass before mutants "
                "are tried"
            )


def try_all(mutants: Sequence[Mutant]) -> Iterator[Trial]:
    """Every mutant and what became of it, as it comes. Raises :class:`Crashed`."""
    for mutant, seen in _apart((each, partial(_try, each)) for each in mutants):
        yield Trial(mutant, *(seen or (None, "")))


def _try(mutant: Mutant) -> Seen | None:
    import_as(f"effectspec.{mutant.module}", mutant.code())
    return noticed(mutant)


# ── processes ────────────────────────────────────────────────────────────────────────────────────


def _apart(
    tasks: Iterable[tuple[What, Callable[[], Seen | None]]],
) -> Iterator[tuple[What, Seen | None]]:
    """The answer to each question, found in a process of its own."""
    for name in LOADED_ONCE:
        import_module(name)
    users()
    todo = iter(tasks)
    running: dict[int, tuple[What, int]] = {}
    gc.freeze()
    try:
        while True:
            while len(running) < len(os.sched_getaffinity(0)) and (task := next(todo, None)):
                what, ask = task
                child, pipe = _start(ask)
                running[child] = what, pipe
            if not running:
                return
            child, status = os.wait()
            what, pipe = running.pop(child)
            yield what, _answer(what, pipe, status)
    finally:
        gc.unfreeze()
        for child in running:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _start(ask: Callable[[], Seen | None]) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    status = os.EX_SOFTWARE
    try:
        signal.alarm(SECONDS)
        os.write(writing, msgspec.json.encode(ask()))
        status = os.EX_OK
    finally:
        os._exit(status)


def _answer(what: object, pipe: int, status: int) -> Seen | None:
    with os.fdopen(pipe, "rb") as reading:
        said = reading.read()
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        return Oracle.TIME, f"no end after {SECONDS} s"
    if status != 0:
        raise Crashed(f"the process that tried {what} died ({status}); run it again")
    return msgspec.json.decode(said, type=Seen | None)
