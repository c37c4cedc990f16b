"""What was done in the model, as a scenario that can be played against an implementation.

Only the journal's own operations are scripted. Whoever plays it stands in the engine's place, so a
call that is sent needs no step: what comes of it is what its settle says.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import Final, assert_never

from effectspec import scenario
from effectspec.contract import CONTRACT, Contract
from effectspec.journaling import ToolKind
from effectspec.json_value import Json
from effectspec.model.actions import (
    Action,
    Advance,
    Approve,
    Arrive,
    Attach,
    BeginIncarnation,
    BeginNode,
    Close,
    CompleteNode,
    Crash,
    EndRun,
    FollowUpFails,
    ForgetKeys,
    GiveUp,
    Join,
    NodeAct,
    OperatorAct,
    OutsideAct,
    OverBudget,
    Prepare,
    PrepareFails,
    ReadGate,
    ReadGateFails,
    ReadGateUnowned,
    Resolve,
    RunAct,
    Send,
    SetLookups,
    Settle,
    SettleFails,
    Sweep,
    TakeOver,
)
from effectspec.model.step import step
from effectspec.model.world import RUN_ID, Call, Lookups, Result, Tool, World
from effectspec.points import Failable, Failure
from effectspec.scenario import Job, Scenario, Step, TargetAct
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

RETENTION_BYTES: Final = 512
"""What a row may keep of a result: more than a short answer, less than a long one (G-5)."""

RESULTS: Final[Mapping[Result | None, Json]] = MappingProxyType(
    {
        None: None,
        Result.FITS: {"said": "yes"},
        Result.OTHER: {"said": "no"},
        Result.TOO_LARGE: {"said": "y" * 2 * RETENTION_BYTES},
    }
)
"""The results of the model, as a target might have answered them."""

OPERATOR: Final = "operator"
"""The process that does what needs no fence."""

_LOOKUPS: Final[Mapping[Lookups, TargetAct]] = MappingProxyType(
    {
        Lookups.SHOWN: TargetAct.SHOW_RECEIPTS,
        Lookups.HIDDEN: TargetAct.HIDE_RECEIPTS,
        Lookups.FAILING: TargetAct.FAIL_LOOKUPS,
    }
)

_FAILURES: Final[Mapping[type[Action], tuple[Failable, bool]]] = MappingProxyType(
    {
        Prepare: (Failable.PREPARE_WRITE, False),
        PrepareFails: (Failable.PREPARE_WRITE, True),
        Settle: (Failable.SETTLE_WRITE, False),
        SettleFails: (Failable.SETTLE_WRITE, True),
        ReadGate: (Failable.GATE_READ, False),
        ReadGateFails: (Failable.GATE_READ, True),
    }
)
"""What can be made to fail, and whether this action is its failure."""


class Unscriptable(ValueError):
    """An action, the ``number``-th from 1, that no step of a scenario stands for, and ``why``."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"step {number}: {why}")
        self.number = number
        self.why = why


def job(tools: Iterable[Tool], reconcilers: Collection[str], nodes: Iterable[str]) -> Job:
    """The job of a model's run."""
    return Job(
        run_id=RUN_ID,
        tools=tuple(
            scenario.Tool(
                id=tool.id,
                kind=ToolKind.HTTP_REQUEST,
                tier=tool.tier,
                reconciler=tool.id in reconcilers,
                key_lifetime_s=tool.key_lifetime_s,
                retention=RETENTION_BYTES,
            )
            for tool in tools
        ),
        nodes=tuple(
            scenario.Node(id=node_id, plays=(scenario.Play(rounds=()),)) for node_id in nodes
        ),
    )


def call(asked: Call, slot: int) -> scenario.Call:
    """A call of the model at a slot."""
    return scenario.Call(
        tool=asked.tool.id, arguments=asked.arguments, call_id=f"{asked.tool.id}-{slot}"
    )


