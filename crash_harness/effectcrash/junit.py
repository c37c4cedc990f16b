"""The results of an examination as JUnit XML."""

from effectcrash.child import printable
from effectcrash.results import Results
from effectspec.junit import TestCase
from effectspec.junit import junit as as_suite


def junit(results: Results, command: str) -> bytes:
    """One test suite with a test case for each case, under the command's name."""
    return as_suite(
        f"effectspec {command}: {printable(results.implementation.name)}",
        [
            TestCase(
                case.point,
                case.case,
                case.seconds,
                case.verdict,
                [printable(line) for line in case.complaints],
            )
            for case in results.cases
        ],
    )
