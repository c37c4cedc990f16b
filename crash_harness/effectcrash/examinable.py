"""What can be selected and examined, whatever kind of case it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from effectcrash.account import Account
from effectcrash.adapter import LIMITS, Limits
from effectcrash.results import CaseResult
from effectspec.protocol import Welcome
from effectspec.tiers import Tier


@dataclass(frozen=True, slots=True)
class Stage:
    """What a case is examined with: a command, an account of its own, a folder of its own."""

    command: Sequence[str]
    account: Account
    store: Path
    limits: Limits = LIMITS


class Examinable(Protocol):
    """A case of any kind. Its ``id`` begins with the crash point or clause that it is about."""

    @property
    def id(self) -> str:
        """The name that selects this case alone."""

    @property
    def tier(self) -> Tier | None:
        """The tier that it is about; None for a case about no effect."""

    @property
    def clauses(self) -> frozenset[str]:
        """The clauses that it speaks of."""

    def examine(self, stage: Stage, welcome: Welcome) -> CaseResult:
        """Examine and judge. Raises nothing that the implementation can cause."""


def point_of(case_id: str) -> str:
    """The crash point or clause that a case of this id is about."""
    return case_id.partition("/")[0]
