"""The adapter as a process of its own: real lines in, real lines out."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import pytest

from effectcrash.account import Account
from effectcrash.control import Drop, Moment
from effectjournal.adapter import VERSION
from effectjournal.journal import DATABASE
from effectspec.admission import Admission
from effectspec.attention import ErrorCode, ExitCode
from effectspec.gate import GateVerdict
from effectspec.journaling import ToolKind
from effectspec.json_value import Json
from effectspec.lifecycle import Resolution, State
from effectspec.points import Failable, Failure, Place, Point
from effectspec.protocol import (
    MESSAGE_LIMIT,
    PROTOCOL_VERSION,
    Answer,
    Attach,
    BeginNode,
    Begun,
    Bye,
    Claim,
    Claimed,
    Classified,
    Classify,
    Close,
    Code,
    CompleteNode,
    Digest,
    Digested,
    Done,
    Ended,
    Error,
    Events,
    FenceToken,
    Gated,
    Hello,
    Judged,
    NodeEnded,
    Open,
    Owned,
    Prepare,
    Prepared,
    Profile,
    Reached,
    ReadEvents,
    ReadGate,
    ReadRows,
    Release,
    Request,
    Resolve,
    ResumeJob,
    Rows,
    RunJob,
    Settle,
    Settled,
    Sweep,
    Swept,
    TakeOver,
    Welcome,
    decode_answer,
    encode,
)
from effectspec.scenario import Call, Job, Node, Play, Reply, Tool
from effectspec.settlement import Outcome, Settlement
from effectspec.tiers import Tier

SECONDS = 60
"""Bounds the wait for a process that should end at once; none should come near it."""

POST: dict[str, Json] = {"method": "POST", "path": "/orders", "body": {"amount": 12}}

_T = TypeVar("_T")


def paying(tier: Tier = Tier.OPAQUE, *, reconciler: bool = True) -> Job:
    tool = Tool(id="charge", kind=ToolKind.HTTP_REQUEST, tier=tier, reconciler=reconciler)
    call = Call(tool="charge", arguments=POST, call_id="call-1")
    play = Play(rounds=(Reply(calls=(call,)),))
    node = Node(id="pay", plays=(play,), mapping={"effect": "/effect"})
    return Job(run_id="run-1", tools=(tool,), nodes=(node,))


class Line:
    """The harness's end of one adapter."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "effectjournal.adapter"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin = self.process.stdin
        self.stdout = self.process.stdout

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()

    def write(self, line: bytes) -> None:
        self.stdin.write(line)
        self.stdin.flush()

    def read(self) -> Answer:
        return decode_answer(self.stdout.readline())

    def ask(self, request: Request, kind: type[_T]) -> _T:
        """Send a request; its answer, which must be of this kind."""
        self.write(encode(request))
        answer = self.read()
        assert isinstance(answer, kind), answer
        return answer

    def end(self) -> tuple[bytes, bytes, int]:
        """Close the line; what was left on it, what was complained of, and the exit status."""
        out, err = self.process.communicate(timeout=SECONDS)
        return out, err, self.process.returncode


@pytest.fixture
def spawn(folder: Path, account: Account) -> Iterator[Callable[..., Line]]:
    """Starts adapters on one store and one account."""
    with ExitStack() as lines:

        def start(
            *,
            points: tuple[Point, ...] = (),
            failures: tuple[Failure, ...] = (),
            clock_offset_s: int = 0,
        ) -> Line:
            line = lines.enter_context(closing(Line()))
            line.ask(
                Open(
                    store=str(folder),
                    target=account.url,
                    points=points,
                    failures=failures,
                    clock_offset_s=clock_offset_s,
                ),
                Done,
            )
            return line

        yield start


Spawn = Callable[..., Line]


# ── the line ─────────────────────────────────────────────────────────────────────────────────────


def test_the_hello_names_the_spawned_process_and_what_it_offers() -> None:
    with closing(Line()) as line:
        welcome = line.ask(Hello(), Welcome)
    assert (welcome.pid, welcome.protocol) == (line.process.pid, PROTOCOL_VERSION)
    assert welcome.profiles == tuple(Profile)
    assert (welcome.places, welcome.failables) == (tuple(Place), tuple(Failable))
    assert welcome.absent == ()


