"""C-6: two effects in one node, killed at each point for each of the two, and every re-run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from effectcrash.case import Case, expect
from effectcrash.facts import (
    COMPLETED,
    NEEDS_ATTENTION,
    count_of,
    effects,
    ending,
    endings,
    last_event,
    terminals,
)
from effectcrash.telling import (
    GET,
    KEYED,
    OPAQUE,
    QUERYABLE,
    SECOND,
    A,
    B,
    C,
    Promise,
    Steps,
    X,
    calls,
    job,
    killed_at,
    killed_by_target,
    node,
    payment,
    resumed,
    start,
)
from effectspec.attention import ExitCode
from effectspec.points import Place, Point
from effectspec.scenario import Call, Job, Resume, Scenario

RERUNS: Final[Mapping[str, tuple[Call, ...]]] = {
    "same reply": (A, B),
    "[B, A]": (B, A),
    "[GET, A]": (GET, A),
    "other arguments": (X, B),
    "fewer calls": (A,),
    "more calls": (A, B, C),
    "no calls": (),
}
"""What the model answers when the node that paid A and B runs again."""


@dataclass(frozen=True, slots=True)
class After:
    """What must have happened after a re-run, the exit code, and the clause that decides it."""

    effects: tuple[str, ...]
    ending: ExitCode
    clause: str


def after(cell: str) -> After:
    """Read a cell of the tables below: effects (a dash for none), exit code, clause."""
    happened, code, clause = cell.split()
    return After(tuple(happened.strip("-")), ExitCode(int(code)), clause)


# A row has a column for each re-run above, in that order, or one for all: what is blocked is
# blocked whatever the model says. The cells are §12's "per effect as above; one blocked effect
# blocks the node", worked out by hand with readings 4, 5 and 17.
NOTHING_RECORDED = "AB 0 C-1|BA 0 C-1|A 0 C-1|XB 0 C-1|A 0 C-1|ABC 0 C-1|- 0 C-1"
A_BLOCKS = "A 7 G-9"
A_BLOCKS_UNDONE = "- 7 G-9"
A_PENDS = "AB 0 T-2|A 7 G-8|A 7 G-4|A 7 G-8|A 0 T-2|ABC 0 T-2|A 7 G-12"
A_PENDS_UNDONE = "AB 0 T-2|- 7 G-8|- 7 G-4|- 7 G-8|A 0 T-2|ABC 0 T-2|- 7 G-12"
A_RECORDED = "AB 0 G-2|A 7 G-8|A 7 G-8|A 7 G-8|A 0 G-2|ABC 0 G-2|A 7 A-3"
B_BLOCKS = "AB 7 G-9"
B_BLOCKS_UNDONE = "A 7 G-9"
B_PENDS = "AB 0 T-2|AB 7 G-8|AB 7 G-8|AB 7 G-8|AB 7 G-12|ABC 0 T-2|AB 7 G-12"
B_PENDS_UNDONE = "AB 0 T-2|A 7 G-8|A 7 G-8|A 7 G-8|A 7 G-12|ABC 0 T-2|A 7 G-12"
BOTH_RECORDED = "AB 0 G-2|AB 7 G-8|AB 7 G-8|AB 7 G-8|AB 7 A-3|ABC 0 G-2|AB 7 A-3"

# The tiers differ only where an effect is open; elsewhere one of them stands for all.
FIRST_EFFECT: Final[Mapping[str, Mapping[Promise, str]]] = {
    "C-1": {OPAQUE: NOTHING_RECORDED},
    "C-2": {KEYED: A_PENDS_UNDONE, QUERYABLE: A_BLOCKS_UNDONE, OPAQUE: A_BLOCKS_UNDONE},
    "C-3": {KEYED: A_PENDS, QUERYABLE: A_RECORDED, OPAQUE: A_BLOCKS},
    "C-4": {OPAQUE: A_RECORDED},
    "C-5": {OPAQUE: A_RECORDED},
}
SECOND_EFFECT: Final[Mapping[str, Mapping[Promise, str]]] = {
    "C-1": {OPAQUE: A_RECORDED},
    "C-2": {KEYED: B_PENDS_UNDONE, QUERYABLE: B_BLOCKS_UNDONE, OPAQUE: B_BLOCKS_UNDONE},
    "C-3": {KEYED: B_PENDS, QUERYABLE: BOTH_RECORDED, OPAQUE: B_BLOCKS},
    "C-4": {OPAQUE: BOTH_RECORDED},
    "C-5": {OPAQUE: BOTH_RECORDED},
}


def cases() -> Iterator[Case]:
    """Every effect, kill, tier and re-run."""
    for which, number, table in (("first", 1, FIRST_EFFECT), ("second", 2, SECOND_EFFECT)):
        for point, rows in table.items():
            for promise, row in rows.items():
                setting = Setting(f"C-6/{which}/{point}", killed(point, number), promise)
                cells = tuple(map(after, row.split("|")))
                if len(cells) == 1:
                    yield _whatever_it_says(setting, *cells)
                    continue
                for (rerun, called), outcome in zip(RERUNS.items(), cells, strict=True):
                    yield _one_rerun(setting, rerun, called, outcome)


@dataclass(frozen=True, slots=True)
class Setting:
    """The beginning of a case's id, how the first process died, and the tier."""

    id: str
    killed: Steps
    promise: Promise

    def job(self, *reruns: tuple[Call, ...]) -> Job:
        """The node pays A and B, then is run again; a GET's answer would fit no output mapping."""
        plays = (calls(A, B), *(calls(*called) for called in reruns))
        return job(payment(self.promise), node(*plays, mapping={}))


def _one_rerun(setting: Setting, rerun: str, called: tuple[Call, ...], outcome: After) -> Case:
    # A run whose only trouble is an effect that was never delivered completes (reading 17).
    completes = outcome.ending is ExitCode.COMPLETED or outcome.clause == "A-3"
    return Case(
        f"{setting.id}/{rerun}/{setting.promise}",
        setting.promise.tier,
        Scenario(job=setting.job(called), steps=(*setting.killed, *resumed())),
        (
            expect("C-6", effects(), outcome.effects),
            expect(outcome.clause, effects(), outcome.effects),
            expect(outcome.clause, ending(SECOND), outcome.ending),
            expect("G-12", count_of("node:completed"), int(completes)),
            expect("A-1", last_event(), COMPLETED if completes else NEEDS_ATTENTION),
        ),
    )


def _whatever_it_says(setting: Setting, outcome: After) -> Case:
    resumes = tuple(Resume(process=SECOND, play=play) for play in range(1, 1 + len(RERUNS)))
    return Case(
        f"{setting.id}/every re-run/{setting.promise}",
        setting.promise.tier,
        Scenario(
            job=setting.job(*RERUNS.values()), steps=(*setting.killed, start(SECOND), *resumes)
        ),
        (
            expect("C-6", effects(), outcome.effects),
            expect(outcome.clause, endings(SECOND), (outcome.ending,) * len(RERUNS)),
            expect(outcome.clause, count_of("node:started"), 1),
            expect("A-1", terminals(), (NEEDS_ATTENTION,)),
        ),
    )


def killed(point: str, effect: int) -> Steps:
    """Killed at one of the first five points, for the n-th effect of the node."""
    place = {
        "C-1": Place.PREPARE_OPEN,
        "C-2": Place.PREPARED,
        "C-4": Place.SETTLED,
        "C-5": Place.RESULT_EMITTED,
    }
    if point == "C-3":
        return killed_by_target(request=effect)
    return killed_at(Point(place[point], effect))
