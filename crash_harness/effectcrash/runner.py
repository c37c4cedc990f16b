"""Runs cases against an implementation: each on a store and an account of its own."""

import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from effectcrash.adapter import LIMITS, Adapter, Limits
from effectcrash.examinable import Examinable, Stage
from effectcrash.results import CaseResult, Implementation, Results
from effectcrash.target_process import TargetProcess
from effectspec.protocol import Welcome

AT_A_TIME: Final = 2
"""Cases that are examined at once: a case mostly waits for one process, and small machines have
two cores."""


def run(
    cases: Iterable[Examinable],
    command: Sequence[str],
    *,
    told: Callable[[CaseResult], None] = lambda _: None,
    limits: Limits = LIMITS,
) -> Results:
    """Examine an implementation, which ``command`` starts, by ``cases``.

    ``told`` hears of each result as it comes, in this thread. Raises ``AdapterError`` if the
    implementation cannot be spoken to at all, and ``TargetError`` if the target fails.
    """
    welcome = _greet(command, limits)
    with (
        tempfile.TemporaryDirectory(prefix="effectcrash-") as folder,
        TargetProcess(Path(folder) / "ledger") as target,
        ThreadPoolExecutor(AT_A_TIME) as workers,
    ):

        def examined(number: int, case: Examinable) -> CaseResult:
            store = Path(folder) / f"store-{number}"
            stage = Stage(command, target.account(f"case-{number}"), store, limits)
            return case.examine(stage, welcome)

        pending = [workers.submit(examined, *numbered) for numbered in enumerate(cases)]
        try:
            results = tuple(_tell(future, told) for future in pending)
        except BaseException:
            workers.shutdown(wait=False, cancel_futures=True)
            raise
    return Results(implementation=_implementation(welcome, command), cases=results)


def _greet(command: Sequence[str], limits: Limits) -> Welcome:
    with Adapter(command, limits) as adapter:
        adapter.end()
        return adapter.welcome


def _tell(future: Future[CaseResult], told: Callable[[CaseResult], None]) -> CaseResult:
    result = future.result()
    told(result)
    return result


def _implementation(welcome: Welcome, command: Sequence[str]) -> Implementation:
    return Implementation(
        name=welcome.name,
        version=welcome.version,
        language=welcome.language,
        contract=welcome.contract,
        command=tuple(command),
    )
