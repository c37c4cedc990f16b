"""``effectspec mutants``: change the rules and the laws in one place at a time, and count."""

from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from effectspec.check.command import NO_EXPLORER
from effectspec.outputs import NotWritable, opened
from effectspec.terminal import counted, fail

if TYPE_CHECKING:
    from collections import Counter

    from effectspec.mutation.mutants import Mutant
    from effectspec.mutation.oracles import Oracle
    from effectspec.mutation.score import Score

SAMPLE: Final = 200
"""Mutants of a short run, which takes a minute or two on two cores."""

NO_TOOLS: Final = (
    "mutants need a checkout with its tests, and pytest: `make setup` in a clone, "
    "then .venv/bin/effectspec mutants"
)


def mutants(
    *,
    only: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Only mutants of a clause (G-4), or of a module (gate)."),
    ] = None,
    sample: Annotated[
        str | None,
        typer.Option(metavar="SEED", help=f"Only {SAMPLE}, drawn by this seed, which is any text."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the results as JSON.")
    ] = None,
) -> None:
    """Make every small change to the rules and laws, one at a time, and say who notices.

    Exits 0 only if every mutant is noticed, or listed as one that changes nothing. All of them take
    two minutes on two cores.
    """
    if not all(map(find_spec, ("networkx", "numba"))):
        raise fail(NO_EXPLORER)
    if not all(map(find_spec, ("pytest", "hypothesis"))):
        raise fail(NO_TOOLS)
    # What is changed must not be loaded by whoever does not ask for it, and pytest is slow to load.
    from effectspec.mutation.equivalent import EQUIVALENT
    from effectspec.mutation.mutants import mutants as all_mutants
    from effectspec.mutation.oracles import TESTS
    from effectspec.mutation.results import results
    from effectspec.mutation.score import Score
    from effectspec.mutation.trial import Crashed, NotSound, refuse_what_is_red, try_all

    if not TESTS.exists():
        raise fail(NO_TOOLS)
    every = all_mutants()
    chosen = _chosen(every, only, sample)
    gone = sorted(EQUIVALENT.keys() - {each.name for each in every})
    told = Console(stderr=True)
    began = monotonic()
    try:
        with opened(json) as write_json:
            refuse_what_is_red(sorted({each.rules for each in chosen}))
            trials = track(
                try_all(chosen),
                total=len(chosen),
                description="",
                console=told,
                transient=True,
                disable=not told.is_terminal,
            )
            score = Score(tuple(trials), EQUIVALENT, gone)
            seconds = monotonic() - began
            try:
                _report(score, seconds, Console())
            finally:
                written = msgspec.json.encode(results(score, seconds))
                write_json(msgspec.json.format(written, indent=2) + b"\n")
    except (NotWritable, NotSound, Crashed) as error:
        raise fail(str(error)) from None
    raise typer.Exit(0 if score.is_whole else 1)


def _chosen(known: "list[Mutant]", only: str | None, sample: str | None) -> "list[Mutant]":
    chosen = [
        each
        for each in known
        if only is None or only.upper() in each.clauses or only.lower() == each.rules
    ]
    if not chosen:
        there_are = sorted({each.rules for each in known})
        raise fail(f"no mutant is of {only!r}; name a clause, or one of {', '.join(there_are)}")
    if sample is None or len(chosen) <= SAMPLE:
        return chosen
    return Random(sample).sample(chosen, SAMPLE)  # noqa: S311  (a draw that can be repeated)


def _report(score: "Score", seconds: float, console: Console) -> None:
    console.print(_table(score))
    for trial in score.survivors:
        mutant = trial.mutant
        _say(console, f"{mutant.path.name}:{mutant.line}: nobody notices {mutant.name}")
    for name in score.stale:
        _say(console, f"listed as equivalent, and noticed: {name}")
    for name in score.gone:
        _say(console, f"listed as equivalent, and no mutant: {name}")
    tried, unnoticed = len(score.trials), len(score.survivors)
    equivalent = score.altogether()[None] - unnoticed
    _say(
        console,
        f"{counted(tried, 'mutant')}: {tried - unnoticed - equivalent} noticed, "
        f"{equivalent} equivalent, {unnoticed} not noticed; {seconds:.0f} s",
    )


def _table(score: "Score") -> Table:
    from effectspec.mutation.oracles import Oracle

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("clause")
    for head in ("mutants", *(each.value for each in Oracle), "nobody"):
        table.add_column(head, justify="right", no_wrap=True)
    for clause, noticed in (*score.by_clause(), ("all", score.altogether())):
        table.add_row(clause, *_cells(noticed, (*Oracle, None)))
    return table


def _cells(noticed: "Counter[Oracle | None]", columns: "tuple[Oracle | None, ...]") -> "list[str]":
    return [str(noticed.total()), *(str(noticed[each] or "") for each in columns)]


def _say(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)
