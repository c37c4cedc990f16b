"""C-10: what a session is told once, and two resumes of one session at the same time."""

from collections.abc import Iterator

from effectcrash.case import Case, expect
from effectcrash.chatting import CHAT, crashed, told, turn
from effectcrash.facts import (
    admissions,
    disclosed,
    found_by,
    states,
    sweeps,
    tells_to_look,
    turns,
)
from effectcrash.telling import FIRST, OPAQUE, SECOND, THIRD, A, start
from effectspec.admission import Admission
from effectspec.disclosure import Disclosure
from effectspec.lifecycle import State
from effectspec.points import Place
from effectspec.scenario import Disclose, Kill, PrepareInTurn, Reserve, Scenario


def cases() -> Iterator[Case]:
    """A kill on either side of the sweep that follows a notice, and two hosts of one session."""
    yield from _killed_around_the_sweep()
    yield _unresolved_to_the_end()
    yield _two_resumes()


def _killed_around_the_sweep() -> Iterator[Case]:
    """Told again after a crash between notice and sweep, and never after the sweep (D-9)."""
    landed = (Disclosure.LANDED,)
    for place, again in (
        (Place.NOTICED, landed),
        (Place.SWEEP_OPEN, landed),
        (Place.SWEPT, ()),
    ):
        yield Case(
            f"C-10/killed-at-{place.value.replace('_', '-')}",
            OPAQUE.tier,
            Scenario(
                job=CHAT,
                steps=(
                    *crashed(turn((0, A))),
                    start(SECOND, place),
                    *told(),
                    Kill(process=SECOND),
                    start(THIRD),
                    *told(process=THIRD),
                    Disclose(process=THIRD),
                ),
            ),
            (
                expect("D-4", disclosed(SECOND), (landed,)),
                expect("D-7", tells_to_look(SECOND), (True,)),
                expect("C-10", disclosed(THIRD), (again, ())),
                expect("D-9", sweeps(THIRD), (len(again),)),
                expect("R-4", states(found_by(THIRD)), (State.COMMITTED,) * len(again)),
                expect("D-9", states(), ()),
            ),
        )


def _unresolved_to_the_end() -> Case:
    """What nobody knows the outcome of is told at every resume, a command's too (D-3)."""
    unknown = (Disclosure.UNKNOWN, Disclosure.UNKNOWN)
    return Case(
        "C-10/unresolved-each-time",
        OPAQUE.tier,
        Scenario(
            job=CHAT,
            steps=(
                *crashed(
                    (
                        Reserve(process=FIRST),
                        PrepareInTurn(process=FIRST, slot=0, call=A),
                        PrepareInTurn(process=FIRST, slot=-1, call=A),
                    )
                ),
                start(SECOND),
                *told(),
                *told(),
            ),
        ),
        (
            expect("D-3", disclosed(SECOND), (unknown, unknown)),
            expect("R-1", sweeps(SECOND), (0, 0)),
            expect("R-3", states(), (State.PREPARED, State.PREPARED)),
        ),
    )


def _two_resumes() -> Case:
    """Each host has a turn of its own, so both may do what one user asked once: a limit (L-1)."""
    return Case(
        "C-10/two-resumes",
        OPAQUE.tier,
        Scenario(
            job=CHAT,
            steps=(
                *crashed((Reserve(process=FIRST), PrepareInTurn(process=FIRST, slot=0, call=A))),
                start(SECOND),
                start(THIRD),
                Reserve(process=SECOND),
                Reserve(process=THIRD),
                PrepareInTurn(process=SECOND, slot=0, call=A),
                PrepareInTurn(process=THIRD, slot=0, call=A),
            ),
        ),
        (
            expect("C-10", turns(FIRST), (0,)),
            expect("C-10", turns(SECOND), (1,)),
            expect("C-10", turns(THIRD), (2,)),
            expect("L-1", admissions(SECOND), (Admission.DISPATCH,)),
            expect("L-1", admissions(THIRD), (Admission.DISPATCH,)),
            expect("R-1", states(), (State.PREPARED,) * 3),
        ),
    )
