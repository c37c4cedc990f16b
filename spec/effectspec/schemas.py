"""The JSON Schemas of the protocol and of scenarios, for adapters in other languages.

The files in ``schema/`` are written from the messages by ``python -m effectspec.schemas``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from effectspec.protocol import PROTOCOL_VERSION, Answer, Request
from effectspec.scenario import Scenario

FOLDER = Path(__file__).parent / "schema"
"""Where the schema files are, in the installed package too."""

SCHEMAS: Mapping[str, Any] = {
    f"protocol-{PROTOCOL_VERSION}.request.json": Request,
    f"protocol-{PROTOCOL_VERSION}.answer.json": Answer,
    "scenario.json": Scenario,
}
"""File name → the type that it describes."""


def schema(described: Any) -> bytes:  # noqa: ANN401  (a type or a union of types)
    """The JSON Schema of a type, as its file holds it."""
    found = msgspec.json.schema(described)
    found["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return msgspec.json.format(msgspec.json.encode(found, order="deterministic"), indent=2) + b"\n"


if __name__ == "__main__":
    for name, described in SCHEMAS.items():
        (FOLDER / name).write_bytes(schema(described))
