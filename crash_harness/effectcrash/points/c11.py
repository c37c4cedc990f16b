"""C-11: the boundary of the sweep of committed rows."""

from collections.abc import Iterator

from effectcrash.case import Case, expect
from effectcrash.facts import (
    COMPLETED,
    NEEDS_ATTENTION,
    effects,
    ending,
    endings,
    found_by,
    sent,
    states,
    sweeps,
    terminals,
)
from effectcrash.telling import (
    NODE,
    OPAQUE,
    SECOND,
    THIRD,
    A,
    B,
    calls,
    killed_at,
    killed_by_target,
    paying,
    resumed,
    start,
)
from effectspec.attention import ExitCode
from effectspec.lifecycle import Resolution, State
from effectspec.points import Place, Point
from effectspec.scenario import Close, Resolve, Resume, Scenario, Sweep


def cases() -> Iterator[Case]:
    """Kills on either side of the sweep, and every run that must not be swept."""
    yield from _killed_around_the_sweep()
    yield from _swept_while_resumable()
    yield _swept_with_an_open_effect()
    yield _discarded_later()
    yield _never_delivered()


def _killed_around_the_sweep() -> Iterator[Case]:
    for place, left in (
        (Place.TERMINAL_WRITTEN, (State.COMMITTED,)),
        (Place.SWEEP_OPEN, (State.COMMITTED,)),
        (Place.SWEPT, ()),
    ):
        yield Case(
            f"C-11/killed-at-{place.value.replace('_', '-')}/{OPAQUE}",
            OPAQUE.tier,
            Scenario(job=paying(OPAQUE, calls(A)), steps=(*killed_at(place), *resumed())),
            (
                expect("C-11", states(found_by(SECOND)), left),
                expect("C-11", terminals(found_by(SECOND)), (COMPLETED,)),
                expect("C-11", ending(SECOND), ExitCode.COMPLETED),
                expect("R-2", states(), ()),
                expect("C-11", effects(), ("A",)),
                expect("C-11", sent(), 1),
                expect("A-1", terminals(), (COMPLETED,)),
            ),
        )


def _swept_while_resumable() -> Iterator[Case]:
    for place in (Place.SETTLED, Place.NODE_COMPLETED):
        yield Case(
            f"C-11/swept-while-resumable-at-{place.value.replace('_', '-')}/{OPAQUE}",
            OPAQUE.tier,
            Scenario(
                job=paying(OPAQUE, calls(A)),
                steps=(
                    *killed_at(place),
                    start(SECOND),
                    Sweep(process=SECOND),
                    *resumed(THIRD),
                ),
            ),
            (
                expect("R-2", sweeps(SECOND), (0,)),
                expect("R-2", states(found_by(THIRD)), (State.COMMITTED,)),
                expect("C-11", ending(THIRD), ExitCode.COMPLETED),
                expect("C-11", effects(), ("A",)),
                expect("C-11", sent(), 1),
            ),
        )


def _swept_with_an_open_effect() -> Case:
    """An operator's close lets the committed row go, and nothing lets the open one go (R-1)."""
    return Case(
        f"C-11/open-effect-stays/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A, B)),
            steps=(
                *killed_by_target(request=2),
                *resumed(SECOND),
                Sweep(process=SECOND),
                start(THIRD),
                Close(process=THIRD),
                Sweep(process=THIRD),
            ),
        ),
        (
            expect("A-1", terminals(found_by(THIRD)), (NEEDS_ATTENTION,)),
            expect("R-2", sweeps(SECOND), (0,)),
            expect("R-2", states(found_by(THIRD)), (State.COMMITTED, State.NEEDS_ATTENTION)),
            expect("R-2", sweeps(THIRD), (1,)),
            expect("R-1", states(), (State.NEEDS_ATTENTION,)),
        ),
    )


def _discarded_later() -> Case:
    """Swept at the needs-attention terminal, slot 0 would be done again here (reading 6)."""
    return Case(
        f"C-11/discarded-later/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A, B)),
            steps=(
                *killed_at(Point(Place.PREPARED, 2)),
                *resumed(SECOND),
                Sweep(process=SECOND),
                start(THIRD),
                Resolve(process=THIRD, node=NODE, slot=1, resolution=Resolution.DISCARDED),
                Resume(process=THIRD, play=1),
            ),
        ),
        (
            expect("R-2", sweeps(SECOND), (0,)),
            expect("R-2", states(found_by(THIRD)), (State.COMMITTED, State.NEEDS_ATTENTION)),
            expect("A-5", ending(THIRD), ExitCode.COMPLETED),
            expect("R-2", effects(), ("A", "B")),
            expect("A-1", terminals(), (NEEDS_ATTENTION, COMPLETED)),
            expect("R-2", states(), ()),
        ),
    )


def _never_delivered() -> Case:
    """A row that its completed node never delivered stays until the run is closed (reading 17)."""
    return Case(
        f"C-11/never-delivered/{OPAQUE}",
        OPAQUE.tier,
        Scenario(
            job=paying(OPAQUE, calls(A), calls()),
            steps=(
                *killed_at(Place.SETTLED),
                *resumed(SECOND),
                start(THIRD),
                Resume(process=THIRD),
                Sweep(process=THIRD),
                Close(process=THIRD),
                Sweep(process=THIRD),
            ),
        ),
        (
            expect("A-3", ending(SECOND), ExitCode.EFFECT_ATTENTION),
            expect("A-2", terminals(found_by(THIRD)), (COMPLETED,)),
            expect("R-2", states(found_by(THIRD)), (State.COMMITTED,)),
            expect("A-3", endings(THIRD), (ExitCode.EFFECT_ATTENTION,)),
            expect("R-2", sweeps(THIRD), (0, 1)),
            expect("R-2", states(), ()),
        ),
    )