def test_the_version_it_states_is_the_distributions() -> None:
    assert version("effectspec") == VERSION


def test_an_argument_on_the_command_line_is_a_wrong_invocation() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "effectjournal.adapter", "--verbose"],
        capture_output=True,
        check=False,
        timeout=SECONDS,
    )
    assert (ended.returncode, ended.stdout) == (ExitCode.WRONG_INVOCATION, b"")
    assert ended.stderr.count(b"\n") == 1
    assert b"'--verbose'" in ended.stderr


def test_another_protocol_is_refused() -> None:
    with closing(Line()) as line:
        error = line.ask(Hello(protocol=2), Error)
    assert (error.code, error.definite) == (Code.UNSUPPORTED, True)


def test_the_end_of_the_line_ends_the_process_without_a_word() -> None:
    with closing(Line()) as line:
        assert line.end() == (b"", b"", 0)


def test_bye_is_answered_and_ends_the_process_without_a_word(spawn: Spawn) -> None:
    line = spawn()
    line.ask(Bye(), Done)
    assert line.end() == (b"", b"", 0)


@pytest.mark.parametrize(
    "bad",
    [
        b"\n",
        b"hello\n",
        b"{}\n",
        b'{"type":"hallo"}\n',
        b'{"type":"hello","protocol":1,"more":1}\n',
        b'{"type":"digest","arguments":{"a":"\xff"}}\n',
        b'{"type":"digest","arguments":{"a":"\x00"}}\n',
        rb'{"type":"digest","arguments":{"a":"\ud800"}}' + b"\n",
        b'{"type":"digest","arguments":{"a":' + b"9" * 5000 + b"}}\n",
        b'{"type":"digest","arguments":{"a":' + b"[" * 900 + b"]" * 900 + b"}}\n",
        b"[" * 100_000 + b"\n",
        b" " * MESSAGE_LIMIT + b'{"type":"hello"}\n',
    ],
    ids=[
        "empty",
        "no json",
        "no type",
        "unknown",
        "unknown field",
        "no text",
        "NUL",
        "half a pair",
        "huge",
        "deep",
        "deeper",
        "long",
    ],
)
def test_a_bad_line_is_answered_with_an_error_and_the_next_one_is_served(bad: bytes) -> None:
    with closing(Line()) as line:
        line.write(bad)
        error = line.read()
        assert isinstance(error, Error)
        assert (error.code, error.definite) == (Code.BAD_REQUEST, True)
        assert error.message.endswith(
            "; send one JSON object a line, as effectspec/schema/protocol-1.request.json "
            "describes it"
        )
        assert line.ask(Hello(), Welcome).protocol == PROTOCOL_VERSION
        assert line.end() == (b"", b"", 0)


@pytest.mark.parametrize(
    ("request_", "place"),
    [
        (Attach(row_id=-1, result=1, by="ann"), "`$.row_id`"),
        (Attach(row_id=2**63, result=1, by="ann"), "`$.row_id`"),
        (Resolve(row_id=1, resolution=Resolution.ACCEPTED, by="", note="n"), "`$.by`"),
        (Open(store="a\0b", target="http://h/a"), "`$.store`"),
        (Open(store="", target="http://h/a"), "`$.store`"),
        (Open(store="s", target="http://h/a", clock_offset_s=2**62), "`$.clock_offset_s`"),
        (Open(store="s", target="http://h/a", points=(Point(Place.SETTLED, 0),)), "occurrence`"),
        (RunJob(job=paying(), owner=""), "`$.owner`"),
        (ResumeJob(job=paying(), owner="a", play=-1), "`$.play`"),
        (ResumeJob(job=paying(), owner="a", approve=-1), "`$.approve`"),
        (ReadRows(run_id=""), "`$.run_id`"),
    ],
)
def test_a_field_that_cannot_be_meant_is_refused_by_its_path(request_: Request, place: str) -> None:
    with closing(Line()) as line:
        error = line.ask(request_, Error)
        assert (error.code, error.definite) == (Code.BAD_REQUEST, True)
        assert place in error.message
        assert line.ask(Hello(), Welcome).protocol == PROTOCOL_VERSION


