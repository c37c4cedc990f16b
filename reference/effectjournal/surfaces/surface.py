"""A surface: it shows a notice and says what became of it."""

from typing import Protocol

from effectspec.notice import Notice
from effectspec.session import Acknowledgement


class Surface(Protocol):
    """What a session's reader has before the eyes."""

    async def publish(self, notice: Notice) -> Acknowledgement:
        """Show a notice. ``DELIVERED`` only if all of it is known to have arrived here (D-7)."""
