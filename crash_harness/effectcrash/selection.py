"""Which cases to run: by the beginning of an id, and by tier."""

from collections.abc import Iterable, Sequence

from effectcrash.case import Case


class UnknownCase(LookupError):
    """No case answers to what was asked for; the message lists what there is."""


def select(
    cases: Iterable[Case], only: Sequence[str] = (), tier: int | None = None
) -> tuple[Case, ...]:
    """The cases that ``only`` names, and whose tier is ``tier``.

    A whole id names one case; its first parts, such as ``C-6`` or ``C-6/first/C-3``, name all that
    begin so. Raises :class:`UnknownCase`.
    """
    known = tuple(cases)
    named = {case.id for asked in only for case in _named(known, asked)}
    chosen = tuple(
        case
        for case in known
        if (not only or case.id in named) and (tier is None or case.tier == tier)
    )
    if not chosen:
        raise UnknownCase(f"no case of {', '.join(only) or 'any point'} has tier {tier}")
    return chosen


def _named(known: Sequence[Case], asked: str) -> Sequence[Case]:
    exactly = [case for case in known if case.id == asked]
    found = exactly or [case for case in known if case.id.startswith(f"{asked.rstrip('/')}/")]
    if not found:
        raise UnknownCase(f"no case {asked!r}; {_there_is(known, asked)}")
    return found


def _there_is(known: Sequence[Case], asked: str) -> str:
    point = asked.partition("/")[0]
    ids = [case.id for case in known if case.point == point]
    if ids:
        return "\n  ".join((f"of {point} there are:", *ids))
    return f"there are: {', '.join(dict.fromkeys(case.point for case in known))}"
