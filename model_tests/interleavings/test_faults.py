"""A journal with a fault of the catalogue in it: the model disagrees, where it is expected to."""

import runpy
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from hypothesis import Phase, settings

from effectcrash.target_process import TargetProcess
from effectjournal.engine import CONDUCT, Engine
from effectjournal.journal import Journal
from effectjournal.session.session import Session
from effectspec.contract import CONTRACT
from effectspec.faults import FAULTS, Fault, Method
from interleavings.machine import Disagreement, TerminalMachine
from interleavings.processes import Connection
from interleavings.search import IN_PROCESS, run

LONG_SEARCH: Final = 2000
"""Examples. No limit that is met: a search ends at the first one that shows the fault, which takes
some hundreds for the hardest."""

SHORT_SEARCH: Final = 50
"""Examples for a fault that the machine has no way to come upon, however long it tries."""

# The same examples in every run of the same sources: Hypothesis draws constants of theirs too.
SEARCH: Final = settings(IN_PROCESS, derandomize=True, database=None, phases=(Phase.generate,))

CONDUCT_PY: Final = Path(__file__).parents[2] / "adapters" / "faulty" / "conduct.py"
JOURNALS: Final[Mapping[str, type[Journal]]] = {
    name: deviation.journal
    for name, deviation in runpy.run_path(str(CONDUCT_PY))["DEVIATIONS"].items()
    if deviation.conduct is CONDUCT and deviation.engine is Engine and deviation.session is Session
}
"""By conduct fault: the journal with the fault in it. One of the engine or of sessions cannot
show here, since the machine is in the engine's place and has no sessions."""


def search(fault: Fault, target: TargetProcess, examples: int) -> None:
    """Search for a disagreement about a fault. Raises :class:`Disagreement`."""
    contract = CONTRACT if fault.rule is None else fault.rule(CONTRACT)
    faulty = partial(Connection, contract=contract, journal=JOURNALS.get(fault.name, Journal))
    run(TerminalMachine, faulty, target, settings(SEARCH, max_examples=examples))


def expecting(*, found: bool) -> list[Fault]:
    searched = [fault for fault in FAULTS.values() if Method.INTERLEAVINGS in fault.red]
    return [fault for fault in searched if bool(fault.red[Method.INTERLEAVINGS]) is found]


@pytest.mark.parametrize("fault", expecting(found=True), ids=lambda fault: str(fault.name))
def test_a_journal_with_the_fault_is_found_out(fault: Fault, target: TargetProcess) -> None:
    with pytest.raises(Disagreement):
        search(fault, target, LONG_SEARCH)


@pytest.mark.parametrize("fault", expecting(found=False), ids=lambda fault: str(fault.name))
def test_a_journal_with_a_fault_that_is_not_seen_agrees(
    fault: Fault, target: TargetProcess
) -> None:
    search(fault, target, SHORT_SEARCH)


def test_every_conduct_fault_of_a_journal_alone_is_searched_for() -> None:
    searched = {
        fault.name
        for fault in FAULTS.values()
        if fault.rule is None and Method.INTERLEAVINGS in fault.red
    }

    assert searched == JOURNALS.keys()


@pytest.mark.parametrize("fault", expecting(found=True), ids=lambda fault: str(fault.name))
def test_what_the_model_disagrees_about_is_recorded_under_the_faults_own_clause(
    fault: Fault,
) -> None:
    assert fault.red[Method.INTERLEAVINGS] == {fault.clause}
