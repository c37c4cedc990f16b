"""What the processes of a session answered."""

from effectcrash.facts.fact import Fact, NotTold, Subject, life_of
from effectcrash.observation import Observation
from effectspec import protocol
from effectspec.admission import Admission
from effectspec.disclosure import Disclosure


def turns(process: str) -> Fact[tuple[int, ...]]:
    """The turns that ``process`` was given, in order (X-14)."""
    return Fact(
        Subject.ANSWERS,
        f"turns that {process} reserved",
        lambda seen: tuple(
            answer.turn
            for answer in life_of(seen, process).answers
            if isinstance(answer, protocol.Reserved)
        ),
    )


def disclosed(process: str) -> Fact[tuple[tuple[Disclosure, ...], ...]]:
    """What each reading of ``process`` tells of each row, oldest first (D-3 to D-6)."""

    def read(seen: Observation) -> tuple[tuple[Disclosure, ...], ...]:
        return tuple(
            tuple(row.disclosure for row in told.rows) for told in _readings(seen, process)
        )

    return Fact(Subject.ANSWERS, f"{process} is told, time after time", read)


def tells_to_look(process: str) -> Fact[tuple[bool, ...]]:
    """Whether each notice of ``process`` says to check the target before repeating (D-7)."""

    def read(seen: Observation) -> tuple[bool, ...]:
        words = (" ".join(told.lines).lower() for told in _readings(seen, process))
        return tuple("target" in each and "repeat" in each for each in words)

    return Fact(Subject.ANSWERS, f"the notices of {process} tell to look first", read)


def admissions(process: str) -> Fact[tuple[Admission, ...]]:
    """The answers to the prepares of ``process``, in order."""
    return Fact(
        Subject.ANSWERS,
        f"the prepares of {process} are",
        lambda seen: tuple(
            answer.admission
            for answer in life_of(seen, process).answers
            if isinstance(answer, protocol.Prepared)
        ),
    )


def _readings(seen: Observation, process: str) -> list[protocol.Told]:
    found = [each for each in life_of(seen, process).answers if isinstance(each, protocol.Told)]
    if not found:
        raise NotTold(f"{process} has read no session")
    return found
