"""CrossHair over the laws: each is confirmed for all arguments, or listed with the reason why not.

CrossHair exits 0 when it has merely run out of time, so its report is read line by line and
compared with what is pinned: a law that stops being confirmed is red, and so is a law that
vanishes or that nobody has pinned.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules, resolve_name
from typing import Final, TypeAlias

import effectspec.laws
from effectspec.laws.law import Law, laws_of
from effectspec.verdict import Verdict

SECONDS_TO_CONFIRM = 20.0
"""CPU time for one law; the slowest that is confirmed takes a tenth of it."""

SECONDS_TO_REFUTE = 0.25
"""CPU time for one law of a function that is never confirmed: a search for counterexamples."""

PINS: Final = Path(__file__).with_name("laws_confirmed.txt")
"""The laws that CrossHair confirms: function and sentence, one law a line."""

_ANY_LENGTH = "its argument may have any length, so its paths have no end"
_ANY_JSON = "its arguments are JSON of any depth, and what it makes of them is text"

OPEN: Final[Mapping[str, str]] = {
    "effectspec.laws.admission.admit": _ANY_LENGTH,
    "effectspec.laws.admission.bearing": (
        "CrossHair tries its 2,025 rows one by one, which takes minutes; so does test_laws, fast"
    ),
    "effectspec.laws.attention.exit_code": "CrossHair confirms no function of a set",
    "effectspec.laws.digest.canonical": _ANY_JSON,
    "effectspec.laws.digest.digest": _ANY_JSON,
    "effectspec.laws.gate.may_schedule": _ANY_LENGTH,
    "effectspec.laws.identity.slots": _ANY_LENGTH,
    "effectspec.laws.session.turn_floor": _ANY_LENGTH,
    "effectspec.laws.transcript.attribution": _ANY_LENGTH,
}
"""Functions whose laws CrossHair does not confirm, and why. It still looks for counterexamples."""

UNASKED: Final[Mapping[str, str]] = {
    "effectspec.laws.projection.projection": (
        "CrossHair runs out of stack over JSON in JSON, in one run of six; Hypothesis tries it"
    ),
}
"""Functions that CrossHair is not asked about, and why not."""

Pin: TypeAlias = tuple[str, str]
"""The dotted name of a function and the sentence of one of its laws."""


class CrossHairMissing(RuntimeError):
    """CrossHair is not installed."""


class Answer(Enum):
    """What CrossHair says of one law."""

    CONFIRMED = "Confirmed over all paths."
    NOT_CONFIRMED = "Not confirmed."
    REFUTED = "counterexample"
    UNSAID = "no line in the report"


@dataclass(frozen=True, slots=True)
class Finding:
    """CrossHair's answer on one law of one function; ``detail`` is its message."""

    function: str
    sentence: str
    answer: Answer
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A finding beside what was pinned for it; ``why`` is for whoever has to act on it."""

    finding: Finding
    verdict: Verdict
    why: str = ""

    @property
    def red(self) -> bool:
        """Whether the finding is not what is pinned. A law that is open for a reason is not red."""
        return self.verdict not in (Verdict.PASS, Verdict.UNCOVERED)


@dataclass(frozen=True, slots=True)
class Report:
    """Every law's line."""

    lines: tuple[Line, ...]

    @property
    def red(self) -> tuple[Line, ...]:
        """The lines that somebody has to act on."""
        return tuple(line for line in self.lines if line.red)


def confirm() -> Report:
    """Run CrossHair over every law of the contract and compare its report with the pins.

    Takes about a minute on two cores. Raises :class:`CrossHairMissing`.
    """
    return compare(examine(lawful_functions()), pinned(), OPEN)


def lawful_functions() -> tuple[str, ...]:
    """The dotted names of the functions of :mod:`effectspec.laws` whose laws CrossHair is asked."""
    return tuple(
        f"{module}.{name}"
        for module in sorted(
            each.name for each in iter_modules(effectspec.laws.__path__, "effectspec.laws.")
        )
        for name, value in vars(resolve_name(module)).items()
        if hasattr(value, "__postconditions__") and f"{module}.{name}" not in UNASKED
    )


