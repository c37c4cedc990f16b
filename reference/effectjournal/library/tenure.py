"""A run while this process owns it: what its blocks share, and whether it may go on."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType

from effectjournal.errors import Busy, Fenced, StoreFailed
from effectjournal.health import Health, examine
from effectjournal.journal import Journal
from effectjournal.library.endings import NeedsAttention
from effectjournal.library.home import Home
from effectjournal.library.misuse import JournalClosed, Misuse
from effectjournal.library.tools import Tool
from effectjournal.owned import OwnedRun
from effectjournal.remedy import Ending, acts, say
from effectspec.attention import ErrorCode, ExitCode
from effectspec.json_value import Json
from effectspec.settlement import Outcome, Settlement
from effectspec.tiers import Tier


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why the run cannot go on: the clause, the words for it, and the effects in the way."""

    clause: str
    reason: str
    rows: tuple[int, ...]


@dataclass(slots=True)
class Tenure:
    """One owner's time with a run.

    ``completed`` holds the outputs of the nodes that have completed. ``failed`` holds the nodes
    whose last start failed, and whether they may be started again (O-6).
    """

    home: Home
    journal: Journal
    owned: OwnedRun
    tools: Mapping[str, Tool]
    reconcilers: frozenset[str]
    completed: dict[str, Mapping[str, Json]] = field(default_factory=dict)
    failed: dict[str, bool] = field(default_factory=dict)
    starts: Counter[str] = field(default_factory=Counter)
    open_nodes: set[str] = field(default_factory=set)
    obstacles: list[Obstacle] = field(default_factory=list)
    closed: bool = False

    @property
    def run_id(self) -> str:
        """The run that is owned."""
        return self.owned.fence.run_id

    # ── may anything be done ─────────────────────────────────────────────────────────────────────

    def check(self) -> None:
        """Raise where the run cannot be used: in another process or thread, or after its end."""
        self.home.check()
        if self.closed:
            raise JournalClosed(
                f"run {self.run_id!r} is closed; use it inside its block, and inside its journal's"
            )

    def leaves(self, error: BaseException | None) -> bool:
        """Whether a block that ends with ``error`` has to be left without a word to the store.

        So it is in a forked child or another thread, whose ``error`` says so already; without one
        it is raised here.
        """
        try:
            self.check()
        except Misuse:
            if error is None:
                raise
            return True
        return False

    def go_on(self) -> None:
        """Raise what has stopped the run: nothing new is begun after it (reading 19)."""
        self.check()
        if self.obstacles:
            raise self.needs_attention()

    # ── settling ─────────────────────────────────────────────────────────────────────────────────

    def settle(self, row_id: int, outcome: Outcome, answer: Json) -> None:
        """Settle an effect (O-4).

        Raises :class:`NeedsAttention` where the settle cannot be written, which leaves the row as
        it was, and ``Fenced`` where another owner has taken over: it is late evidence then.
        """
        try:
            settled = self.owned.settle(row_id, outcome, answer)
        except (StoreFailed, Busy) as error:
            raise self.stop(
                "O-4",
                f"effect {row_id} may have happened and its outcome could not be recorded: {error}",
                row_id,
            ) from error
        if settled.settlement is Settlement.EVIDENCE and self._is_superseded():
            raise Fenced(
                f"run {self.run_id!r} has another owner now; what became of effect {row_id} is "
                "kept as late evidence beside it"
            )

    def _is_superseded(self) -> bool:
        current = self.journal.events(self.run_id).generation
        held = self.owned.fence.generation
        return not self.journal.contract.fence_holds(writer=held, current=current)

    # ── what a person must look at ───────────────────────────────────────────────────────────────

    def stop(self, clause: str, reason: str, *rows: int) -> NeedsAttention:
        """Note that the run ends with ``effect_needs_attention``; the error to raise for it."""
        self.obstacles.append(Obstacle(clause, reason, rows))
        return self.needs_attention()

    @property
    def in_the_way(self) -> tuple[int, ...]:
        """The effects that stopped the run."""
        return tuple(dict.fromkeys(row for obstacle in self.obstacles for row in obstacle.rows))

    def needs_attention(
        self, effective: Mapping[int, Tier] = MappingProxyType({})
    ) -> NeedsAttention:
        """The error for all that has stopped the run. ``effective`` are tiers the gate found."""
        health = Health()
        # The words are poorer without the rows, and no less true.
        with suppress(StoreFailed, Busy):
            health = examine(self.journal, self.run_id)
        ending = Ending(
            frozenset({ExitCode.EFFECT_ATTENTION}),
            code=ErrorCode.EFFECT_NEEDS_ATTENTION,
            reason="\n".join(dict.fromkeys(obstacle.reason for obstacle in self.obstacles)),
            row_ids=self.in_the_way,
            health=health,
            effective=effective,
        )
        return self.attention(self.obstacles[0].clause, ending)

    def attention(self, clause: str, ending: Ending) -> NeedsAttention:
        """The error for an ending that a person must look at."""
        ended = say(self.journal.contract, self.reconcilers, ending)
        return NeedsAttention(self.run_id, clause, ended, acts(ending))

    def close(self) -> None:
        """Let go of the run's lock and of its store."""
        self.closed = True
        self.journal.close()
