"""§8: a run that needs attention stays stopped until an operator has resolved what blocks it."""

from collections.abc import Iterator
from typing import Final

from effectcrash.case import Assertion, Case, expect
from effectcrash.facts import (
    COMPLETED,
    NEEDS_ATTENTION,
    effects,
    ending,
    endings,
    found_by,
    generation,
    late_evidence,
    output,
    refusal,
    resolution_times_written,
    resolutions,
    resolvers,
    sent,
    states,
    terminals,
    unchanged,
)
from effectcrash.operations import OPERATOR
from effectcrash.telling import (
    FIRST,
    NODE,
    OPAQUE,
    SECOND,
    THIRD,
    A,
    Steps,
    calls,
    killed_at,
    killed_by_target,
    paying,
    resumed,
    run_failing,
    run_to,
    start,
)
from effectspec.attention import ExitCode
from effectspec.json_value import Json
from effectspec.lifecycle import Resolution, State
from effectspec.points import Failable, Place
from effectspec.protocol import Code
from effectspec.scenario import Attach, Release, Resolve, Resume, Scenario

BROUGHT: Final[dict[str, Json]] = {"effect": 41}
"""A result that an operator brings; no target of a case ever answers this."""

ACCEPTED: Final = Resolution.ACCEPTED
DISCARDED: Final = Resolution.DISCARDED


def cases() -> Iterator[Case]:
    """Resumes that stop again, and every word of an operator's."""
    yield _stops_again()
    yield from _accepted()
    yield from _discarded()
    yield from _refused()
    yield _evidence_against_a_discard()
    yield _unmarked()


def _stops_again() -> Case:
    return _case(
        "A-4/stops-again",
        (
            *killed_by_target(),
            start(SECOND),
            Resume(process=SECOND, play=1),
            Resume(process=SECOND, play=1),
            *resumed(THIRD),
        ),
        expect("A-4", endings(SECOND), (ExitCode.EFFECT_ATTENTION,) * 2),
        expect("A-4", ending(THIRD), ExitCode.EFFECT_ATTENTION),
        expect("A-4", unchanged(found_by(THIRD)), True),
        expect("A-1", terminals(), (NEEDS_ATTENTION,)),
        expect("A-4", effects(), ("A",)),
        expect("A-4", sent(), 1),
        expect("F-1", generation(), 4),
    )


def _accepted() -> Iterator[Case]:
    """Accepted reads as committed: without a result it blocks, with one it is delivered."""
    delivered = (
        expect("G-2", output(), BROUGHT),
        expect("A-1", terminals(), (NEEDS_ATTENTION, COMPLETED)),
        expect("A-5", effects(), ("A",)),
        expect("A-5", sent(), 1),
    )
    yield _case(
        "A-5/accepted-then-attached",
        (
            *_stopped(),
            _resolve(ACCEPTED),
            Resume(process=THIRD, play=1),
            Attach(process=THIRD, node=NODE, slot=0, result=BROUGHT),
            Resume(process=THIRD, play=1),
        ),
        expect("G-3", endings(THIRD), (ExitCode.EFFECT_ATTENTION, ExitCode.COMPLETED)),
        *delivered,
    )
    yield _case(
        "A-5/accepted-with-result",
        (*_stopped(), _resolve(ACCEPTED, BROUGHT), Resume(process=THIRD, play=1)),
        expect("A-5", ending(THIRD), ExitCode.COMPLETED),
        *delivered,
    )


