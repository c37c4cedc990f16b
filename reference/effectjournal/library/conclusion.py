"""With what a run ends, by what left its block; chosen after all its work has joined (A-3)."""

from contextlib import suppress

from effectjournal.errors import Busy, Fenced, StoreFailed
from effectjournal.health import examine
from effectjournal.library.endings import NeedsAttention, NodeFailed, Paused, TerminalHeld
from effectjournal.library.tenure import Obstacle, Tenure
from effectjournal.remedy import Ending
from effectspec.attention import ErrorCode, ExitCode

_ATTENTION = ErrorCode.EFFECT_NEEDS_ATTENTION


def conclude(tenure: Tenure, error: BaseException | None) -> None:
    """Write how the incarnation ended; raise what its caller must know and ``error`` does not say.

    An interrupt (``KeyboardInterrupt``, ``SystemExit``, a cancellation) outside every effect writes
    nothing: the run stays open, as it does when its process is killed.
    """
    interrupted = error is not None and not isinstance(error, Exception)
    try:
        _note_unresolved(tenure)
        _write(tenure, error, interrupted=interrupted)
    except Fenced:
        # The run is another owner's to end. The first to say so says most.
        if interrupted or isinstance(error, Fenced):
            return
        raise
    except (StoreFailed, Busy) as held:
        _tell_of_a_held_terminal(tenure, error, held)
    if tenure.obstacles:
        _tell_of_attention(tenure, error, interrupted=interrupted)
    elif error is None and tenure.failed:
        raise NodeFailed(
            f"run {tenure.run_id!r} failed: its nodes {', '.join(map(repr, tenure.failed))} failed "
            "and were not completed by a later start"
        )
    elif error is None:
        _tell_of_undelivered(tenure)


def _note_unresolved(tenure: Tenure) -> None:
    # Whatever else ends it, an open effect keeps the run resumable (reading 19).
    unresolved = examine(tenure.journal, tenure.run_id).unresolved
    if not set(unresolved) <= set(tenure.in_the_way):
        tenure.obstacles.append(Obstacle("G-12", "effects of the run have no outcome", unresolved))


def _write(tenure: Tenure, error: BaseException | None, *, interrupted: bool) -> None:
    if tenure.obstacles:
        _end(tenure, _ATTENTION)
    elif isinstance(error, Paused):
        tenure.owned.emit("run:paused")
    elif not interrupted:
        _end(tenure, ErrorCode.NODE_FAILED if error is not None or tenure.failed else None)


def _end(tenure: Tenure, code: ErrorCode | None) -> None:
    tenure.owned.end(code, tenure.in_the_way)
    # A sweep that fails is finished by whoever asks for the ended run again.
    with suppress(StoreFailed, Busy):
        tenure.journal.sweep(tenure.run_id, fence=tenure.owned.fence)


def _tell_of_a_held_terminal(
    tenure: Tenure, error: BaseException | None, held: StoreFailed | Busy
) -> None:
    words = f"the end of run {tenure.run_id!r} could not be recorded: {held}"
    if tenure.obstacles:
        tenure.obstacles.append(Obstacle("A-2", words, ()))
    elif error is None:
        raise TerminalHeld(f"{words}; run it again: nothing of it is repeated") from held
    else:
        error.add_note(words)


def _tell_of_attention(tenure: Tenure, error: BaseException | None, *, interrupted: bool) -> None:
    attention = tenure.needs_attention()
    if error is not None and interrupted:
        error.add_note(str(attention))
    elif not (isinstance(error, NeedsAttention) and str(error) == str(attention)):
        raise attention from error


def _tell_of_undelivered(tenure: Tenure) -> None:
    """A good terminal, and effects that the completed nodes did not ask for again (reading 17)."""
    health = examine(tenure.journal, tenure.run_id)
    if health.undelivered:
        ending = Ending(
            frozenset({ExitCode.COMPLETED}),
            reason="the run completed without the results of effects of its earlier starts",
            undelivered=health.undelivered,
            health=health,
        )
        raise tenure.attention("A-3", ending)
