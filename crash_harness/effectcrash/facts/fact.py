"""What a fact is, and the moments at which a scene was read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Generic, TypeVar

from effectcrash.observation import Life, Observation, Scene

T = TypeVar("T")


class NotTold(Exception):
    """The observation does not tell: what the fact is about never came to be."""


class Subject(IntEnum):
    """What a fact is about, the gravest first: a report begins with what happened in the world."""

    EFFECTS = 1
    REQUESTS = 2
    ROWS = 3
    EVENTS = 4
    ANSWERS = 5


@dataclass(frozen=True, slots=True)
class Fact(Generic[T]):
    """Something that an observation tells. ``read`` raises :class:`NotTold` where it does not."""

    subject: Subject
    words: str
    read: Callable[[Observation], T]


@dataclass(frozen=True, slots=True)
class When:
    """A moment at which the scene was read."""

    words: str
    scene: Callable[[Observation], Scene]

    def tells(self, subject: Subject, words: str, read: Callable[[Scene], T]) -> Fact[T]:
        """A fact about the scene at this moment."""
        return Fact(subject, f"{words} {self.words}", lambda seen: read(self.scene(seen)))


AT_THE_END: Final = When("at the end", lambda seen: seen.end)


def found_by(process: str) -> When:
    """The moment at which ``process`` was started."""

    def scene(seen: Observation) -> Scene:
        found = life_of(seen, process).found
        if found is None:
            raise NotTold(f"{process} was started on an empty store")
        return found

    return When(f"found by {process}", scene)


def life_of(seen: Observation, process: str) -> Life:
    """What a process did. Raises :class:`NotTold` if there is none of that name."""
    if process not in seen.lives:
        raise NotTold(f"there is no process {process}")
    return seen.lives[process]


def last_of(found: Iterable[T], what: str) -> T:
    """The last of these. Raises :class:`NotTold`, in the words of ``what``, if there is none."""
    items = tuple(found)
    if not items:
        raise NotTold(f"there is no {what}")
    return items[-1]
