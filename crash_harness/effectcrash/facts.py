"""The facts that an observation tells, each in words and as a value that can be compared."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import msgspec

from effectcrash import wire
from effectcrash.adapter import as_told
from effectcrash.ledger import Effect, Request
from effectcrash.observation import Life, Observation, Scene
from effectspec import protocol
from effectspec.admission import Admission
from effectspec.attention import ErrorCode, ExitCode
from effectspec.digest import Json
from effectspec.gate import GateVerdict
from effectspec.lifecycle import Resolution, State
from effectspec.protocol import Answer, Code, EventView, RowView
from effectspec.settlement import Settlement
from effectspec.tiers import Tier

T = TypeVar("T")
A = TypeVar("A", bound=Answer)


class NotTold(Exception):
    """The observation does not tell: what the fact is about never came to be."""


@dataclass(frozen=True, slots=True)
class Fact(Generic[T]):
    """Something that an observation tells. ``read`` raises :class:`NotTold` where it does not."""

    words: str
    read: Callable[[Observation], T]


# ── moments ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class When:
    """A moment at which the scene was read."""

    words: str
    scene: Callable[[Observation], Scene]

    def tells(self, words: str, read: Callable[[Scene], T]) -> Fact[T]:
        """A fact about the scene at this moment."""
        return Fact(f"{words} {self.words}", lambda seen: read(self.scene(seen)))


AT_THE_END: Final = When("at the end", lambda seen: seen.end)


def found_by(process: str) -> When:
    """The moment at which ``process`` was started."""

    def scene(seen: Observation) -> Scene:
        found = _life(seen, process).found
        if found is None:
            raise NotTold(f"{process} was started on an empty store")
        return found

    return When(f"found by {process}", scene)


# ── the world ────────────────────────────────────────────────────────────────────────────────────


def effects(when: When = AT_THE_END) -> Fact[tuple[str, ...]]:
    """What happened in the world, in order, from the target's ledger."""
    return when.tells("effects", lambda scene: tuple(map(_invoice, scene.effects)))


def sent(when: When = AT_THE_END) -> Fact[int]:
    """How often the target was asked for an effect."""
    return when.tells("requests for an effect", lambda scene: len(_sent(scene)))


def looked_up(when: When = AT_THE_END) -> Fact[int]:
    """How often the target was asked for a receipt."""
    return when.tells("receipt look-ups", lambda scene: len(_look_ups(scene)))


def sent_under_the_stored_key(when: When) -> Fact[bool]:
    """Whether every request carried the one key that the row held at ``when`` (I-7)."""

    def read(seen: Observation) -> bool:
        row = _only_row(when.scene(seen))
        return row.key is not None and {request.key for request in _sent(seen.end)} == {row.key}

    return Fact(f"every request carries the key on the row {when.words}", read)


def looked_up_by_the_stored_reference(when: When) -> Fact[bool]:
    """Whether every look-up was for the reference that the row held at ``when`` (reading 9)."""

    def read(seen: Observation) -> bool:
        row = _only_row(when.scene(seen))
        asked = {request.path for request in _look_ups(seen.end)}
        return row.reference is not None and asked == {wire.receipt_path(row.reference)}

    return Fact(f"every look-up is for the reference on the row {when.words}", read)


def _only_row(scene: Scene) -> RowView:
    if len(scene.rows) != 1:
        raise NotTold(f"there are {len(scene.rows)} rows, not one")
    return scene.rows[0]


def _invoice(effect: Effect) -> str:
    match effect.body:
        case {"invoice": str(invoice)}:
            return invoice
        case body:
            return msgspec.json.encode(body).decode()


def _sent(scene: Scene) -> list[Request]:
    return [request for request in scene.requests if request.method != "GET"]


def _look_ups(scene: Scene) -> list[Request]:
    receipts = f"/{wire.RECEIPTS}/"
    return [
        request
        for request in scene.requests
        if request.method == "GET" and request.path.startswith(receipts)
    ]


# ── the journal ──────────────────────────────────────────────────────────────────────────────────


def _of_rows(when: When, words: str, read: Callable[[RowView], T]) -> Fact[tuple[T, ...]]:
    return when.tells(words, lambda scene: tuple(read(row) for row in scene.rows))


