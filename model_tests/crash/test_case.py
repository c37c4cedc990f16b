"""A case is a pass only if its scenario happened, to the letter, and every fact is as expected."""

from collections.abc import Callable
from pathlib import Path

import pytest

from effectcrash.adapter import LIMITS, Adapter, Limits
from effectcrash.case import Assertion, Case, expect
from effectcrash.examinable import Stage
from effectcrash.facts import count_of, effects, ending, output, sent, states
from effectcrash.results import CaseResult
from effectcrash.target_process import TargetProcess
from effectcrash.telling import (
    FIRST,
    KEYED,
    OPAQUE,
    SECOND,
    A,
    Promise,
    Steps,
    calls,
    killed_at,
    killed_by_target,
    paying,
    resumed,
    start,
)
from effectspec.attention import ExitCode
from effectspec.lifecycle import State
from effectspec.points import Failable, Failure, Place
from effectspec.scenario import Release, Run, Scenario, TakeOver
from effectspec.verdict import Verdict

Script = Callable[[str], tuple[str, ...]]
Examine = Callable[..., CaseResult]

COMPLETES = "welcome(); serve(run=COMPLETED, resume=COMPLETED)"
SAID_COMPLETED = '{"type":"ended","exit_code":0,"error_code":null,"remedy":"","rows":[]}'
REACHES = "{'type': 'reached', 'point': {'place': 'prepared'}}"
PAYS = """
from urllib.request import Request, urlopen

def pay(request):
    for _ in range(TIMES):
        headers = {"Idempotency-Key": "key"}
        urlopen(Request(target + "/payments", b'{"invoice": "A"}', headers, method="POST"))
    return COMPLETED

def opened(request):
    global target
    target = request["target"]
    return {"type": "done"}

welcome(); serve(open=opened, run=pay, resume=COMPLETED)
"""
"""An implementation without a journal: it pays when it is run, and forgets."""

PAYS_ONCE = f"TIMES = 1; {PAYS}"
PAYS_TWICE = f"TIMES = 2; {PAYS}"

AT_PREPARED = killed_at(Place.PREPARED)
RUN: Steps = (start(FIRST), Run(process=FIRST))


@pytest.fixture
def examined(script: Script, target: TargetProcess, tmp_path: Path) -> Examine:
    """Examines the implementation of a script by one case."""

    def by(
        body: str,
        steps: Steps,
        *assertions: Assertion,
        limits: Limits = LIMITS,
        promise: Promise = OPAQUE,
    ) -> CaseResult:
        command = script(body)
        case = Case(
            "C-2/scripted",
            promise.tier,
            Scenario(job=paying(promise, calls(A)), steps=steps),
            assertions,
        )
        with Adapter(command) as adapter:
            welcome = adapter.welcome
        account = target.account(f"account-{tmp_path.name}")
        return case.examine(Stage(command, account, tmp_path / "store", limits), welcome)

    return by


COMPLETED = expect("C-2", ending(FIRST), ExitCode.COMPLETED)
NOTHING_HAPPENED = expect("C-2", effects(), ())


def test_a_pass(examined: Examine) -> None:
    result = examined(COMPLETES, RUN, COMPLETED, NOTHING_HAPPENED)
    assert (result.verdict, result.reason) == (Verdict.PASS, "")
    assert [(each.expected, each.found) for each in result.findings] == [
        ("none", "none"),
        ("exit 0 (completed)", "exit 0 (completed)"),
    ]


def test_what_happened_in_the_world_is_told_first_and_what_a_process_says_last(
    examined: Examine,
) -> None:
    result = examined(
        COMPLETES,
        RUN,
        expect("A-3", ending(FIRST), ExitCode.EFFECT_ATTENTION),
        expect("A-1", count_of("run:failed"), 1),
        expect("S-1", states(), (State.COMMITTED,)),
        expect("T-4", sent(), 1),
        expect("T-4", effects(), ("A",)),
    )
    assert [finding.fact for finding in result.findings] == [
        "effects at the end",
        "requests for an effect at the end",
        "row states at the end",
        "run:failed events at the end",
        "first ends with",
    ]
    assert result.complaints[-1] == (
        "A-3: first ends with: expected exit 7 (effect attention), found exit 0 (completed)"
    )


