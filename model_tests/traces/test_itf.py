"""Traces as files: what was written is read back, in the format that other tools read."""

import json
from collections.abc import Callable

import pytest

from effectspec.model.actions import BeginNode, Prepare, ReadGate, Send, TakeOver
from effectspec.model.configuration import KEYED
from effectspec.traces.itf import decode, encode
from effectspec.traces.replay import follow
from effectspec.traces.trace import Trace

FOUND = [
    ("live-owner-replaced", "two-owners", "a live owner is not replaced"),
    ("key-judged-once", "expiring", "a keyed effect happens at most once"),
    ("no-receipt-is-absence", "queryable", "a queryable effect happens at most once"),
    ("gate-before-ownership", "two-owners", "nothing starts beside what blocks"),
    ("completes-beside-unresolved", "unreconciled", "nobody is stuck"),
    ("completes-beside-unresolved", "endless-keyed", "a run comes to a terminal"),
]


@pytest.mark.parametrize("which", FOUND, ids="-".join)
def test_what_is_written_is_read_back_and_is_what_the_model_does(
    found: Callable[..., Trace], which: tuple[str, str, str]
) -> None:
    trace = found(*which)
    assert decode(encode(trace), "a file") == trace
    follow(trace)


def test_every_state_says_all_and_a_loop_leads_back_to_the_state_it_names(
    found: Callable[..., Trace],
) -> None:
    """As Apalache's ADR-015 has it."""
    file = json.loads(encode(found(*FOUND[-1])))
    assert [state["#meta"] for state in file["states"]] == [
        {"index": index} for index in range(len(file["states"]))
    ]
    assert {frozenset(state) for state in file["states"]} == {frozenset({"#meta", *file["vars"]})}
    world = [name for name in file["vars"] if name not in {"action", "answer"}]
    last, first_of_loop = file["states"][-1], file["states"][file["loop"]]
    assert [last[name] for name in world] == [first_of_loop[name] for name in world]


def test_values_are_written_as_the_format_has_them(told: Callable[..., Trace]) -> None:
    trace = told(
        KEYED,
        TakeOver("p1", KEYED.reconcilers),
        ReadGate("p1"),
        BeginNode("p1", "n1"),
        Prepare("p1", "n1", 0, KEYED.calls[0]),
        Send("p1", 1),
    )
    last = json.loads(encode(trace))["states"][-1]
    assert last["action"] == {"tag": "Send", "value": {"process": "p1", "row_id": {"#bigint": "1"}}}
    assert last["lock"] == {"tag": "Some", "value": "p1"}
    ((name, row),) = last["rows"]["#map"]
    assert name == {"#bigint": "1"}
    assert row["tag"] == "Row"
    assert row["value"]["record"]["resolution"] == {"tag": "None", "value": {"#tup": []}}
    assert row["value"]["record"]["tier"] == {"#bigint": "1"}
    ((_, process),) = last["processes"]["#map"]
    assert process["value"]["reconcilers"] == {"#set": ["k"]}
