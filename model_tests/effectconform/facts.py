"""Facts that only the conformance cases speak of, beside those of the crash matrix."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from effectcrash.facts import AT_THE_END, Fact, NotTold, Subject, When, of_last_answer, of_rows
from effectcrash.observation import Scene
from effectspec import protocol
from effectspec.json_value import Json
from effectspec.protocol import Delivery

T = TypeVar("T")

EVENT_NAMES = frozenset(
    {
        "run:started",
        "run:resumed",
        "run:paused",
        "run:completed",
        "run:failed",
        "node:started",
        "node:completed",
        "node:failed",
        "tool:result",
    }
)
"""The events that a log may hold; needs-attention adds none to them (A-1)."""


# ── what a row keeps of its occurrence ───────────────────────────────────────────────────────────


def slots(when: When = AT_THE_END) -> Fact[tuple[int, ...]]:
    """The slots of the run's rows, oldest first (I-3)."""
    return of_rows(when, "slots of the rows", lambda row: row.slot)


def call_ids(when: When = AT_THE_END) -> Fact[tuple[str, ...]]:
    """The tool-call id of each row (I-6)."""
    return of_rows(when, "call ids on the rows", lambda row: row.call_id)


def digests(when: When = AT_THE_END) -> Fact[tuple[str, ...]]:
    """The stored digest of each row (X-1, X-2)."""
    return of_rows(when, "digests on the rows", lambda row: row.digest)


# ── the handles that a row gives its call ────────────────────────────────────────────────────────


def rows_have_a_key(when: When) -> Fact[tuple[bool, ...]]:
    """Whether each row holds an idempotency key (I-7)."""
    return of_rows(when, "rows hold a key", lambda row: row.key is not None)


def rows_have_a_reference(when: When) -> Fact[tuple[bool, ...]]:
    """Whether each row holds a receipt reference (reading 9)."""
    return of_rows(when, "rows hold a reference", lambda row: row.reference is not None)


def different_keys(when: When) -> Fact[int]:
    """How many different idempotency keys the rows hold (I-7)."""
    return when.tells(
        Subject.ROWS,
        "different keys on the rows",
        lambda scene: len({row.key for row in scene.rows if row.key is not None}),
    )


def keys_sent_as_stored(when: When) -> Fact[bool]:
    """Whether the requests for an effect carried the rows' keys, byte for byte and in order."""
    return when.tells(
        Subject.REQUESTS,
        "the requests carry the keys on the rows, in order",
        lambda scene: [row.key for row in scene.rows] == _sent_keys(scene),
    )


def keys_sent(when: When = AT_THE_END) -> Fact[int]:
    """How many requests for an effect carried an idempotency key."""
    return when.tells(
        Subject.REQUESTS,
        "requests that carry a key",
        lambda scene: sum(key is not None for key in _sent_keys(scene)),
    )


def _sent_keys(scene: Scene) -> list[str | None]:
    return [request.key for request in scene.requests if request.method != "GET"]


# ── what was sent, logged and delivered ──────────────────────────────────────────────────────────


def bodies(when: When = AT_THE_END) -> Fact[tuple[object, ...]]:
    """What the effects carried, as the target took it down (X-9)."""
    return when.tells(
        Subject.EFFECTS,
        "what the target was sent",
        lambda scene: tuple(effect.body for effect in scene.effects),
    )


def events_of_no_known_name(when: When = AT_THE_END) -> Fact[tuple[str, ...]]:
    """Events that the contract does not know (A-1)."""
    return when.tells(
        Subject.EVENTS,
        "events of no known name",
        lambda scene: tuple(event.name for event in scene.events if event.name not in EVENT_NAMES),
    )


def outputs_told(when: When = AT_THE_END) -> Fact[tuple[Mapping[str, Json], ...]]:
    """The output mapping in each tool:result event, in order (G-7)."""
    return when.tells(
        Subject.EVENTS,
        "outputs in the tool:result events",
        lambda scene: tuple(event.output for event in scene.events if event.name == "tool:result"),
    )


def delivered(process: str, words: str, read: Callable[[Delivery], T]) -> Fact[T]:
    """Something of what the last prepare of ``process`` re-delivered (G-7)."""

    def found(prepared: protocol.Prepared) -> T:
        if prepared.delivery is None:
            raise NotTold(f"nothing was re-delivered to {process}")
        return read(prepared.delivery)

    return of_last_answer(
        process, protocol.Prepared, f"{words} that {process} is re-delivered", found
    )


def completed(process: str) -> Fact[bool]:
    """Whether the last completion that ``process`` asked for was granted (G-12)."""
    return of_last_answer(
        process,
        protocol.NodeEnded,
        f"the node of {process} completes",
        lambda ended: ended.completed,
    )
