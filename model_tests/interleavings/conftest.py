"""The target that the tests send to."""

from collections.abc import Iterator

import pytest

from effectcrash.target_process import TargetProcess


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TargetProcess]:
    """A target in a process of its own."""
    with TargetProcess(tmp_path_factory.mktemp("target") / "ledger.jsonl") as running:
        yield running
