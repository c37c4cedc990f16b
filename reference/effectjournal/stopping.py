"""A probe that stops the process and fails its operations where the harness says so."""

from collections import Counter
from collections.abc import Iterable

from effectjournal.probe import InjectedFailure
from effectjournal.wire import Wire
from effectspec.points import Failable, Failure, Place, Point
from effectspec.protocol import Reached, Release


class StoppingProbe:
    """Stops at each of ``points`` until it is released, and fails each of ``failures``, once."""

    def __init__(self, wire: Wire, points: Iterable[Point], failures: Iterable[Failure]) -> None:
        self._wire = wire
        self._points = frozenset(points)
        self._failures = frozenset(failures)
        self._reached: Counter[Place] = Counter()
        self._tried: Counter[Failable] = Counter()

    def reach(self, place: Place) -> None:
        """Return at once, or say that the point is reached and wait for the release."""
        self._reached[place] += 1
        point = Point(place, self._reached[place])
        if point not in self._points:
            return
        self._wire.say(Reached(point=point))
        while not isinstance(self._wire.receive(), Release):
            self._wire.refuse(f"the process waits at {place.value}; send a release first")

    def fail(self, kind: Failable) -> None:
        """Raise :class:`InjectedFailure` if this is an operation that is to fail."""
        self._tried[kind] += 1
        if Failure(kind, self._tried[kind]) in self._failures:
            raise InjectedFailure(f"{kind.value} {self._tried[kind]} was made to fail")