def _discarded() -> Iterator[Case]:
    """Discarding re-opens exactly that identity; the row stays beside the new one."""
    yield _case(
        "A-5/discarded",
        (
            *killed_at(Place.PREPARED),
            *resumed(SECOND),
            start(THIRD),
            _resolve(DISCARDED),
            Resume(process=THIRD, play=1),
        ),
        expect("A-5", ending(THIRD), ExitCode.COMPLETED),
        expect("A-5", effects(), ("A",)),
        expect("A-5", sent(), 1),
        expect("R-2", states(), ()),
        expect("A-1", terminals(), (NEEDS_ATTENTION, COMPLETED)),
    )
    yield _case(
        "A-5/discarded-stays-as-evidence",
        (
            *killed_at(Place.PREPARED),
            *resumed(SECOND),
            start(THIRD, Place.NODE_COMPLETED),
            _resolve(DISCARDED),
            Resume(process=THIRD, play=1),
        ),
        expect("A-5", states(), (State.RESOLVED, State.COMMITTED)),
        expect("A-5", resolutions(), (DISCARDED, None)),
        expect("A-5", resolvers(), (OPERATOR, None)),
        expect("A-5", resolution_times_written(), (True, False)),
        expect("A-5", effects(), ("A",)),
    )


def _refused() -> Iterator[Case]:
    for first, then in ((ACCEPTED, DISCARDED), (DISCARDED, ACCEPTED)):
        yield _case(
            f"A-5/{first.value}-is-not-{then.value}-later",
            (*_stopped(), _resolve(first), _resolve(then)),
            expect("A-5", refusal(THIRD), Code.REFUSED),
            expect("A-5", states(), (State.RESOLVED,)),
            expect("A-5", resolutions(), (first,)),
            expect("A-5", resolvers(), (OPERATOR,)),
            expect("A-5", resolution_times_written(), (True,)),
        )
    yield _case(
        "A-5/committed-is-not-discarded",
        (*killed_at(Place.SETTLED), start(THIRD), _resolve(DISCARDED)),
        expect("A-5", refusal(THIRD), Code.REFUSED),
        expect("S-3", states(), (State.COMMITTED,)),
    )
    yield _case(
        "A-5/attached-once",
        (
            *_stopped(),
            _resolve(ACCEPTED, BROUGHT),
            Attach(process=THIRD, node=NODE, slot=0, result={"effect": 42}),
            Resume(process=THIRD, play=1),
        ),
        expect("S-3", endings(THIRD), (Code.REFUSED, ExitCode.COMPLETED)),
        expect("S-3", output(), BROUGHT),
    )


def _evidence_against_a_discard() -> Case:
    """The first process was declared dead and had its answer: the effect landed (reading 8)."""
    return _case(
        "A-5/landed-is-not-discarded",
        (
            *run_to(Place.ANSWERED),
            start(SECOND),
            Resume(process=SECOND, play=1, declared_dead=True),
            Release(process=FIRST),
            start(THIRD),
            _resolve(DISCARDED),
            _resolve(ACCEPTED, BROUGHT),
            Resume(process=THIRD, play=1),
        ),
        expect("F-2", late_evidence(found_by(THIRD)), (1,)),
        expect("A-5", endings(THIRD), (Code.REFUSED, ExitCode.COMPLETED)),
        expect("A-5", effects(), ("A",)),
        expect("A-5", sent(), 1),
    )


def _unmarked() -> Case:
    """No resume has marked the row: the resolve takes it through the states itself (reading 6)."""
    return _case(
        "A-5/left-prepared",
        (
            *run_failing(Failable.SETTLE_WRITE),
            start(THIRD),
            _resolve(ACCEPTED, BROUGHT),
            Resume(process=THIRD, play=1),
        ),
        expect("O-4", states(found_by(THIRD)), (State.PREPARED,)),
        expect("A-5", ending(THIRD), ExitCode.COMPLETED),
        expect("A-5", output(), BROUGHT),
        expect("A-5", effects(), ("A",)),
        expect("A-5", sent(), 1),
    )


def _stopped() -> Steps:
    """The effect happened, nobody recorded it, a resume stopped; the third process is there."""
    return (*killed_by_target(), *resumed(SECOND), start(THIRD))


def _resolve(resolution: Resolution, result: Json = None) -> Resolve:
    return Resolve(process=THIRD, node=NODE, slot=0, resolution=resolution, result=result)


def _case(id_: str, steps: Steps, *assertions: Assertion) -> Case:
    return Case(
        f"{id_}/{OPAQUE}",
        OPAQUE.tier,
        Scenario(job=paying(OPAQUE, calls(A)), steps=steps),
        assertions,
    )