@pytest.mark.parametrize("request_", [ReadRows(run_id="r"), RunJob(job=paying(), owner="a")])
def test_nothing_is_done_before_a_store_is_open(request_: Request) -> None:
    with closing(Line()) as line:
        error = line.ask(request_, Error)
    assert (error.code, error.definite) == (Code.BAD_REQUEST, True)
    assert "send an open first" in error.message


def test_a_process_opens_one_store(spawn: Spawn, folder: Path) -> None:
    error = spawn().ask(Open(store=str(folder), target="http://h/a"), Error)
    assert error.code is Code.BAD_REQUEST


@pytest.mark.parametrize("target", ["", "ftp://h/a"])
def test_a_target_that_is_no_url_is_refused_at_the_open(folder: Path, target: str) -> None:
    with closing(Line()) as line:
        error = line.ask(Open(store=str(folder), target=target), Error)
    assert error.code is Code.BAD_REQUEST
    assert not folder.exists()


def test_a_store_that_cannot_be_opened_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with closing(Line()) as line:
        error = line.ask(Open(store=str(tmp_path / "taken"), target="http://h/a"), Error)
    assert (error.code, error.definite) == (Code.STORE, True)
    assert str(tmp_path / "taken") in error.message


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("DROP TABLE run_effects", "without its table run_effects"),
        ("ALTER TABLE runs RENAME TO runes", "without its table runs"),
        ("ALTER TABLE nodes RENAME COLUMN output TO result", "without its column nodes.output"),
        ("DROP INDEX effect_identity", "without its index effect_identity"),
        ("PRAGMA user_version = 0", "of no version that exists (0)"),
    ],
)
def test_i5_a_store_that_has_lost_a_part_is_refused_and_the_part_is_named(
    spawn: Spawn, folder: Path, change: str, what: str
) -> None:
    spawn().ask(Bye(), Done)
    file = folder / DATABASE
    with closing(sqlite3.connect(file)) as other:
        other.execute(change)
    with closing(Line()) as line:
        error = line.ask(Open(store=str(folder), target="http://h/a"), Error)
    assert (error.code, error.definite) == (Code.STORE, True)
    assert error.message == (
        f"{file}: an effect journal {what}; restore a copy that is no older than its last run, or "
        "name an empty folder and look at the target for what its runs did"
    )


def test_a_table_that_goes_while_the_store_is_open_is_named_with_the_file(
    spawn: Spawn, folder: Path
) -> None:
    line = spawn()
    file = folder / DATABASE
    with closing(sqlite3.connect(file)) as other:
        other.execute("DROP TABLE run_effects")
    error = line.ask(ReadRows(run_id="run-1"), Error)
    assert (error.code, error.definite) == (Code.STORE, True)
    assert error.message.startswith(
        f"{file}: changed by something else (no such table: run_effects); restore a copy"
    )


def test_a_release_without_a_point_is_refused() -> None:
    with closing(Line()) as line:
        assert line.ask(Release(), Error).code is Code.BAD_REQUEST


# ── what needs no store ──────────────────────────────────────────────────────────────────────────


def test_x2_a_digest_is_the_one_that_rfc_8785_and_sha_256_give() -> None:
    with closing(Line()) as line:
        digested = line.ask(
            Digest(arguments={"b": 1.0, "a": [True], "pin": "1234"}, secret_keys=("pin",)), Digested
        )
        refused = line.ask(Digest(arguments={"a": 2**60}), Error)
    # printf '{"a":[true],"b":1}' | sha256sum
    assert digested.digest == (
        "v5:708747538ba81fd60b5aac8c646370de5e24abf70ab1872f67458a5a4f3af05d"
    )
    assert refused.code is Code.BAD_REQUEST


@pytest.mark.parametrize(
    ("kind", "arguments", "journaled", "tier"),
    [
        (ToolKind.HTTP_REQUEST, POST, True, Tier.KEYED),
        (ToolKind.HTTP_REQUEST, {"method": "GET", "path": "/a"}, False, Tier.KEYED),
        (ToolKind.MCP, {}, True, Tier.OPAQUE),
        (ToolKind.NOTIFY, {}, False, Tier.KEYED),
    ],
)
def test_j1_a_call_is_classified(
    kind: ToolKind, arguments: dict[str, Json], journaled: bool, tier: Tier
) -> None:
    with closing(Line()) as line:
        classified = line.ask(
            Classify(tool=Tool(id="t", kind=kind, tier=Tier.KEYED), arguments=arguments),
            Classified,
        )
    assert classified == Classified(journaled=journaled, tier=tier)


