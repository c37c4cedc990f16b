"""A trace as a scenario for an implementation's own engine: each life of a process is one run.

The engine does by itself what a process does in the model. It is stopped where others act before
it goes on, killed where the process dies, and the target does with its requests what becomes of
them in the trace. After its last stop an engine is left to itself.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import structs

from effectspec import scenario
from effectspec.admission import Admission
from effectspec.attention import ErrorCode
from effectspec.json_value import Json
from effectspec.model import script
from effectspec.model.actions import (
    Action,
    Advance,
    Arrival,
    Arrive,
    BeginNode,
    CompleteNode,
    Crash,
    EndRun,
    ForgetKeys,
    GiveUp,
    OperatorAct,
    Prepare,
    ReadGateFails,
    Send,
    SetLookups,
    Settle,
    SettleFails,
    TakeOver,
)
from effectspec.model.answers import Failed, Prepared
from effectspec.model.script import OPERATOR, Unscriptable
from effectspec.model.world import Call, Request, Result, Stage
from effectspec.model.writing import is_open
from effectspec.points import Failable, Failure, Place, Point
from effectspec.scenario import Job, Scenario, TargetAct
from effectspec.traces.events import Event, in_one_go
from effectspec.traces.trace import Trace

PLACES: Final[Mapping[type[Action], Place]] = MappingProxyType(
    {
        TakeOver: Place.TAKEN_OVER,
        Prepare: Place.PREPARED,
        Arrive: Place.ANSWERED,
        Settle: Place.SETTLED,
        SettleFails: Place.SETTLE_FAILED,
        CompleteNode: Place.NODE_COMPLETED,
    }
)
"""Where an engine can be stopped right after this."""

HELD: Final = frozenset({TargetAct.HOLD_BEFORE, TargetAct.HOLD_AFTER})
"""What keeps a process waiting."""

FAILS: Final = scenario.ProviderError(message="the node is to begin again")
"""What makes a node begin again, although nothing is wrong with its effects (O-6)."""


READ: Final[Mapping[str, Json]] = MappingProxyType({"method": "GET", "path": "/effects"})
"""What a model asks for in a slot that no journaled call is at."""


class _NoStep(Exception):
    """No step of a scenario stands for an event; the message says why."""


def engine_script(trace: Trace) -> Scenario:
    """The scenario in which engines do what is done in a trace. Raises :class:`Unscriptable`."""
    job = script.job_of(trace.actions, trace.configuration.nodes)
    return _Writer(in_one_go(trace)).write(job)


# ── lives ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Start:
    """A start of a node: its calls by their slots, and whether the node begins again after it."""

    calls: dict[int, Call] = field(default_factory=dict)
    fails: bool = False

    def play(self) -> scenario.Play:
        reply = scenario.Reply(calls=tuple(self._filled()))
        return scenario.Play(rounds=(reply, FAILS) if self.fails else (reply,))

    def _filled(self) -> Iterator[scenario.Call]:
        """The calls, and in the slots between them such as are not journaled."""
        for slot in range(max(self.calls, default=-1) + 1):
            asked = self.calls.get(slot)
            if asked is None:
                tool = next(iter(self.calls.values())).tool
                yield scenario.Call(tool=tool.id, arguments={**READ}, call_id=f"read-{slot}")
            else:
                yield script.call(asked, slot)


@dataclass(slots=True)
class _Life:
    """A process from its take-over to its end: one run or resume of an engine.

    ``reached`` counts how often it has come to each place. ``acts`` are what the target is told
    before it begins. ``doomed``: the target kills it.
    """

    name: str
    is_first: bool
    declared_dead: bool
    points: list[Point] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    acts: list[TargetAct] = field(default_factory=list)
    starts: dict[str, list[_Start]] = field(default_factory=dict)
    reached: Counter[Place] = field(default_factory=Counter)
    tries: int = 0
    sent: int = 0
    stands: bool = False
    held: bool = False
    doomed: bool = False

    def stop(self, place: Place) -> None:
        """Let it stop where it has come to now."""
        self.points.append(Point(place, self.reached[place]))
        self.stands = True

    def begin(self, node_id: str) -> None:
        starts = self.starts.setdefault(node_id, [])
        if starts:
            starts[-1].fails = True
        starts.append(_Start())

    def entry(self, play: int) -> Iterator[scenario.Step]:
        """How it begins, its first start of each node being this play."""
        points, failures = tuple(self.points), tuple(self.failures)
        yield scenario.Start(process=self.name, points=points, failures=failures)
        yield from (scenario.Target(act=act) for act in self.acts)
        if self.is_first:
            yield scenario.Run(process=self.name, play=play)
        else:
            yield scenario.Resume(process=self.name, play=play, declared_dead=self.declared_dead)


_Written: TypeAlias = scenario.Step | _Life


class _Writer:
    """Writes a scenario, event by event; a life stands where it begins until all of it is known."""

    def __init__(self, events: list[Event]) -> None:
        self._events = events
        self._lives: dict[str, _Life] = {}
        self._numbers: Counter[str] = Counter()
        self._held: dict[Request, TargetAct] = {}
        self._addresses: dict[int, tuple[str, int]] = {}
        self._written: list[_Written] = []

    def write(self, job: Job) -> Scenario:
        for at, event in enumerate(self._events):
            try:
                self._tell(at, event)
            except _NoStep as reason:
                raise Unscriptable(event.number, str(reason)) from reason
            self._addresses |= script.addresses(event.after)
        lives = [each for each in self._written if isinstance(each, _Life)]
        nodes = tuple(_with_plays(node, lives) for node in job.nodes)
        return Scenario(job=structs.replace(job, nodes=nodes), steps=tuple(self._steps()))

    def _tell(self, at: int, event: Event) -> None:
        match event.action:
            case Crash(process=name):
                life = self._lives.pop(name)
                self._written.append(scenario.Kill(process=life.name, by_target=life.doomed))
                self._forget_answers(name)
            case Arrive(request=request):
                self._arrive(at, event, request)
            case Advance(seconds=seconds):
                if self._somebody_goes_on(at):
                    raise _NoStep("only the clock of a process that is yet to start can be moved")
                self._written.append(scenario.Advance(seconds=seconds))
            case ForgetKeys() | SetLookups() as action:
                self._written.append(script.target_step(action))
            case action if isinstance(action, OperatorAct):
                self._written.append(script.operator_step(action, self._addresses))
            case _:
                self._go_on(at, event)

    # ── what a process does ──────────────────────────────────────────────────────────────────────

    def _go_on(self, at: int, event: Event) -> None:
        life = self._life(event)
        if life.held:
            raise _NoStep("its process waits for an answer that comes later")
        if isinstance(event.action, Send):
            self._send(at, event, life)
        self._release(life)
        self._note(event, life)
        self._stop(at, event, life)

    def _life(self, event: Event) -> _Life:
        match event.action:
            case TakeOver(process=name, declared_dead=declared_dead) if name not in self._lives:
                self._numbers[name] += 1
                life = _Life(
                    f"{name}.{self._numbers[name]}", event.before.run is None, declared_dead
                )
                self._written.append(life)
                if event.after.process(name) is not None:
                    self._lives[name] = life
                return life
            case action if event.process in self._lives and not isinstance(action, TakeOver):
                return self._lives[event.process]
            case _:
                raise _NoStep("an engine takes a run over, once, before it does anything else")

    def _release(self, life: _Life) -> None:
        if life.stands:
            self._written.append(scenario.Release(process=life.name))
            life.stands = False

    def _note(self, event: Event, life: _Life) -> None:
        """Note what an engine has to be told, or made, to do this."""
        match event.action:
            case ReadGateFails():
                life.failures.append(Failure(Failable.GATE_READ))
            case BeginNode(node_id=node_id):
                life.begin(node_id)
            case Prepare(node_id=node_id, slot=slot, call=asked):
                life.starts[node_id][-1].calls[slot] = asked
            case Settle() | SettleFails():
                life.tries += 1
                if isinstance(event.action, SettleFails):
                    life.failures.append(Failure(Failable.SETTLE_WRITE, life.tries))
            case EndRun(code=ErrorCode.NODE_FAILED):
                raise _NoStep("an engine cannot be told to fail a node")
            case GiveUp():
                life.reached[Place.ANSWERED] += 1
            case _:
                pass
        if type(event.action) in PLACES and _is_reached(event):
            life.reached[PLACES[type(event.action)]] += 1

    def _stop(self, at: int, event: Event, life: _Life) -> None:
        """Stop an engine where the next event is none of its own."""
        following = self._following(at)
        if following is None or life.held or _is_over(event):
            return
        if following.process == event.process and not isinstance(following.action, Crash):
            return
        if any(_is_arrival(following, request) for request in event.sent):
            return
        if type(event.action) in PLACES and _is_reached(event):
            life.stop(PLACES[type(event.action)])
        elif not (life.doomed and isinstance(event.action, Send)):
            raise _NoStep("an engine cannot be stopped right after it")

    # ── requests ─────────────────────────────────────────────────────────────────────────────────

    def _send(self, at: int, event: Event, life: _Life) -> None:
        """Tell the target what to do with a request, before it is made."""
        for request in event.sent:
            act = self._fate(at, request)
            life.held = act in HELD
            life.doomed = act in {TargetAct.KILL_CALLER_BEFORE, TargetAct.KILL_CALLER_AFTER}
            if act is not None:
                self._tell_target(act, life)
            if act in HELD:
                self._hold(request, act, life)
        life.sent += len(event.sent)

    def _hold(self, request: Request, act: TargetAct, life: _Life) -> None:
        if self._held:
            raise _NoStep("a target lets go of all that it holds at once, and it holds another")
        self._release(life)
        self._held[request] = act
        self._written.append(scenario.Target(act=TargetAct.AWAIT_HELD))

    def _forget_answers(self, name: str) -> None:
        """An answer that is held for a process that has died is nobody's."""
        for request, act in tuple(self._held.items()):
            if act is TargetAct.HOLD_AFTER and request.process == name:
                del self._held[request]

    def _tell_target(self, act: TargetAct, life: _Life) -> None:
        is_untouched = not life.points and len(life.acts) == life.sent
        if is_untouched:
            life.acts.append(act)
            return
        if not life.stands:
            life.stop(Place.PREPARED)
        self._written.append(scenario.Target(act=act))

    def _fate(self, at: int, request: Request) -> TargetAct | None:
        """What the target does with a request, None if it simply answers."""
        first, second = self._following(at), self._following(at + 1)
        if first is None:
            return None
        later = any(_is_arrival(event, request) for event in self._events[at + 1 :])
        match first.action:
            case Arrive() if _is_arrival(first, request):
                return _fate_of_arrival(first.action, None if second is None else second.action)
            case Crash(process=name) if name == request.process and not later:
                return TargetAct.KILL_CALLER_BEFORE
            case GiveUp(process=name) if name == request.process:
                if later:
                    raise _NoStep("its sender gives up, and the request arrives all the same")
                return TargetAct.DROP_BEFORE
            case _:
                return TargetAct.HOLD_BEFORE

    def _arrive(self, at: int, event: Event, request: Request) -> None:
        if self._held.get(request) is TargetAct.HOLD_BEFORE:
            del self._held[request]
            self._written.append(scenario.Target(act=TargetAct.RELEASE_HELD))
        if event.is_heard:
            life = self._lives[request.process]
            life.held = False
            if not life.doomed:
                self._note(event, life)
                self._stop(at, event, life)

    # ── what comes ───────────────────────────────────────────────────────────────────────────────

    def _following(self, at: int) -> Event | None:
        return self._events[at + 1] if at + 1 < len(self._events) else None

    def _somebody_goes_on(self, at: int) -> bool:
        """Whether a process that lives does anything more before it dies."""
        gone: set[str] = set()
        for event in self._events[at + 1 :]:
            if isinstance(event.action, Crash):
                gone.add(event.action.process)
            elif event.process in self._lives.keys() - gone:
                return True
        return False

    # ── the whole ────────────────────────────────────────────────────────────────────────────────

    def _steps(self) -> Iterator[scenario.Step]:
        if any(isinstance(event.action, OperatorAct) for event in self._events):
            yield scenario.Start(process=OPERATOR)
        play = 0
        for each in self._written:
            if isinstance(each, _Life):
                yield from each.entry(play)
                play += _width(each)
            else:
                yield each


