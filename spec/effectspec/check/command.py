"""``effectspec check``: explore the worlds of the model, and say of each property if it holds."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console

from effectspec.check.results import CheckResults
from effectspec.check.selection import UnknownName, properties, variant, worlds
from effectspec.junit import TestCase, junit
from effectspec.outputs import NotWritable, opened, refuse_one_for_two
from effectspec.terminal import fail
from effectspec.verdict import Verdict

UNKNOWN: Final = 3
"""The exit status if nothing is broken, and not everything was visited."""

NO_EXPLORER: Final = (
    "the explorer needs networkx, numba and numpy: pip install 'effectspec[explorer]'"
)

NOTHING_TO_ASK: Final = (
    "nothing is asked here: what must come at last is asked of the endless worlds alone, and "
    "everything else of the others; name another world or another property"
)

MIB: Final = 1 << 20

Names = list[str] | None


def check(
    *,
    config: Annotated[
        Names, typer.Option(metavar="NAME", help="Only this world; may be given several times.")
    ] = None,
    named: Annotated[
        Names,
        typer.Option(
            "--property", metavar="NAME", help="Only this property, or those of this clause (T-4)."
        ),
    ] = None,
    fault: Annotated[
        str | None, typer.Option(metavar="NAME", help="Under this fault of the catalogue.")
    ] = None,
    states: Annotated[
        int | None, typer.Option(min=1, help="Stop a world at so many states.")
    ] = None,
    memory: Annotated[
        int | None, typer.Option(min=1, metavar="MIB", help="Stop a world at so much memory.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Stop a world after so much time.")
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the first trace, for `effectspec replay`."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the results as JSON.")
    ] = None,
    xml: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write them as JUnit XML.")
    ] = None,
) -> None:
    """Visit every interleaving of the contract's worlds, and show the shortest way to what breaks.

    Exits 0 if every property holds and everything was reached, 1 if not, 3 if a limit was reached
    before anything broke.
    """
    try:
        chosen = worlds(config or ()), properties(named or ()), variant(fault)
    except UnknownName as error:
        raise fail(str(error)) from None
    if not all(map(find_spec, ("networkx", "numba"))):
        raise fail(NO_EXPLORER)
    # What compiles takes a second to load, which no other command should wait for.
    from effectspec.check.progress import watched
    from effectspec.check.report import report
    from effectspec.check.run import Plan, run, traces
    from effectspec.checker.exploration import NO_LIMITS, Limits
    from effectspec.traces.itf import encode

    limits = Limits(
        states=states or NO_LIMITS.states,
        bytes=NO_LIMITS.bytes if memory is None else memory * MIB,
        seconds=NO_LIMITS.seconds if seconds is None else seconds,
    )
    plan = Plan(*chosen, limits)
    if not any(map(plan.asked_in, plan.worlds)):
        raise fail(NOTHING_TO_ASK)
    try:
        with (
            opened(json) as write_json,
            opened(xml) as write_junit,
            opened(trace) as write_trace,
        ):
            refuse_one_for_two({"JSON": json, "JUnit XML": xml, "a trace": trace})
            with watched() as told:
                explored, results = run(plan, told)
            found = traces(plan, explored)
            try:
                report(plan, explored, found, results, Console())
            finally:
                for first in found[:1]:
                    write_trace(encode(first))
                write_json(msgspec.json.format(msgspec.json.encode(results), indent=2) + b"\n")
                write_junit(_as_junit(results))
    except NotWritable as error:
        raise fail(str(error)) from None
    raise typer.Exit(_exit_status(results.verdict))


def _as_junit(results: CheckResults) -> bytes:
    cases = [
        TestCase(
            world.world,
            f"{said.clause}: {said.property}",
            world.seconds / len(world.said),
            said.verdict,
            said.steps or [f"stopped at the limit of {world.stopped}"],
        )
        for world in results.worlds
        for said in world.said
    ]
    if results.unreached is not None:
        verdict = Verdict.UNCOVERED if results.unreached else Verdict.PASS
        cases.append(TestCase("coverage", "everything is reached", 0, verdict, results.unreached))
    return junit("effectspec check", cases)


def _exit_status(verdict: Verdict) -> int:
    match verdict:
        case Verdict.PASS:
            return 0
        case Verdict.UNKNOWN:
            return UNKNOWN
        case _:
            return 1
