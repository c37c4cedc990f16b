"""``adapters/faulty`` is told which fault it is to have, and says what it does not know."""

import subprocess
import sys
from pathlib import Path

import pytest

from effectspec.faults import FAULTS, fault

FAULTY = Path(__file__).parents[2] / "adapters" / "faulty"


def complaint(*arguments: str) -> str:
    """What it says of a wrong invocation, which it does not survive."""
    done = subprocess.run(
        [sys.executable, str(FAULTY), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def test_an_unknown_fault_is_answered_with_the_nearest() -> None:
    assert complaint("gate-skiped") == (
        "faulty: no fault 'gate-skiped' in the catalogue; "
        "nearest: gate-skipped, gate-fails-open, gate-before-ownership\n"
    )


@pytest.mark.parametrize("arguments", [(), ("gate-skipped", "gate-fails-open")])
def test_no_fault_or_two_are_answered_with_all_names(arguments: tuple[str, ...]) -> None:
    assert complaint(*arguments) == f"faulty: name one fault; there are: {', '.join(FAULTS)}\n"


def test_a_fault_is_named_in_upper_and_lower_case() -> None:
    assert fault("Gate-Skipped") is FAULTS["gate-skipped"]
