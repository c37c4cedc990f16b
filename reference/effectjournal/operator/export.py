"""Effects for somebody else's eyes: without handles, and with every text masked."""

from collections.abc import Iterable, Iterator

from msgspec.structs import asdict, replace

from effectjournal.operator.filed import Filed
from effectspec.projection import REDACTED, masked_text


def redacted(effects: Iterable[Filed]) -> Iterator[Filed]:
    """Effects without what opens the target, and without what is recognised in their texts.

    There are no arguments and no results to begin with (X-1).
    """
    for each in effects:
        texts = {
            name: masked_text(value) for name, value in asdict(each).items() if type(value) is str
        }
        handles = {name: REDACTED for name in ("key", "reference") if texts.get(name)}
        yield replace(each, **texts | handles)
