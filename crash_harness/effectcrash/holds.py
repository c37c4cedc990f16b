"""Requests that are held until the harness releases them."""

import asyncio
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    over: asyncio.Event
    released: asyncio.Event = field(default_factory=asyncio.Event)


class Holds:
    """The held requests of one account, to be used within one event loop."""

    def __init__(self) -> None:
        """Nothing is held yet."""
        self._held: list[_Held] = []
        self._more = asyncio.Condition()

    def __len__(self) -> int:
        """How many requests are held now."""
        return len(self._held)

    async def hold(self, over: asyncio.Event) -> None:
        """Hold the running request until it is released; it sets `over` when it is done."""
        held = _Held(over)
        async with self._more:
            self._held.append(held)
            self._more.notify_all()
        await held.released.wait()

    async def release(self) -> None:
        """Let every request that is held now go on, and return when all of them are over."""
        released, self._held = self._held, []
        for held in released:
            held.released.set()
        for held in released:
            await held.over.wait()

    async def await_held(self, count: int) -> None:
        """Return as soon as `count` requests are held at once."""
        async with self._more:
            await self._more.wait_for(lambda: len(self._held) >= count)
