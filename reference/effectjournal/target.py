"""The target of a run over HTTP: each call is one request on one connection, whatever happens."""

from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote, urlsplit

import msgspec

from effectjournal.reconcilers import ReceiptFound
from effectjournal.sent import NO_ANSWER, Sent, outcome_of
from effectspec.decoding import NESTING, Unreadable, decoded
from effectspec.digest import canonical
from effectspec.gate import Lookup
from effectspec.json_value import Json
from effectspec.protocol import RECEIPT_PATH

REQUEST_TIMEOUT_S = 30.0
"""Seconds without a byte from the target before a call counts as unanswered. A caller that gives
up early only turns a slow answer into an unknown one, so this is generous."""

ANSWER_LIMIT = 64 * 1024 * 1024
"""Bytes of an answer that are read. It bounds memory, far above what any row would retain."""


class BadTarget(ValueError):
    """A base URL that no request can be sent to; the message says what one looks like."""


class _Receipt(msgspec.Struct):
    answer: Json


_receipts = msgspec.json.Decoder(_Receipt)
_answers: msgspec.json.Decoder[Json] = msgspec.json.Decoder()


class Target:
    """One account of a target, at a base URL such as ``http://127.0.0.1:4711/account``.

    There is no retry of any kind, no redirect is followed and no connection is used twice: the
    journal counts dispatches, so nothing below it may repeat one (T-4).
    """

    def __init__(self, base_url: str) -> None:
        """Raises :class:`BadTarget` for what is no such URL."""
        example = "give one such as http://127.0.0.1:4711/account"
        try:
            url = urlsplit(base_url)
            host, port = url.hostname, url.port
        except ValueError as error:
            raise BadTarget(f"the target's URL cannot be read ({error}); {example}") from None
        if url.scheme != "http" or host is None or url.query or url.fragment or "@" in url.netloc:
            # The URL is not repeated: what is wrong with it may be a password.
            raise BadTarget(
                f"the target's URL must be http, with a host, without user, query or fragment; "
                f"{example}"
            )
        self._host = host
        self._port = port
        self._base = url.path.rstrip("/")

    def send(
        self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None
    ) -> Sent:
        """Send one request and say what its answer means (reading 10).

        The body goes out as canonical JSON, so that calls of one digest are one request to a
        target that compares bodies (I-7); None sends an empty one.
        """
        answered = self._exchange(
            method, path, b"" if body is None else canonical(body), headers or {}
        )
        if answered is None:
            return NO_ANSWER
        status, content = answered
        return Sent(outcome_of(status), _parsed(content))

    def receipt(self, reference: str) -> ReceiptFound | Lookup:
        """Ask for the receipt of ``reference`` (T-3). Finding none proves nothing (reading 2)."""
        answered = self._exchange("GET", f"/{RECEIPT_PATH}/{quote(reference, safe='')}", b"", {})
        match answered:
            case (HTTPStatus.OK, content):
                try:
                    return ReceiptFound(decoded(_receipts, content, levels=NESTING).answer)
                except Unreadable:
                    return Lookup.FAILED
            case (HTTPStatus.NOT_FOUND, _):
                return Lookup.NOTHING
            case _:
                return Lookup.FAILED

    def _exchange(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[int, bytes] | None:
        """Status and content of the answer, None without a whole one."""
        # Half of what a process costs to start, and most processes of a kill send nothing.
        import http.client  # noqa: PLC0415

        connection = http.client.HTTPConnection(self._host, self._port, timeout=REQUEST_TIMEOUT_S)
        try:
            connection.request(
                method,
                f"{self._base}/{path.removeprefix('/')}",
                body or None,
                {"Content-Type": "application/json", "Connection": "close", **headers},
            )
            response = connection.getresponse()
            content = response.read(ANSWER_LIMIT)
            # A bounded read does not complain of an answer that breaks off, or goes on.
            whole = not response.length and not response.read(1)
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()
        return (response.status, content) if whole else None


def _parsed(content: bytes) -> Json:
    if not content:
        return None
    try:
        return decoded(_answers, content, levels=NESTING)
    except Unreadable:
        return content.decode(errors="replace")
