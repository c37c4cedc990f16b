"""Plays a scenario against an implementation's processes and a target's account."""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from effectcrash.account import TargetError
from effectcrash.adapter import Adapter, as_told
from effectcrash.cannot_ask import CannotAsk
from effectcrash.child import Death
from effectcrash.examinable import Stage
from effectcrash.observation import Life, Observation, Scene
from effectcrash.operations import Operation, Operations
from effectcrash.target_acts import TargetActs, behaviour
from effectspec import protocol, scenario
from effectspec.points import Place, Point
from effectspec.protocol import Answer, Code
from effectspec.scenario import Job, Scenario, Step, TargetAct

IN_TRANSACTION: Final = frozenset({Place.PREPARE_OPEN, Place.SWEEP_OPEN})
"""Places at which a process holds the store's write lock."""


class NotReached(Exception):
    """The scenario did not happen: a kill missed its point or did not kill, a step had no place."""


class Unsupported(Exception):
    """The implementation says that it does not do this; its reason."""


class NoScene(Exception):
    """The store cannot be opened or read, so that nothing can be said of it."""


def play(
    script: Scenario, stage: Stage, elsewhere: Mapping[str, Job] = MappingProxyType({})
) -> Observation:
    """Play every step, then read the scene with a process that did none of it.

    ``elsewhere``: processes that work on another run of the same store, and its job. Raises
    :class:`NotReached`, :class:`Unsupported`, :class:`NoScene`, ``AdapterError`` and
    ``TargetError``; every process is dead when it returns or raises.
    """
    with ExitStack() as processes:
        is_session = any(isinstance(step, scenario.SessionStep) for step in script.steps)
        player = _Player(Operations(script.job, elsewhere), stage, processes, is_session=is_session)
        return player.play(script.steps)


@dataclass(slots=True)
class _Process:
    name: str
    adapter: Adapter
    points: frozenset[Point]
    found: Scene | None = None
    answers: list[Answer] = field(default_factory=list)
    reached: list[Point] = field(default_factory=list)
    death: Death | None = None
    operation: Operation | None = None
    """What it was told to do and has not answered."""
    stands_at: Place | None = None
    """Where that operation waits for its release."""

    @property
    def missed(self) -> frozenset[Point]:
        """The points that it was told to stop at and has not come to."""
        return self.points.difference(self.reached)

    def life(self) -> Life:
        return Life(self.found, tuple(self.answers), tuple(self.reached), self.death)


