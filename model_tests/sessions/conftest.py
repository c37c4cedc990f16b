"""What the tests of sessions share: a journal, and a session with one effect in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from effectjournal.journal import Journal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store's folder that does not exist yet."""
    return tmp_path / "store"


@pytest.fixture
def journal(folder: Path) -> Iterator[Journal]:
    """An open journal."""
    opened = Journal.open(folder)
    yield opened
    opened.close()
