"""Which cases of the suite to run: by the clauses that they speak of, or by their ids."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from effectconform.suite import AnyCase, clauses_of
from effectcrash.selection import UnknownCase


def select(
    cases: Iterable[AnyCase], clauses: Sequence[str] = (), ids: Sequence[str] = ()
) -> tuple[AnyCase, ...]:
    """The cases that speak of one of ``clauses`` or are called one of ``ids``; all, without any.

    A clause that no case speaks of selects none. Raises :class:`UnknownCase` for an unknown id.
    """
    known = {case.id: case for case in cases}
    for id_ in ids:
        if id_ not in known:
            nearest = get_close_matches(id_, known, n=3, cutoff=0.0)
            raise UnknownCase(f"no case {id_!r}; the nearest are: {', '.join(nearest)}")
    if not clauses and not ids:
        return tuple(known.values())
    return tuple(
        case
        for case in known.values()
        if case.id in ids or not clauses_of(case).isdisjoint(clauses)
    )
