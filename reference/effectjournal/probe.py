"""Where a process can be stopped, and what can be made to fail: the harness's way in."""

from typing import Protocol

from effectspec.points import Failable, Place


class InjectedFailure(Exception):
    """An operation failed because it was told to."""


class Probe(Protocol):
    """Told of every place that is reached and every operation that could be failed."""

    def reach(self, place: Place) -> None:
        """Return when the process may go on from ``place``."""

    def fail(self, kind: Failable) -> None:
        """Raise :class:`InjectedFailure` if this operation is to fail."""


class _Quiet:
    def reach(self, place: Place) -> None:
        pass

    def fail(self, kind: Failable) -> None:
        pass


QUIET: Probe = _Quiet()
"""Stops nowhere and fails nothing."""