def states(when: When = AT_THE_END) -> Fact[tuple[State, ...]]:
    """The states of the run's rows, oldest first."""
    return _of_rows(when, "row states", lambda row: row.state)


def retained(when: When = AT_THE_END) -> Fact[tuple[bool, ...]]:
    """Whether each row holds a result."""
    return _of_rows(when, "rows hold a result", lambda row: row.retained)


def resolutions(when: When = AT_THE_END) -> Fact[tuple[Resolution | None, ...]]:
    """What an operator said of each row."""
    return _of_rows(when, "resolutions", lambda row: row.resolution)


def late_evidence(when: When = AT_THE_END) -> Fact[tuple[int, ...]]:
    """How many late answers are kept beside each row (reading 11)."""
    return _of_rows(when, "late answers kept beside each row", lambda row: row.late_evidence)


def resolvers(when: When = AT_THE_END) -> Fact[tuple[str | None, ...]]:
    """Who resolved each row."""
    return _of_rows(when, "rows resolved by", lambda row: row.resolved_by)


def resolution_times_written(when: When = AT_THE_END) -> Fact[tuple[bool, ...]]:
    """Whether each row says when it was resolved."""
    return _of_rows(when, "rows say when they were resolved", lambda row: bool(row.resolved_at))


def tiers(when: When = AT_THE_END) -> Fact[tuple[Tier, ...]]:
    """The tier that each row was prepared under."""
    return _of_rows(when, "tiers of the rows", lambda row: row.tier)


def attempts(when: When = AT_THE_END) -> Fact[tuple[int, ...]]:
    """The node-retry attempt that wrote each row, for audit (I-2)."""
    return _of_rows(when, "attempts that wrote the rows", lambda row: row.attempt)


def generation(when: When = AT_THE_END) -> Fact[int]:
    """The generation that owns the run."""
    return when.tells("the run's generation", lambda scene: scene.generation)


def unchanged(since: When, until: When = AT_THE_END) -> Fact[bool]:
    """Whether nothing was written on a row or in the log between two moments."""

    def read(seen: Observation) -> bool:
        then, now = since.scene(seen), until.scene(seen)
        return (then.rows, then.events) == (now.rows, now.events)

    return Fact(f"rows and events {until.words} are those {since.words}", read)


# ── the log ──────────────────────────────────────────────────────────────────────────────────────

COMPLETED: Final = "run:completed"
PAUSED: Final = "run:paused"


def failed(code: ErrorCode) -> str:
    """A failed terminal with its code, as :func:`terminals` and :func:`last_event` tell it."""
    return f"run:failed {code.value}"


NEEDS_ATTENTION: Final = failed(ErrorCode.EFFECT_NEEDS_ATTENTION)


def terminals(when: When = AT_THE_END) -> Fact[tuple[str, ...]]:
    """The terminals of the run's incarnations, in order."""
    return when.tells(
        "terminals",
        lambda scene: tuple(
            _named(event) for event in scene.events if event.name in ("run:completed", "run:failed")
        ),
    )


def last_event(when: When = AT_THE_END) -> Fact[str]:
    """The event that was written last."""
    return when.tells("the last event", lambda scene: _named(_last(scene.events, "event")))


def count_of(name: str, when: When = AT_THE_END) -> Fact[int]:
    """How many events have a name."""
    return when.tells(
        f"{name} events", lambda scene: sum(event.name == name for event in scene.events)
    )


def output(when: When = AT_THE_END) -> Fact[Mapping[str, Json]]:
    """The output of the node that completed last."""

    def read(scene: Scene) -> Mapping[str, Json]:
        completions = [event for event in scene.events if event.name == "node:completed"]
        return _last(completions, "node:completed event").output

    return when.tells("the node's output", read)


def _named(event: EventView) -> str:
    return f"{event.name} {event.code}" if event.code else event.name


def _last(found: Iterable[T], what: str) -> T:
    items = tuple(found)
    if not items:
        raise NotTold(f"there is no {what}")
    return items[-1]


# ── what a process said ──────────────────────────────────────────────────────────────────────────


def ending(process: str) -> Fact[ExitCode | Code]:
    """How the last run or resume of ``process`` ended, or why it was not done."""
    return Fact(f"{process} ends with", lambda seen: _ended(_last_answer(seen, process)))