def operator_step(action: OperatorAct, addresses: Mapping[int, tuple[str, int]]) -> Step:
    """What an operator does; ``addresses`` are the node and the slot of each row."""
    match action:
        case Resolve(row_id=row_id, resolution=resolution, result=result):
            node_id, slot = addresses[row_id]
            return scenario.Resolve(
                process=OPERATOR,
                node=node_id,
                slot=slot,
                resolution=resolution,
                result=RESULTS[result],
            )
        case Attach(row_id=row_id, result=result):
            node_id, slot = addresses[row_id]
            return scenario.Attach(
                process=OPERATOR, node=node_id, slot=slot, result=RESULTS[result]
            )
        case Close():
            return scenario.Close(process=OPERATOR)
        case Sweep():
            return scenario.Sweep(process=OPERATOR)
        case _:
            assert_never(action)


def target_step(action: ForgetKeys | SetLookups) -> Step:
    """What becomes of the target."""
    match action:
        case ForgetKeys():
            return scenario.Target(act=TargetAct.FORGET_KEYS)
        case SetLookups(lookups=lookups):
            return scenario.Target(act=_LOOKUPS[lookups])
        case _:
            assert_never(action)


def addresses(world: World) -> Mapping[int, tuple[str, int]]:
    """The node and the slot of each row that is there."""
    return {row.id: (row.node_id, row.identity.slot) for row in world.rows}


def script(
    actions: Sequence[Action], contract: Contract = CONTRACT, nodes: Sequence[str] = ()
) -> Scenario:
    """The scenario that does ``actions``, from the beginning of a world under ``contract``.

    ``nodes`` are the run's, in order, as far as it needs more than those that are begun. Raises
    :class:`Unscriptable`.
    """
    writer = _Writer(actions, contract, job_of(actions, nodes))
    for number, (action, following) in enumerate(zip_longest(actions, actions[1:]), 1):
        writer.write(number, action, following)
    return writer.scenario()


class _NoStep(Exception):
    """No step of a scenario stands for an action; the message says why."""


