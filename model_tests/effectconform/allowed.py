"""The list of clauses that may be uncovered or not implemented. It may only get shorter."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from effectconform.judgement import KINDS, ClauseVerdict
from effectspec.clauses import CLAUSES, Evidence
from effectspec.verdict import Verdict

OPEN: Final = frozenset({Verdict.UNCOVERED, Verdict.NOT_IMPLEMENTED})
"""The verdicts that a list can allow; nothing excuses any other."""

FIELDS: Final = 3
"""A line has a clause, a kind of evidence, and the reason."""


class BadList(ValueError):
    """A file that is no such list; the message names the line and what it should be."""


Entry = tuple[str, Evidence]
"""A clause, and the kind of evidence that it does not have."""


def read(text: str, name: str) -> frozenset[Entry]:
    """The entries of a list: a clause, a kind, a reason a line; ``#`` begins a remark.

    Raises :class:`BadList`.
    """
    entries = set()
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            entry = _entry(line, f"{name}, line {number}")
            if entry in entries:
                raise BadList(f"{name}, line {number}: {entry[0]} {entry[1]} is there already")
            entries.add(entry)
    return frozenset(entries)


def _entry(line: str, place: str) -> Entry:
    parts = line.split(maxsplit=FIELDS - 1)
    usage = f"give a clause, {' or '.join(KINDS)}, and the reason, as in “G-11 conf no sessions”"
    if len(parts) != FIELDS:
        raise BadList(f"{place}: {line!r}; {usage}")
    clause, kind, _ = parts
    if clause not in CLAUSES or kind not in KINDS:
        raise BadList(f"{place}: {clause} {kind}: not a clause and a kind; {usage}")
    evidence = Evidence(kind)
    if evidence not in CLAUSES[clause].shown_by:
        raise BadList(f"{place}: {clause} asks for no evidence by {kind}; remove the line")
    return clause, evidence


def of_the_suite() -> frozenset[Entry]:
    """What the reference does not have, and no case of the suite shows of anybody."""
    return read(files(__package__).joinpath("expected/uncovered.txt").read_text(), "uncovered.txt")


def from_file(path: Path) -> frozenset[Entry]:
    """Somebody's own list. Raises :class:`BadList`, also for a file that cannot be read."""
    try:
        return read(path.read_text(), str(path))
    except OSError as error:
        raise BadList(f"{path}: cannot be read ({error.strerror}); give a file") from error
    except UnicodeDecodeError as error:
        raise BadList(f"{path}: is no text in UTF-8; give a list of clauses") from error


@dataclass(frozen=True, slots=True)
class Comparison:
    """Verdicts against a list: open and not in it, and in it though the verdict is a pass."""

    unexpected: tuple[ClauseVerdict, ...]
    stale: tuple[ClauseVerdict, ...]


def compare(verdicts: Iterable[ClauseVerdict], allowed: Collection[Entry]) -> Comparison:
    """Compare the verdicts with the entries; an entry whose clause was not judged is left alone."""
    told = tuple(verdicts)

    def listed(verdict: ClauseVerdict) -> bool:
        return (verdict.clause, verdict.evidence) in allowed

    return Comparison(
        unexpected=tuple(each for each in told if each.verdict in OPEN and not listed(each)),
        stale=tuple(each for each in told if each.verdict.green and listed(each)),
    )
