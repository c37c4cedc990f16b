"""How an operator's commands print: for a screen of eighty columns, or as JSON."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from shlex import quote
from typing import Final

import msgspec
import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from effectjournal.operator.filed import Filed
from effectjournal.operator.need import OF_A_PERSON, Need, known, need
from effectjournal.operator.story import chapters, head, look, ways
from effectspec.terminal import counted

COLOURS: Final = {
    Need.RESOLVE: "bold red",
    Need.ATTACH: "bold yellow",
    Need.CLOSE: "yellow",
    Need.RESUME: "cyan",
    Need.WAIT: "dim",
    Need.NOTHING: "dim",
}

INDENT: Final = (0, 0, 0, 2)

_UNITS: Final = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


def as_json(value: object) -> None:
    """One JSON value on one line."""
    typer.echo(msgspec.json.encode(value))


class Listed(msgspec.Struct, frozen=True):
    """An effect in a list, and what is left to do about it."""

    need: str
    effect: Filed


def listed(effects: Iterable[Filed]) -> list[Listed]:
    """Effects with their needs."""
    return [Listed(need(each).value, each) for each in effects]


def table(effects: Sequence[Filed]) -> Table:
    """Effects, one a row."""
    printed = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("effect", "run", "node", "tool", "tier", "what is known", "to do"):
        right = name in {"effect", "tier"}
        printed.add_column(name, justify="right" if right else "left", overflow="fold")
    for each in effects:
        left = need(each)
        printed.add_row(
            str(each.effect),
            each.run,
            each.node,
            each.tool,
            str(int(each.tier)),
            f"{known(each)}{_ago(each)}",
            Text(left.value, style=COLOURS[left]),
        )
    return printed


def _ago(filed: Filed) -> str:
    if filed.prepared is None:
        return ""
    then = datetime.fromisoformat(filed.prepared)
    passed = int((datetime.now(UTC) - then).total_seconds())
    for unit, seconds in _UNITS:
        if passed >= seconds:
            return f", {passed // seconds} {unit} ago"
    return ", now"


def at_a_glance(console: Console, journal: str, effects: Sequence[Filed], *, whole: bool) -> None:
    """What needs a person first, then what does not, and where to go on."""
    mine = [each for each in effects if need(each) in OF_A_PERSON]
    verb = "needs" if len(mine) == 1 else "need"
    console.print(
        f"{counted(len(mine), 'effect')} {verb} a person" if mine else "nothing needs a person",
        style="bold red" if mine else "bold green",
        highlight=False,
    )
    shown = effects if whole else mine
    if shown:
        console.print(table(shown), highlight=False)
    others = len(effects) - len(mine)
    if others and not whole:
        console.print(f"{counted(others, 'other effect')}: --all shows them", highlight=False)
    if mine:
        example = f"effectspec journal show {quote(journal)} {mine[0].effect}"
        console.print(f"its story, and what can follow: {example}", highlight=False, soft_wrap=True)


def story(console: Console, journal: str, filed: Filed) -> None:
    """All that is known of one effect, what to look at, and what can follow."""
    first, *others = head(filed)
    console.print(Text(first, style="bold"))
    for line in others:
        console.print(_indented(line))
    console.print()
    told = Table.grid(padding=(0, 2))
    for at, what in chapters(filed):
        told.add_row(Text(at, style="dim"), Text(what))
    console.print(Padding(told, INDENT))
    left = need(filed)
    console.print(Text(f"\nto do: {left.value}", style=COLOURS[left]))
    if left in OF_A_PERSON:
        console.print(_indented(f"look first in the target for {look(filed)}"))
    for command, follows in ways(filed, journal):
        console.print(Text(f"  {command}", style="bold"), soft_wrap=True)
        console.print(Padding(_indented(follows), INDENT))


def _indented(line: str) -> Padding:
    return Padding(Text(line), INDENT)
