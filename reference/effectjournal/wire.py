"""The adapter's end of the protocol's line: requests come in, answers go out, in order."""

from typing import BinaryIO, Final

from msgspec.structs import replace

from effectspec.projection import masked_text
from effectspec.protocol import (
    MESSAGE_LIMIT,
    PROTOCOL_VERSION,
    Answer,
    BadMessage,
    Code,
    Error,
    Request,
    decode_request,
    encode,
)

SCHEMA: Final = f"effectspec/schema/protocol-{PROTOCOL_VERSION}.request.json"
"""Where a request is described."""


class Wire:
    """One harness on two streams. The process ends when either side of the line is closed."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers

    def receive(self) -> Request:
        """The next request. A line that is none is answered with an error and passed over."""
        while True:
            try:
                return decode_request(self._line())
            except BadMessage as error:
                self.refuse(f"{error}; send one JSON object a line, as {SCHEMA} describes it")

    def say(self, message: Answer) -> None:
        """Send an answer. What an error says may repeat arguments, and is masked like them."""
        if isinstance(message, Error):
            message = replace(message, message=masked_text(message.message))
        try:
            self._answers.write(encode(message))
            self._answers.flush()
        except BrokenPipeError:
            raise SystemExit(0) from None

    def refuse(self, message: str) -> None:
        """Answer a request that is not one now; nothing was done."""
        self.say(Error(code=Code.BAD_REQUEST, message=message, definite=True))

    def _line(self) -> bytes:
        line = self._requests.readline(MESSAGE_LIMIT)
        if not line:
            raise SystemExit(0)
        if len(line) == MESSAGE_LIMIT and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = self._requests.readline(MESSAGE_LIMIT)
            raise BadMessage(f"a line of more than {MESSAGE_LIMIT} bytes")
        return line
