"""The options that the commands which examine an implementation share."""

import sys
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

REFERENCE: Final = (sys.executable, "-m", "effectjournal.adapter")
"""The reference, as a command like any other."""

AdapterCommand: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ADAPTER", help="The command of an adapter, after --; else the reference."
    ),
]

Only: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="ID",
        help="Only cases of a clause (G-4), of a crash point (C-3), or whose id begins so "
        "(C-6/first); may be given several times.",
    ),
]

OnlyTier: TypeAlias = Annotated[
    int | None, typer.Option("--tier", min=1, max=3, help="Only cases of this tier.")
]

JsonFile: TypeAlias = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON.")
]

JunitFile: TypeAlias = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write the results as JUnit XML.")
]
