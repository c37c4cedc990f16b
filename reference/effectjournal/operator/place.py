"""Where a journal is, as an operator names it: its folder, its file, or a URL."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from effectjournal.errors import NotOurStore
from effectjournal.journal import DATABASE, LOCKS
from effectspec.projection import masked_text

SCHEME = "sqlite"


@dataclass(frozen=True, slots=True)
class Place:
    """The file of a journal that is there, and the folder of its owners' locks."""

    file: Path
    locks: Path


def located(named: str) -> Place:
    """The place that ``named`` means. Raises :class:`NotOurStore` where there is no file."""
    if "://" in named:
        url = urlsplit(named)
        if url.scheme != SCHEME or url.netloc:
            raise NotOurStore(
                f"{masked_text(named)}: no journal that can be opened here; give its folder, its "
                f"{DATABASE}, or {SCHEME}:///PATH"
            )
        named = unquote(url.path)
    path = Path(named)
    file = path / DATABASE if path.is_dir() else path
    if not file.is_file():
        raise NotOurStore(
            f"{masked_text(named)}: no journal there; give the folder that was opened, which has "
            f"{DATABASE} in it"
        )
    return Place(file, file.parent / LOCKS)
