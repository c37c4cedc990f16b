"""§8 and §9 for sessions: what is disclosed, what may be deleted, which turn comes next."""

from collections.abc import Iterator
from typing import Final

import msgspec

from effectcrash.case import Assertion, Case, expect
from effectcrash.chatting import CHAT, crashed, told, turn, written
from effectcrash.facts import (
    AT_THE_END,
    admissions,
    disclosed,
    of_rows,
    retained,
    states,
    sweeps,
    turns,
)
from effectcrash.telling import FIRST, OPAQUE, SECOND, A, B, Steps, start
from effectspec.admission import Admission
from effectspec.disclosure import Disclosure
from effectspec.identity import LEGACY_PLACEHOLDERS
from effectspec.lifecycle import State
from effectspec.scenario import (
    Call,
    Compact,
    Disclose,
    PrepareInTurn,
    Reserve,
    Scenario,
    SettleInTurn,
    Unwind,
)
from effectspec.session import Acknowledgement
from effectspec.settlement import Outcome
from effectspec.transcript import Course

SILENT: Final = (Disclosure.SILENT,)
LANDED: Final = (Disclosure.LANDED,)
DOUBTFUL: Final = (Disclosure.DOUBTFUL,)
UNKNOWN: Final = (Disclosure.UNKNOWN,)

NOT_DELIVERED: Final = {
    Acknowledgement.ANOTHER: "D-7",
    Acknowledgement.FAILED: "D-7",
    Acknowledgement.ENQUEUED: "D-8",
    Acknowledgement.CLIPPED: "D-10",
}


def cases() -> Iterator[Case]:
    """Every kind of row and of history, every way of a notice, every change after the read."""
    yield from _disclosures()
    yield from _notices()
    yield from _sweeps()
    yield from _turns()
    yield from _rows()
    yield from _one_shots()


def _case(id_: str, steps: Steps, *assertions: Assertion) -> Case:
    return Case(id_, OPAQUE.tier, Scenario(job=CHAT, steps=steps), assertions)


# ── what is disclosed ────────────────────────────────────────────────────────────────────────────


def _disclosures() -> Iterator[Case]:
    others = tuple(course for course in Course if course is not Course.COMPLETED)
    yield _told("D-4/completed", SILENT, turn((0, A)), (written(A),))
    yield _told("D-4/no-exchange", LANDED, turn((0, A)))
    for course in others:
        yield _told(
            f"D-5/{course.name.lower()}", LANDED, turn((0, A)), (written(A, course=course),)
        )
    yield _told("D-5/id-twice", DOUBTFUL, turn((0, A)), (written(A), written(A)))
    yield _told("D-5/another-tool", DOUBTFUL, turn((0, A)), (written(A, tool="another"),))
    for placeholder in (*LEGACY_PLACEHOLDERS, ""):
        legacy = msgspec.structs.replace(A, call_id=placeholder)
        yield _told(
            f"I-9/{placeholder or 'no-id'}", DOUBTFUL, turn((0, legacy)), (written(legacy),)
        )
    yield _told("D-6/command", SILENT, turn((-1, A)))
    yield _case(
        "D-2/compacted",
        (
            *crashed(turn((0, A)), (written(A),), turn((0, B)), (Compact(process=FIRST),)),
            start(SECOND),
            *told(),
        ),
        expect("D-2", disclosed(SECOND), ((Disclosure.SILENT, Disclosure.LANDED),)),
        expect("D-9", sweeps(SECOND), (2,)),
    )
    yield _case(
        "D-1/input-goes-on",
        (
            *crashed((Reserve(process=FIRST), PrepareInTurn(process=FIRST, slot=0, call=A))),
            start(SECOND),
            *told(),
            *turn((0, B), process=SECOND),
        ),
        expect("D-3", disclosed(SECOND), (UNKNOWN,)),
        expect("D-1", admissions(SECOND), (Admission.DISPATCH,)),
        expect("D-1", states(), (State.PREPARED, State.COMMITTED)),
    )


def _told(id_: str, told_of: tuple[Disclosure, ...], *first: Steps) -> Case:
    clause, _, _ = id_.partition("/")
    return _case(
        id_,
        (*crashed(*first), start(SECOND), *told(), Disclose(process=SECOND)),
        expect(clause, disclosed(SECOND), (told_of, ())),
        expect("D-9", sweeps(SECOND), (1,)),
    )


# ── when evidence may go ─────────────────────────────────────────────────────────────────────────


def _notices() -> Iterator[Case]:
    for acknowledgement, clause in NOT_DELIVERED.items():
        yield _kept(clause, acknowledgement.name.lower(), told(acknowledgement))
    yield _kept("D-7", "swapped", told(owned=False))


def _kept(clause: str, why: str, way: Steps) -> Case:
    """Nothing goes, and it is told again."""
    return _case(
        f"{clause}/{why}",
        (*crashed(turn((0, A))), start(SECOND), *way, Disclose(process=SECOND)),
        expect(clause, disclosed(SECOND), (LANDED, LANDED)),
        expect(clause, sweeps(SECOND), (0,)),
        expect(clause, states(), (State.COMMITTED,)),
    )