class _Player:
    def __init__(
        self, operations: Operations, stage: Stage, processes: ExitStack, *, is_session: bool
    ) -> None:
        self._is_session = is_session
        self._operations = operations
        self._stage = stage
        self._exits = processes
        self._target = TargetActs(stage.account)
        self._processes: dict[str, _Process] = {}
        self._clock_offset_s = 0
        self._store_touched = False

    def play(self, steps: Sequence[Step]) -> Observation:
        self._stage.account.configure(behaviour(self._operations.job))
        for index, step in enumerate(steps):
            self._take(step)
            if coming := steps[index + 1 :]:
                self._let_go(coming)
        for process in self._processes.values():
            self._await(process)
        end = self._read_scene(self._open(scenario.Start(process="auditor")))
        return Observation({name: each.life() for name, each in self._processes.items()}, end)

    def _take(self, step: Step) -> None:
        match step:
            case scenario.Start():
                self._start(step)
            case scenario.Kill():
                self._kill(step)
            case scenario.Release(process=name):
                self._release(self._process(name))
            case scenario.Target(act=act):
                self._tell_target(act)
            case scenario.Advance(seconds=seconds):
                self._clock_offset_s += seconds
            case scenario.Wait(seconds=seconds):
                time.sleep(seconds)
            case _:
                self._operate(step)

    # ── processes ────────────────────────────────────────────────────────────────────────────────

    def _process(self, name: str) -> _Process:
        process = self._processes.get(name)
        if process is None:
            raise NotReached(f"{name} was never started")
        if process.death is not None:
            raise NotReached(f"{name} {process.death} before this step")
        return process

    def _start(self, step: scenario.Start) -> None:
        if step.process in self._processes:
            raise NotReached(f"{step.process} was started before: each process has its own name")
        process = self._open(step)
        if self._store_touched:
            process.found = self._read_scene(process)
        self._processes[step.process] = process

    def _open(self, step: scenario.Start) -> _Process:
        adapter = self._exits.enter_context(Adapter(self._stage.command, self._stage.limits))
        opening = protocol.Open(
            store=str(self._stage.store),
            target=self._stage.account.url,
            clock_offset_s=self._clock_offset_s,
            points=step.points,
            failures=step.failures,
        )
        answer = _supported(adapter.ask(opening))
        if isinstance(answer, protocol.Error):
            raise NoScene(f"the store does not open: {answer.message}")
        return _Process(step.process, adapter, frozenset(step.points))

    def _kill(self, step: scenario.Kill) -> None:
        process = self._process(step.process)
        if step.by_target:
            end = process.adapter.receive_or_die()
            if not isinstance(end, Death):
                raise NotReached(
                    f"{process.name} was not killed by the target: it said {as_told(end)}"
                )
            process.death = end
        else:
            if process.missed:
                raise NotReached(
                    f"{process.name} did not stop at {_places(process.missed)}{_instead(process)}"
                )
            process.death = process.adapter.kill()
        if not process.death.by_sigkill:
            raise NotReached(f"{process.name} {process.death}, not by the SIGKILL meant for it")
        process.operation = process.stands_at = None

    def _release(self, process: _Process) -> None:
        self._await(process)
        if process.stands_at is None:
            raise NotReached(f"{process.name} waits at no point{_instead(process)}")
        process.stands_at = None
        self._target.expect(process.adapter.pid)
        process.adapter.send(protocol.Release())
        self._await_unless_it_waits(process)

    def _let_go(self, coming: Sequence[Step]) -> None:
        """End each process that has nothing more to do, as it would end by itself.

        After the last step nobody is: what is there by then must not need a clean end.
        """
        needed = {getattr(step, "process", None) for step in coming}
        for name, process in self._processes.items():
            if process.death is None and process.operation is None and name not in needed:
                process.death = process.adapter.end()

    def _tell_target(self, act: TargetAct) -> None:
        try:
            self._target.perform(act)
        except TargetError as error:
            if act is not TargetAct.AWAIT_HELD:
                raise
            raise NotReached(f"no request came to be held: {error}") from error

    # ── operations ───────────────────────────────────────────────────────────────────────────────

    def _operate(self, step: Operation) -> None:
        process = self._process(step.process)
        self._await(process)
        if process.stands_at is not None:
            raise NotReached(f"{process.name} still waits at {process.stands_at.value}")
        try:
            request = self._operations.request(step, process.adapter.ask)
        except CannotAsk as error:
            raise NotReached(str(error)) from error
        self._store_touched = True
        self._target.expect(process.adapter.pid)
        process.adapter.send(request)
        process.operation = step
        self._await_unless_it_waits(process)

    def _await_unless_it_waits(self, process: _Process) -> None:
        """Wait for an answer or a point, unless a later step has to come before either.

        That is so if the target is not to answer the process, and if another process stands inside
        a transaction and so holds the store's lock. A process that still has a point to stop at
        comes to it all the same: its wait for the lock is bounded (F-2).
        """
        if self._target.leaves_unanswered():
            return
        locked_out = any(
            other.stands_at in IN_TRANSACTION
            for other in self._processes.values()
            if other is not process
        )
        if process.missed or not locked_out:
            self._await(process)

    def _await(self, process: _Process) -> None:
        if process.operation is None or process.stands_at is not None:
            return
        answer = _supported(process.adapter.receive())
        if isinstance(answer, protocol.Reached):
            process.reached.append(answer.point)
            process.stands_at = answer.point.place
            return
        self._operations.learn(process.operation, answer)
        process.answers.append(answer)
        process.operation = None

    # ── what is there ────────────────────────────────────────────────────────────────────────────

    def _read_scene(self, process: _Process) -> Scene:
        run_id = self._operations.job.run_id
        rows = process.adapter.ask(
            protocol.ReadSessionRows(session=run_id)
            if self._is_session
            else protocol.ReadRows(run_id=run_id)
        )
        log = process.adapter.ask(protocol.ReadEvents(run_id=run_id))
        account = self._stage.account
        match rows, log:
            case protocol.Rows(rows=found), protocol.Events(generation=generation, events=events):
                return Scene(found, events, generation, account.effects(), account.requests())
            case protocol.Error(code=Code.UNKNOWN_RUN), _:
                return Scene((), (), 0, account.effects(), account.requests())
            case _:
                raise NoScene(f"the store cannot be read: {as_told(rows)}, {as_told(log)}")


def _supported(answer: Answer) -> Answer:
    if isinstance(answer, protocol.Error) and answer.code is Code.UNSUPPORTED:
        raise Unsupported(answer.message)
    return answer


def _places(points: frozenset[Point]) -> str:
    return ", ".join(sorted(f"{point.place.value} #{point.occurrence}" for point in points))


def _instead(process: _Process) -> str:
    return f"; it said {as_told(process.answers[-1])} instead" if process.answers else ""
