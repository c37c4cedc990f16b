"""What happened in the world and what was asked of it, from the target's own ledger."""

import msgspec

from effectcrash import wire
from effectcrash.facts.fact import AT_THE_END, Fact, NotTold, Subject, When
from effectcrash.ledger import Effect, Request
from effectcrash.observation import Observation, Scene
from effectspec.protocol import RowView


def effects(when: When = AT_THE_END) -> Fact[tuple[str, ...]]:
    """What happened in the world, in order, from the target's ledger."""
    return when.tells(Subject.EFFECTS, "effects", lambda scene: tuple(map(_invoice, scene.effects)))


def sent(when: When = AT_THE_END) -> Fact[int]:
    """How often the target was asked for an effect."""
    return when.tells(Subject.REQUESTS, "requests for an effect", lambda scene: len(_sent(scene)))


def looked_up(when: When = AT_THE_END) -> Fact[int]:
    """How often the target was asked for a receipt."""
    return when.tells(Subject.REQUESTS, "receipt look-ups", lambda scene: len(_look_ups(scene)))


def sent_under_the_stored_key(when: When) -> Fact[bool]:
    """Whether every request carried the one key that the row held at ``when`` (I-7)."""

    def read(seen: Observation) -> bool:
        row = _only_row(when.scene(seen))
        return row.key is not None and {request.key for request in _sent(seen.end)} == {row.key}

    return Fact(Subject.REQUESTS, f"every request carries the key on the row {when.words}", read)


def looked_up_by_the_stored_reference(when: When) -> Fact[bool]:
    """Whether every look-up was for the reference that the row held at ``when`` (reading 9)."""

    def read(seen: Observation) -> bool:
        row = _only_row(when.scene(seen))
        asked = {request.path for request in _look_ups(seen.end)}
        return row.reference is not None and asked == {wire.receipt_path(row.reference)}

    return Fact(
        Subject.REQUESTS, f"every look-up is for the reference on the row {when.words}", read
    )


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
