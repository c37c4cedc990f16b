"""Results are printed, and written for machines."""

import io
from xml.etree import ElementTree as ET

import msgspec
from rich.console import Console

from effectcrash.junit import junit
from effectcrash.report import report
from effectcrash.results import CaseResult, Finding, Implementation, Results
from effectspec.protocol import CONTRACT_VERSION
from effectspec.verdict import Verdict

REFERENCE = ("python", "-m", "reference")


def finding(clause: str, verdict: Verdict = Verdict.PASS, found: str = "A") -> Finding:
    """A finding about the effects."""
    return Finding(
        clause=clause, fact="effects at the end", verdict=verdict, expected="A", found=found
    )


def case(id_: str, tier: int, *findings: Finding, reason: str = "") -> CaseResult:
    """A case whose verdict is the first finding's."""
    return CaseResult(
        case=id_,
        point=id_.partition("/")[0],
        tier=tier,
        verdict=findings[0].verdict,
        reason=reason,
        findings=findings,
        seconds=0.25,
    )


def results(
    *cases: CaseResult,
    command: tuple[str, ...] = ("./adapter", "--quiet"),
    contract: str = CONTRACT_VERSION,
) -> Results:
    """Results of an implementation."""
    return Results(
        implementation=Implementation(
            name="theirs",
            version="2.1",
            language="Zig",
            contract=contract,
            command=command,
        ),
        cases=cases,
    )


MIXED = results(
    case("C-1/tier-1", 1, finding("C-1")),
    case("C-1/tier-3", 3, finding("C-1"), finding("O-2")),
    case("C-2/tier-3", 3, finding("T-4", Verdict.FAIL, "A, A"), finding("C-2")),
    case(
        "C-6/first/C-3/[B, A]/tier-3",
        3,
        finding("C-6", Verdict.NOT_REACHED, "nothing was seen"),
        reason="first did not stop at prepared #1",
    ),
    case(
        "C-11/swept/tier-1",
        1,
        finding("R-2", Verdict.NOT_IMPLEMENTED, "nothing was seen"),
        reason="swept: there is no sweep",
    ),
    case(
        "C-11/hangs/tier-1",
        1,
        finding("R-2", Verdict.UNKNOWN, "nothing was seen"),
        reason="adapter `./adapter`, asked to 'run': no answer\n  its stderr: \x1b[2J]]>",
    ),
)


def printed(of: Results) -> list[str]:
    """The report's lines, as a file would get them."""
    text = io.StringIO()
    report(of, Console(file=text, width=100), default_command=REFERENCE)
    return [line.rstrip() for line in text.getvalue().splitlines()]


def test_the_report_line_by_line() -> None:
    assert printed(MIXED) == [
        f"theirs 2.1 (Zig), contract {CONTRACT_VERSION}",
        "┏━━━━━━━┳━━━━━━━━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━┓",
        "┃ point ┃ tier 1          ┃ tier 2 ┃ tier 3              ┃",
        "┡━━━━━━━╇━━━━━━━━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━┩",
        "│ C-1   │ 1               │ –      │ 1                   │",
        "│ C-2   │ –               │ –      │ 0 of 1: fail        │",
        "│ C-6   │ –               │ –      │ 0 of 1: not reached │",
        "│ C-11  │ 0 of 2: unknown │ –      │ –                   │",
        "└───────┴─────────────────┴────────┴─────────────────────┘",
        "fail: T-4",
        "unknown: R-2",
        "not reached: C-6",
        "pass: C-1 C-2 O-2",
        "fail: C-2/tier-3",
        "  T-4: effects at the end: expected A, found A, A",
        "  repeat: effectspec crash --only C-2/tier-3 -- ./adapter --quiet",
        "not reached: C-6/first/C-3/[B, A]/tier-3",
        "  first did not stop at prepared #1",
        "  repeat: effectspec crash --only 'C-6/first/C-3/[B, A]/tier-3' -- ./adapter --quiet",
        "not implemented: C-11/swept/tier-1",
        "  swept: there is no sweep",
        "  repeat: effectspec crash --only C-11/swept/tier-1 -- ./adapter --quiet",
        "unknown: C-11/hangs/tier-1",
        "  adapter `./adapter`, asked to 'run': no answer",
        "    its stderr: �[2J]]>",
        "  repeat: effectspec crash --only C-11/hangs/tier-1 -- ./adapter --quiet",
        "6 cases: 1 fail, 1 unknown, 1 not reached, 1 not implemented, 2 pass",
    ]


def test_a_case_of_the_default_adapter_is_repeated_without_naming_it() -> None:
    wrong = case("C-2/tier-3", 3, finding("T-4", Verdict.FAIL))
    lines = printed(results(wrong, command=REFERENCE))
    assert "  repeat: effectspec crash --only C-2/tier-3" in lines


def test_a_green_report_is_short() -> None:
    assert printed(results(case("C-1/tier-1", 1, finding("C-1"))))[-2:] == [
        "pass: C-1",
        "1 case: 1 pass",
    ]


def test_another_edition_of_the_contract_is_remarked_upon() -> None:
    green = case("C-1/tier-1", 1, finding("C-1"))
    foreign = printed(results(green, contract="1999-01-01"))
    assert foreign[:2] == [
        "theirs 2.1 (Zig), contract 1999-01-01",
        f"that is another edition of the contract: every case here is of {CONTRACT_VERSION}",
    ]
    assert foreign[2:] == printed(results(green))[1:]


def test_the_worst_verdict_is_the_whole_one() -> None:
    assert MIXED.verdict is Verdict.FAIL
    assert results(case("C-1/tier-1", 1, finding("C-1"))).verdict is Verdict.PASS
    assert results().verdict is Verdict.UNCOVERED


def test_json_survives_the_way_through_a_file() -> None:
    assert msgspec.json.decode(msgspec.json.encode(MIXED), type=Results) == MIXED


def test_junit_counts_what_it_lists() -> None:
    suite = ET.fromstring(junit(MIXED, "crash"))  # noqa: S314  # our own bytes
    assert suite.attrib == {
        "name": "effectspec crash: theirs",
        "tests": "6",
        "failures": "1",
        "errors": "2",
        "skipped": "1",
    }
    told = {
        each.attrib["name"]: [(outcome.tag, outcome.attrib, outcome.text) for outcome in each]
        for each in suite
    }
    assert told == {
        "C-1/tier-1": [],
        "C-1/tier-3": [],
        "C-2/tier-3": [
            (
                "failure",
                {"message": "fail"},
                "T-4: effects at the end: expected A, found A, A",
            )
        ],
        "C-6/first/C-3/[B, A]/tier-3": [
            ("error", {"message": "not reached"}, "first did not stop at prepared #1")
        ],
        "C-11/swept/tier-1": [
            ("skipped", {"message": "not implemented"}, "swept: there is no sweep")
        ],
        "C-11/hangs/tier-1": [
            (
                "error",
                {"message": "unknown"},
                "adapter `./adapter`, asked to 'run': no answer\n  its stderr: �[2J]]>",
            )
        ],
    }
