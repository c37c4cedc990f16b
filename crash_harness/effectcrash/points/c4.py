"""C-4: killed after the settle, before the tool-result event."""

from collections.abc import Iterator

from effectcrash.case import Case, expect
from effectcrash.facts import count_of, found_by
from effectcrash.points.recorded_effect import redelivered
from effectcrash.telling import PROMISES, SECOND, A, calls, killed_at, paying, resumed
from effectspec.points import Place
from effectspec.scenario import Scenario


def cases() -> Iterator[Case]:
    """Committed, re-delivered on resume, one effect."""
    for promise in PROMISES:
        yield Case(
            f"C-4/{promise}",
            promise.tier,
            Scenario(job=paying(promise, calls(A)), steps=(*killed_at(Place.SETTLED), *resumed())),
            (
                expect("C-4", count_of("tool:result", found_by(SECOND)), 0),
                *redelivered("C-4"),
                expect("C-4", count_of("tool:result"), 1),
            ),
        )
