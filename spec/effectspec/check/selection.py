"""Which worlds to explore, and what to ask of them, by name."""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Final, TypeVar

from effectspec.faults import Fault, UnknownFault, fault
from effectspec.model.configuration import STANDARD, Configuration
from effectspec.model.endless import ENDLESS
from effectspec.model.liveness import LIVENESS, Sentence
from effectspec.model.properties import SAFETY
from effectspec.model.variant import EXPRESSED

T = TypeVar("T")

NEAREST: Final = 3
"""Names offered for an unknown one."""


EVERYTHING: Final[tuple[Sentence, ...]] = (*SAFETY, *LIVENESS)
"""Every property that a world can be asked for."""


class UnknownName(LookupError):
    """Nothing answers to a name; the message says what there is."""


def worlds(names: Sequence[str]) -> tuple[Configuration, ...]:
    """The worlds of these names, or all of them. Raises :class:`UnknownName`."""
    return _chosen("world", names, (*STANDARD, *ENDLESS), lambda each: (each.name,))


def properties(names: Sequence[str]) -> tuple[Sentence, ...]:
    """The properties that have these names or speak of these clauses, or all of them.

    Raises :class:`UnknownName`.
    """
    return _chosen("property", names, EVERYTHING, lambda each: (each.name, each.clause))


def variant(name: str | None) -> Fault | None:
    """The fault of this name, which a model can be under. Raises :class:`UnknownName`."""
    if name is None:
        return None
    try:
        found = fault(name)
    except UnknownFault as error:
        raise UnknownName(str(error)) from None
    if found not in EXPRESSED:
        raise UnknownName(
            f"{found.name} is a fault in what a journal does, of which the model has only the "
            "rules; `effectspec faults` runs it"
        )
    return found


def _chosen(
    what: str, asked: Sequence[str], known: Iterable[T], names: Callable[[T], tuple[str, ...]]
) -> tuple[T, ...]:
    by_name: dict[str, list[T]] = {}
    for each in known:
        for name in names(each):
            by_name.setdefault(name.casefold(), []).append(each)
    chosen = []
    for name in asked:
        if name.casefold() not in by_name:
            raise UnknownName(_unknown(what, name, known, names))
        chosen += by_name[name.casefold()]
    return tuple(each for each in known if each in chosen or not asked)


def _unknown(
    what: str, name: str, known: Iterable[T], names: Callable[[T], tuple[str, ...]]
) -> str:
    spelled = {each.casefold(): each for one in known for each in names(one)}
    nearest = [spelled[each] for each in get_close_matches(name.casefold(), spelled, NEAREST, 0.0)]
    there_are = "\n  ".join(": ".join(reversed(names(each))) for each in known)
    return f"no {what} {name!r}; nearest: {', '.join(nearest)}; there are:\n  {there_are}"