def endings(process: str) -> Fact[tuple[ExitCode | Code, ...]]:
    """How each run or resume of ``process`` ended, and why an operation was not done."""
    return Fact(
        f"{process} ends, time after time, with",
        lambda seen: tuple(
            _ended(answer)
            for answer in _life(seen, process).answers
            if isinstance(answer, protocol.Ended | protocol.Error)
        ),
    )


def _ended(answer: Answer) -> ExitCode | Code:
    match answer:
        case protocol.Ended(exit_code=code):
            return code
        case protocol.Error(code=reason):
            return reason
        case _:
            raise NotTold(f"that ended nothing: {as_told(answer)}")


def error_code(process: str) -> Fact[ErrorCode | None]:
    """The error code that ``process`` ended with."""
    return Fact(
        f"the error code of {process}",
        lambda seen: _last_of(seen, process, protocol.Ended).error_code,
    )


def remedy_names(process: str, *words: str) -> Fact[bool]:
    """Whether the remedy that ``process`` ended with contains one of ``words``, case apart."""

    def read(seen: Observation) -> bool:
        remedy = _last_of(seen, process, protocol.Ended).remedy.lower()
        return any(word.lower() in remedy for word in words)

    return Fact(f"the remedy of {process} names {words[0]}", read)


def refusal(process: str) -> Fact[Code | None]:
    """Why the last operation of ``process`` was not done; None if it was."""

    def read(seen: Observation) -> Code | None:
        answer = _last_answer(seen, process)
        return answer.code if isinstance(answer, protocol.Error) else None

    return Fact(f"{process} is refused with", read)


def admission(process: str) -> Fact[Admission]:
    """The answer to the last prepare of ``process``."""
    return Fact(
        f"the prepare of {process} is",
        lambda seen: _last_of(seen, process, protocol.Prepared).admission,
    )


def refused_by(process: str) -> Fact[str]:
    """The clause that the last prepare of ``process`` was refused by."""
    return Fact(
        f"the prepare of {process} is refused by",
        lambda seen: _last_of(seen, process, protocol.Prepared).clause,
    )


def settlement(process: str) -> Fact[Settlement]:
    """What the last settle of ``process`` did."""
    return Fact(
        f"the settle of {process} is",
        lambda seen: _last_of(seen, process, protocol.Settled).settlement,
    )


def verdicts(process: str) -> Fact[tuple[GateVerdict, ...]]:
    """The gate's final verdicts, as ``process`` read them."""
    return Fact(
        f"the gate tells {process}",
        lambda seen: tuple(
            judged.verdict for judged in _last_of(seen, process, protocol.Gated).verdicts
        ),
    )


def weighed(process: str) -> Fact[tuple[tuple[Tier, Tier], ...]]:
    """The declared and the effective tier of each row that the gate judged (T-6)."""
    return Fact(
        f"declared and effective tiers, as the gate tells {process}",
        lambda seen: tuple(
            (judged.declared, judged.effective)
            for judged in _last_of(seen, process, protocol.Gated).verdicts
        ),
    )


def may_schedule(process: str) -> Fact[bool]:
    """Whether the gate lets ``process`` schedule anything (G-9)."""
    return Fact(
        f"the gate lets {process} schedule",
        lambda seen: _last_of(seen, process, protocol.Gated).may_schedule,
    )


def sweeps(process: str) -> Fact[tuple[int, ...]]:
    """How many rows each sweep of ``process`` deleted."""
    return Fact(
        f"rows that the sweeps of {process} deleted",
        lambda seen: tuple(
            answer.deleted
            for answer in _life(seen, process).answers
            if isinstance(answer, protocol.Swept)
        ),
    )


def _life(seen: Observation, process: str) -> Life:
    if process not in seen.lives:
        raise NotTold(f"there is no process {process}")
    return seen.lives[process]


def _last_answer(seen: Observation, process: str) -> Answer:
    return _last(_life(seen, process).answers, f"answer of {process}")


def _last_of(seen: Observation, process: str, kind: type[A]) -> A:
    said = _life(seen, process).answers
    return _last(
        (answer for answer in said if isinstance(answer, kind)), f"{kind.__name__} of {process}"
    )
