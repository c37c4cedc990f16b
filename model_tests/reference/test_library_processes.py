"""The library in processes that are killed, that fork, and in threads that it does not belong to.

The target keeps a ledger of its own: a file with a line for each request that reached it.
"""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import effectjournal
from effectjournal import Misuse, NeedsAttention, Node, Opaque
from effectjournal.journal import Journal
from effectjournal.library.misuse import AfterFork, NoOutcome, WrongThread
from effectspec.attention import ExitCode
from effectspec.lifecycle import State

SECONDS = 60
"""Bounds every wait for a process; none of them should come near it."""

RUN = "order-17"
MAIL = Opaque("mail")

CALLER = """
import os, signal, sys
from pathlib import Path
import effectjournal
from effectjournal import JournalError, Keyed, Lookup, Opaque, Queryable, ReceiptFound

folder, tier, killed = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
ledger = Path(f"{folder}.ledger")

def receipt(reference):
    return ReceiptFound("sent") if reference in ledger.read_text().split() else Lookup.NOTHING

def die(where):
    if killed == where:
        os.kill(os.getpid(), signal.SIGKILL)

TOOLS = {
    "1": Keyed("charge"), "2": Queryable("transfer", query=receipt), "3": Opaque("mail"),
}
HANDLES = {
    "1": lambda effect: effect.key,
    "2": lambda effect: effect.reference,
    "3": lambda effect: "anonymous",
}

def main():
    tool = TOOLS[tier]
    with effectjournal.open(folder) as journal:
        with journal.run("order-17", tools=[tool]) as run:
            with run.node("pay") as node:
                with node.effect(tool, {"amount": 12}) as effect:
                    die("before the call")
                    if not effect.replayed:
                        with ledger.open("a") as out:
                            print(HANDLES[tier](effect), file=out)
                        die("after the call")
                        effect.done("sent")
                die("after the settle")
                print(effect.value)
            die("after the node")

ledger.touch()
try:
    main()
except JournalError as error:
    print(error, file=sys.stderr)
    sys.exit(effectjournal.exit_code(error))
"""


class Caller:
    """A process that pays once, and the ledger of the target that it pays."""

    def __init__(self, folder: Path, tier: int) -> None:
        self.folder = folder
        self.tier = tier

    def run(self, killed: str = "never") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", CALLER, str(self.folder), str(self.tier), killed],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def kill(self, where: str) -> None:
        assert self.run(killed=where).returncode == -signal.SIGKILL

    def requests(self) -> list[str]:
        return Path(f"{self.folder}.ledger").read_text().split()

    def rows(self) -> list[tuple[State, str | None]]:
        with closing(Journal.open(self.folder)) as journal:
            return [(row.state, row.key or row.reference) for row in journal.rows(RUN)]


# Where it is killed and which tier it is → exit code of the next process, requests in all (§12).
KILLS = [
    ("before the call", 1, ExitCode.COMPLETED, 1),
    ("before the call", 2, ExitCode.EFFECT_ATTENTION, 0),
    ("before the call", 3, ExitCode.EFFECT_ATTENTION, 0),
    ("after the call", 1, ExitCode.COMPLETED, 2),
    ("after the call", 2, ExitCode.COMPLETED, 1),
    ("after the call", 3, ExitCode.EFFECT_ATTENTION, 1),
    ("after the settle", 1, ExitCode.COMPLETED, 1),
    ("after the settle", 2, ExitCode.COMPLETED, 1),
    ("after the settle", 3, ExitCode.COMPLETED, 1),
    ("after the node", 1, ExitCode.COMPLETED, 1),
    ("after the node", 2, ExitCode.COMPLETED, 1),
    ("after the node", 3, ExitCode.COMPLETED, 1),
]


@pytest.mark.parametrize(("where", "tier", "code", "requests"), KILLS)
def test_c9_the_process_after_a_killed_one_keeps_the_promise_of_the_tier(
    folder: Path, where: str, tier: int, code: ExitCode, requests: int
) -> None:
    caller = Caller(folder, tier)
    caller.kill(where)
    again = caller.run()
    assert again.returncode == code
    assert len(caller.requests()) == requests
    assert (again.stdout == "sent\n") is (code is ExitCode.COMPLETED)
    assert ("look at the target first" in again.stderr) is (code is ExitCode.EFFECT_ATTENTION)


def test_t2_a_killed_call_of_tier_1_is_sent_again_under_the_very_same_key(folder: Path) -> None:
    caller = Caller(folder, tier=1)
    caller.kill("after the call")
    ((state, key),) = caller.rows()
    assert caller.run().returncode == ExitCode.COMPLETED
    assert state is State.PREPARED
    assert caller.requests() == [key, key]


