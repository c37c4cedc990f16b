"""docs/library.md: its examples run, and its tables tell the truth."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import effectjournal
from effectjournal import library
from effectjournal.library.misuse import Misuse
from effectspec.tiers import Tier, claim

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/library.md").read_text()
EXAMPLES = re.findall(
    r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", PAGE, re.MULTILINE | re.DOTALL
)


def test_the_examples_of_the_page_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program: dict[str, object] = {"__name__": "example"}
    printed = []
    for source, _ in EXAMPLES:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(source, program)  # noqa: S102  (the page's own examples)
        printed.append(out.getvalue())
    assert len(EXAMPLES) == 7
    assert printed == [text for _, text in EXAMPLES]


def test_t5_the_page_claims_for_each_tier_what_may_be_claimed() -> None:
    promises = {
        tier: re.search(rf"^\| `{kind}\(.*", PAGE, re.MULTILINE)
        for tier, kind in zip(Tier, ("Keyed", "Queryable", "Opaque"), strict=True)
    }
    for tier, row in promises.items():
        assert row is not None
        assert row[0].split(" | ")[3] == claim(tier)


def test_the_page_names_every_mistake() -> None:
    named = set(
        re.findall(r"^\| .* \| `(\w+)` \| .* \|$", PAGE.split("## Mistakes")[1], re.MULTILINE)
    )
    assert named == {mistake.__name__ for mistake in Misuse.__subclasses__()}


def test_the_package_offers_what_the_library_does_and_loads_it_when_it_is_asked_for() -> None:
    assert effectjournal.__all__ == library.__all__
    program = "import sys, effectjournal.adapter; sys.exit('effectjournal.library' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
