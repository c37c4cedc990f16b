"""How Hypothesis searches for a disagreement, and for how long."""

import itertools
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from effectcrash.target_process import TargetProcess
from interleavings.machine import JournalMachine
from interleavings.processes import Spawn

COMMON: Final = settings(
    deadline=None,
    # Shrunk for as long, each of several would be shrunk less; one is told best.
    report_multiple_bugs=False,
    # A step is an operation on real storage, which is what makes it slow.
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)
"""What every search has in common."""

IN_PROCESS_EXAMPLES: Final = 200
IN_PROCESS_STEPS: Final = 50
"""A step takes two or three milliseconds."""

IN_PROCESS: Final = settings(
    COMMON, max_examples=IN_PROCESS_EXAMPLES, stateful_step_count=IN_PROCESS_STEPS
)
"""For processes that are none but connections of this one."""

ACCOUNTS: Final = (f"interleaving-{number}" for number in itertools.count(1))
"""Names of accounts at a target, each used once."""


def run(kind: type[JournalMachine], spawn: Spawn, target: TargetProcess, how: settings) -> None:
    """Search for a disagreement. Raises :class:`~interleavings.machine.Disagreement`."""

    def machine() -> JournalMachine:
        return kind(spawn, target.account(next(ACCOUNTS)))

    # A factory is what it takes; its annotation says less than its documentation.
    run_state_machine_as_test(machine, settings=how)  # type: ignore[arg-type]
