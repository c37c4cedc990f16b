"""The journal under the contract: whatever several processes do to it, the model agrees."""

from typing import Final

import pytest
from hypothesis import settings

from effectcrash.target_process import TargetProcess
from interleavings.machine import JournalMachine, TerminalMachine
from interleavings.processes import Connection, Process
from interleavings.search import COMMON, IN_PROCESS, run

REAL_EXAMPLES: Final = 12
REAL_STEPS: Final = 30
"""An example starts about five processes, and each takes up to half a second to start."""

UNDER_SIGKILL: Final = settings(COMMON, max_examples=REAL_EXAMPLES, stateful_step_count=REAL_STEPS)

SHRINK_S: Final = 900
"""Seconds for a failure: Hypothesis shrinks for up to five minutes, and the rest is the search."""


@pytest.mark.timeout(SHRINK_S)
def test_processes_on_one_store_agree_with_the_model_in_one_process(target: TargetProcess) -> None:
    run(TerminalMachine, Connection, target, IN_PROCESS)


@pytest.mark.timeout(SHRINK_S)
def test_processes_on_one_store_agree_with_the_model_under_sigkill(target: TargetProcess) -> None:
    run(JournalMachine, Process, target, UNDER_SIGKILL)
