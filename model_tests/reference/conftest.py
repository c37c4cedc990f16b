"""What the tests of the reference share: a store's folder, a run taken over anew, a target."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from effectcrash.account import Account
from effectcrash.target_process import TargetProcess
from effectjournal.journal import Expect, Journal
from effectjournal.owned import OwnedRun
from effectjournal.reconcilers import Reconcilers


class Restarts:
    """Takes the run ``run-1`` over again and again, as processes that die one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 1_000_000
        self.journal = self._open()

    def _open(self) -> Journal:
        return Journal.open(self.folder, clock=lambda: self.now)

    def __call__(self, reconcilers: Reconcilers | None = None) -> OwnedRun:
        """The run under the next generation, in a journal that was opened anew."""
        self.journal.close()
        self.journal = self._open()
        return self.journal.take_over(
            "run-1", "owner", reconcilers or Reconcilers(), expect=Expect.EITHER
        )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store's folder that does not exist yet."""
    return tmp_path / "store"


@pytest.fixture
def restart(folder: Path) -> Iterator[Callable[..., OwnedRun]]:
    """A run whose owners come and go."""
    restarts = Restarts(folder)
    yield restarts
    restarts.journal.close()


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TargetProcess]:
    """A target process that keeps its own ledger; tests share it, each on its own account."""
    with TargetProcess(tmp_path_factory.mktemp("target") / "ledger.jsonl") as process:
        yield process


_account_numbers = count(1)


@pytest.fixture
def account(target: TargetProcess) -> Account:
    """An account of the target that nobody has asked anything."""
    return target.account(f"account{next(_account_numbers)}")