def pinned() -> frozenset[Pin]:
    """The laws that are expected to be confirmed."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    return frozenset(
        (function, sentence) for function, _, sentence in (line.partition(" ") for line in lines)
    )


# ── running CrossHair ────────────────────────────────────────────────────────────────────────────


def examine(functions: Sequence[str]) -> tuple[Finding, ...]:
    """CrossHair's findings on every law of ``functions``, given by their dotted names.

    Raises :class:`CrossHairMissing`.
    """
    if find_spec("crosshair") is None:
        raise CrossHairMissing("CrossHair is not installed: install the extra effectspec[dev]")
    workers = os.cpu_count() or 1
    shares = [
        (seconds, share)
        for seconds, together in (
            (SECONDS_TO_CONFIRM, [each for each in functions if each not in OPEN]),
            (SECONDS_TO_REFUTE, [each for each in functions if each in OPEN]),
        )
        for share in (together[worker::workers] for worker in range(workers))
        if share
    ]
    with ThreadPoolExecutor(workers) as pool:
        return tuple(chain.from_iterable(pool.map(lambda each: _run(*each), shares)))


def _run(seconds: float, functions: Sequence[str]) -> list[Finding]:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "crosshair", "check", *functions),
            "--analysis_kind=icontract",
            "--report_all",
            f"--per_condition_timeout={seconds}",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    laws = {function: laws_of(resolve_name(function)) for function in functions}
    return read_report(done.stdout, laws, unsaid=done.stderr.strip())


_REPORT_LINE = re.compile(r"(?P<file>.+):(?P<line>\d+): (?P<kind>info|warning|error): (?P<says>.*)")


def read_report(text: str, laws: Mapping[str, Iterable[Law]], *, unsaid: str = "") -> list[Finding]:
    """Read what CrossHair printed about ``laws``, by function.

    Each law gets a finding, with ``unsaid`` as the detail where the report is silent; so does each
    line that speaks of no law.
    """
    places = {
        (law.condition.__code__.co_filename, law.condition.__code__.co_firstlineno): (function, law)
        for function, around in laws.items()
        for law in around
    }
    findings = []
    for said in filter(None, map(_REPORT_LINE.fullmatch, text.splitlines())):
        place = said["file"], int(said["line"])
        function, law = places.pop(place, (":".join(map(str, place)), None))
        findings.append(
            Finding(
                function,
                law.sentence if law else "(no law is stated here)",
                _answer(said["kind"], said["says"]),
                said["says"],
            )
        )
    silent = [Finding(of, law.sentence, Answer.UNSAID, unsaid) for of, law in places.values()]
    return [*findings, *silent]


def _answer(kind: str, says: str) -> Answer:
    return Answer(says) if kind == "info" else Answer.REFUTED


# ── judging the report ───────────────────────────────────────────────────────────────────────────


def compare(
    findings: Iterable[Finding], pins: frozenset[Pin], reasons: Mapping[str, str]
) -> Report:
    """Put each finding beside what is pinned for it.

    ``pins`` are the laws that must be confirmed, ``reasons`` says of which functions and why none
    is. A pin without a law is a line of its own, and so is a reason without one.
    """
    lines = [_line(finding, pins, reasons) for finding in findings]
    found = {(line.finding.function, line.finding.sentence) for line in lines}
    functions = {function for function, _ in found}
    vanished = [
        *(pin for pin in sorted(pins - found)),
        *((function, "(every law)") for function in reasons if function not in functions),
    ]
    return Report(
        (
            *lines,
            *(
                Line(Finding(*pin, Answer.UNSAID), Verdict.NOT_REACHED, "pinned, but not stated")
                for pin in vanished
            ),
        )
    )


def _line(finding: Finding, pins: frozenset[Pin], reasons: Mapping[str, str]) -> Line:
    is_pinned = (finding.function, finding.sentence) in pins
    match finding.answer:
        case Answer.REFUTED:
            return Line(finding, Verdict.FAIL, finding.detail)
        case Answer.UNSAID:
            return Line(finding, Verdict.NOT_REACHED, finding.detail or Answer.UNSAID.value)
        case Answer.CONFIRMED if is_pinned:
            return Line(finding, Verdict.PASS)
        case Answer.CONFIRMED:
            return Line(finding, Verdict.UNKNOWN, f"confirmed, but not pinned in {PINS.name}")
        case Answer.NOT_CONFIRMED if finding.function in reasons and not is_pinned:
            return Line(finding, Verdict.UNCOVERED, reasons[finding.function])
        case Answer.NOT_CONFIRMED:
            return Line(finding, Verdict.UNKNOWN, "not confirmed any more")
