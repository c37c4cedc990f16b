"""A trace told in words and as a diagram, line by line."""

from collections.abc import Callable
from dataclasses import replace

from effectspec.checker.liveness import explore_endless
from effectspec.contract import CONTRACT, Contract
from effectspec.gate import GateVerdict, Standing
from effectspec.lifecycle import Resolution
from effectspec.model.actions import (
    Arrival,
    Arrive,
    BeginNode,
    Crash,
    GiveUp,
    Prepare,
    ReadGate,
    Resolve,
    Send,
    SettleFails,
    TakeOver,
)
from effectspec.model.configuration import TWO_OWNERS
from effectspec.model.liveness import LIVENESS
from effectspec.model.model import Model
from effectspec.model.world import Request
from effectspec.tiers import Tier
from effectspec.traces.broken import Way, breaks
from effectspec.traces.mermaid import escaped, mermaid
from effectspec.traces.replay import WORLDS
from effectspec.traces.text import text
from effectspec.traces.trace import Trace

NOTHING = frozenset[str]()
STORY = (
    TakeOver("p1", NOTHING),
    ReadGate("p1"),
    BeginNode("p1", "n1"),
    Prepare("p1", "n1", 0, TWO_OWNERS.calls[0]),
    Send("p1", 1),
    Arrive(Request(1, "p1", 1, keyed=False, sent_at=0), Arrival.UNHEARD),
    GiveUp("p1", 1),
    SettleFails("p1", 1),
    Crash("p1"),
    Resolve(1, Resolution.DISCARDED),
    TakeOver("p2", NOTHING),
    TakeOver("p1", NOTHING),
    ReadGate("p2"),
    BeginNode("p2", "n1"),
    Prepare("p2", "n1", 0, TWO_OWNERS.calls[0]),
    Send("p2", 2),
)


def test_what_is_lost_in_a_diagram_ends_in_a_cross(told: Callable[..., Trace]) -> None:
    assert mermaid(told(TWO_OWNERS, *STORY)).splitlines() == [
        "sequenceDiagram",
        "  participant C0 as p1",
        "  participant C1 as p2",
        "  participant C2 as Journal",
        "  participant C3 as Target",
        "  participant C4 as Operator",
        "  C0->>C2: takes the run over",
        "  C2-->>C0: generation 1",
        "  C0->>C2: reads the gate",
        "  C2-->>C0: the run may go on",
        "  C0->>C2: begins node n1",
        "  C2-->>C0: start 1",
        "  C0->>C2: prepares A by tool a, tier 3, at n1, slot 0",
        "  C2-->>C0: row 1: send it",
        "  C0-)C3: sends the call of row 1",
        "  Note over C3: p1's request for row 1: effect 1 of A",
        "  C3--xC0: an answer that nobody hears",
        "  Note over C0: waits no longer for an answer to row 1",
        "  C0-xC2: cannot settle row 1",
        "  Note over C0: dies",
        "  C4->>C2: resolves row 1: discarded",
        "  C1->>C2: takes the run over",
        "  C2-->>C1: generation 3",
        "  C0->>C2: takes the run over",
        "  C2-->>C0: not done: owned by another",
        "  C1->>C2: reads the gate",
        "  C2-->>C1: the run may go on",
        "  C1->>C2: begins node n1",
        "  C2-->>C1: start 2",
        "  C1->>C2: prepares A by tool a, tier 3, at n1, slot 0",
        "  C2-->>C1: row 2: send it",
        "  C1-xC3: sends the call of row 2",
        "  Note over C0,C4: breaks T-4: nothing",
    ]


def test_what_mermaid_would_misread_is_written_for_it() -> None:
    """The codes are those of Mermaid's own page on sequence diagrams, and of HTML."""
    assert escaped("50%; <b>&#1</b>\nend $$") == (
        "50#37;#59; #lt;b#gt;#amp;#35;1#lt;/b#gt; end #36;#36;"
    )


def what_is_recorded_blocks(contract: Contract) -> Contract:
    def gate(record: Standing, tier: Tier) -> GateVerdict:
        recorded = record is Standing.COMMITTED_RETAINED
        return GateVerdict.ATTENTION if recorded else contract.gate(record, tier)

    return replace(contract, gate=gate)


def test_a_loop_is_marked_where_it_begins() -> None:
    """A gate that refuses what is recorded refuses it as often as anybody resumes."""
    model = Model(WORLDS["endless-opaque"], what_is_recorded_blocks(CONTRACT))
    (sentence,) = (each for each in LIVENESS if each.name.endswith("refused no more"))
    (lasso,) = explore_endless(model, (sentence,)).counterexamples
    trace = Trace.of(lasso, model)
    assert trace.loop is not None
    assert breaks(Way(model, trace.worlds, trace.actions, trace.loop), sentence)
    assert not breaks(Way(model, trace.worlds, trace.actions, trace.loop + 1), sentence)
    assert text(trace).splitlines()[-7:] == [
        "  11  p1 dies",
        "      from here on, round and round:",
        "  12  p1 takes the run over → generation 3",
        "  13  p1 reads the gate → row 1: needs attention, the run must not go on",
        "        p1: goes on → must end with effect_needs_attention",
        "  14  p1 dies",
        "breaks A-4: what operators have decided is refused no more",
    ]
    assert mermaid(trace).splitlines()[-8:] == [
        "  loop from here on, round and round:",
        "    C0->>C1: takes the run over",
        "    C1-->>C0: generation 3",
        "    C0->>C1: reads the gate",
        "    C1-->>C0: row 1: needs attention, the run must not go on",
        "    Note over C0: dies",
        "  end",
        "  Note over C0,C3: breaks A-4: what operators have decided is refused no more",
    ]