def test_x9_what_an_error_repeats_is_masked() -> None:
    tool = "https://ada:s3cr3t-0f-ada@shop.example"

    with closing(Line()) as line:
        error = line.ask(Classify(tool=Tool(id=tool, kind=ToolKind.READ), arguments={}), Error)

    assert "https://[redacted]@shop.example" in error.message
    assert "s3cr3t" not in error.message


def test_o1_a_call_of_the_wrong_shape_is_not_classified() -> None:
    tool = Tool(id="t", kind=ToolKind.READ)
    with closing(Line()) as line:
        error = line.ask(Classify(tool=tool, arguments={}), Error)
    assert error.code is Code.BAD_REQUEST
    assert "tool 't'" in error.message


def test_t5_only_tier_1_is_claimed_to_be_exactly_once() -> None:
    with closing(Line()) as line:
        words = [line.ask(Claim(tier=tier), Claimed).words for tier in Tier]
    assert words == ["exactly once", "exactly once after reconciliation", "at most once"]


# ── runs ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_run_ends_with_its_exit_code_and_leaves_its_log(spawn: Spawn, account: Account) -> None:
    line = spawn()
    ended = line.ask(RunJob(job=paying(), owner="a"), Ended)
    assert (ended.exit_code, ended.error_code) == (ExitCode.COMPLETED, None)
    log = line.ask(ReadEvents(run_id="run-1"), Events)
    assert [event.name for event in log.events] == [
        "run:started",
        "node:started",
        "tool:result",
        "node:completed",
        "run:completed",
    ]
    assert log.events[2].output == {"effect": 1}
    assert line.ask(ReadRows(run_id="run-1"), Rows).rows == ()
    assert len(account.effects()) == 1


def test_runs_that_cannot_begin_are_errors_that_say_so(spawn: Spawn) -> None:
    line = spawn()
    unknown = line.ask(ResumeJob(job=paying(), owner="a"), Error)
    line.ask(RunJob(job=paying(), owner="a"), Ended)
    again = line.ask(RunJob(job=paying(), owner="a"), Error)
    no_plays = Job(run_id="run-2", tools=(), nodes=(Node(id="n", plays=()),))
    contradictory = line.ask(RunJob(job=no_plays, owner="a"), Error)
    assert [unknown.code, again.code, contradictory.code] == [
        Code.UNKNOWN_RUN,
        Code.REFUSED,
        Code.BAD_REQUEST,
    ]
    assert unknown.definite
    assert again.definite
    assert "resume it" in again.message


def test_a_process_stops_at_its_points_and_goes_on_when_it_is_released(
    spawn: Spawn, account: Account
) -> None:
    points = (Point(Place.PREPARED), Point(Place.SETTLED))
    line = spawn(points=points)
    assert line.ask(RunJob(job=paying(), owner="a"), Reached).point == points[0]
    assert account.effects() == ()
    refused = line.ask(ReadRows(run_id="run-1"), Error)
    assert refused.code is Code.BAD_REQUEST
    assert line.ask(Release(), Reached).point == points[1]
    assert len(account.effects()) == 1
    assert line.ask(Release(), Ended).exit_code is ExitCode.COMPLETED


def test_a_point_may_be_a_later_occurrence(spawn: Spawn, account: Account) -> None:
    job = paying()
    twice = Job(
        run_id="run-1",
        tools=job.tools,
        nodes=(job.nodes[0], Node(id="again", plays=job.nodes[0].plays)),
    )
    point = Point(Place.ANSWERED, 2)
    line = spawn(points=(point,))
    assert line.ask(RunJob(job=twice, owner="a"), Reached).point == point
    assert len(account.effects()) == 2


