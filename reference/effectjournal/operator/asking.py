"""Asking before something is written that cannot be taken back."""

import sys
from pathlib import Path

import msgspec
import typer

from effectjournal.journal import Attachment
from effectspec.attention import ExitCode
from effectspec.decoding import NESTING, Unreadable, decoded
from effectspec.json_value import Json
from effectspec.terminal import fail

_results: msgspec.json.Decoder[Json] = msgspec.json.Decoder()


def confirm(what: str, consequence: str, *, yes: bool) -> None:
    """Say what will be written and what follows; go on if that is wanted."""
    typer.echo(f"{what}\n  {consequence}")
    if yes:
        return
    if not sys.stdin.isatty():
        raise fail("nobody can be asked here, and nothing was written; --yes says it beforehand")
    if not typer.confirm("Write this?"):
        typer.echo("nothing was written")
        raise typer.Exit(ExitCode.FAILED)


def attachment(file: Path) -> Attachment:
    """The result in a file of JSON."""
    try:
        text = file.read_bytes()
    except OSError as error:
        raise fail(f"{file}: cannot be read ({error.strerror}); give a file of JSON") from None
    try:
        return Attachment(decoded(_results, text, levels=NESTING))
    except Unreadable as error:
        raise fail(f"{file}: no JSON ({error}); write the target's answer as JSON") from None