def test_a_failure_says_what_was_expected_and_what_was_found(examined: Examine) -> None:
    result = examined(PAYS_ONCE, RUN, NOTHING_HAPPENED, expect("T-4", sent(), 1))
    assert result.verdict is Verdict.FAIL
    assert [
        (each.clause, each.fact, each.verdict, each.expected, each.found)
        for each in result.findings
    ] == [
        ("C-2", "effects at the end", Verdict.FAIL, "none", "A"),
        ("T-4", "requests for an effect at the end", Verdict.PASS, "1", "1"),
    ]


def test_a_fact_that_is_not_told_is_unknown(examined: Examine) -> None:
    result = examined(COMPLETES, RUN, COMPLETED, expect("G-7", output(), {}))
    assert result.verdict is Verdict.UNKNOWN
    assert [(each.clause, each.found) for each in result.findings] == [
        ("G-7", "there is no node:completed event"),
        ("C-2", "exit 0 (completed)"),
    ]


# ── not reached ──────────────────────────────────────────────────────────────────────────────────


def test_a_kill_point_that_is_not_reached(examined: Examine) -> None:
    result = examined(COMPLETES, AT_PREPARED, NOTHING_HAPPENED)
    assert result.verdict is Verdict.NOT_REACHED
    assert result.reason == f"first did not stop at prepared #1; it said {SAID_COMPLETED} instead"
    assert result.findings[0].found == "nothing was seen"


def test_a_victim_that_reached_its_point_and_dies_by_itself(examined: Examine) -> None:
    body = f"""
def run(request):
    open(store + ".pid", "w").write(str(os.getpid()))
    say(**{REACHES})
    os._exit(5)

def opened(request):
    global store
    store = request["store"]
    # The second process is there once the first, which it finds, is dead.
    if os.path.exists(store + ".pid"):
        victim = open(store + ".pid").read()
        while open(f"/proc/{{victim}}/stat").read().rpartition(")")[2].split()[0] != "Z":
            pass
    return {{"type": "done"}}

welcome(); serve(open=opened, run=run)
"""
    *run, kill = AT_PREPARED
    result = examined(body, (*run, start(SECOND), kill), NOTHING_HAPPENED)
    assert (result.verdict, result.reason) == (
        Verdict.NOT_REACHED,
        "first exited with status 5, not by the SIGKILL meant for it",
    )


def test_a_victim_that_the_target_never_saw(examined: Examine) -> None:
    result = examined(COMPLETES, killed_by_target(), NOTHING_HAPPENED)
    assert result.verdict is Verdict.NOT_REACHED
    assert result.reason == f"first was not killed by the target: it said {SAID_COMPLETED}"


def test_a_release_from_nowhere(examined: Examine) -> None:
    result = examined(COMPLETES, (*RUN, Release(process=FIRST)), NOTHING_HAPPENED)
    assert result.verdict is Verdict.NOT_REACHED
    assert result.reason.startswith("first waits at no point; it said ")


def test_a_step_of_a_process_that_is_dead(examined: Examine) -> None:
    body = f"welcome(); serve(run={REACHES})"
    result = examined(body, (*AT_PREPARED, Run(process=FIRST)), NOTHING_HAPPENED)
    assert (result.verdict, result.reason) == (
        Verdict.NOT_REACHED,
        "first was killed by SIGKILL before this step",
    )


# ── the kills that count ─────────────────────────────────────────────────────────────────────────


def test_a_victim_at_its_point_is_killed_and_another_goes_on(examined: Examine) -> None:
    body = f"welcome(); serve(run={REACHES}, resume=COMPLETED)"
    resumes = expect("C-2", ending(SECOND), ExitCode.COMPLETED)
    result = examined(body, (*AT_PREPARED, *resumed()), resumes, NOTHING_HAPPENED)
    assert result.verdict is Verdict.PASS


