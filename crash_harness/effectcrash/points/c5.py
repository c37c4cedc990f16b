"""C-5: killed after the tool-result event, before the node's completion."""

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
            f"C-5/{promise}",
            promise.tier,
            Scenario(
                job=paying(promise, calls(A)), steps=(*killed_at(Place.RESULT_EMITTED), *resumed())
            ),
            (
                expect("C-5", count_of("tool:result", found_by(SECOND)), 1),
                expect("C-5", count_of("node:completed", found_by(SECOND)), 0),
                *redelivered("C-5"),
            ),
        )
