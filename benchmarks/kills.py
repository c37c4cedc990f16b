"""What the crash matrix takes, and one kill with its restart and verification.

One case of C-3 at a time: a process is started and killed by its target, a second one resumes,
fresh ones read what is found. Its peer in the same run is as many starts of a bare interpreter.
"""

import statistics
import subprocess
import sys
import time
from dataclasses import replace

from effectcrash.options import REFERENCE
from effectcrash.points import all_cases
from effectcrash.runner import run

REPEATS = 20


def start_interpreter() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - began


def main() -> None:
    cases = list(all_cases())
    (killed,) = [case for case in cases if case.id == "C-3/tier-3"]
    again = [replace(killed, id=f"{killed.id}/{number}") for number in range(REPEATS)]
    took = [result.seconds for result in run(again, REFERENCE).cases]
    bare = statistics.median(start_interpreter() for _ in range(REPEATS))
    one = statistics.median(took)
    print(f"kill, restart, verify: {one * 1e3:.0f} ms, {one / bare:.0f} bare interpreter starts")

    began = time.perf_counter()
    results = run(cases, REFERENCE)
    seconds = time.perf_counter() - began
    print(f"the matrix: {len(results.cases)} cases in {seconds:.0f} s, {results.verdict.value}")


if __name__ == "__main__":
    main()
