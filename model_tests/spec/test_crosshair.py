"""CrossHair over the laws: the real ones are confirmed, a wrong cell turns the check red."""

from pathlib import Path

import pytest

from effectconform.crosshair import (
    OPEN,
    Answer,
    Finding,
    Line,
    compare,
    confirm,
    examine,
    lawful_functions,
    pinned,
    read_report,
)
from effectspec.laws.gate import gate
from effectspec.laws.law import laws_of
from effectspec.verdict import Verdict

WRONG_CELL = """
from effectspec.gate import GATE, GateVerdict, Standing
from effectspec.laws.gate import gate_laws
from effectspec.tiers import Tier

TABLE = {place: cell.verdict for place, cell in GATE.items()}
TABLE[Standing.UNRESOLVED, Tier.OPAQUE] = GateVerdict.RETRY


def look_up(record: Standing, tier: Tier) -> GateVerdict:
    return TABLE[record, tier]


gate = gate_laws(look_up)
"""


@pytest.mark.timeout(900)  # a minute of two cores, and it may have to share them
def test_every_law_of_the_contract_is_confirmed_or_open_for_a_stated_reason() -> None:
    report = confirm()

    assert report.red == ()
    assert {line.verdict for line in report.lines} == {Verdict.PASS, Verdict.UNCOVERED}


def test_g4_a_planted_wrong_cell_turns_its_law_red_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "planted.py").write_text(WRONG_CELL, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    sentences = [law.sentence for law in laws_of(gate)]

    report = compare(
        examine(["planted.gate"]),
        frozenset(("planted.gate", sentence) for sentence in sentences),
        reasons={},
    )

    [line] = report.red
    assert len(report.lines) == len(sentences)
    assert line.verdict is Verdict.FAIL
    assert line.finding.sentence == (
        "G-4: an unresolved tier 3 effect is never retried; it needs attention"
    )
    assert "gate(Standing.UNRESOLVED, Tier.OPAQUE)" in line.why


# ── what is pinned ───────────────────────────────────────────────────────────────────────────────


def test_every_function_with_laws_is_pinned_or_open_and_none_is_both() -> None:
    confirmed = {function for function, _ in pinned()}

    assert confirmed | OPEN.keys() == set(lawful_functions())
    assert confirmed & OPEN.keys() == set()


PIN = ("m.f", "G-4: a law")


@pytest.mark.parametrize(
    ("answer", "pins", "reasons", "verdict"),
    [
        (Answer.CONFIRMED, {PIN}, {}, Verdict.PASS),
        (Answer.NOT_CONFIRMED, set(), {"m.f": "slow"}, Verdict.UNCOVERED),
        (Answer.NOT_CONFIRMED, {PIN}, {}, Verdict.UNKNOWN),
        (Answer.NOT_CONFIRMED, {PIN}, {"m.f": "slow"}, Verdict.UNKNOWN),
        (Answer.NOT_CONFIRMED, set(), {}, Verdict.UNKNOWN),
        (Answer.CONFIRMED, set(), {"m.f": "slow"}, Verdict.UNKNOWN),
        (Answer.CONFIRMED, set(), {}, Verdict.UNKNOWN),
        (Answer.REFUTED, {PIN}, {}, Verdict.FAIL),
        (Answer.REFUTED, set(), {"m.f": "slow"}, Verdict.FAIL),
        (Answer.UNSAID, {PIN}, {}, Verdict.NOT_REACHED),
        (Answer.UNSAID, set(), {"m.f": "slow"}, Verdict.NOT_REACHED),
    ],
)
def test_only_what_is_pinned_is_green(
    answer: Answer, pins: set[tuple[str, str]], reasons: dict[str, str], verdict: Verdict
) -> None:
    [line] = compare([Finding(*PIN, answer)], frozenset(pins), reasons).lines

    assert line.verdict is verdict
    assert line.red is (verdict not in {Verdict.PASS, Verdict.UNCOVERED})


def test_a_pinned_law_that_is_no_longer_stated_is_red() -> None:
    assert compare([], frozenset([PIN]), {}).red == (
        Line(Finding(*PIN, Answer.UNSAID), Verdict.NOT_REACHED, "pinned, but not stated"),
    )


def test_a_reason_for_a_function_without_laws_is_red() -> None:
    [line] = compare([], frozenset(), {"m.f": "slow"}).red

    assert line.finding.function == "m.f"


# ── reading the report ───────────────────────────────────────────────────────────────────────────

LAWS = laws_of(gate)
FIRST, SECOND = (
    f"{law.condition.__code__.co_filename}:{law.condition.__code__.co_firstlineno}"
    for law in LAWS[:2]
)


def test_a_law_of_which_the_report_is_silent_is_not_taken_for_confirmed() -> None:
    findings = read_report(
        f"{FIRST}: info: Confirmed over all paths.\n", {"gate": LAWS[:2]}, unsaid="it crashed"
    )

    assert [(each.answer, each.detail) for each in findings] == [
        (Answer.CONFIRMED, "Confirmed over all paths."),
        (Answer.UNSAID, "it crashed"),
    ]


def test_a_complaint_about_a_place_without_a_law_is_a_finding() -> None:
    text = f"{FIRST}: info: Not confirmed.\n{SECOND}: error: KeyError: when calling gate()\n"

    findings = read_report(text, {"gate": LAWS[:1]})

    assert [each.answer for each in findings] == [Answer.NOT_CONFIRMED, Answer.REFUTED]
    assert findings[1].function == SECOND