@pytest.mark.parametrize("place", [Place.PREPARE_OPEN, Place.PREPARED, Place.ANSWERED])
def test_c1_to_c3_a_process_killed_at_a_point_leaves_what_the_matrix_says(
    spawn: Spawn, account: Account, place: Place
) -> None:
    line = spawn(points=(Point(place),))
    line.ask(RunJob(job=paying(), owner="a"), Reached)
    line.process.kill()
    assert line.process.wait(SECONDS) == -signal.SIGKILL

    effects, rows, exit_code = {
        Place.PREPARE_OPEN: (0, 0, ExitCode.COMPLETED),
        Place.PREPARED: (0, 1, ExitCode.EFFECT_ATTENTION),
        Place.ANSWERED: (1, 1, ExitCode.EFFECT_ATTENTION),
    }[place]
    resumed = spawn()
    assert len(account.effects()) == effects
    assert len(resumed.ask(ReadRows(run_id="run-1"), Rows).rows) == rows
    assert resumed.ask(ResumeJob(job=paying(), owner="b"), Ended).exit_code is exit_code


def test_the_end_of_the_line_at_a_point_ends_the_process_without_a_word(spawn: Spawn) -> None:
    line = spawn(points=(Point(Place.PREPARE_OPEN),))
    line.ask(RunJob(job=paying(), owner="a"), Reached)
    assert line.end() == (b"", b"", 0)
    assert spawn().ask(ReadRows(run_id="run-1"), Rows).rows == ()


def test_c8_a_settle_that_fails_is_stopped_at_and_the_run_needs_attention(spawn: Spawn) -> None:
    line = spawn(points=(Point(Place.SETTLE_FAILED),), failures=(Failure(Failable.SETTLE_WRITE),))
    line.ask(RunJob(job=paying(), owner="a"), Reached)
    ended = line.ask(Release(), Ended)
    [row] = line.ask(ReadRows(run_id="run-1"), Rows).rows
    assert (ended.exit_code, ended.error_code) == (
        ExitCode.EFFECT_ATTENTION,
        ErrorCode.EFFECT_NEEDS_ATTENTION,
    )
    assert row.state is State.PREPARED


def test_reading_3_the_clock_is_shifted_as_the_open_says(spawn: Spawn, account: Account) -> None:
    tool = Tool(id="charge", kind=ToolKind.HTTP_REQUEST, tier=Tier.KEYED, key_lifetime_s=3600)
    job = Job(run_id="run-1", tools=(tool,), nodes=paying().nodes)
    account.script(Drop(Moment.AFTER_EFFECT))
    assert spawn().ask(RunJob(job=job, owner="a"), Ended).exit_code is ExitCode.EFFECT_ATTENTION
    later = spawn(clock_offset_s=3600)
    ended = later.ask(ResumeJob(job=job, owner="a"), Ended)
    assert ended.exit_code is ExitCode.EFFECT_ATTENTION
    assert "treated as tier 3: its key may be forgotten" in ended.remedy
    assert len(account.effects()) == 1


def test_f1_a_second_process_is_refused_while_the_owner_lives(spawn: Spawn) -> None:
    owner = spawn(points=(Point(Place.PREPARED),))
    owner.ask(RunJob(job=paying(), owner="a"), Reached)
    other = spawn()
    ended = other.ask(ResumeJob(job=paying(), owner="b"), Ended)
    assert ended.exit_code is ExitCode.OWNED_BY_ANOTHER
    taken = other.ask(ResumeJob(job=paying(), owner="b", declared_dead=True), Ended)
    assert taken.exit_code is ExitCode.EFFECT_ATTENTION
    assert owner.ask(Release(), Ended).exit_code is ExitCode.OWNED_BY_ANOTHER


def test_a5_an_operator_resolves_in_the_process_that_ran_the_run(
    spawn: Spawn, account: Account
) -> None:
    account.script(Drop(Moment.AFTER_EFFECT))
    line = spawn()
    [row_id] = line.ask(RunJob(job=paying(), owner="a"), Ended).rows
    accept = Resolve(row_id=row_id, resolution=Resolution.ACCEPTED, by="ann", note="seen")
    line.ask(accept, Done)
    assert line.ask(accept, Error).code is Code.REFUSED
    line.ask(Attach(row_id=row_id, result={"effect": 1}, by="ann"), Done)
    ended = line.ask(ResumeJob(job=paying(), owner="a"), Ended)
    assert ended.exit_code is ExitCode.COMPLETED
    assert len(account.effects()) == 1


