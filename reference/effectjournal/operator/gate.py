"""What the gate would say of a run now, with the reconcilers that its effects were prepared for."""

import time
from collections.abc import Sequence
from typing import Final

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from effectjournal import rows
from effectjournal.storage import Transaction
from effectspec.contract import CONTRACT
from effectspec.gate import GateVerdict
from effectspec.record import Occasion, judge
from effectspec.tiers import Tier

INDENT: Final = (0, 0, 0, 2)


class Judged(msgspec.Struct, frozen=True):
    """The gate's word on one effect."""

    effect: int
    tool: str
    tier: Tier
    verdict: str
    means: str


def judged(seen: Transaction, run: str) -> list[Judged]:
    """The gate's word on every effect of the nodes that would run again (G-9)."""
    found = []
    for record in rows.rerunnable(seen, run):
        handle = rows.handle_of(seen, record.row_id)
        tool = record.identity.tool_id
        # A key or a reference was minted only where there was a reconciler (T-6, decision 24).
        reconciled = handle.key is not None or handle.reference is not None
        occasion = Occasion(int(time.time()), {tool} if reconciled else ())
        verdict = judge(CONTRACT, record, occasion).verdict
        found.append(Judged(record.row_id, tool, record.tier, verdict.name.lower(), verdict.value))
    return found


def verdicts(console: Console, run: str, found: Sequence[Judged]) -> None:
    """Print the gate's word."""
    blocked = [each for each in found if each.verdict == GateVerdict.ATTENTION.name.lower()]
    console.print(
        f"run {run!r}: the gate refuses" if blocked else f"run {run!r}: the gate lets it pass",
        style="bold red" if blocked else "bold green",
        highlight=False,
    )
    for each in found:
        line = f"effect {each.effect} ({each.tool!r}, tier {each.tier}): {each.means}"
        console.print(Padding(Text(line), INDENT))