def _with_plays(node: scenario.Node, lives: list[_Life]) -> scenario.Node:
    """A node with what its model answers, start by start: each life has as many as one needs."""
    plays: list[scenario.Play] = []
    for life in lives:
        starts = life.starts.get(node.id, [])
        plays += [start.play() for start in starts]
        plays += [_Start().play()] * (_width(life) - len(starts))
    attempts = max((len(life.starts.get(node.id, [])) for life in lives), default=0)
    return structs.replace(
        node, plays=tuple(plays or node.plays), attempts=max(attempts, node.attempts)
    )


def _width(life: _Life) -> int:
    """Starts of the node that a life begins most often."""
    return max(map(len, life.starts.values()), default=0)


def _is_reached(event: Event) -> bool:
    """Whether an engine comes to the place after this, or was answered otherwise."""
    match event.answer:
        case Prepared(admission=admission):
            return admission in {Admission.DISPATCH, Admission.RETRY}
        case Failed():
            return isinstance(event.action, SettleFails)
        case _:
            return True


def _is_over(event: Event) -> bool:
    """Whether a process has nothing more to do to the run after this."""
    process = None if event.process is None else event.after.process(event.process)
    if process is None or process.stage is Stage.OVER:
        return True
    return process.stage is Stage.ATTENTION and not is_open(event.after)


def _is_arrival(event: Event, request: Request) -> bool:
    return isinstance(event.action, Arrive) and event.action.request == request


def _fate_of_arrival(arrival: Arrive, following: Action | None) -> TargetAct | None:
    """What the target does with a request that arrives at once."""
    rejected = arrival.arrival is Arrival.REJECTED
    match following:
        case Crash(process=name) if name == arrival.request.process:
            return TargetAct.KILL_CALLER_BEFORE if rejected else TargetAct.KILL_CALLER_AFTER
        case GiveUp(process=name) if name == arrival.request.process:
            return TargetAct.DROP_AFTER
        case None:
            return None
        case _:
            pass
    if arrival.arrival is Arrival.UNHEARD:
        return TargetAct.HOLD_AFTER
    if rejected:
        return TargetAct.REJECT
    return TargetAct.PAD if arrival.result is Result.TOO_LARGE else None
