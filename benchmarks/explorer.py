"""The explorer beside TLC with two workers on the same worlds, and how worlds grow.

Both ask every property. TLC is given its minutes and then stopped: its rate is that of its last
report. The explorer is run to the end, and its compiled code is loaded before the clock starts.
"""

import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from effectspec.checker.exploration import Exploration, Limits
from effectspec.checker.explorer import explore
from effectspec.model.configuration import LAPSES, MIXED, OPAQUE, UNRECONCILED, Configuration
from effectspec.model.model import Model
from effectspec.model.properties import SAFETY

sys.path.append(str(Path(__file__).parents[1] / "model_tests"))
from twin.tlc import Missing, Tools, tools, version
from twin.world import TWIN, World

MOST_STATES = 40_000_000
TLC_SECONDS = 190
"""TLC reports once a minute."""

BESIDE_TLC = (replace(MIXED, generations=3), replace(LAPSES, generations=6))

GROWTH = {
    "crash budget (take-overs)": [
        replace(LAPSES, name=f"{each} take-overs", generations=each) for each in (2, 3, 4, 5, 6)
    ],
    "processes": [
        replace(
            LAPSES,
            name=f"{count} processes",
            generations=3,
            processes=tuple(f"p{each + 1}" for each in range(count)),
        )
        for count in (1, 2, 3)
    ],
    "slots": [replace(OPAQUE, name=f"{slots} slots", slots=slots, starts=2) for slots in (1, 2, 3)],
}

BAR = 40
PROGRESS = re.compile(r"(\d[\d,]*) distinct states found")


@dataclass(frozen=True)
class Run:
    """What one checker did of a world, and in which time."""

    states: int
    seconds: float
    whole: bool

    @property
    def rate(self) -> float:
        """States a second."""
        return self.states / self.seconds


def explored(small: Configuration) -> Exploration:
    return explore(Model(small), SAFETY, limits=Limits(states=MOST_STATES))


def asked(found: Tools, small: Configuration) -> Run:
    world = World.named(small.name).having("Generations", str(small.generations))
    with tempfile.TemporaryDirectory() as scratch:
        config = Path(scratch, "world.cfg")
        config.write_text(world.text, encoding="utf-8")
        command = [
            *(found.java, "-Xmx2g", "-XX:+UseParallelGC", f"-Djava.io.tmpdir={scratch}"),
            *("-cp", str(found.jar), "tlc2.TLC", "-deadlock", "-workers", "2"),
            *("-metadir", scratch, "-config", str(config), "Properties.tla"),
        ]
        began = time.perf_counter()
        with subprocess.Popen(command, cwd=TWIN, stdout=subprocess.PIPE, text=True) as tlc:
            said = Run(0, 1, whole=False)
            assert tlc.stdout is not None
            for line in tlc.stdout:
                now = time.perf_counter() - began
                told = PROGRESS.search(line)
                if told is not None:
                    states = int(told[1].replace(",", ""))
                    said = Run(states, now, whole="Progress" not in line)
                if now > TLC_SECONDS:
                    tlc.kill()
        return said


def beside_tlc() -> None:
    found = tools()
    if isinstance(found, Missing):
        print(found)
        return
    print(f"explorer beside TLC {version(found)} with 2 workers:")
    for small in BESIDE_TLC:
        mine = explored(small)
        theirs = asked(found, small)
        cut = "" if theirs.whole else f", stopped after {theirs.seconds:.0f} s"
        print(
            f"  {small.name}, {small.generations} take-overs: {mine.states:,} states at "
            f"{mine.states / mine.seconds:,.0f}/s and {mine.bytes / mine.states:.0f} bytes each; "
            f"TLC {theirs.states:,} at {theirs.rate:,.0f}/s{cut}: "
            f"{mine.states / mine.seconds / theirs.rate:.0f} times its rate"
        )


def growth() -> None:
    for axis, worlds in GROWTH.items():
        print(f"\n{axis}")
        found = [(small.name, explored(small)) for small in worlds]
        most = max(each.states for _, each in found)
        for name, each in found:
            bar = "█" * max(1, round(BAR * each.states / most))
            more = "" if each.stopped is None else " and more"
            print(f"  {name:>14} {each.states:>12,}{more} states {each.seconds:>6.1f} s  {bar}")


def main() -> None:
    explored(UNRECONCILED)
    beside_tlc()
    growth()
    print(f"\nmost memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024:,} MiB")


if __name__ == "__main__":
    main()
