"""C-1: killed before the prepare commits."""

from collections.abc import Iterator

from effectcrash.case import Case, expect
from effectcrash.facts import effects, ending, found_by, sent, states
from effectcrash.telling import PROMISES, SECOND, A, calls, killed_at, paying, resumed
from effectspec.attention import ExitCode
from effectspec.points import Place
from effectspec.scenario import Scenario


def cases() -> Iterator[Case]:
    """No row, the effect never happened, and the resume runs it normally."""
    for promise in PROMISES:
        yield Case(
            f"C-1/{promise}",
            promise.tier,
            Scenario(
                job=paying(promise, calls(A)),
                steps=(*killed_at(Place.PREPARE_OPEN), *resumed()),
            ),
            (
                expect("C-1", states(found_by(SECOND)), ()),
                expect("O-2", sent(found_by(SECOND)), 0),
                expect("C-1", ending(SECOND), ExitCode.COMPLETED),
                expect("C-1", effects(), ("A",)),
                expect("T-1", sent(), 1),
            ),
        )