def test_r2_a_closed_run_may_be_swept(spawn: Spawn) -> None:
    line = spawn(points=(Point(Place.SETTLED),))
    line.ask(RunJob(job=paying(), owner="a"), Reached)
    line.process.kill()
    line.process.wait(SECONDS)
    operator = spawn()
    assert operator.ask(Sweep(run_id="run-1"), Swept).deleted == 0
    operator.ask(Close(run_id="run-1", by="ann"), Done)
    assert operator.ask(Sweep(run_id="run-1"), Swept).deleted == 1


# ── the journal's own operations ─────────────────────────────────────────────────────────────────


def own(line: Line, job: Job, owner: str = "a") -> FenceToken:
    return line.ask(TakeOver(job=job, owner=owner), Owned).fence


def prepare(fence: FenceToken, start: int, *, slot: int = 0, amount: int = 12) -> Prepare:
    arguments: dict[str, Json] = {"method": "POST", "path": "/orders", "body": amount}
    return Prepare(
        fence=fence,
        node="pay",
        start=start,
        slot=slot,
        tool="charge",
        arguments=arguments,
        call_id=f"call-{slot}",
    )


def test_the_journals_own_operations_prepare_settle_and_complete(spawn: Spawn) -> None:
    line = spawn()
    fence = own(line, paying(Tier.KEYED))
    assert fence == FenceToken(run_id="run-1", owner="a", generation=1)
    assert line.ask(ReadGate(fence=fence), Gated) == Gated(may_schedule=True, verdicts=())
    start = line.ask(BeginNode(fence=fence, node="pay"), Begun).start
    prepared = line.ask(prepare(fence, start), Prepared)
    assert prepared.admission is Admission.DISPATCH
    assert prepared.key is not None
    assert prepared.row_id is not None
    settle = Settle(fence=fence, row_id=prepared.row_id, outcome=Outcome.DONE, result={"effect": 9})
    assert line.ask(settle, Settled) == Settled(settlement=Settlement.COMMIT, state=State.COMMITTED)
    assert line.ask(settle, Settled).settlement is Settlement.ALIKE
    completed = line.ask(CompleteNode(fence=fence, node="pay", start=start), NodeEnded)
    assert completed == NodeEnded(completed=True, rows=())
    [*_, event] = line.ask(ReadEvents(run_id="run-1"), Events).events
    assert (event.name, event.output) == ("node:completed", {"effect": 9})


def test_the_points_of_the_journal_fire_in_its_own_operations(spawn: Spawn) -> None:
    line = spawn(points=(Point(Place.TAKEN_OVER), Point(Place.GATE_READ), Point(Place.PREPARED)))
    line.ask(TakeOver(job=paying(), owner="a"), Reached)
    fence = line.ask(Release(), Owned).fence
    line.ask(ReadGate(fence=fence), Reached)
    line.ask(Release(), Gated)
    start = line.ask(BeginNode(fence=fence, node="pay"), Begun).start
    line.ask(prepare(fence, start), Reached)
    assert line.ask(Release(), Prepared).admission is Admission.DISPATCH


def test_g4_a_successor_is_told_what_the_gate_says_and_whom_it_trusts(spawn: Spawn) -> None:
    job = paying(Tier.QUERYABLE, reconciler=False)
    first = spawn()
    fence = own(first, job)
    start = first.ask(BeginNode(fence=fence, node="pay"), Begun).start
    row_id = first.ask(prepare(fence, start), Prepared).row_id
    assert row_id is not None
    first.process.kill()
    first.process.wait(SECONDS)

    second = spawn()
    gated = second.ask(ReadGate(fence=own(second, job, "b")), Gated)
    assert gated == Gated(
        may_schedule=False,
        verdicts=(
            Judged(
                row_id=row_id,
                verdict=GateVerdict.ATTENTION,
                declared=Tier.QUERYABLE,
                effective=Tier.OPAQUE,
            ),
        ),
    )


