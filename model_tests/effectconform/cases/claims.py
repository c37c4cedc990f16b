"""T-5: the words that an implementation uses for a tier's guarantee."""

from collections.abc import Iterator
from typing import Final

from effectconform.ask import Question, Questions, question
from effectcrash.facts import NotTold
from effectspec.protocol import Answer, Claim, Claimed
from effectspec.tiers import Tier

EXACTLY_ONCE: Final = "exactly once"
QUALIFIER: Final = "after reconciliation"


def cases() -> Iterator[Questions]:
    """Tier 2 claims it with its condition, tier 3 never; what tier 1 claims is its own affair."""
    yield Questions(
        "T-5/claims",
        (_claim(Tier.QUERYABLE, QUALIFIER), _claim(Tier.OPAQUE, None)),
    )


def _claim(tier: Tier, qualifier: str | None) -> Question:
    return question(
        "T-5",
        f"tier {tier.value} is sold as plainly “{EXACTLY_ONCE}”",
        Claim(tier=tier),
        lambda answer: _oversells(_words(answer), qualifier),
        False,
    )


def _words(answer: Answer) -> str:
    if not isinstance(answer, Claimed):
        raise NotTold(f"no claim: {answer}")
    return " ".join(answer.words.lower().replace("-", " ").split())


def _oversells(words: str, qualifier: str | None) -> bool:
    return EXACTLY_ONCE in words and (qualifier is None or qualifier not in words)
