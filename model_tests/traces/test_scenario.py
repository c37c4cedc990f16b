"""A trace as a scenario: played, it breaks with the fault what it breaks in the model."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from effectcrash.examinable import Stage
from effectcrash.observation import Observation
from effectcrash.play import play
from effectcrash.target_process import TargetProcess
from effectspec.attention import ErrorCode
from effectspec.model.actions import (
    Arrival,
    Arrive,
    BeginNode,
    Crash,
    EndRun,
    Prepare,
    ReadGate,
    Send,
    Settle,
    TakeOver,
)
from effectspec.model.configuration import QUERYABLE, TWO_OWNERS
from effectspec.model.world import Request, Result
from effectspec.points import Place, Point
from effectspec.protocol import Begun, Code, Error
from effectspec.scenario import (
    Kill,
    Release,
    Resume,
    Run,
    Scenario,
    Start,
    Target,
    TargetAct,
)
from effectspec.settlement import Outcome
from effectspec.traces.scenario import NoScenario, scenario
from effectspec.traces.trace import Trace

FAULTY = Path(__file__).parents[2] / "adapters" / "faulty"
Played = Callable[[Scenario, str | None], Observation]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TargetProcess]:
    """A target in a process of its own."""
    with TargetProcess(tmp_path_factory.mktemp("target") / "ledger.jsonl") as running:
        yield running


@pytest.fixture
def played(target: TargetProcess, tmp_path: Path) -> Played:
    """Plays a scenario against the reference, with the named fault in it."""

    def play_(told: Scenario, fault: str | None) -> Observation:
        reference = ("-m", "effectjournal.adapter")
        adapter = reference if fault is None else (str(FAULTY), fault)
        store = tmp_path / str(fault)
        store.mkdir()
        account = target.account(f"{tmp_path.name}-{fault}")
        return play(told, Stage((sys.executable, *adapter), account, store))

    return play_


@pytest.mark.parametrize(
    ("fault", "world", "sentence"),
    [
        ("opaque-effect-retried", "opaque", "an opaque effect happens at most once"),
        ("same-slot-alone", "oversized", "a keyed effect happens at most once"),
        ("no-receipt-is-absence", "oversized", "a queryable effect happens at most once"),
    ],
)
def test_an_effect_that_happens_twice_in_the_model_happens_twice_in_an_engine(
    found: Callable[..., Trace], played: Played, fault: str, world: str, sentence: str
) -> None:
    told = scenario(found(fault, world, sentence))
    most = [
        max(Counter(str(effect.body) for effect in played(told, each).end.effects).values())
        for each in (None, fault)
    ]
    assert most == [1, 2]


NOTHING = frozenset[str]()
FIRST_CALL = (
    TakeOver("p1", NOTHING),
    ReadGate("p1"),
    BeginNode("p1", "n1"),
    Prepare("p1", "n1", 0, TWO_OWNERS.calls[0]),
    Send("p1", 1),
)
REQUEST = Request(1, "p1", 1, keyed=False, sent_at=0)


def test_an_engine_is_stopped_where_others_act_before_it_goes_on(
    told: Callable[..., Trace],
) -> None:
    trace = told(
        TWO_OWNERS,
        *FIRST_CALL,
        Arrive(REQUEST, Arrival.ANSWERED),
        TakeOver("p2", NOTHING, declared_dead=True),
        Settle("p1", 1, Outcome.DONE, Result.FITS),
    )
    assert scenario(trace).steps == (
        Start(process="p1.1", points=(Point(Place.ANSWERED),)),
        Run(process="p1.1"),
        Start(process="p2.1", points=(Point(Place.TAKEN_OVER),)),
        Resume(process="p2.1", play=1, declared_dead=True),
        Release(process="p1.1"),
    )


def test_a_request_that_arrives_after_a_look_up_is_held_until_then(
    told: Callable[..., Trace],
) -> None:
    call = QUERYABLE.calls[0]
    trace = told(
        QUERYABLE,
        TakeOver("p1", QUERYABLE.reconcilers),
        ReadGate("p1"),
        BeginNode("p1", "n1"),
        Prepare("p1", "n1", 0, call),
        Send("p1", 1),
        Crash("p1"),
        TakeOver("p1", QUERYABLE.reconcilers),
        ReadGate("p1"),
        Arrive(REQUEST, Arrival.ANSWERED),
        EndRun("p1", ErrorCode.EFFECT_NEEDS_ATTENTION),
    )
    assert scenario(trace).steps == (
        Start(process="p1.1"),
        Target(act=TargetAct.HOLD_BEFORE),
        Run(process="p1.1"),
        Target(act=TargetAct.AWAIT_HELD),
        Kill(process="p1.1"),
        Start(process="p1.2"),
        Resume(process="p1.2", play=1),
        Target(act=TargetAct.RELEASE_HELD),
    )


def test_a_journal_is_asked_what_no_engine_can_be_stopped_for(
    told: Callable[..., Trace], played: Played
) -> None:
    """A fence that is unchecked lets a superseded process begin a node (F-2)."""
    trace = told(
        TWO_OWNERS,
        TakeOver("p1", NOTHING),
        ReadGate("p1"),
        TakeOver("p2", NOTHING, declared_dead=True),
        BeginNode("p1", "n1"),
    )
    last = [
        played(scenario(trace), each).lives["p1.1"].answers[-1]
        for each in (None, "fence-unchecked")
    ]
    assert isinstance(last[0], Error)
    assert last[0].code is Code.FENCED
    assert last[1] == Begun(start=1)


def test_what_no_scenario_does_names_the_steps(told: Callable[..., Trace]) -> None:
    trace = told(
        TWO_OWNERS,
        TakeOver("p1", NOTHING),
        ReadGate("p1"),
        TakeOver("p2", NOTHING, declared_dead=True),
        EndRun("p1", None),
    )
    with pytest.raises(NoScenario) as refused:
        scenario(trace)
    assert str(refused.value) == (
        "no engine can be made to do it: step 2 (p1 reads the gate): an engine cannot be stopped "
        "right after it; nor can it be asked of a journal alone: step 4 (p1 completes the run): "
        "a journal has no operation for it"
    )