def test_the_target_kills_the_process_that_asks_it(examined: Examine) -> None:
    happened = expect("C-3", effects(), ("A",))
    result = examined(PAYS_ONCE, (*killed_by_target(), *resumed()), happened)
    assert (result.verdict, result.reason) == (Verdict.PASS, "")


# ── what cannot be played ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("hello", "steps", "reason"),
    [
        (
            "welcome(places=[])",
            AT_PREPARED,
            "prepared: the hello of script does not offer it",
        ),
        (
            "welcome(absent=[{'capability': 'prepared', 'reason': 'it has no such moment'}])",
            AT_PREPARED,
            "prepared: it has no such moment",
        ),
        (
            "welcome(profiles=['journal'])",
            RUN,
            "run: the hello of script does not offer it",
        ),
        (
            "welcome(profiles=['run'])",
            (start(FIRST), TakeOver(process=FIRST, owner=FIRST)),
            "journal: the hello of script does not offer it",
        ),
        (
            "welcome()",
            (start(FIRST, failing=(Failure(Failable.SETTLE_WRITE),)), Run(process=FIRST)),
            "settle_write: the hello of script does not offer it",
        ),
        (
            "welcome(absent=[{'capability': 'tier 3', 'reason': 'every tool takes a key'}])",
            RUN,
            "tier 3: every tool takes a key",
        ),
    ],
)
def test_a_missing_capability_is_not_implemented_for_its_reason(
    examined: Examine, hello: str, steps: Steps, reason: str
) -> None:
    result = examined(f"{hello}; serve(run=COMPLETED)", steps, COMPLETED)
    assert (result.verdict, result.reason) == (Verdict.NOT_IMPLEMENTED, reason)


def test_an_operation_that_is_not_supported_is_not_implemented(examined: Examine) -> None:
    error = "{'type': 'error', 'code': 'unsupported', 'message': 'no runs', 'definite': True}"
    result = examined(f"welcome(); serve(run={error})", RUN, COMPLETED)
    assert (result.verdict, result.reason) == (Verdict.NOT_IMPLEMENTED, "no runs")


def test_an_operation_that_is_refused_is_an_answer(examined: Examine) -> None:
    error = "{'type': 'error', 'code': 'refused', 'message': 'not so', 'definite': True}"
    result = examined(f"welcome(); serve(run={error})", RUN, COMPLETED)
    assert (result.verdict, result.findings[0].found) == (Verdict.FAIL, "refused")


def test_a_hanging_implementation_tells_nothing(examined: Examine) -> None:
    body = "welcome(); serve(run=lambda _: signal.pause())"
    result = examined(body, RUN, COMPLETED, limits=Limits(answer=0.3))
    assert result.verdict is Verdict.UNKNOWN
    assert "asked to 'run': no answer within 0.3 s" in result.reason


def test_a_store_that_does_not_open_tells_nothing(examined: Examine) -> None:
    error = "{'type': 'error', 'code': 'store', 'message': 'disk full', 'definite': True}"
    result = examined(f"welcome(); serve(open={error})", RUN, COMPLETED)
    assert (result.verdict, result.reason) == (
        Verdict.UNKNOWN,
        "the store does not open: disk full",
    )


def test_rows_that_cannot_be_read_tell_nothing(examined: Examine) -> None:
    error = "{'type': 'error', 'code': 'store', 'message': 'torn page', 'definite': True}"
    result = examined(f"welcome(); serve(run=COMPLETED, rows={error})", RUN, COMPLETED)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason.startswith('the store cannot be read: {"type":"error","code":"store"')


@pytest.mark.parametrize(("promise", "times"), [(KEYED, ("A",)), (OPAQUE, ("A", "A"))])
def test_the_target_helps_no_more_than_the_tools_tiers_say(
    examined: Examine, promise: Promise, times: tuple[str, ...]
) -> None:
    result = examined(PAYS_TWICE, RUN, expect("T-4", effects(), times), promise=promise)
    assert result.verdict is Verdict.PASS
