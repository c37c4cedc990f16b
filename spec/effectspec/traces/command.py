"""``effectspec replay``: step a trace through the model again, and show it."""

from pathlib import Path
from typing import Annotated, Final

import typer

from effectspec.scenario import encode
from effectspec.terminal import fail
from effectspec.traces.itf import REMEDY, NotATrace, decode
from effectspec.traces.mermaid import mermaid
from effectspec.traces.replay import Differs, follow
from effectspec.traces.scenario import NoScenario, scenario
from effectspec.traces.text import text
from effectspec.traces.trace import Trace

DIFFERS: Final = 1
"""The exit status where the model does not do what the trace says."""


def replay(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="A trace in a file.")],
    *,
    as_mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Print a sequence diagram in Mermaid.")
    ] = False,
    as_scenario: Annotated[
        bool, typer.Option("--scenario", help="Print the scenario for the crash harness, as JSON.")
    ] = False,
) -> None:
    """Step a trace, as `effectspec check --trace FILE` writes it, through the model, and print it.

    Exits 0 if every step is the model's and the last line's property is broken by them, 1 if not.
    """
    if as_mermaid and as_scenario:
        raise fail("--mermaid and --scenario print different things; give one of them")
    try:
        found = _read(trace)
        follow(found)
        shown = _shown(found, as_mermaid=as_mermaid, as_scenario=as_scenario)
    except NotATrace as error:
        raise fail(str(error)) from None
    except (Differs, NoScenario) as error:
        typer.echo(f"effectspec: {trace}: {error}", err=True)
        raise typer.Exit(DIFFERS) from None
    typer.echo(shown, nl=False)


def _read(file: Path) -> Trace:
    try:
        return decode(file.read_bytes(), str(file))
    except OSError as error:
        raise NotATrace(f"{file}: cannot be read ({error.strerror}); {REMEDY}") from error


def _shown(trace: Trace, *, as_mermaid: bool, as_scenario: bool) -> str:
    if as_scenario:
        return encode(scenario(trace)).decode() + "\n"
    return mermaid(trace) if as_mermaid else text(trace)
