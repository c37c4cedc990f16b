"""A progress bar on a terminal; nothing anywhere else."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from effectcrash.results import CaseResult


@contextmanager
def watched(total: int) -> Iterator[Callable[[CaseResult], None]]:
    """Show how far ``total`` cases are; what this yields is told each result."""
    console = Console(stderr=True)
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[at]}"),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("", total=total, at="")
        wrong = 0

        def told(result: CaseResult) -> None:
            nonlocal wrong
            wrong += not result.verdict.green
            progress.update(task, advance=1, at=f"{result.case}, {wrong} not green")

        yield told
