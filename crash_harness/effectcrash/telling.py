"""The words in which the cases tell their scenarios: invoices that a node pays with one tool."""

from dataclasses import dataclass
from typing import Final, TypeAlias

import msgspec

from effectspec.journaling import ToolKind
from effectspec.points import Failable, Failure, Place, Point
from effectspec.scenario import (
    Call,
    Job,
    Kill,
    Node,
    Play,
    Release,
    Reply,
    Resume,
    Round,
    Run,
    Start,
    Step,
    Target,
    TargetAct,
    Tool,
)
from effectspec.tiers import Tier

Steps: TypeAlias = tuple[Step, ...]

NODE: Final = "pay"
TOOL: Final = "payment"

FIRST: Final = "first"
SECOND: Final = "second"
THIRD: Final = "third"
FOURTH: Final = "fourth"

OUTPUT: Final = {"effect": "/effect"}
"""A node's output tells which effect of the account its answer came from."""


# ── jobs ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Promise:
    """A tier that a tool is declared with, and whether its reconciler is registered (T-6)."""

    tier: Tier
    reconciler: bool = True

    @property
    def kept_as(self) -> Tier:
        """The tier whose answer an open effect gets, while its key lives."""
        return self.tier if self.reconciler else Tier.OPAQUE

    def __str__(self) -> str:
        """As an id says it."""
        return f"tier-{self.tier.value}" + ("" if self.reconciler else "/without-reconciler")


KEYED: Final = Promise(Tier.KEYED)
QUERYABLE: Final = Promise(Tier.QUERYABLE)
OPAQUE: Final = Promise(Tier.OPAQUE)
TIERS: Final = (KEYED, QUERYABLE, OPAQUE)
UNRECONCILED: Final = (
    Promise(Tier.KEYED, reconciler=False),
    Promise(Tier.QUERYABLE, reconciler=False),
)
PROMISES: Final = (*TIERS, *UNRECONCILED)


def pay(invoice: str) -> Call:
    """The call that pays an invoice."""
    return Call(
        tool=TOOL,
        arguments={"method": "POST", "path": "/payments", "body": {"invoice": invoice}},
        call_id=f"call-{invoice}",
    )


A: Final = pay("A")
B: Final = pay("B")
C: Final = pay("C")
X: Final = pay("X")
GET: Final = Call(tool=TOOL, arguments={"method": "GET", "path": "/balance"}, call_id="call-GET")


def calls(*called: Call, cost: int = 0) -> Play:
    """A turn of one round: the model asks for these calls, and that is all."""
    return Play(rounds=(Reply(calls=called, cost=cost),))


def rounds(*answers: Round) -> Play:
    """A turn of several rounds."""
    return Play(rounds=answers)


def payment(
    promise: Promise, *, key_lifetime_s: int | None = None, retention: int | None = None
) -> Tool:
    """The tool that pays, with what its target promises."""
    tool = Tool(
        id=TOOL,
        kind=ToolKind.HTTP_REQUEST,
        tier=promise.tier,
        reconciler=promise.reconciler,
        key_lifetime_s=key_lifetime_s,
    )
    return tool if retention is None else msgspec.structs.replace(tool, retention=retention)


def job(tool: Tool, *nodes: Node, budget: int | None = None, run_id: str = "run") -> Job:
    """A run of these nodes with one tool."""
    return Job(run_id=run_id, tools=(tool,), nodes=nodes, budget=budget)


def node(
    *plays: Play, name: str = NODE, attempts: int = 1, mapping: dict[str, str] = OUTPUT
) -> Node:
    """A node that plays these turns; every turn has call ids of its own, as a model gives them."""
    numbered = tuple(_with_call_ids_of(turn, play) for turn, play in enumerate(plays))
    return Node(id=name, plays=numbered, attempts=attempts, mapping=mapping)


def paying(promise: Promise, *plays: Play) -> Job:
    """The plain case: one node that plays these turns."""
    return job(payment(promise), node(*plays))


def _with_call_ids_of(turn: int, play: Play) -> Play:
    return Play(
        rounds=tuple(
            msgspec.structs.replace(
                answer,
                calls=tuple(
                    msgspec.structs.replace(call, call_id=f"{call.call_id}-of-turn-{turn}")
                    for call in answer.calls
                ),
            )
            if isinstance(answer, Reply)
            else answer
            for answer in play.rounds
        )
    )


# ── steps ────────────────────────────────────────────────────────────────────────────────────────


def start(process: str, *points: Point | Place, failing: tuple[Failure, ...] = ()) -> Start:
    """Start a process that is to stop at ``points``, a place being its first occurrence."""
    return Start(process=process, points=tuple(map(_point, points)), failures=failing)


def _point(point: Point | Place) -> Point:
    return Point(point) if isinstance(point, Place) else point


def run_to(*points: Point | Place, process: str = FIRST) -> Steps:
    """Run the job until the first of ``points``."""
    return (start(process, *points), Run(process=process))


def killed_at(point: Point | Place) -> Steps:
    """The first process runs the job and is killed at a point."""
    return (*run_to(point), Kill(process=FIRST))


def killed_by_target(act: TargetAct = TargetAct.KILL_CALLER_AFTER, request: int = 1) -> Steps:
    """The first process runs the job and is killed by the target's hand at its n-th request."""
    by_target = Kill(process=FIRST, by_target=True)
    if request == 1:
        return (start(FIRST), Target(act=act), Run(process=FIRST), by_target)
    return (
        *run_to(Point(Place.PREPARED, request)),
        Target(act=act),
        Release(process=FIRST),
        by_target,
    )


def resumed(process: str = SECOND, *points: Point | Place, play: int = 1) -> Steps:
    """Another process resumes the run; the node's next start takes ``play``."""
    return (start(process, *points), Resume(process=process, play=play))


def run_under(act: TargetAct) -> Steps:
    """The first process runs the job while the target does this with its request."""
    return (start(FIRST), Target(act=act), Run(process=FIRST))


def run_failing(*kinds: Failable) -> Steps:
    """The first process runs the job, and each of these fails the first time."""
    return (start(FIRST, failing=tuple(map(Failure, kinds))), Run(process=FIRST))


def told(*acts: TargetAct) -> Steps:
    """The target is told."""
    return tuple(Target(act=act) for act in acts)
