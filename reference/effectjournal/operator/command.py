"""``effectspec journal``: what an operator reads in a journal, and decides in it."""

from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from effectjournal.errors import Refused
from effectjournal.operator import filed
from effectjournal.operator.asking import attachment, confirm
from effectjournal.operator.desk import reading, writing
from effectjournal.operator.export import redacted
from effectjournal.operator.gate import judged, verdicts
from effectjournal.operator.need import Need, need
from effectjournal.operator.printing import as_json, at_a_glance, listed, story
from effectjournal.operator.statistics import statistics
from effectjournal.operator.story import ATTACHED, CLOSED, consequence
from effectspec.lifecycle import Resolution
from effectspec.terminal import counted, fail

HELP: Final = """\
Read a journal, and settle what no program can.

\b
  effectspec journal list payments         what needs me
  effectspec journal show payments 2       one effect: its story, and what can follow
  effectspec journal resolve payments 2 --accepted --result FILE --by ann --note "in my inbox"

JOURNAL is the folder that was opened, its effects.db, or sqlite:///PATH.
"""

Named = Annotated[str, typer.Argument(metavar="JOURNAL", help="Its folder, file or URL.")]
Effect = Annotated[int, typer.Argument(metavar="EFFECT", help="The number of an effect.")]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="The id of a run.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who says so.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]

application = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)


@application.command("list")
def list_(
    journal: Named,
    *,
    whole: Annotated[bool, typer.Option("--all", help="Every effect, settled ones too.")] = False,
    json: AsJson = False,
) -> None:
    """What needs a person, at a glance."""
    with reading(journal) as desk:
        found = (filed.every if whole else filed.unfinished)(desk.seen, desk.is_owned)
        shown = [each for each in found if whole or need(each) is not Need.NOTHING]
    if json:
        as_json(listed(shown))
    else:
        at_a_glance(Console(), journal, shown, whole=whole)


@application.command()
def show(journal: Named, effect: Effect, *, json: AsJson = False) -> None:
    """The story of one effect, what to look at in the target, and what can follow."""
    with reading(journal) as desk:
        found = desk.effect(effect)
    if json:
        as_json(listed([found])[0])
    else:
        story(Console(), journal, found)


@application.command()
def gate(journal: Named, run: RunId, *, json: AsJson = False) -> None:
    """What the gate would say of a run's effects if it were resumed now. Changes nothing."""
    with reading(journal) as desk:
        found = judged(desk.seen, desk.run(run))
    if json:
        as_json(found)
    else:
        verdicts(Console(), run, found)


@application.command()
def resolve(
    journal: Named,
    effect: Effect,
    *,
    by: By,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="What was seen.")],
    accepted: Annotated[bool, typer.Option("--accepted", help="The effect happened.")] = False,
    discarded: Annotated[bool, typer.Option("--discarded", help="It did not happen.")] = False,
    result: Annotated[
        Path | None, typer.Option("--result", metavar="FILE", help="The target's answer, as JSON.")
    ] = None,
    yes: Yes = False,
) -> None:
    """Say what became of an unresolved effect, once."""
    if accepted == discarded:
        raise fail("say one of --accepted (it happened) and --discarded (it did not happen)")
    if discarded and result is not None:
        raise fail("a discarded effect has no result; leave --result out")
    _require_text("--by", by)
    _require_text("--note", note)
    resolution = Resolution.ACCEPTED if accepted else Resolution.DISCARDED
    attached = None if result is None else attachment(result)
    with reading(journal) as desk:
        found = desk.effect(effect)
        if found.resolution is not None:
            raise Refused(
                f"effect {effect} was {found.resolution.value} by {found.resolved_by} at "
                f"{found.resolved}; an effect is resolved once"
            )
    confirm(
        f"effect {effect} ({found.tool!r}, run {found.run!r}): {resolution.value} by {by}",
        consequence(found, resolution, result=attached is not None),
        yes=yes,
    )
    with writing(journal) as opened:
        opened.resolve(effect, resolution, by=by, note=note, attached=attached)
    typer.echo(f"effect {effect}: {resolution.value}")


@application.command()
def attach(
    journal: Named,
    effect: Effect,
    *,
    by: By,
    result: Annotated[
        Path, typer.Option("--result", metavar="FILE", help="The target's answer, as JSON.")
    ],
    yes: Yes = False,
) -> None:
    """Attach the absent result of an effect that is done, once."""
    _require_text("--by", by)
    attached = attachment(result)
    with reading(journal) as desk:
        found = desk.effect(effect)
    confirm(f"effect {effect} ({found.tool!r}, run {found.run!r}): its result", ATTACHED, yes=yes)
    with writing(journal) as opened:
        opened.attach(effect, attached, by=by)
    typer.echo(f"effect {effect}: its result is attached")


@application.command()
def close(journal: Named, run: RunId, *, by: By, yes: Yes = False) -> None:
    """Close a run: nothing of it is resumed any more."""
    _require_text("--by", by)
    with reading(journal) as desk:
        desk.run(run)
    confirm(f"run {run!r}: closed by {by}", CLOSED, yes=yes)
    with writing(journal) as opened:
        opened.close_run(run, by=by)
    typer.echo(f"run {run!r}: closed")


@application.command()
def sweep(journal: Named, run: RunId) -> None:
    """Delete the settled effects of a run that can no longer be resumed."""
    with reading(journal) as desk:
        desk.run(run)
    with writing(journal) as opened:
        deleted = opened.sweep(run)
    typer.echo(f"run {run!r}: {counted(deleted, 'effect')} deleted")


@application.command()
def stats(journal: Named, *, json: AsJson = False) -> None:
    """How much the journal holds, and how much of it waits."""
    with reading(journal) as desk:
        counts = statistics(desk)
    if json:
        as_json(counts)
        return
    for name, count in (
        ("effects", counts.effects),
        ("runs", counts.runs),
        ("left to do", counts.waiting),
        ("bytes", counts.bytes),
    ):
        told = ", ".join(f"{number:,} {what}" for what, number in count.items())
        typer.echo(f"{name + ':':12}{told or 'none'}")
    if counts.oldest is not None:
        typer.echo(f"{'oldest:':12}{counts.oldest}")


@application.command()
def export(journal: Named) -> None:
    """Every effect as a line of JSON, for other eyes: no handle, and every text masked."""
    with reading(journal) as desk:
        for each in redacted(filed.every(desk.seen, desk.is_owned)):
            as_json(each)


@application.command()
def upgrade(journal: Named) -> None:
    """Make a journal of an older version one of this version."""
    with writing(journal):
        typer.echo(f"{journal}: of the present version")


def _require_text(option: str, given: str) -> None:
    if not given.strip():
        raise fail(f"{option} is empty; it is written on the effect, and somebody will read it")
