"""What docs/traces.md shows is what comes out; run this file to write the page anew."""

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Final

from effectcrash.adapter import Adapter
from effectcrash.case import Case, expect
from effectcrash.examinable import Stage
from effectcrash.facts import effects, ending, states
from effectcrash.results import CaseResult
from effectcrash.target_process import TargetProcess
from effectspec import scenario
from effectspec.attention import ExitCode
from effectspec.faults import fault
from effectspec.lifecycle import State
from effectspec.model.actions import (
    Action,
    Arrival,
    Arrive,
    BeginNode,
    Crash,
    Prepare,
    ReadGate,
    Send,
    TakeOver,
)
from effectspec.model.configuration import OPAQUE
from effectspec.model.variant import under
from effectspec.model.world import Request, World
from effectspec.tiers import Tier
from effectspec.traces.itf import decode, encode
from effectspec.traces.mermaid import mermaid
from effectspec.traces.replay import follow
from effectspec.traces.scenario import scenario as as_scenario
from effectspec.traces.text import text
from effectspec.traces.trace import Trace, TraceStep
from effectspec.verdict import Verdict

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "traces.md"
FAULT: Final = "opaque-effect-retried"
FILE: Final = ROOT / "docs" / "traces" / f"{FAULT}.itf.json"


def effect(generation: int) -> tuple[Action, ...]:
    """A process takes over, and its call is done and answered."""
    return (
        TakeOver("p1", frozenset()),
        ReadGate("p1"),
        BeginNode("p1", "n1"),
        Prepare("p1", "n1", 0, OPAQUE.calls[0]),
        Send("p1", 1),
        Arrive(
            Request(1, "p1", generation, keyed=False, sent_at=0),
            Arrival.ANSWERED,
        ),
    )


def example() -> Trace:
    """One of the shortest ways to a second effect: which one the explorer finds is up to chance."""
    model = under(fault(FAULT), OPAQUE)
    world, steps = World(), []
    for action in (*effect(1), Crash("p1"), *effect(2)):
        world, answer = model.step(world, action)
        steps.append(TraceStep(action, answer, world))
    return Trace(OPAQUE, FAULT, "an opaque effect happens at most once", "T-4", tuple(steps))


def played(told: scenario.Scenario) -> dict[str, CaseResult]:
    """What the harness finds when the reference plays it, and when the fault is in it."""
    case = Case(
        f"C-3/{FAULT}",
        Tier.OPAQUE,
        told,
        (
            expect("T-4", effects(), ('"A"',)),
            expect("C-3", states(), (State.NEEDS_ATTENTION,)),
            expect("G-4", ending("p1.2"), ExitCode.EFFECT_ATTENTION),
        ),
    )
    adapters = {
        "the reference": (sys.executable, "-m", "effectjournal.adapter"),
        "with the fault": (sys.executable, str(ROOT / "adapters" / "faulty"), FAULT),
    }
    results = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        TargetProcess(Path(folder) / "ledger.jsonl") as target,
    ):
        for number, (name, command) in enumerate(adapters.items()):
            store = Path(folder) / str(number)
            store.mkdir()
            with Adapter(command) as adapter:
                welcome = adapter.welcome
            stage = Stage(command, target.account(str(number)), store)
            results[name] = case.examine(stage, welcome)
    return results


def blocks(trace: Trace, results: dict[str, CaseResult]) -> dict[str, str]:
    """What stands in each place of the page."""
    state = json.loads(encode(trace))["states"][1]
    variables = ",\n ".join(f"{json.dumps(name)}: {json.dumps(it)}" for name, it in state.items())
    told = json.loads(scenario.encode(as_scenario(trace)))
    steps = "\n".join(map(json.dumps, told["steps"]))
    return {
        "text": fenced("", text(trace)),
        "mermaid": fenced("mermaid", mermaid(trace)),
        "itf": fenced("json", f"{{{variables}}}\n"),
        "scenario": fenced("", f"{steps}\n"),
        "played": table(results),
    }


def fenced(language: str, lines: str) -> str:
    return f"```{language}\n{lines}```\n"


def table(results: dict[str, CaseResult]) -> str:
    """A row a fact: what is expected, and what each implementation showed."""
    findings = zip(*(result.findings for result in results.values()), strict=True)
    rows = [
        ("clause", "what is asked", "expected", *results),
        ("---",) * (3 + len(results)),
        *(
            (first.clause, first.fact, first.expected, *(each.found for each in (first, *others)))
            for first, *others in findings
        ),
        ("", "verdict", "", *(result.verdict.value for result in results.values())),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def filled(page: str, shown: dict[str, str]) -> str:
    """The page with every place filled."""
    for name, lines in shown.items():
        page, places = re.subn(
            rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)",
            lambda place, lines=lines: f"{place[1]}{lines}{place[2]}",  # type: ignore[misc]  # mypy infers no type of a default
            page,
            flags=re.DOTALL,
        )
        assert places == 1, name
    return page


def test_the_stored_trace_is_the_model_s_and_written_as_it_would_be_now() -> None:
    trace = decode(FILE.read_bytes(), FILE.name)
    follow(trace)
    assert trace == example()
    assert encode(trace) == FILE.read_bytes()


def test_c3_the_page_shows_what_comes_out_and_the_fault_is_seen() -> None:
    trace = example()
    results = played(as_scenario(trace))
    assert [each.verdict for each in results.values()] == [Verdict.PASS, Verdict.FAIL]
    page = PAGE.read_text()
    assert page == filled(page, blocks(trace, results)), f"run {Path(__file__).name} to write it"


if __name__ == "__main__":
    FILE.write_bytes(encode(example()))
    shown = blocks(example(), played(as_scenario(example())))
    PAGE.write_text(filled(PAGE.read_text(), shown))