def test_a4_a_killed_call_of_tier_3_is_refused_each_time_until_somebody_resolves_it(
    folder: Path,
) -> None:
    caller = Caller(folder, tier=3)
    caller.kill("after the call")
    assert [caller.run().returncode for _ in range(2)] == [ExitCode.EFFECT_ATTENTION] * 2
    with effectjournal.open(folder) as journal:
        journal.operator.resolve(
            1,
            effectjournal.Resolution.ACCEPTED,
            by="ann",
            note="it is in the outbox",
            attached=effectjournal.Attachment("sent"),
        )
    assert caller.run().returncode == ExitCode.COMPLETED
    assert caller.requests() == ["anonymous"]


# ── forks ────────────────────────────────────────────────────────────────────────────────────────

FORKER = """
import json, os, sys
import effectjournal
from effectjournal import Misuse, Opaque
from effectjournal.journal import Journal

folder, conduct = sys.argv[1], sys.argv[2]
mail = Opaque("mail")
words = {}

def main():
    with effectjournal.open(folder) as journal, journal.run("order-17", tools=[mail]) as run:
        with run.node("tell") as node, node.effect(mail, {}) as effect:
            child = os.fork()
            if child:
                words["exit"] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                words["rows"] = [row.state.value for row in journal.operator.rows("order-17")]
                effect.done("from the parent")
            elif conduct == "report":
                effect.done("from the child")
            elif conduct == "prepare":
                with node.effect(mail, {"to": "b"}):
                    pass
            elif conduct == "raise":
                raise ZeroDivisionError
        return effect.value

parent = os.getpid()
try:
    words["value"] = main()
except (Misuse, ZeroDivisionError) as error:
    # An ordinary exit, with everything torn down.
    sys.exit(f"{type(error).__name__}: {error}")
print(json.dumps(words))
"""


@pytest.mark.parametrize(
    ("conduct", "error"),
    [
        ("report", AfterFork.__name__),
        ("prepare", AfterFork.__name__),
        ("leave", AfterFork.__name__),
        ("raise", "ZeroDivisionError"),
    ],
)
def test_a_forked_child_can_do_nothing_and_its_parent_is_unaffected(
    folder: Path, conduct: str, error: str
) -> None:
    forked = subprocess.run(
        [sys.executable, "-c", FORKER, str(folder), conduct],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    assert forked.stderr.startswith(f"{error}:")
    assert json.loads(forked.stdout) == {
        "exit": 1,
        "rows": ["prepared"],
        "value": "from the parent",
    }
    with closing(Journal.open(folder)) as journal:
        assert [event.name for event in journal.events(RUN).events] == [
            "run:started",
            "node:started",
            "node:completed",
            "run:completed",
        ]


# ── threads ──────────────────────────────────────────────────────────────────────────────────────


def in_another_thread(use: Callable[[], object]) -> Misuse | None:
    """What ``use`` raises in a thread of its own."""
    raised: list[Misuse] = []

    def target() -> None:
        try:
            use()
        except Misuse as error:
            raised.append(error)

    thread = threading.Thread(target=target)
    thread.start()
    thread.join(SECONDS)
    return raised[0] if raised else None


def states(folder: Path) -> list[State]:
    with closing(Journal.open(folder)) as journal:
        return [row.state for row in journal.rows(RUN)]


def with_a_node(folder: Path, work: Callable[[Node], None]) -> None:
    with (
        effectjournal.open(folder) as journal,
        journal.run(RUN, tools=[MAIL]) as run,
        run.node("tell") as node,
    ):
        work(node)


def test_a_report_from_another_thread_is_an_error_and_the_row_stays_prepared(
    folder: Path,
) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, {}) as effect:
            error = in_another_thread(lambda: effect.done("sent"))
            assert isinstance(error, WrongThread)
            assert "in the thread that opened it" in str(error)
            assert states(folder) == [State.PREPARED]
            effect.done("sent")

    with_a_node(folder, work)


def test_a_report_only_from_another_thread_leaves_an_ambiguous_effect(folder: Path) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, {}) as effect:
            in_another_thread(lambda: effect.done("sent"))

    with pytest.raises(NeedsAttention) as stopped:
        with_a_node(folder, work)
    assert isinstance(stopped.value.__cause__, NoOutcome)
    assert states(folder) == [State.AMBIGUOUS]


def test_nothing_of_a_journal_can_be_used_from_another_thread(folder: Path) -> None:
    with effectjournal.open(folder) as journal:
        run, operator = journal.run(RUN, tools=[MAIL]), journal.operator
        with run, run.node("tell") as node:
            uses: list[Callable[[], object]] = [
                lambda: journal.operator,
                lambda: operator.rows(RUN),
                lambda: journal.run(RUN, tools=[]),
                journal.close,
                lambda: run.node("other"),
                lambda: node.effect(MAIL, {}),
                node.unjournaled,
                lambda: node.__exit__(None, None, None),
                lambda: run.__exit__(None, None, None),
            ]
            for use in uses:
                assert isinstance(in_another_thread(use), WrongThread)
    assert states(folder) == []
