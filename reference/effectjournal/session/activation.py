"""The activation of a resumed session: it is told, and then its evidence may go (D-1, D-7)."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass

from effectjournal.errors import JournalError
from effectjournal.session.session import Session, Swept
from effectjournal.surfaces.surface import Surface
from effectspec.session import Acknowledgement


@dataclass(frozen=True, slots=True)
class Activated:
    """How an activation ended. The session goes on in any case (D-1).

    ``swept`` is None where nothing could be deleted; ``complaint`` says why, if there is a word on
    it for the reader.
    """

    acknowledgement: Acknowledgement
    swept: Swept | None = None
    complaint: str = ""


class Activation:
    """One telling of one session on one surface. Its owner disarms it when the session ends."""

    def __init__(self, session: Session, surface: Surface) -> None:
        self._session = session
        self._surface = surface
        self._disarmed = asyncio.Event()

    def disarm(self) -> None:
        """Give the session up: it was cancelled, torn down, left or swapped (D-7).

        Whoever waits for the activation is let go at once. What arrives later changes nothing, and
        the journal may be closed as soon as this returns.
        """
        self._disarmed.set()

    async def run(self) -> Activated:
        """Read, tell, and delete what was told of if that was acknowledged. Raises nothing."""
        if self._disarmed.is_set():
            return Activated(Acknowledgement.FAILED)
        try:
            reading = self._session.read()
        except JournalError as error:
            return Activated(Acknowledgement.FAILED, complaint=str(error))
        acknowledgement = Acknowledgement.UNNEEDED
        if reading.notice is not None:
            acknowledgement = await self._until_disarmed(self._surface.publish(reading.notice))
        if self._disarmed.is_set():
            return Activated(acknowledgement)
        try:
            swept = self._session.sweep(reading, acknowledgement, owned=self._is_armed)
        except JournalError as error:
            return Activated(acknowledgement, complaint=str(error))
        return Activated(acknowledgement, swept)

    def _is_armed(self) -> bool:
        return not self._disarmed.is_set()

    async def _until_disarmed(
        self, publishing: Coroutine[None, None, Acknowledgement]
    ) -> Acknowledgement:
        published = asyncio.ensure_future(publishing)
        disarmed = asyncio.ensure_future(self._disarmed.wait())
        try:
            await asyncio.wait({published, disarmed}, return_when=asyncio.FIRST_COMPLETED)
            if published.done() and published.exception() is None:
                return published.result()
            return Acknowledgement.FAILED
        finally:
            published.cancel()
            disarmed.cancel()
