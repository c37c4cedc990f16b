"""Which cases to run: by a clause, by the beginning of an id, and by tier."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Generic, TypeVar

from effectcrash.examinable import Examinable, point_of
from effectspec.clauses import CLAUSES
from effectspec.tiers import Tier

E = TypeVar("E", bound=Examinable)

NEAREST: Final = 3
"""Ids offered for an unknown one."""


class UnknownCase(LookupError):
    """No case answers to what was asked for; the message says what there is."""


@dataclass(frozen=True, slots=True)
class Selection(Generic[E]):
    """The cases that were asked for, in their order.

    ``clauses`` are those of which every case is here, so that the results are a verdict on them.
    """

    cases: tuple[E, ...]
    clauses: Collection[str]


def select(cases: Iterable[E], only: Sequence[str] = (), tier: Tier | None = None) -> Selection[E]:
    """The cases that ``only`` names, and whose tier is ``tier``.

    A clause or crash point names every case that is about it or speaks of it; a whole id names one
    case; the first parts of ids, such as ``C-6/first/C-3``, name all that begin so. Upper and lower
    case are one. Raises :class:`UnknownCase`.
    """
    known = tuple(cases)
    named = {case.id for asked in only for case in _named(known, asked)}
    chosen = tuple(
        case
        for case in known
        if (not only or case.id in named) and (tier is None or case.tier is tier)
    )
    if not chosen:
        raise UnknownCase(f"no case of {', '.join(only) or 'any point'} has tier {tier}")
    return Selection(chosen, _judged(only, tier))


def _judged(only: Sequence[str], tier: Tier | None) -> Collection[str]:
    if tier is not None:
        return ()
    if not only:
        return CLAUSES
    return [asked.upper() for asked in only if asked.upper() in CLAUSES]


def _named(known: Sequence[E], asked: str) -> Sequence[E]:
    wanted = asked.casefold().rstrip("/")
    exactly = [case for case in known if case.id.casefold() == wanted]
    found = exactly or [case for case in known if _answers_to(case, wanted)]
    if not found:
        raise UnknownCase(_unknown(known, asked))
    return found


def _answers_to(case: Examinable, wanted: str) -> bool:
    return case.id.casefold().startswith(f"{wanted}/") or wanted.upper() in case.clauses


def _unknown(known: Sequence[Examinable], asked: str) -> str:
    if asked.upper() in CLAUSES:
        return f"no case here speaks of {asked.upper()}"
    point = point_of(asked).upper()
    of_the_point = [case.id for case in known if point_of(case.id) == point]
    if of_the_point:
        return "\n  ".join((f"no case {asked!r}; of {point} there are:", *of_the_point))
    there_are = (id_ for case in known for id_ in (case.id, *sorted(case.clauses)))
    spelled = {id_.casefold(): id_ for id_ in there_are}
    nearest = get_close_matches(asked.casefold(), spelled, n=NEAREST, cutoff=0.0)
    return f"no case or clause {asked!r}; nearest: {', '.join(spelled[id_] for id_ in nearest)}"
