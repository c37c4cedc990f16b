"""What the tests of the operator's commands share: a journal in which things went wrong."""

from pathlib import Path

import pytest

from operating.desk import (
    CHARGE,
    MAIL,
    REPORT,
    Desk,
    run_once,
    unanswered,
    unanswered_under_its_key,
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A journal with three effects of which the journal does not know enough.

    1: opaque, may have happened, and its run was refused once. 2: keyed, no answer. 3: done, its
    result too large to keep, and its run is paused.
    """
    folder = tmp_path / "payments"
    run_once(folder, "mail-17", MAIL, unanswered)
    run_once(folder, "mail-17", MAIL, unanswered)
    run_once(folder, "order-18", CHARGE, unanswered_under_its_key)
    run_once(folder, "report-4", REPORT, lambda effect: effect.done("a" * 100))
    return Desk(folder)
