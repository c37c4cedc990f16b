"""What a person asks of the journal, and decides in it (A-5)."""

from collections.abc import Callable

from effectjournal.journal import Attachment, Journal
from effectjournal.library.answers import keepable, why_not_kept
from effectjournal.library.given import require, text, whole
from effectjournal.library.misuse import BadValue
from effectspec.lifecycle import Resolution
from effectspec.protocol import Events, RowView


class Operator:
    """The effects of a journal as a person sees them, and the word that settles one.

    Every method raises :class:`BadValue` for what it cannot take, before anything is written.
    """

    def __init__(self, journal: Journal, check: Callable[[], None]) -> None:
        self._journal = journal
        self._check = check

    def rows(self, run_id: str) -> tuple[RowView, ...]:
        """A run's effects, discarded ones included, oldest first."""
        self._check()
        return self._journal.rows(text("the id of a run", run_id))

    def events(self, run_id: str) -> Events:
        """A run's event log and its present generation."""
        self._check()
        return self._journal.events(text("the id of a run", run_id))

    def resolve(
        self,
        row_id: int,
        resolution: Resolution,
        *,
        by: str,
        note: str,
        attached: Attachment | None = None,
    ) -> None:
        """Say what became of an unresolved effect, once (A-5, readings 6 to 8).

        ``by`` is who says so, ``note`` what was seen at the target. Accepted, it reads as
        committed; with a result attached it is re-delivered like any other. Discarded, the node
        does it again. Raises ``Refused``, ``UnknownRow`` or ``OwnedByAnother``.
        """
        self._check()
        place = _effect(row_id)
        require(
            f"{place}: the resolution",
            resolution,
            "Resolution.ACCEPTED or Resolution.DISCARDED",
            holds=isinstance(resolution, Resolution),
        )
        self._journal.resolve(
            row_id,
            resolution,
            by=text(f"{place}: by", by),
            note=text(f"{place}: note", note),
            attached=None if attached is None else _kept(place, attached),
        )

    def attach(self, row_id: int, attached: Attachment, *, by: str) -> None:
        """Attach the absent result of a committed or accepted effect, once (reading 7).

        Raises as :meth:`resolve` does.
        """
        self._check()
        place = _effect(row_id)
        self._journal.attach(row_id, _kept(place, attached), by=text(f"{place}: by", by))

    def close_run(self, run_id: str, *, by: str) -> None:
        """Close a run: nothing of it is resumed any more (readings 6 and 17)."""
        self._check()
        run_id = text("the id of a run", run_id)
        self._journal.close_run(run_id, by=text(f"run {run_id!r}: by", by))


def _effect(row_id: int) -> str:
    return f"effect {whole('the id of an effect', row_id, least=1)}"


def _kept(place: str, attached: Attachment) -> Attachment:
    """The attachment, whose result may be what the answer of an effect may be (G-7)."""
    require(
        f"{place}: what is attached",
        attached,
        "Attachment(result)",
        holds=isinstance(attached, Attachment),
    )
    try:
        return Attachment(keepable(attached.result, None).recorded)
    except Exception as error:
        why = why_not_kept(f"{place}: the attached result", attached.result, error)
        raise BadValue(f"{why}; attach plain JSON") from error
