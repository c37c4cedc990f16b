"""Results as JUnit XML, which continuous integration servers read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from effectspec.verdict import Verdict

ELEMENTS: Final = {
    Verdict.FAIL: "failure",
    Verdict.UNKNOWN: "error",
    Verdict.NOT_REACHED: "error",
    Verdict.UNCOVERED: "error",
    Verdict.NOT_IMPLEMENTED: "skipped",
}
"""JUnit's words for what is not a pass. The exit status does not take a skipped case for one."""


@dataclass(frozen=True, slots=True)
class TestCase:
    """One case: the group that it is of, what came of it, and what to say if that is no pass."""

    group: str
    name: str
    seconds: float
    verdict: Verdict
    complaints: Sequence[str]


def junit(suite_name: str, cases: Sequence[TestCase]) -> bytes:
    """One test suite with a test case for each case, in their order."""
    elements = [ELEMENTS.get(case.verdict) for case in cases]
    suite = ET.Element(
        "testsuite",
        name=suite_name,
        tests=str(len(elements)),
        failures=str(elements.count("failure")),
        errors=str(elements.count("error")),
        skipped=str(elements.count("skipped")),
    )
    for case in cases:
        suite.append(_test_case(case))
    ET.indent(suite)
    text: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return text


def _test_case(case: TestCase) -> ET.Element:
    element = ET.Element(
        "testcase", classname=case.group, name=case.name, time=f"{case.seconds:.3f}"
    )
    if not case.verdict.green:
        outcome = ET.SubElement(element, ELEMENTS[case.verdict], message=case.verdict.value)
        outcome.text = "\n".join(case.complaints)
    return element
