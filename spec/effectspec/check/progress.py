"""A line on a terminal that says how far the exploration has come; nothing anywhere else."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress as Bar
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from effectspec.checker.exploration import Progress
from effectspec.model.configuration import Configuration


@contextmanager
def watched() -> Iterator[Callable[[Configuration, Progress], None]]:
    """What this yields is told how far a world is explored."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TimeElapsedColumn(), TextColumn("{task.fields[at]}"))
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None, at="")

        def told(small: Configuration, now: Progress) -> None:
            rate = now.states / max(now.seconds, 1e-9)
            bar.update(
                task,
                at=f"{small.name}: {now.states:,} states, {rate:,.0f} a second, "
                f"{now.frontier:,} to follow at depth {now.depth}",
            )

        yield told