def test_c7_of_two_processes_that_hold_one_fence_one_prepares_and_one_is_refused(
    spawn: Spawn,
) -> None:
    first, second = spawn(), spawn()
    fence = own(first, paying())
    start = first.ask(BeginNode(fence=fence, node="pay"), Begun).start
    row_id = first.ask(prepare(fence, start), Prepared).row_id
    refused = second.ask(prepare(fence, start), Prepared)
    assert (refused.admission, refused.clause, refused.row_id) == (
        Admission.REFUSE,
        "I-5",
        row_id,
    )


def test_g6_a_replay_is_delivered_as_it_was_recorded_and_completes_its_node(spawn: Spawn) -> None:
    first = spawn()
    fence = own(first, paying())
    start = first.ask(BeginNode(fence=fence, node="pay"), Begun).start
    row_id = first.ask(prepare(fence, start), Prepared).row_id
    assert row_id is not None
    first.ask(
        Settle(fence=fence, row_id=row_id, outcome=Outcome.DONE, result={"effect": 9}), Settled
    )
    first.process.kill()
    first.process.wait(SECONDS)

    second = spawn()
    fence = own(second, paying(), "b")
    start = second.ask(BeginNode(fence=fence, node="pay"), Begun).start
    other = second.ask(prepare(fence, start, slot=1, amount=13), Prepared)
    assert (other.admission, other.clause) == (Admission.REFUSE, "G-8")
    replayed = second.ask(prepare(fence, start), Prepared)
    assert (replayed.admission, replayed.row_id) == (Admission.REPLAY, row_id)
    assert replayed.delivery is not None
    assert replayed.delivery.output == {"effect": 9}
    second.ask(CompleteNode(fence=fence, node="pay", start=start), NodeEnded)
    [*_, event] = second.ask(ReadEvents(run_id="run-1"), Events).events
    assert event.output == {"effect": 9}


def test_f2_a_stale_fence_is_refused_and_says_that_nothing_was_changed(spawn: Spawn) -> None:
    first, second = spawn(), spawn()
    stale = own(first, paying())
    second.ask(TakeOver(job=paying(), owner="b", declared_dead=True), Owned)
    error = first.ask(BeginNode(fence=stale, node="pay"), Error)
    assert (error.code, error.definite) == (Code.FENCED, True)


def test_a_fence_of_a_run_that_nobody_took_over_is_unknown(spawn: Spawn) -> None:
    fence = FenceToken(run_id="nobody's", owner="a", generation=1)
    assert spawn().ask(ReadGate(fence=fence), Error).code is Code.UNKNOWN_RUN


def test_x1_what_a_take_over_leaves_for_other_processes_holds_no_arguments(
    spawn: Spawn, folder: Path
) -> None:
    secret = "pa55word-in-a-call"  # noqa: S105  (looked for, not used)
    call = Call(tool="charge", arguments={"pin": secret}, call_id="c")
    node = Node(id="pay", plays=(Play(rounds=(Reply(calls=(call,)),)),))
    line = spawn()
    own(line, Job(run_id="run-1", tools=paying().tools, nodes=(node,)))
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(b'"charge"' in path.read_bytes() for path in files)
    assert not [path for path in files if secret.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("chrage", POST, "'charge'"),
        ("charge", {"method": "POST"}, "`path`"),
        ("charge", {"method": "GET", "path": "/a"}, "not journaled"),
    ],
)
def test_o1_what_no_prepare_can_mean_is_refused_and_names_why(
    spawn: Spawn, tool: str, arguments: dict[str, Json], named: str
) -> None:
    line = spawn()
    fence = own(line, paying())
    error = line.ask(
        Prepare(
            fence=fence, node="pay", start=1, slot=0, tool=tool, arguments=arguments, call_id="c"
        ),
        Error,
    )
    assert (error.code, error.definite) == (Code.BAD_REQUEST, True)
    assert named in error.message


def test_a_node_that_the_job_does_not_have_is_refused_and_the_known_ones_are_named(
    spawn: Spawn,
) -> None:
    line = spawn()
    error = line.ask(BeginNode(fence=own(line, paying()), node="pya"), Error)
    assert error.code is Code.BAD_REQUEST
    assert "'pay'" in error.message
