"""A journal opened for an operator: to read, which changes nothing, or to write."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from difflib import get_close_matches
from functools import partial
from typing import Final

import typer

from effectjournal.errors import (
    JournalError,
    NotOurStore,
    OwnedByAnother,
    Refused,
    UnknownRow,
    UnknownRun,
)
from effectjournal.journal import Journal
from effectjournal.lock import is_held
from effectjournal.operator import filed
from effectjournal.operator.filed import Filed, IsOwned
from effectjournal.operator.place import Place, located
from effectjournal.sqlite import SqliteStore
from effectjournal.storage import Transaction
from effectspec.attention import ExitCode
from effectspec.terminal import fail

_EXITS: Final = (
    (OwnedByAnother, ExitCode.OWNED_BY_ANOTHER),
    (UnknownRow, ExitCode.WRONG_INVOCATION),
    (UnknownRun, ExitCode.WRONG_INVOCATION),
    (NotOurStore, ExitCode.WRONG_INVOCATION),
    (Refused, ExitCode.FAILED),
    (JournalError, ExitCode.FAILED),
)
"""The exit code of each error; the first that fits counts (reading 22)."""


@contextmanager
def told() -> Iterator[None]:
    """Let a journal's error be the command's: its words, and the exit code that is its."""
    try:
        yield
    except JournalError as error:
        code = next(code for kind, code in _EXITS if isinstance(error, kind))
        fail(str(error))
        raise typer.Exit(code) from error


@contextmanager
def reading(named: str) -> Iterator["Desk"]:
    """Read one state of a journal. Nothing is created, migrated or changed."""
    with told():
        place = located(named)
        with closing(SqliteStore(place.file, read_only=True)) as store, store.snapshot() as seen:
            yield Desk(named, place, seen)


@contextmanager
def writing(named: str) -> Iterator[Journal]:
    """Write in a journal, which is migrated if it is of an older version."""
    with told():
        place = located(named)
        with closing(Journal(SqliteStore(place.file), place.locks)) as journal:
            yield journal


class Desk:
    """One state of a journal, as an operator reads it."""

    def __init__(self, named: str, place: Place, seen: Transaction) -> None:
        self.named = named
        self.place = place
        self.seen = seen
        self.is_owned: IsOwned = partial(is_held, place.locks)

    def effect(self, id_: int) -> Filed:
        """One effect. Raises :class:`UnknownRow` with the nearest ids."""
        found = filed.one(self.seen, self.is_owned, id_)
        if found is None:
            near = ", ".join(map(str, filed.nearest(self.seen, id_)))
            there = f"the nearest are {near}" if near else "it has none"
            raise UnknownRow(f"effect {id_} is not in {self.named}; {there}")
        return found

    def run(self, id_: str) -> str:
        """The id of a run that is there. Raises :class:`UnknownRun` with those like it."""
        known = filed.runs(self.seen)
        if id_ not in known:
            near = get_close_matches(id_, known) or list(known[:3])
            there = f"there are {', '.join(map(repr, near))}" if near else "it has none"
            raise UnknownRun(f"run {id_!r} is not in {self.named}; {there}")
        return id_
