"""The target's memory of idempotency keys: what tier 1 trusts it for, for as long as it lasts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fresh:
    """Nothing stands against the effect. `key` is now in use, None if there is none to honour."""

    key: str | None


@dataclass(frozen=True, slots=True)
class Stored:
    """The effect has happened under this key, and this is what it answered."""

    answer: bytes


@dataclass(frozen=True, slots=True)
class InUse:
    """The first request with this key is still running."""


@dataclass(frozen=True, slots=True)
class OtherRequest:
    """The key came before, with another request."""


Claim = Fresh | Stored | InUse | OtherRequest


@dataclass(frozen=True, slots=True)
class _Kept:
    request: bytes
    answer: bytes | None


class KeyMemory:
    """The keys of one account. A request is known by bytes that are equal for equal requests."""

    def __init__(self) -> None:
        """No key has come yet."""
        self._kept: dict[str, _Kept] = {}

    def claim(self, key: str, request: bytes) -> Claim:
        """What `key` means for this request; a fresh key is in use until `store` ends that."""
        kept = self._kept.get(key)
        if kept is None:
            self._kept[key] = _Kept(request, None)
            return Fresh(key)
        if kept.request != request:
            return OtherRequest()
        return InUse() if kept.answer is None else Stored(kept.answer)

    def store(self, key: str, answer: bytes) -> None:
        """The request that put `key` in use is over; repeats of it get `answer`."""
        self._kept[key] = _Kept(self._kept[key].request, answer)

    def forget(self) -> tuple[str, ...]:
        """Forget the keys that are not in use, and say which they were."""
        forgotten = tuple(key for key, kept in self._kept.items() if kept.answer is not None)
        for key in forgotten:
            del self._kept[key]
        return forgotten