class _Writer:
    """Writes one step after another, each of a process's lives under a name of its own."""

    def __init__(self, actions: Sequence[Action], contract: Contract, job: Job) -> None:
        self._contract = contract
        self._failures = _failures(actions)
        self._job = job
        self._world = World()
        self._addresses: dict[int, tuple[str, int]] = {}
        self._lives: Counter[str] = Counter()
        self._owners: dict[str, str] = {}
        self._steps: list[Step] = []
        if any(isinstance(action, OperatorAct) for action in actions):
            self._steps.append(scenario.Start(process=OPERATOR))

    def write(self, number: int, action: Action, following: Action | None) -> None:
        try:
            self._steps += self._of(action, following)
        except _NoStep as reason:
            raise Unscriptable(number, str(reason)) from reason
        self._world, _ = step(self._world, action, self._contract)
        self._addresses |= addresses(self._world)

    def scenario(self) -> Scenario:
        # A process with nothing more to do would end, and let go of its lock, before the others
        # have done what they did beside it.
        ends = (scenario.Kill(process=self._life(each.name)) for each in self._world.processes)
        return Scenario(job=self._job, steps=(*self._steps, *ends))

    def _life(self, name: str) -> str:
        return f"{name}.{self._lives[name]}"

    def _entering(self, name: str) -> list[Step]:
        if self._world.process(name) is not None:
            return []
        self._lives[name] += 1
        failures = tuple(self._failures[name, self._lives[name]])
        return [scenario.Start(process=self._life(name), failures=failures)]

    def _of(self, action: Action, following: Action | None) -> list[Step]:
        if isinstance(action, RunAct):
            return self._of_run(action, following)
        if isinstance(action, NodeAct):
            return [self._of_node(action)]
        if isinstance(action, OperatorAct):
            return [operator_step(action, self._addresses)]
        return self._of_outside(action)

    def _take_over(self, action: TakeOver, following: Action | None) -> list[Step]:
        start = self._entering(action.process)
        life = self._life(action.process)
        self._owners[life] = life
        if isinstance(following, Join) and following.owner == action.process:
            # All processes of one owner hold the fence that was taken last for it.
            self._owners[life] = self._owners.get(self._life(following.process), life)
        taking = scenario.TakeOver(
            process=life, owner=self._owners[life], declared_dead=action.declared_dead
        )
        return [*start, taking]

    def _of_run(self, action: RunAct, following: Action | None) -> list[Step]:
        match action:
            case TakeOver():
                return self._take_over(action, following)
            case Join(process=name, owner=owner):
                owners = self._owners
                if owners.get(self._life(name)) != owners[self._life(owner)]:
                    raise _NoStep("a process joins in later than with the take-over")
                return []
            case ReadGate(process=name) | ReadGateFails(process=name):
                return [scenario.Gate(process=self._life(name))]
            case ReadGateUnowned() | BeginIncarnation() | Approve() | EndRun():
                raise _NoStep("a journal has no operation for it")
            case _:
                assert_never(action)

    def _of_node(self, action: NodeAct) -> Step:
        life = self._life(action.process)
        match action:
            case BeginNode(node_id=node_id):
                return scenario.BeginNode(process=life, node=node_id)
            case (
                Prepare(node_id=node_id, slot=slot, call=asked)
                | PrepareFails(node_id=node_id, slot=slot, call=asked)
            ):
                return scenario.Prepare(
                    process=life, node=node_id, slot=slot, call=call(asked, slot)
                )
            case Settle(row_id=row_id, outcome=outcome, result=result):
                return self._settle(life, row_id, outcome, result)
            case SettleFails(row_id=row_id):
                return self._settle(life, row_id, Outcome.DONE, Result.FITS)
            case CompleteNode(node_id=node_id):
                return scenario.CompleteNode(process=life, node=node_id)
            case OverBudget() | FollowUpFails():
                raise _NoStep("a journal has no operation for it")
            case _:
                assert_never(action)

    def _settle(self, life: str, row_id: int, outcome: Outcome, result: Result | None) -> Step:
        node_id, slot = self._addresses[row_id]
        return scenario.Settle(
            process=life, node=node_id, slot=slot, outcome=outcome, result=RESULTS[result]
        )

    def _of_outside(self, action: OutsideAct) -> list[Step]:
        match action:
            case Crash(process=name):
                return [scenario.Kill(process=self._life(name))]
            case Advance(seconds=seconds):
                return [scenario.Advance(seconds=seconds)]
            case ForgetKeys() | SetLookups():
                return [target_step(action)]
            case Arrive(request=request):
                if self._world.entry(request.row_id).call.tool.tier is Tier.QUERYABLE:
                    raise _NoStep("the target has no receipt of a call that nobody sends")
                return []
            case Send() | GiveUp():
                return []
            case _:
                assert_never(action)


def _failures(actions: Sequence[Action]) -> Mapping[tuple[str, int], list[Failure]]:
    """What has to fail in each life of each process, by which try it is."""
    failures: defaultdict[tuple[str, int], list[Failure]] = defaultdict(list)
    tries: Counter[tuple[str, int, Failable]] = Counter()
    deaths: Counter[str] = Counter()
    for action in actions:
        if isinstance(action, Crash):
            deaths[action.process] += 1
        if isinstance(
            action, Prepare | PrepareFails | Settle | SettleFails | ReadGate | ReadGateFails
        ):
            kind, fails = _FAILURES[type(action)]
            life = (action.process, deaths[action.process] + 1)
            tries[*life, kind] += 1
            if fails:
                failures[life].append(Failure(kind, tries[*life, kind]))
    return failures


def job_of(actions: Sequence[Action], nodes: Sequence[str] = ()) -> Job:
    """The job of the run that ``actions`` are done to. Raises :class:`Unscriptable`.

    ``nodes`` are the run's, in order, as far as it needs more than those that are begun.
    """
    tools = {action.call.tool: None for action in actions if isinstance(action, Prepare)}
    begun = (action.node_id for action in actions if isinstance(action, BeginNode))
    brought = {
        number: action.reconcilers
        for number, action in enumerate(actions, 1)
        if isinstance(action, TakeOver)
    }
    reconcilers = next(iter(brought.values()), frozenset())
    for number, each in brought.items():
        if each != reconcilers:
            why = "its process has other reconcilers than the first, and a scenario has one job"
            raise Unscriptable(number, why)
    return job(tools, reconcilers, dict.fromkeys((*nodes, *begun)))
