"""What a resume does with one effect whose result is recorded, whatever its promise (C-4, C-5)."""

from effectcrash.case import Assertion, expect
from effectcrash.facts import (
    COMPLETED,
    effects,
    ending,
    found_by,
    looked_up,
    output,
    retained,
    sent,
    states,
    terminals,
)
from effectcrash.telling import SECOND
from effectspec.attention import ExitCode
from effectspec.lifecycle import State


def redelivered(point: str) -> tuple[Assertion, ...]:
    """The second process resumed a run whose only row is committed with its result."""
    return (
        expect(point, states(found_by(SECOND)), (State.COMMITTED,)),
        expect("P-1", retained(found_by(SECOND)), (True,)),
        expect(point, effects(found_by(SECOND)), ("A",)),
        expect("G-2", ending(SECOND), ExitCode.COMPLETED),
        expect("G-2", sent(), 1),
        expect("G-2", looked_up(), 0),
        expect(point, effects(), ("A",)),
        expect("G-7", output(), {"effect": 1}),
        expect("A-1", terminals(), (COMPLETED,)),
        expect("R-2", states(), ()),
    )
