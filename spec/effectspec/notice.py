"""What a resumed session tells its reader of earlier effects (§8)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice as it is published: ``id`` is this one's alone, however alike another reads (D-7).

    ``lines`` are what its reader must see, each of them; none holds a line break. They tell the
    reader to check the target before a message is repeated.
    """

    id: str
    lines: tuple[str, ...]
