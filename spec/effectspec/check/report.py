"""Prints what a check found."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from effectspec.check.results import CheckResults, WorldResult
from effectspec.check.run import Explored, Plan
from effectspec.checker.exploration import Limit
from effectspec.terminal import counted
from effectspec.traces.text import text
from effectspec.traces.trace import Trace
from effectspec.verdict import Verdict

STYLES: Final = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.UNKNOWN: "yellow"}

HEADS: Final[Mapping[str, Literal["left", "right"]]] = {
    "world": "left",
    "states": "right",
    "steps": "right",
    "depth": "right",
    "s": "right",
    "states/s": "right",
    "B/state": "right",
    "verdict": "left",
}
"""The columns of the table, which together are no wider than a terminal."""

HOW_TO_GO_ON: Final = {
    Limit.STATES: "give --states more, or leave it out",
    Limit.BYTES: "give --memory more, or leave it out",
    Limit.SECONDS: "give --seconds more, or leave it out",
    Limit.WIDTH: "make the configuration smaller: fewer slots, processes or generations",
}


def report(
    plan: Plan,
    explored: Sequence[Explored],
    traces: Sequence[Trace],
    results: CheckResults,
    console: Console,
) -> None:
    """Print the table of the worlds, the traces of what is broken, and the verdict."""
    console.print(_table(results.worlds))
    for trace in traces:
        *lines, breaks = text(trace).splitlines()
        for line in lines:
            _say(console, line)
        _say(console, f"{breaks}\n", "red")
    for each in explored:
        if each.found.stopped is not None:
            _say(
                console,
                f"{each.name}: unknown: the limit of {each.found.stopped.value} was reached at "
                f"{each.found.states:,} states, depth {each.found.depth}; "
                f"{HOW_TO_GO_ON[each.found.stopped]}",
                STYLES[Verdict.UNKNOWN],
            )
    for line in results.unreached or ():
        _say(console, line, "red")
    if results.unreached == ():
        _say(console, "every action, antecedent, cell and way is reached somewhere", "green")
    states = sum(world.states for world in results.worlds)
    asked = {said.property for world in results.worlds for said in world.said}
    verdict = results.verdict
    _say(
        console,
        f"{counted(len(results.worlds), 'world')}, {states:,} states, "
        f"{len(asked)} {'property' if len(asked) == 1 else 'properties'}"
        f"{'' if plan.fault is None else f', under {plan.fault.name}'}: {verdict.value}",
        STYLES.get(verdict, "red"),
    )


def _table(worlds: Sequence[WorldResult]) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for head, justify in HEADS.items():
        table.add_column(head, justify=justify, no_wrap=True)
    for world in worlds:
        table.add_row(
            world.world,
            f"{world.states:,}",
            f"{world.steps:,}",
            str(world.depth),
            f"{world.seconds:.1f}",
            f"{world.states / world.seconds:,.0f}",
            str(world.bytes // world.states) if world.bytes else "–",
            Text(world.verdict.value, STYLES[world.verdict]),
        )
    return table


def _say(console: Console, line: str, style: str = "") -> None:
    console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)
