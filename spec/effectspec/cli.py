"""The command ``effectspec``. Its sub-commands come from the package that does the work."""

import sys
from importlib.metadata import entry_points

import typer

from effectspec.stdout import Lost, Stdout, give_up
from effectspec.terminal import fail

COMMANDS = "effectspec.commands"
"""The entry-point group: name of the sub-command → its function, or its own sub-commands."""

HELP = """\
The tiered effect contract: check an implementation, read the rules, see them break.

\b
  effectspec conform                     the whole suite against the reference
  effectspec conform -- node adapter.js  against yours
  effectspec conform --only G-4          one clause, crash point or case
  effectspec crash --only C-3 --tier 2   one crash point at one tier
  effectspec check                       every interleaving of the model, every property
  effectspec replay TRACE                step through what check found
  effectspec clauses                     every rule, and what shows it
  effectspec journal list FOLDER         what in a journal needs a person
"""


def application() -> typer.Typer:
    """The command line with every sub-command that an installed package offers."""
    app = typer.Typer(
        help=HELP,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    for entry in sorted(entry_points(group=COMMANDS), key=lambda entry: entry.name):
        offered = entry.load()
        if isinstance(offered, typer.Typer):
            app.add_typer(offered, name=entry.name)
        else:
            app.command(entry.name)(offered)
    return app


def main() -> None:
    """Run ``effectspec``, whatever becomes of its output."""
    if sys.stdout is None:
        sys.exit(fail("standard output is closed; send it somewhere").exit_code)
    sys.stdout = Stdout.of(sys.stdout)
    try:
        try:
            application()()
        finally:
            sys.stdout.flush()
    except Lost as lost:
        sys.exit(give_up(lost))
