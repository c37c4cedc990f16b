"""Steps name processes, nodes and slots; requests name fences, starts and rows."""

import pytest

from effectcrash.cannot_ask import CannotAsk
from effectcrash.operations import NOTE, OPERATOR, Operations
from effectcrash.telling import NODE, OPAQUE, A, B, calls, job, node, paying, payment
from effectspec import protocol, scenario
from effectspec.admission import Admission
from effectspec.lifecycle import Resolution, State
from effectspec.protocol import Answer, Request, RowView
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

JOB = paying(OPAQUE, calls(A))
OTHER_JOB = job(payment(OPAQUE), node(calls(B)), run_id="other")


def silent(request: Request) -> Answer:
    """A process that must not be asked."""
    raise AssertionError(f"nothing had to be asked, and {request} was")


def fence(owner: str, generation: int) -> protocol.FenceToken:
    """The fence of the job's run."""
    return protocol.FenceToken(run_id=JOB.run_id, owner=owner, generation=generation)


def took(operations: Operations, process: str, owner: str, generation: int) -> None:
    """A process took the run over."""
    step = scenario.TakeOver(process=process, owner=owner)
    operations.learn(step, protocol.Owned(fence=fence(owner, generation)))


def begun(operations: Operations, process: str, start: int) -> None:
    """A process began the node."""
    operations.learn(scenario.BeginNode(process=process, node=NODE), protocol.Begun(start=start))


def row(row_id: int, slot: int, resolution: Resolution | None = None) -> RowView:
    """A row of the node."""
    return RowView(
        row_id=row_id,
        run_id=JOB.run_id,
        node=NODE,
        slot=slot,
        tool="payment",
        tier=Tier.OPAQUE,
        state=State.NEEDS_ATTENTION if resolution is None else State.RESOLVED,
        retained=False,
        digest="v5:",
        generation=1,
        attempt=1,
        call_id="call",
        resolution=resolution,
    )


def test_a_process_is_the_owner_of_what_it_runs() -> None:
    operations = Operations(JOB, {"holder": OTHER_JOB})
    assert operations.request(scenario.Run(process="one", play=2), silent) == protocol.RunJob(
        job=JOB, owner="one", play=2
    )
    resume = scenario.Resume(process="two", play=1, approve=3, declared_dead=True)
    assert operations.request(resume, silent) == protocol.ResumeJob(
        job=JOB, owner="two", play=1, approve=3, declared_dead=True
    )
    assert operations.request(scenario.Run(process="holder"), silent) == protocol.RunJob(
        job=OTHER_JOB, owner="holder"
    )


def test_f2_a_process_writes_under_its_own_fence_also_when_it_is_stale() -> None:
    operations = Operations(JOB)
    took(operations, "one", owner="one", generation=1)
    took(operations, "two", owner="two", generation=2)
    for process, generation in (("one", 1), ("two", 2)):
        begins = scenario.BeginNode(process=process, node=NODE)
        assert operations.request(begins, silent) == protocol.BeginNode(
            fence=fence(process, generation), node=NODE
        )


def test_c7_the_processes_of_one_owner_hold_its_newest_fence() -> None:
    operations = Operations(JOB)
    took(operations, "one", owner="worker", generation=1)
    took(operations, "two", owner="worker", generation=2)
    for process in ("one", "two"):
        assert operations.request(scenario.Gate(process=process), silent) == protocol.ReadGate(
            fence=fence("worker", 2)
        )


def test_a_dispatch_carries_its_start_and_its_settle_the_row() -> None:
    operations = Operations(JOB)
    took(operations, "one", owner="one", generation=1)
    begun(operations, "one", start=4)
    prepare = scenario.Prepare(process="one", node=NODE, slot=0, call=A)
    assert operations.request(prepare, silent) == protocol.Prepare(
        fence=fence("one", 1),
        node=NODE,
        start=4,
        slot=0,
        tool=A.tool,
        arguments=A.arguments,
        call_id=A.call_id,
    )
    operations.learn(prepare, protocol.Prepared(admission=Admission.DISPATCH, row_id=17))
    settle = scenario.Settle(
        process="one", node=NODE, slot=0, outcome=Outcome.DONE, result={"effect": 1}
    )
    assert operations.request(settle, silent) == protocol.Settle(
        fence=fence("one", 1), row_id=17, outcome=Outcome.DONE, result={"effect": 1}
    )
    completes = scenario.CompleteNode(process="one", node=NODE)
    assert operations.request(completes, silent) == protocol.CompleteNode(
        fence=fence("one", 1), node=NODE, start=4
    )


@pytest.mark.parametrize(
    ("rows", "resolved"),
    [
        ((row(1, slot=0), row(2, slot=1), row(3, slot=0)), 3),
        ((row(1, slot=0), row(3, slot=0, resolution=Resolution.DISCARDED)), 1),
        ((row(1, slot=0, resolution=Resolution.DISCARDED),), 1),
    ],
)
def test_a5_the_operator_resolves_the_newest_row_that_nobody_discarded(
    rows: tuple[RowView, ...], resolved: int
) -> None:
    step = scenario.Resolve(process="one", node=NODE, slot=0, resolution=Resolution.ACCEPTED)
    assert Operations(JOB).request(step, lambda _: protocol.Rows(rows=rows)) == protocol.Resolve(
        row_id=resolved, resolution=Resolution.ACCEPTED, by=OPERATOR, note=NOTE
    )


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (scenario.Gate(process="one"), "one: holds no fence, since it has taken none"),
        (
            scenario.Attach(process="one", node=NODE, slot=0, result={}),
            "one: there is no row at pay/0",
        ),
    ],
)
def test_what_never_came_to_be_cannot_be_named(
    step: scenario.Gate | scenario.Attach, why: str
) -> None:
    with pytest.raises(CannotAsk) as error:
        Operations(JOB).request(step, lambda _: protocol.Rows(rows=()))
    assert str(error.value) == why


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (
            scenario.Prepare(process="one", node=NODE, slot=0, call=A),
            "one: has not begun node pay",
        ),
        (
            scenario.Settle(process="one", node=NODE, slot=0, outcome=Outcome.DONE),
            "one: has prepared nothing at pay/0",
        ),
    ],
)
def test_a_dispatch_cannot_skip_a_step(step: scenario.Prepare | scenario.Settle, why: str) -> None:
    operations = Operations(JOB)
    took(operations, "one", owner="one", generation=1)
    with pytest.raises(CannotAsk) as error:
        operations.request(step, silent)
    assert str(error.value) == why