def _sweeps() -> Iterator[Case]:
    acknowledge = told()[1:]
    yield _case(
        "R-3/settled-after-the-read",
        (
            start(FIRST),
            Reserve(process=FIRST),
            PrepareInTurn(process=FIRST, slot=0, call=A),
            start(SECOND),
            Disclose(process=SECOND),
            SettleInTurn(process=FIRST, slot=0, outcome=Outcome.DONE),
            *acknowledge,
        ),
        expect("D-3", disclosed(SECOND), (UNKNOWN,)),
        expect("R-3", sweeps(SECOND), (0,)),
        expect("R-3", states(), (State.COMMITTED,)),
    )
    yield _case(
        "R-3/committed-after-the-read",
        (
            start(FIRST),
            *turn((0, A)),
            start(SECOND),
            Disclose(process=SECOND),
            *turn((0, B)),
            *acknowledge,
        ),
        expect("R-3", sweeps(SECOND), (1,)),
        expect("R-3", states(), (State.COMMITTED,)),
    )


# ── turns ────────────────────────────────────────────────────────────────────────────────────────


def _turns() -> Iterator[Case]:
    yield _case(
        "R-4/no-turn-is-freed",
        (*crashed(turn((0, A))), start(SECOND), *told(), *turn((0, A), process=SECOND)),
        expect("R-4", sweeps(SECOND), (1,)),
        expect("R-4", turns(SECOND), (1,)),
        expect("X-14", admissions(SECOND), (Admission.DISPATCH,)),
    )
    yield _case(
        "X-14/kept-through-death",
        (*crashed((Reserve(process=FIRST),)), start(SECOND), *turn((0, A), process=SECOND)),
        expect("X-14", turns(SECOND), (1,)),
    )
    yield _case(
        "O-2/unreserved-turn",
        (
            start(FIRST),
            Reserve(process=FIRST),
            PrepareInTurn(process=FIRST, slot=0, call=A, turn=7),
        ),
        expect("O-2", admissions(FIRST), (Admission.REFUSE,)),
        expect("O-2", states(), ()),
    )
    yield _case(
        "L-1/commands-count-anew",
        (start(FIRST), *turn((-1, A)), *turn((-1, A))),
        expect("L-1", admissions(FIRST), (Admission.DISPATCH, Admission.DISPATCH)),
        expect("L-1", turns(FIRST), (0, 1)),
    )


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


def _rows() -> Iterator[Case]:
    same = PrepareInTurn(process=SECOND, slot=0, call=A, turn=0)
    for name, outcome in (("committed", Outcome.DONE), ("ambiguous", Outcome.UNKNOWN)):
        yield _case(
            f"G-11/{name}",
            (
                *crashed(
                    (
                        Reserve(process=FIRST),
                        PrepareInTurn(process=FIRST, slot=0, call=A),
                        SettleInTurn(process=FIRST, slot=0, outcome=outcome, result={"a": 1}),
                    )
                ),
                start(SECOND),
                same,
            ),
            expect("G-11", admissions(SECOND), (Admission.REFUSE,)),
            expect("X-10", retained(), (False,)),
        )
    yield _case(
        "G-11/prepared",
        (
            *crashed((Reserve(process=FIRST), PrepareInTurn(process=FIRST, slot=0, call=A))),
            start(SECOND),
            same,
        ),
        expect("G-11", admissions(SECOND), (Admission.REFUSE,)),
        expect("I-5", states(), (State.PREPARED,)),
    )
    mine = _with_id("engine-1", A)
    other = _with_id("engine-2", A)
    yield _case(
        "I-8/each-calls-own-id",
        (start(FIRST), *turn((0, mine), (1, other))),
        expect(
            "I-8",
            of_rows(AT_THE_END, "call ids", lambda row: row.call_id),
            (
                "engine-1",
                "engine-2",
            ),
        ),
    )


def _with_id(call_id: str, call: Call) -> Call:
    return msgspec.structs.replace(call, call_id=call_id)


# ── one-shot runs ────────────────────────────────────────────────────────────────────────────────


def _one_shots() -> Iterator[Case]:
    yield _case(
        "R-5/its-own",
        (
            start(FIRST),
            *turn((0, A)),
            *turn((0, A), (1, B)),
            PrepareInTurn(process=FIRST, slot=2, call=A),
            Unwind(process=FIRST),
        ),
        expect("R-5", sweeps(FIRST), (2,)),
        expect("R-1", states(), (State.COMMITTED, State.PREPARED)),
    )
    yield _case(
        "R-5/refused-reservation",
        (start(FIRST), *turn((0, A)), start(SECOND), Unwind(process=SECOND, refused=True)),
        expect("R-5", sweeps(SECOND), (0,)),
        expect("R-5", states(), (State.COMMITTED,)),
    )
