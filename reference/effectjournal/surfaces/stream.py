"""A plain or JSON surface: the standard error of a command (D-8). Its output stays the events'."""

import msgspec

from effectjournal.surfaces.writing import written
from effectspec.notice import Notice
from effectspec.session import Acknowledgement


class _Line(msgspec.Struct, frozen=True, tag="notice", tag_field="type"):
    id: str
    lines: tuple[str, ...]


class StreamSurface:
    """Writes to exactly the file descriptor that it was made with, line by line or as JSON."""

    def __init__(self, fd: int, *, as_json: bool = False) -> None:
        self._fd = fd
        self._as_json = as_json

    async def publish(self, notice: Notice) -> Acknowledgement:
        """Show a notice: ``DELIVERED`` once its last byte was taken, ``FAILED`` if it was not."""
        if self._as_json:
            text = msgspec.json.encode(_Line(notice.id, notice.lines)) + b"\n"
        else:
            text = "".join(f"{line}\n" for line in notice.lines).encode()
        whole = await written(self._fd, text)
        return Acknowledgement.DELIVERED if whole else Acknowledgement.FAILED
