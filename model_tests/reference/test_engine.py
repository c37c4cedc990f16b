"""The engine on a real store and a real target: the run around the effects, clause by clause.

A process's death is an exception that nothing catches, thrown at one of the named places; the
journal is then opened anew. What really killed processes leave behind is the crash harness's.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import pytest

from effectcrash.account import Account
from effectcrash.control import Drop, Fail, Moment, Refuse, Step
from effectjournal.dispatch import Dispatcher
from effectjournal.engine import CONDUCT, Conduct, Engine
from effectjournal.errors import RunExists, UnknownRun
from effectjournal.journal import DATABASE, Attachment, Expect, Journal
from effectjournal.owned import OwnedRun
from effectjournal.preparation import Dispatch
from effectjournal.probe import InjectedFailure
from effectjournal.reconcilers import Reconcilers
from effectjournal.sent import Sent
from effectjournal.target import Target
from effectjournal.tools import ResolvedCall, ToolBox
from effectspec.attention import ErrorCode, ExitCode
from effectspec.journaling import ToolKind
from effectspec.json_value import Json
from effectspec.lifecycle import Resolution, State
from effectspec.points import Failable, Place
from effectspec.protocol import Ended, Events, RowView
from effectspec.scenario import Call, Job, Node, Play, ProviderError, Reply, Round, Tool
from effectspec.tiers import Tier

OPAQUE = Tool(id="charge", kind=ToolKind.HTTP_REQUEST)
KEYED = msgspec.structs.replace(OPAQUE, tier=Tier.KEYED)
QUERYABLE = msgspec.structs.replace(OPAQUE, tier=Tier.QUERYABLE)
READ = Tool(id="look", kind=ToolKind.READ)
TIERS = [KEYED, QUERYABLE, OPAQUE]

MAPPING = {"effect": "/effect"}
NOBODY = "http://127.0.0.1:9/account"
"""A target that no process serves: the discard port, which needs a privilege to take."""


def charge(amount: int = 12, call_id: str = "call-1") -> Call:
    arguments: dict[str, Json] = {"method": "POST", "path": "/orders", "body": {"amount": amount}}
    return Call(tool="charge", arguments=arguments, call_id=call_id)


LOOK = Call(tool="look", arguments={"path": "/orders"}, call_id="look-1")


def reply(*calls: Call, cost: int = 0) -> Reply:
    return Reply(calls=calls, cost=cost)


def play(*rounds: Round) -> Play:
    return Play(rounds=rounds)


def node(*plays: Play, id_: str = "pay", attempts: int = 1) -> Node:
    return Node(id=id_, plays=plays, attempts=attempts, mapping=MAPPING)


def job(tool: Tool, *nodes: Node, budget: int | None = None) -> Job:
    return Job(run_id="run-1", tools=(tool, READ), nodes=nodes, budget=budget)


def one_charge(tool: Tool) -> Job:
    return job(tool, node(play(reply(charge()))))


class Died(BaseException):
    """The process is dead; nobody in it can catch this."""


class Process:
    """The life of one process, as the probe sees it."""

    def __init__(
        self,
        dies_at: Place | None = None,
        fails: tuple[Failable, ...] = (),
        meanwhile: dict[Place, Callable[[], object]] | None = None,
    ) -> None:
        self.reached: list[Place] = []
        self._dies_at = dies_at
        self._fails = Counter(fails)
        self._meanwhile = meanwhile or {}

    def reach(self, place: Place) -> None:
        self.reached.append(place)
        if place in self._meanwhile:
            self._meanwhile.pop(place)()
        if place is self._dies_at:
            raise Died

    def fail(self, kind: Failable) -> None:
        if self._fails[kind]:
            self._fails[kind] -= 1
            raise InjectedFailure(f"{kind.value} was made to fail")


@dataclass
class World:
    """A store and a target, and processes that come and go on them."""

    folder: Path
    account: Account
    now: int = 1_000_000

    def run(self, job: Job, process: Process | None = None, *, play: int = 0) -> Ended:
        with self.engine(job, process) as engine:
            return engine.run("owner", play=play)

    def resume(
        self,
        job: Job,
        process: Process | None = None,
        *,
        play: int = 0,
        approve: int = 0,
    ) -> Ended:
        with self.engine(job, process) as engine:
            return engine.resume("owner", play=play, approve=approve)

    def dies(self, job: Job, place: Place) -> None:
        with pytest.raises(Died):
            self.run(job, Process(dies_at=place))

    @contextmanager
    def engine(
        self, job: Job, process: Process | None = None, conduct: Conduct = CONDUCT
    ) -> Iterator[Engine]:
        toolbox = ToolBox(job, Target(self.account.url), self.folder)
        with self.journal(process) as journal:
            yield Engine(journal, job, toolbox, conduct=conduct)

    @contextmanager
    def journal(self, process: Process | None = None) -> Iterator[Journal]:
        probe = process or Process()
        opened = Journal.open(self.folder, clock=lambda: self.now, probe=probe)
        with closing(opened):
            yield opened

    def rows(self) -> tuple[RowView, ...]:
        with self.journal() as journal:
            return journal.rows("run-1")

    def log(self) -> Events:
        with self.journal() as journal:
            return journal.events("run-1")

    def events(self) -> list[str]:
        return [event.name for event in self.log().events]

    def generation(self) -> int:
        return self.log().generation

    def outputs(self) -> list[dict[str, Json]]:
        """What each tool result and each completion put out, in order."""
        told = {"tool:result", "node:completed"}
        return [event.output for event in self.log().events if event.name in told]

    def effects(self) -> int:
        return len(self.account.effects())

    def requests(self) -> int:
        """Requests for an effect, reads and look-ups left out."""
        return sum(request.method == "POST" for request in self.account.requests())


@pytest.fixture
def world(folder: Path, account: Account) -> World:
    return World(folder, account)


FAILED_FOR_EFFECT = ["run:started", "node:started", "run:failed"]


# ── a run that goes well ─────────────────────────────────────────────────────────────────────────


def test_t1_a_run_does_each_effect_once_says_so_and_sweeps_its_rows(world: World) -> None:
    process = Process()
    ended = world.run(
        job(OPAQUE, node(play(reply(charge(1)), reply(charge(2)))), node(play(), id_="rest")),
        process,
    )

    assert (ended.exit_code, ended.error_code, ended.rows) == (ExitCode.COMPLETED, None, ())
    assert [effect.body for effect in world.account.effects()] == [{"amount": 1}, {"amount": 2}]
    assert world.events() == [
        "run:started",
        "node:started",
        "tool:result",
        "tool:result",
        "node:completed",
        "node:started",
        "node:completed",
        "run:completed",
    ]
    assert world.outputs() == [{"effect": 1}, {"effect": 2}, {"effect": 2}, {}]
    assert world.rows() == ()
    dispatch = [
        Place.PREPARE_OPEN,
        Place.PREPARED,
        Place.ANSWERED,
        Place.SETTLED,
        Place.RESULT_EMITTED,
    ]
    assert process.reached == [
        Place.TAKEN_OVER,
        Place.GATE_READ,
        *dispatch,
        *dispatch,
        Place.NODE_COMPLETED,
        Place.NODE_COMPLETED,
        Place.TERMINAL_WRITTEN,
        Place.SWEEP_OPEN,
        Place.SWEPT,
    ]


def test_i3_slots_count_all_calls_of_a_turn_across_its_rounds(world: World) -> None:
    world.account.script(Refuse(400), Drop(Moment.AFTER_EFFECT))
    world.run(
        job(
            OPAQUE,
            Node(id="pay", plays=(play(reply(LOOK, charge(1)), reply(LOOK, charge(2))),)),
        )
    )
    assert [row.slot for row in world.rows()] == [1, 3]


def test_j2_a_read_is_done_again_on_a_resume_and_never_journaled(world: World) -> None:
    reading = job(OPAQUE, Node(id="pay", plays=(play(reply(LOOK)),)))
    world.dies(reading, Place.TERMINAL_WRITTEN)
    assert world.rows() == ()
    assert "tool:result" not in world.events()


def test_the_first_start_of_a_node_takes_the_play_it_is_told_and_the_last_one_repeats(
    world: World,
) -> None:
    failing = play(ProviderError(message="down"))
    three = node(play(reply(charge(1))), failing, play(reply(charge(3))), attempts=2)
    assert world.run(job(OPAQUE, three), play=1).exit_code is ExitCode.COMPLETED
    assert [effect.body for effect in world.account.effects()] == [{"amount": 3}]


def test_a_run_that_has_begun_is_not_run_again_and_an_unknown_one_is_not_resumed(
    world: World,
) -> None:
    with pytest.raises(UnknownRun):
        world.resume(one_charge(OPAQUE))
    world.dies(one_charge(OPAQUE), Place.PREPARED)
    with pytest.raises(RunExists, match="resume"):
        world.run(one_charge(OPAQUE))


# ── the crash matrix, with a death that unwinds (§12) ────────────────────────────────────────────


@dataclass(frozen=True)
class Found:
    """What §12 says must be found after a death and a resume."""

    effects_before: int
    exit_code: ExitCode
    effects: int
    requests: int


RUNS_NORMALLY = Found(0, ExitCode.COMPLETED, 1, 1)
REDELIVERED = Found(1, ExitCode.COMPLETED, 1, 1)
MATRIX: list[tuple[str, Place, Tool, Found]] = [
    *(("C-1", Place.PREPARE_OPEN, tool, RUNS_NORMALLY) for tool in TIERS),
    ("C-2", Place.PREPARED, KEYED, Found(0, ExitCode.COMPLETED, 1, 1)),
    ("C-2", Place.PREPARED, QUERYABLE, Found(0, ExitCode.EFFECT_ATTENTION, 0, 0)),
    ("C-2", Place.PREPARED, OPAQUE, Found(0, ExitCode.EFFECT_ATTENTION, 0, 0)),
    ("C-3", Place.ANSWERED, KEYED, Found(1, ExitCode.COMPLETED, 1, 2)),
    ("C-3", Place.ANSWERED, QUERYABLE, Found(1, ExitCode.COMPLETED, 1, 1)),
    ("C-3", Place.ANSWERED, OPAQUE, Found(1, ExitCode.EFFECT_ATTENTION, 1, 1)),
    *(("C-4", Place.SETTLED, tool, REDELIVERED) for tool in TIERS),
    *(("C-5", Place.RESULT_EMITTED, tool, REDELIVERED) for tool in TIERS),
    *(("C-5", Place.NODE_COMPLETED, tool, REDELIVERED) for tool in TIERS),
]


@pytest.mark.parametrize(
    ("place", "tool", "found"),
    [case[1:] for case in MATRIX],
    ids=[f"{clause}, {place.value}, tier {tool.tier}" for clause, place, tool, _ in MATRIX],
)
def test_c1_to_c5_what_is_found_after_a_death_at_a_named_place(
    world: World, place: Place, tool: Tool, found: Found
) -> None:
    world.dies(one_charge(tool), place)
    assert world.effects() == found.effects_before

    ended = world.resume(one_charge(tool))

    assert ended.exit_code is found.exit_code
    assert (world.effects(), world.requests()) == (found.effects, found.requests)
    if found.exit_code is ExitCode.COMPLETED:
        assert world.outputs()[-1] == {"effect": 1}
        assert world.rows() == ()
    else:
        assert [row.state for row in world.rows()] == [State.NEEDS_ATTENTION]


def test_t2_a_retry_sends_the_stored_key_again_byte_for_byte(world: World) -> None:
    world.dies(one_charge(KEYED), Place.ANSWERED)
    [row] = world.rows()
    world.resume(one_charge(KEYED))
    assert [request.key for request in world.account.requests()] == [row.key, row.key]


@pytest.mark.parametrize("tool", TIERS)
@pytest.mark.parametrize("place", [Place.SETTLED, Place.RESULT_EMITTED])
def test_c6_of_two_effects_the_first_is_delivered_again_and_the_second_goes_on(
    world: World, tool: Tool, place: Place
) -> None:
    two = job(tool, node(play(reply(charge(1), charge(2)))))
    world.dies(two, place)
    assert world.resume(two).exit_code is ExitCode.COMPLETED
    assert [effect.body for effect in world.account.effects()] == [{"amount": 1}, {"amount": 2}]


def test_c6_one_blocked_effect_blocks_the_node(world: World) -> None:
    two = job(OPAQUE, node(play(reply(charge(1), charge(2)))))
    world.account.script(Drop(Moment.AFTER_EFFECT))
    assert world.run(two).exit_code is ExitCode.EFFECT_ATTENTION
    assert world.resume(two).exit_code is ExitCode.EFFECT_ATTENTION
    assert world.requests() == 1


def test_g7_what_is_delivered_again_is_what_was_recorded(world: World) -> None:
    world.dies(one_charge(OPAQUE), Place.RESULT_EMITTED)
    world.resume(one_charge(OPAQUE))
    first, again, completed = world.outputs()
    assert first == again == completed == {"effect": 1}


# ── the fixed order of a dispatch (§7) ───────────────────────────────────────────────────────────

BAD_CALLS = [
    Call(tool="chrage", arguments={}, call_id="c"),
    Call(tool="charge", arguments={"method": "POST"}, call_id="c"),
    Call(
        tool="charge",
        arguments={"method": "POST", "path": "/a", "body": 2**53 + 1},
        call_id="c",
    ),
]


@pytest.mark.parametrize("call", BAD_CALLS)
def test_o1_a_refused_call_journals_nothing_and_fails_ordinarily(world: World, call: Call) -> None:
    process = Process()
    ended = world.run(job(OPAQUE, node(play(reply(call)))), process)
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, ErrorCode.NODE_FAILED)
    assert f"tool {call.tool!r}" in ended.remedy
    assert Place.PREPARE_OPEN not in process.reached
    assert world.account.requests() == ()
    assert world.events()[-2:] == ["node:failed", "run:failed"]


@pytest.mark.parametrize("call", BAD_CALLS)
def test_o1_a_refused_call_may_be_retried_while_nothing_was_prepared(
    world: World, call: Call
) -> None:
    plays = (play(reply(LOOK, call)), play(reply(charge())))
    ended = world.run(job(OPAQUE, Node(id="pay", plays=plays, attempts=2)))
    assert ended.exit_code is ExitCode.COMPLETED
    assert world.effects() == 1


def test_o1_a_read_that_is_not_answered_fails_the_attempt_and_may_be_retried(
    world: World,
) -> None:
    reading = job(OPAQUE, Node(id="pay", plays=(play(reply(LOOK)),), attempts=2))
    toolbox = ToolBox(reading, Target(NOBODY), world.folder)
    with world.journal() as journal:
        ended = Engine(journal, reading, toolbox).run("owner")
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, ErrorCode.NODE_FAILED)
    assert world.events().count("node:started") == 2


def test_o2_without_a_prepare_nothing_is_sent_and_nothing_is_tried_again(world: World) -> None:
    paying = job(OPAQUE, node(play(reply(charge())), attempts=3))
    ended = world.run(paying, Process(fails=(Failable.PREPARE_WRITE,)))
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, ErrorCode.NODE_FAILED)
    assert world.events() == ["run:started", "node:started", "node:failed", "run:failed"]
    assert world.account.requests() == ()
    assert world.rows() == ()


UNKNOWN: list[Step] = [
    Drop(Moment.BEFORE_EFFECT),
    Drop(Moment.AFTER_EFFECT),
    Fail(500, Moment.BEFORE_EFFECT),
    Fail(503, Moment.AFTER_EFFECT),
]


@pytest.mark.parametrize("step", UNKNOWN)
@pytest.mark.parametrize("tool", TIERS)
def test_o3_an_unknown_outcome_ends_the_live_run_at_any_tier_and_is_never_retried(
    world: World, tool: Tool, step: Step
) -> None:
    world.account.script(step)
    ended = world.run(job(tool, node(play(reply(charge()), reply(charge(2))), attempts=3)))

    [row] = world.rows()
    assert row.state is State.AMBIGUOUS
    assert (ended.exit_code, ended.error_code, ended.rows) == (
        ExitCode.EFFECT_ATTENTION,
        ErrorCode.EFFECT_NEEDS_ATTENTION,
        (row.row_id,),
    )
    assert world.events() == FAILED_FOR_EFFECT
    assert world.requests() == 1


def test_case_10_an_unknown_outcome_tells_the_reader_to_look_at_the_target_first(
    world: World,
) -> None:
    world.account.script(Drop(Moment.AFTER_EFFECT))
    remedy = world.run(one_charge(OPAQUE)).remedy
    assert "look at the target first, then resolve" in remedy
    assert "try again" not in remedy
    assert "node 'pay', slot 0, tool 'charge', tier 3" in remedy


def test_case_21_a_key_in_use_is_no_outcome_and_the_resume_sends_the_same_key(
    world: World,
) -> None:
    world.account.script(Fail(503, Moment.AFTER_EFFECT))
    assert world.run(one_charge(KEYED)).exit_code is ExitCode.EFFECT_ATTENTION
    assert world.resume(one_charge(KEYED)).exit_code is ExitCode.COMPLETED
    assert world.effects() == 1


def test_reading_10_a_refusal_by_the_target_is_a_result_that_commits(world: World) -> None:
    world.account.script(Refuse(422))
    plain = job(OPAQUE, Node(id="pay", plays=(play(reply(charge())),), mapping={}))
    world.dies(plain, Place.RESULT_EMITTED)
    [row] = world.rows()
    assert (row.state, row.retained) == (State.COMMITTED, True)
    assert world.resume(plain).exit_code is ExitCode.COMPLETED
    assert (world.effects(), world.requests()) == (0, 1)


@pytest.mark.parametrize("tool", TIERS)
def test_o4_a_settle_that_fails_leaves_the_row_prepared_and_stops_the_run(
    world: World, tool: Tool
) -> None:
    process = Process(fails=(Failable.SETTLE_WRITE,))
    ended = world.run(job(tool, node(play(reply(charge())), attempts=3)), process)

    [row] = world.rows()
    assert row.state is State.PREPARED
    assert (ended.exit_code, ended.error_code, ended.rows) == (
        ExitCode.EFFECT_ATTENTION,
        ErrorCode.EFFECT_NEEDS_ATTENTION,
        (row.row_id,),
    )
    assert process.reached[-2:] == [Place.SETTLE_FAILED, Place.TERMINAL_WRITTEN]
    assert (world.effects(), world.requests()) == (1, 1)


def test_o4_exit_7_holds_although_the_terminal_cannot_be_written_either(world: World) -> None:
    process = Process(fails=(Failable.SETTLE_WRITE, Failable.TERMINAL_WRITE))
    assert world.run(one_charge(OPAQUE), process).exit_code is ExitCode.EFFECT_ATTENTION
    assert world.events() == ["run:started", "node:started"]


def test_o4_exit_7_holds_although_the_store_cannot_even_be_read(world: World) -> None:
    def break_the_store() -> None:
        with closing(sqlite3.connect(world.folder / DATABASE)) as connection:
            connection.execute("ALTER TABLE events RENAME TO lost")

    process = Process(
        fails=(Failable.SETTLE_WRITE,), meanwhile={Place.SETTLE_FAILED: break_the_store}
    )
    ended = world.run(one_charge(OPAQUE), process)
    assert (ended.exit_code, len(ended.rows)) == (ExitCode.EFFECT_ATTENTION, 1)
    assert "look at the target first" in ended.remedy


@pytest.mark.parametrize(
    "kind",
    [Failable.ABORT, Failable.BOUNDING, Failable.GUARD_RECEIPT, Failable.EVENT_WRITE],
)
@pytest.mark.parametrize("tool", TIERS)
def test_o5_what_fails_after_the_settle_fails_the_node_for_good_and_the_effect_stands(
    world: World, tool: Tool, kind: Failable
) -> None:
    process = Process(fails=(kind,))
    ended = world.run(job(tool, node(play(reply(charge())), attempts=3)), process)
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, ErrorCode.NODE_FAILED)
    assert world.events() == ["run:started", "node:started", "node:failed", "run:failed"]
    assert Place.SETTLED in process.reached
    assert world.requests() == 1


def test_o5_a_mapping_that_does_not_fit_the_answer_fails_the_node_and_the_settle_has_landed(
    world: World,
) -> None:
    unfit = Node(id="pay", plays=(play(reply(charge())),), attempts=3, mapping={"x": "/nowhere"})
    world.dies(job(OPAQUE, unfit), Place.TERMINAL_WRITTEN)
    [row] = world.rows()
    assert (row.state, row.retained) == (State.COMMITTED, False)
    assert world.events()[-2:] == ["node:failed", "run:failed"]
    assert world.requests() == 1


def test_o6_after_a_prepare_a_later_provider_failure_is_not_retried(world: World) -> None:
    rounds = play(reply(charge()), ProviderError(message="down"))
    ended = world.run(job(KEYED, node(rounds, attempts=3)))
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, ErrorCode.NODE_FAILED)
    assert world.events().count("node:started") == 1
    assert world.effects() == 1


def test_o6_before_any_prepare_a_provider_failure_is_retried_as_often_as_allowed(
    world: World,
) -> None:
    ended = world.run(job(OPAQUE, node(play(ProviderError(message="down")), attempts=3)))
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, ErrorCode.NODE_FAILED)
    assert "the provider failed: down" in ended.remedy
    assert world.events().count("node:started") == 3


def test_o6_a_checkpoint_that_cannot_be_written_after_an_effect_is_not_retried(
    world: World,
) -> None:
    ended = world.run(
        job(OPAQUE, node(play(reply(charge())), attempts=3)),
        Process(fails=(Failable.CHECKPOINT_WRITE,)),
    )
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, ErrorCode.NODE_FAILED)
    assert (world.effects(), world.events().count("node:started")) == (1, 1)


def test_o6_an_attempt_that_only_delivered_what_is_recorded_may_be_retried(world: World) -> None:
    plays = (
        play(reply(charge())),
        play(reply(charge()), ProviderError(message="down")),
        play(reply(charge())),
    )
    paying = job(OPAQUE, node(*plays, attempts=2))
    world.dies(paying, Place.RESULT_EMITTED)
    assert world.resume(paying, play=1).exit_code is ExitCode.COMPLETED
    assert world.effects() == 1


# ── ownership ────────────────────────────────────────────────────────────────────────────────────


def test_f1_a_live_owner_is_not_replaced_and_nothing_is_written(world: World) -> None:
    with world.journal() as owner:
        owner.take_over("run-1", "somebody", Reconcilers(), expect=Expect.NEW)
        ended = world.resume(one_charge(OPAQUE))
        assert (ended.exit_code, ended.error_code) == (ExitCode.OWNED_BY_ANOTHER, None)
        assert "wait for it to end, then resume" in ended.remedy
        assert (world.generation(), world.events()) == (1, [])


def take_from_the_living(journal: Journal) -> OwnedRun:
    return journal.take_over(
        "run-1", "other", Reconcilers(), expect=Expect.KNOWN, declared_dead=True
    )


@pytest.mark.parametrize(
    ("place", "effects"),
    [
        (Place.GATE_READ, 0),
        (Place.PREPARED, 1),
        (Place.ANSWERED, 1),
        (Place.SETTLED, 1),
        (Place.RESULT_EMITTED, 1),
        (Place.NODE_COMPLETED, 1),
    ],
)
def test_f2_an_owner_that_is_replaced_writes_no_more_and_leaves_with_exit_6(
    world: World, place: Place, effects: int
) -> None:
    with world.journal() as successor:
        replaced = Process(meanwhile={place: lambda: take_from_the_living(successor)})
        ended = world.run(one_charge(OPAQUE), replaced)
    assert ended.exit_code is ExitCode.OWNED_BY_ANOTHER
    assert "run:failed" not in world.events()
    assert "run:completed" not in world.events()
    assert world.effects() == effects


def test_case_18_a_replaced_owners_answer_is_kept_as_evidence_beside_its_row(
    world: World,
) -> None:
    with world.journal() as successor:
        replaced = Process(
            meanwhile={Place.ANSWERED: lambda: take_from_the_living(successor).gate()}
        )
        ended = world.run(one_charge(OPAQUE), replaced)
    assert ended.exit_code is ExitCode.OWNED_BY_ANOTHER
    [row] = world.rows()
    assert (row.state, row.late_evidence) == (State.NEEDS_ATTENTION, 1)


# ── the gate and what a person does about it ─────────────────────────────────────────────────────


def test_a4_a_blocked_run_stops_again_with_no_dispatch_and_no_further_event(world: World) -> None:
    world.account.script(Drop(Moment.AFTER_EFFECT))
    paying = job(
        OPAQUE, node(play(reply(charge())), play(reply(LOOK, charge(2)))), node(play(), id_="rest")
    )
    world.run(paying)
    [row] = world.rows()

    for generation in (2, 3):
        ended = world.resume(paying, play=1)
        assert (ended.exit_code, ended.error_code, ended.rows) == (
            ExitCode.EFFECT_ATTENTION,
            ErrorCode.EFFECT_NEEDS_ATTENTION,
            (row.row_id,),
        )
        assert world.events() == FAILED_FOR_EFFECT
        assert world.generation() == generation
    assert len(world.account.requests()) == 1


def test_a1_a_run_that_died_over_an_effect_gets_its_terminal_from_the_resume(
    world: World,
) -> None:
    world.dies(one_charge(OPAQUE), Place.ANSWERED)
    process = Process()
    ended = world.resume(one_charge(OPAQUE), process)
    assert ended.error_code is ErrorCode.EFFECT_NEEDS_ATTENTION
    assert world.events() == FAILED_FOR_EFFECT
    assert Place.SWEEP_OPEN not in process.reached


def test_g10_a_gate_that_cannot_be_read_is_a_refusal_that_changes_nothing(world: World) -> None:
    world.dies(one_charge(KEYED), Place.ANSWERED)
    before = (world.rows(), world.events())
    ended = world.resume(one_charge(KEYED), Process(fails=(Failable.GATE_READ,)))
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, None)
    assert "nothing was scheduled or changed" in ended.remedy
    assert (world.rows(), world.events()) == before
    assert world.resume(one_charge(KEYED)).exit_code is ExitCode.COMPLETED


@pytest.mark.parametrize("tool", [KEYED, QUERYABLE])
def test_t6_without_a_reconciler_the_refusal_names_the_declared_tier(
    world: World, tool: Tool
) -> None:
    unreconciled = one_charge(msgspec.structs.replace(tool, reconciler=False))
    world.dies(unreconciled, Place.ANSWERED)
    ended = world.resume(unreconciled)
    assert ended.exit_code is ExitCode.EFFECT_ATTENTION
    assert (
        f"declared tier {tool.tier}, treated as tier 3: no reconciler is registered" in ended.remedy
    )
    assert world.requests() == 1


def test_reading_3_a_key_that_may_be_forgotten_is_not_sent_again_and_the_refusal_says_why(
    world: World,
) -> None:
    short = one_charge(msgspec.structs.replace(KEYED, key_lifetime_s=3600))
    world.dies(short, Place.ANSWERED)
    world.now += 3600
    ended = world.resume(short)
    assert ended.exit_code is ExitCode.EFFECT_ATTENTION
    assert "declared tier 1, treated as tier 3: its key may be forgotten" in ended.remedy
    assert world.requests() == 1


def test_reading_3_a_retry_that_pauses_until_its_key_is_forgotten_is_not_sent(
    world: World,
) -> None:
    def pause() -> None:
        world.now += 3600
        world.account.forget_keys()

    short = one_charge(msgspec.structs.replace(KEYED, key_lifetime_s=3600))
    world.dies(short, Place.ANSWERED)
    ended = world.resume(short, Process(meanwhile={Place.PREPARED: pause}))
    assert ended.exit_code is ExitCode.EFFECT_ATTENTION
    assert "the call was not sent, for its key may be forgotten by now" in ended.remedy
    assert (world.effects(), world.requests()) == (1, 1)
    [row] = world.rows()
    assert row.state is State.AMBIGUOUS


def test_reading_2_a_receipt_that_is_not_shown_is_no_leave_to_send_again(world: World) -> None:
    world.dies(one_charge(QUERYABLE), Place.ANSWERED)
    world.account.hide_receipts()
    assert world.resume(one_charge(QUERYABLE)).exit_code is ExitCode.EFFECT_ATTENTION
    assert world.requests() == 1


def test_reading_8_a_discarded_effect_may_run_again_beside_its_evidence(world: World) -> None:
    world.dies(one_charge(OPAQUE), Place.PREPARED)
    world.resume(one_charge(OPAQUE))
    [row] = world.rows()
    with world.journal() as journal:
        journal.resolve(row.row_id, Resolution.DISCARDED, by="ann", note="not in the target's list")
    assert world.resume(one_charge(OPAQUE)).exit_code is ExitCode.COMPLETED
    assert world.effects() == 1
    assert world.events()[-5:] == [
        "run:resumed",
        "node:started",
        "tool:result",
        "node:completed",
        "run:completed",
    ]


def test_reading_7_an_accepted_effect_without_its_result_still_blocks_until_it_is_attached(
    world: World,
) -> None:
    world.dies(one_charge(OPAQUE), Place.ANSWERED)
    assert "then resolve the effect" in world.resume(one_charge(OPAQUE)).remedy
    [row] = world.rows()
    with world.journal() as journal:
        journal.resolve(row.row_id, Resolution.ACCEPTED, by="ann", note="seen in the target's list")
    blocked = world.resume(one_charge(OPAQUE))
    assert blocked.exit_code is ExitCode.EFFECT_ATTENTION
    assert "attach the result" in blocked.remedy
    assert "resolve" not in blocked.remedy

    with world.journal() as journal:
        journal.attach(row.row_id, Attachment({"effect": 41}), by="ann")
    assert world.resume(one_charge(OPAQUE)).exit_code is ExitCode.COMPLETED
    assert world.outputs()[-1] == {"effect": 41}
    assert world.effects() == 1


def small(tool: Tool) -> Job:
    """A job whose results are too large to be retained."""
    return one_charge(msgspec.structs.replace(tool, retention=8))


@pytest.mark.parametrize("tool", TIERS)
def test_g5_a_result_too_large_to_keep_does_not_stop_the_live_run(world: World, tool: Tool) -> None:
    assert world.run(small(tool)).exit_code is ExitCode.COMPLETED
    assert world.effects() == 1


@pytest.mark.parametrize(
    ("tool", "exit_code", "requests"),
    [
        (KEYED, ExitCode.COMPLETED, 2),
        (QUERYABLE, ExitCode.EFFECT_ATTENTION, 1),
        (OPAQUE, ExitCode.EFFECT_ATTENTION, 1),
    ],
)
def test_g3_a_resume_meets_a_committed_effect_whose_result_was_not_kept(
    world: World, tool: Tool, exit_code: ExitCode, requests: int
) -> None:
    world.dies(small(tool), Place.SETTLED)
    assert world.resume(small(tool)).exit_code is exit_code
    assert (world.effects(), world.requests()) == (1, requests)


def test_g8_another_question_at_the_slot_is_refused_and_the_row_stays_as_it_is(
    world: World,
) -> None:
    asking = job(OPAQUE, node(play(reply(charge(1))), play(reply(charge(2)))))
    world.dies(asking, Place.RESULT_EMITTED)
    before = world.rows()

    ended = world.resume(asking, play=1)

    assert (ended.exit_code, ended.error_code, ended.rows) == (
        ExitCode.EFFECT_ATTENTION,
        ErrorCode.EFFECT_NEEDS_ATTENTION,
        (before[0].row_id,),
    )
    assert "(G-8)" in ended.remedy
    assert world.rows() == before
    assert world.events()[-3:] == ["run:resumed", "node:started", "run:failed"]
    assert world.requests() == 1
    assert world.resume(asking).exit_code is ExitCode.COMPLETED


def test_g8_the_same_call_put_elsewhere_is_not_sent_a_second_time(world: World) -> None:
    moved = job(
        OPAQUE,
        Node(id="pay", plays=(play(reply(charge())), play(reply(LOOK, charge())))),
    )
    world.dies(moved, Place.RESULT_EMITTED)
    assert world.resume(moved, play=1).exit_code is ExitCode.EFFECT_ATTENTION
    assert world.requests() == 1


def test_g12_a_node_that_does_not_send_its_pending_retry_does_not_complete(world: World) -> None:
    asking = job(KEYED, node(play(reply(charge())), play(reply())))
    world.dies(asking, Place.ANSWERED)
    ended = world.resume(asking, play=1)
    assert ended.error_code is ErrorCode.EFFECT_NEEDS_ATTENTION
    assert "a resume sends the same call again under its key" in ended.remedy
    assert world.resume(asking).exit_code is ExitCode.COMPLETED
    assert world.effects() == 1


def test_reading_19_a_run_that_fails_beside_an_open_effect_stays_resumable(world: World) -> None:
    failing = job(KEYED, node(play(reply(charge())), play(ProviderError(message="down"))))
    world.dies(failing, Place.ANSWERED)
    ended = world.resume(failing, play=1)
    [row] = world.rows()
    assert (ended.exit_code, ended.error_code, ended.rows) == (
        ExitCode.EFFECT_ATTENTION,
        ErrorCode.EFFECT_NEEDS_ATTENTION,
        (row.row_id,),
    )
    assert world.resume(failing).exit_code is ExitCode.COMPLETED
    assert world.effects() == 1


# ── endings ──────────────────────────────────────────────────────────────────────────────────────


def test_a2_a_terminal_that_cannot_be_written_is_exit_5_and_the_resume_writes_it(
    world: World,
) -> None:
    ended = world.run(one_charge(OPAQUE), Process(fails=(Failable.TERMINAL_WRITE,)))
    assert (ended.exit_code, ended.error_code) == (ExitCode.TERMINAL_HELD, None)
    assert "a terminal_write was made to fail" in ended.remedy
    assert "start again: it is retried by itself" in ended.remedy
    assert world.events()[-1] == "node:completed"
    assert world.resume(one_charge(OPAQUE)).exit_code is ExitCode.COMPLETED
    assert world.events()[-1] == "run:completed"
    assert world.effects() == 1


@pytest.mark.parametrize("place", [Place.TERMINAL_WRITTEN, Place.SWEEP_OPEN])
def test_r2_a_resume_of_an_ended_run_finishes_its_sweep_and_does_nothing_else(
    world: World, place: Place
) -> None:
    world.dies(one_charge(OPAQUE), place)
    assert len(world.rows()) == 1
    events = world.events()
    assert world.resume(one_charge(OPAQUE)).exit_code is ExitCode.COMPLETED
    assert world.rows() == ()
    assert (world.events(), world.effects(), world.generation()) == (events, 1, 1)


def test_r2_a_run_that_failed_is_over_with_the_exit_code_it_had(world: World) -> None:
    failing = job(OPAQUE, node(play(ProviderError(message="down"))))
    assert world.run(failing).exit_code is ExitCode.FAILED
    ended = world.resume(failing)
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, ErrorCode.NODE_FAILED)


def test_reading_6_a_closed_run_is_over_although_it_needed_attention(world: World) -> None:
    world.account.script(Drop(Moment.AFTER_EFFECT))
    world.run(one_charge(OPAQUE))
    with world.journal() as journal:
        journal.close_run("run-1", by="ann")
    ended = world.resume(one_charge(OPAQUE))
    assert (ended.exit_code, ended.error_code, ended.rows) == (ExitCode.COMPLETED, None, ())
    assert [row.state for row in world.rows()] == [State.AMBIGUOUS]


def test_reading_17_a_completed_run_that_never_delivered_an_effect_needs_attention(
    world: World,
) -> None:
    forgetful = job(OPAQUE, node(play(reply(charge())), play(reply())))
    world.dies(forgetful, Place.RESULT_EMITTED)
    [row] = world.rows()

    for _ in range(2):
        ended = world.resume(forgetful, play=1)
        assert (ended.exit_code, ended.error_code, ended.rows) == (
            ExitCode.EFFECT_ATTENTION,
            None,
            (row.row_id,),
        )
        assert "then close the run" in ended.remedy
        assert world.events()[-2:] == ["node:completed", "run:completed"]
        assert [row.row_id for row in world.rows()] == [row.row_id]

    with world.journal() as journal:
        journal.close_run("run-1", by="ann")
    assert world.resume(forgetful).exit_code is ExitCode.COMPLETED


# ── the budget (§13) ─────────────────────────────────────────────────────────────────────────────


def test_b2_the_first_egress_pauses_and_an_approval_runs_the_node(world: World) -> None:
    dear = job(OPAQUE, node(play(reply(charge(), cost=5))), budget=3)
    assert world.run(dear).exit_code is ExitCode.PAUSED
    assert world.events() == ["run:started", "node:started", "run:paused"]
    assert world.resume(dear, approve=1).exit_code is ExitCode.PAUSED
    assert world.effects() == 0
    assert world.resume(dear, approve=1).exit_code is ExitCode.COMPLETED
    assert world.effects() == 1


def test_b1_from_the_second_egress_on_the_node_fails_closed(world: World) -> None:
    rounds = play(reply(charge(), cost=2), reply(charge(2), cost=2))
    ended = world.run(job(OPAQUE, node(rounds, attempts=3), budget=3))
    assert (ended.exit_code, ended.error_code) == (ExitCode.FAILED, ErrorCode.BUDGET_EXCEEDED)
    assert world.events()[-2:] == ["node:failed", "run:failed"]
    assert world.requests() == 1


def test_b1_what_a_process_spent_counts_for_its_successors(world: World) -> None:
    dear = job(KEYED, node(play(reply(charge(), cost=2))), budget=3)
    world.dies(dear, Place.ANSWERED)
    assert world.resume(dear).exit_code is ExitCode.PAUSED


def test_g13_an_approval_passes_the_gate_like_any_resume(world: World) -> None:
    dear = job(OPAQUE, node(play(reply(charge(), cost=2))), budget=3)
    world.dies(dear, Place.ANSWERED)
    ended = world.resume(dear, approve=10)
    assert ended.exit_code is ExitCode.EFFECT_ATTENTION
    assert world.requests() == 1


# ── how a deviation is put in ────────────────────────────────────────────────────────────────────


def test_a_replaced_part_of_the_conduct_is_the_one_that_acts(world: World) -> None:
    class Twice(Dispatcher):
        def send(self, resolved: ResolvedCall, dispatch: Dispatch) -> Sent:
            super().send(resolved, dispatch)
            return super().send(resolved, dispatch)

    with world.engine(one_charge(OPAQUE), conduct=replace(CONDUCT, dispatcher=Twice)) as engine:
        engine.run("owner")
    assert world.effects() == 2
