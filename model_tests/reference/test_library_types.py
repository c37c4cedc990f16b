"""What a type checker knows of the library.

mypy reads this file and the examples of docs/library.md. Its strict mode has an unused ignore for
an error, so every ignore below is an assertion that the line is wrong.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_type

from mypy import api

import effectjournal
from effectjournal import Effect, Keyed, Node, Opaque, Queryable, ReceiptFound

ROOT = Path(__file__).parents[2]


def well_typed(program: Path, cache: Path) -> str:
    """What mypy says of a program under the project's own settings."""
    found, errors, _ = api.run(
        ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(cache), str(program)]
    )
    return found + errors


def test_the_examples_of_the_page_are_well_typed(tmp_path: Path) -> None:
    page = (ROOT / "docs/library.md").read_text()
    program = tmp_path / "example.py"
    program.write_text(
        "\n\n".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    )
    assert well_typed(program, tmp_path) == "Success: no issues found in 1 source file\n"


def test_types_follow_the_answer_and_wrong_ones_are_errors(tmp_path: Path) -> None:
    assert well_typed(Path(__file__), tmp_path) == "Success: no issues found in 1 source file\n"


@dataclass(frozen=True)
class Receipt:
    """An answer."""

    id: str


def answers(node: Node, tool: Keyed) -> None:
    """The type of an answer goes in through ``done`` and comes out of ``value``."""
    with node.effect(tool, {"amount": 12}, answer=Receipt) as effect:
        assert_type(effect, Effect[Receipt])
        assert_type(effect.replayed, bool)
        assert_type(effect.key, str)
        effect.done(Receipt("r-1"))
        effect.done({"id": "r-1"})  # type: ignore[arg-type]
        effect.not_done(None)  # type: ignore[arg-type]
    assert_type(effect.value, Receipt)


def plain(node: Node, tool: Opaque) -> None:
    """Without a type an answer is whatever JSON it is."""
    with node.effect(tool, {"nested": [1, {"a": None}]}) as effect:
        effect.done([1, 2])
    assert_type(effect.value, Any)
    node.effect(tool, {"when": object()})  # type: ignore[dict-item]
    node.effect("mail", {})  # type: ignore[call-overload]


async def concurrent(effect: Effect[int]) -> int:
    """The asynchronous form has the same types."""
    async with effect as entered:
        assert_type(entered, Effect[int])
        entered.done(1)
    return effect.value


def ends(effect: Effect[int]) -> int:
    """``unknown`` never returns, so no value is missing after it."""
    effect.unknown("it timed out")


def tools() -> None:
    """A tool that could not keep the promise of its tier cannot be written down."""
    Queryable("transfer", query=ReceiptFound)
    Queryable("transfer")  # type: ignore[call-arg]
    Opaque("mail", key_lifetime_s=60)  # type: ignore[call-arg]


def names() -> None:
    """What the package does not offer is not there."""
    effectjournal.opne("payments")  # type: ignore[attr-defined]
