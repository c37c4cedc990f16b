"""The wire contract between a caller and the target, as protocol version 1 fixes it.

A target serves many accounts; each has an effect count, a key memory and receipts of its own. An
account's URL is `http://HOST:PORT/{account}`, and a caller knows nothing else about the target.

**Effect.** Any method other than GET on `/{account}/{rest}` asks for one effect. The body is one
JSON value (an empty body stands for `null`). Two headers are optional, and both values are taken
byte for byte:

- `Idempotency-Key` (tier 1): the same key again, with the same method, path and JSON value, gets
  the stored answer, byte for byte, and makes no new effect, for as long as the target remembers
  the key. Two bodies are the same when they are the same JSON value: the order of an object's
  members and white space do not count, the way a number is written does.
- `Effect-Reference` (tier 2): the reference under which a receipt can be looked up. It is no
  idempotency key: the same reference again makes a new effect.

Answers are JSON:

| status | body | what it says about the effect |
|---|---|---|
| 200 | `{"effect", "path", "echo", "reference"}`, and `"padding"` if told so | done |
| 400 | `{"error"}` | not done: the body is not JSON |
| 409 | `{"error"}` | unknown: the first request with this key is still running |
| 422 | `{"error"}` | not done: this key came before with another request |
| other 4xx | `{"error"}` | not done |
| 5xx | `{"error"}` | unknown |
| no answer | | unknown |

`effect` (an integer from 1) counts the account's effects, `path` is the request's path after the
account with its query as sent, `echo` the request's JSON value, `reference` a string or null,
`padding` a string without meaning that makes the answer long.

**Receipt.** `GET /{account}/receipts/{reference}` (percent-encoded) answers 200
`{"reference", "answer"}` if an effect with that reference happened and receipts are shown, where
`answer` is the JSON that the effect answered. Else it answers 404 `{"reference"}`, which is no
proof of absence: the target may show receipts late, or offer none, or the request may still be on
its way (reading 2). 503 `{"reference"}` means that look-ups fail at the moment. If several effects
carry one reference, the receipt is the first one's.

**Read.** GET on any other path answers 200 `{"read": path}`, whatever happened before.
"""

import re
from typing import Final
from urllib.parse import quote

LOOPBACK: Final = "127.0.0.1"
"""The only address that a target listens on."""

IDEMPOTENCY_KEY: Final = "Idempotency-Key"
EFFECT_REFERENCE: Final = "Effect-Reference"
RECEIPTS: Final = "receipts"

ACCOUNT_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII)
"""An account's whole name: it goes into a URL path as it is, and `_` first is the harness's."""

OK: Final = 200
MALFORMED: Final = 400
NOT_FOUND: Final = 404
KEY_IN_USE: Final = 409
KEY_OF_ANOTHER_REQUEST: Final = 422
UNAVAILABLE: Final = 503

REFUSALS: Final = range(400, 500)
"""Statuses that say "not done", but for `KEY_IN_USE`."""

FAILURES: Final = range(500, 600)
"""Statuses that leave the outcome unknown."""


def receipt_path(reference: str) -> str:
    """Where the receipt of `reference` is looked up, relative to an account's URL (T-3)."""
    return f"/{RECEIPTS}/{quote(reference, safe='')}"
