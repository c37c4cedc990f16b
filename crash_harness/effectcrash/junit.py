"""Results as JUnit XML, which continuous integration servers read."""

from xml.etree import ElementTree as ET

from effectcrash.child import printable
from effectcrash.results import CaseResult, Results
from effectspec.verdict import Verdict

ELEMENTS = {
    Verdict.FAIL: "failure",
    Verdict.UNKNOWN: "error",
    Verdict.NOT_REACHED: "error",
    Verdict.UNCOVERED: "error",
    Verdict.NOT_IMPLEMENTED: "skipped",
}
"""JUnit's words for what is not a pass. The exit status does not take a skipped case for one."""


def junit(results: Results, command: str) -> bytes:
    """One test suite with a test case for each case, in their order, under the command's name."""
    elements = [ELEMENTS.get(case.verdict) for case in results.cases]
    suite = ET.Element(
        "testsuite",
        name=f"effectspec {command}: {printable(results.implementation.name)}",
        tests=str(len(elements)),
        failures=str(elements.count("failure")),
        errors=str(elements.count("error")),
        skipped=str(elements.count("skipped")),
    )
    for case in results.cases:
        suite.append(_test_case(case))
    ET.indent(suite)
    text: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return text


def _test_case(case: CaseResult) -> ET.Element:
    element = ET.Element(
        "testcase", classname=case.point, name=case.case, time=f"{case.seconds:.3f}"
    )
    if not case.verdict.green:
        outcome = ET.SubElement(element, ELEMENTS[case.verdict], message=case.verdict.value)
        outcome.text = "\n".join(map(printable, case.complaints))
    return element
