"""How every sub-command speaks."""

import typer

from effectspec.attention import ExitCode


def fail(message: str) -> typer.Exit:
    """Say what is wrong with an invocation; raise what comes back."""
    typer.echo(f"effectspec: {message}", err=True)
    return typer.Exit(ExitCode.WRONG_INVOCATION)


def counted(number: int, noun: str) -> str:
    """A number of things whose plural ends in s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
