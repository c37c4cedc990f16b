"""``effectspec replay``: what it steps through, and what it says of a file that is none of ours."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from effectspec.decoding import ENVELOPE, NESTING
from effectspec.lifecycle import Resolution
from effectspec.model.actions import BeginNode, Crash, Prepare, ReadGate, Resolve, TakeOver
from effectspec.model.configuration import TWO_OWNERS
from effectspec.traces.command import replay
from effectspec.traces.itf import encode
from effectspec.traces.text import text
from effectspec.traces.trace import Trace

File = dict[str, Any]
Edit = Callable[[File], object]
PROPERTY = "an operator resolves once"


@pytest.fixture
def trace(told: Callable[..., Trace]) -> Trace:
    """What one operator discards, another accepts, and nothing stands in the way."""
    return told(
        TWO_OWNERS,
        TakeOver("p1", frozenset()),
        ReadGate("p1"),
        BeginNode("p1", "n1"),
        Prepare("p1", "n1", 0, TWO_OWNERS.calls[0]),
        Crash("p1"),
        Resolve(1, Resolution.DISCARDED),
        Resolve(1, Resolution.ACCEPTED),
        fault_="resolved-again",
        breaks=PROPERTY,
    )


@pytest.fixture
def file(trace: Trace, tmp_path: Path) -> Path:
    """That trace in a file."""
    file = tmp_path / "t.itf.json"
    file.write_bytes(encode(trace))
    return file


def refused(file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit status, and the one line that is said."""
    with pytest.raises(typer.Exit) as left:
        replay(file)
    said = capsys.readouterr()
    assert not said.out
    (line,) = said.err.splitlines()
    return left.value.exit_code, line.removeprefix(f"effectspec: {file}: ")


def test_a_trace_that_is_the_model_s_is_told_and_ends_with_what_it_breaks(
    file: Path, trace: Trace, capsys: pytest.CaptureFixture[str]
) -> None:
    replay(file)
    said = capsys.readouterr().out
    assert said == text(trace)
    assert said.endswith(f"breaks A-5: {PROPERTY}\n")


def state_of_a_row(file: File) -> None:
    ((_, row),) = file["states"][4]["rows"]["#map"]
    row["value"]["record"]["state"] = "committed"


def row_that_is_not_there(file: File) -> None:
    file["states"][6]["rows"]["#map"] = []


def action_of_another(file: File) -> None:
    file["states"][2]["action"]["value"]["process"] = "p2"


def answer_of_another(file: File) -> None:
    file["states"][3]["answer"]["value"]["start"] = {"#bigint": "2"}


def without_its_last_step(file: File) -> None:
    file["states"].pop()


def of_a_larger_world(file: File) -> None:
    file["#meta"]["effectspec"]["configuration"]["generations"] = {"#bigint": "4"}


def of_an_unknown_world(file: File) -> None:
    file["#meta"]["effectspec"]["configuration"]["name"] = "three-owners"


def under_the_contract(file: File) -> None:
    del file["#meta"]["effectspec"]["fault"]


def under_a_fault_of_conduct(file: File) -> None:
    file["#meta"]["effectspec"]["fault"] = "transport-retries"


def of_another_clause(file: File) -> None:
    file["#meta"]["effectspec"]["clause"] = "A-4"


def of_another_property(file: File) -> None:
    file["#meta"]["effectspec"]["sentence"] = "terminals do not flip"
    file["#meta"]["effectspec"]["clause"] = "A-4"


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (
            state_of_a_row,
            (
                "step 4 (p1 prepares A by tool a, tier 3, at n1, slot 0): rows[1].record.state is "
                '"prepared" in the model, and "committed" in the trace'
            ),
        ),
        (
            row_that_is_not_there,
            (
                "step 6 (an operator resolves row 1: discarded): "
                "rows[1] is there in the model, and not in the trace"
            ),
        ),
        (action_of_another, "step 2 (p2 reads the gate): the model does not allow it there"),
        (
            answer_of_another,
            "step 3 (p1 begins node n1): answer.start is 1 in the model, and 2 in the trace",
        ),
        (
            without_its_last_step,
            f"every step is the model's, but they do not break A-5: {PROPERTY}",
        ),
        (
            of_a_larger_world,
            (
                "the world 'two-owners' is not what it was: "
                "generations is 3 in the model, and 4 in the trace"
            ),
        ),
        (
            of_another_clause,
            f"the property '{PROPERTY}' is of A-5, not of 'A-4'",
        ),
        (
            of_another_property,
            "every step is the model's, but they do not break A-4: terminals do not flip",
        ),
    ],
)
def test_a_trace_that_is_not_the_model_s_names_the_step_and_what_differs(
    file: Path, capsys: pytest.CaptureFixture[str], edit: Edit, said: str
) -> None:
    edited = json.loads(file.read_bytes())
    edit(edited)
    file.write_text(json.dumps(edited))
    assert refused(file, capsys) == (1, said)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (of_an_unknown_world, "it is of a world 'three-owners', and there is none; there are: "),
        (under_the_contract, "step 7 ("),
        (under_a_fault_of_conduct, "no model can be under a fault 'transport-retries'; there are"),
    ],
)
def test_a_trace_of_what_is_not_there_says_so(
    file: Path, capsys: pytest.CaptureFixture[str], edit: Edit, said: str
) -> None:
    edited = json.loads(file.read_bytes())
    edit(edited)
    file.write_text(json.dumps(edited))
    status, line = refused(file, capsys)
    assert (status, line[: len(said)]) == (1, said)


# ── files that hold no trace ─────────────────────────────────────────────────────────────────────

REMEDY = "; give a file that `effectspec check --trace FILE` wrote"


def cut_off(whole: bytes) -> bytes:
    return whole[:1000]


def with_an_answer_of_no_kind(whole: bytes) -> bytes:
    return whole.replace(b'"tag":"Owned"', b'"tag":"Lent"', 1)


def with_a_field_of_no_name(whole: bytes) -> bytes:
    return whole.replace(b'"slot":', b'"hole":', 1)


def with_a_number_in_letters(whole: bytes) -> bytes:
    return whole.replace(b'"now":{"#bigint":"0"}', b'"now":{"#bigint":"O"}', 1)


def that_begins_in_the_middle(whole: bytes) -> bytes:
    return whole.replace(b'"lock":{"tag":"None"', b'"lock":{"tag":"Some"', 1).replace(
        b'"value":{"#tup":[]}},"lookups"', b'"value":"p1"},"lookups"', 1
    )


def without_a_variable(whole: bytes) -> bytes:
    return whole.replace(b'"wires":{"#map":[]}', b'"#wires":{"#map":[]}', 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lambda _: b"", "Input data was truncated"),
        (cut_off, "Input data was truncated"),
        (lambda _: b"digraph {}", "JSON is malformed: invalid character (byte 0)"),
        (lambda _: b"\xff\xfe", "not UTF-8 (byte 0)"),
        (lambda _: b"[1]", "Expected `object`, got `array`"),
        (lambda _: b"{}", "Object missing required field `#meta`"),
        (
            lambda _: b'{"#meta": {"format": "ITF"}, "vars": [], "states": []}',
            "Object missing required field `effectspec` - at `$.#meta`",
        ),
        (
            lambda _: b"[" * 5000,
            f"nested deeper than {NESTING + ENVELOPE} levels (byte {NESTING + ENVELOPE})",
        ),
        (
            with_an_answer_of_no_kind,
            (
                'states[1].answer: "Lent" is none of: None, Silent, Done, Failed, Owned, Gated, '
                "Begun, Prepared, Settled, NodeEnded, Swept"
            ),
        ),
        (
            with_a_field_of_no_name,
            'states[4].action: "hole" is none of: process, node_id, slot, call',
        ),
        (
            with_a_number_in_letters,
            'states[0].now: {"#bigint":"O"} is no whole number of at most 19 digits',
        ),
        (
            that_begins_in_the_middle,
            "states[0]: it is not the beginning, in which nothing has happened",
        ),
        (without_a_variable, "states[0]: the variable `wires` is missing"),
    ],
)
def test_what_is_no_trace_is_told_in_one_line_with_the_place_and_the_remedy(
    file: Path,
    capsys: pytest.CaptureFixture[str],
    content: Callable[[bytes], bytes],
    said: str,
) -> None:
    file.write_bytes(content(file.read_bytes()))
    assert refused(file, capsys) == (2, f"no trace of effectspec: {said}{REMEDY}")


def test_a_file_that_cannot_be_read_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = f"cannot be read (Is a directory){REMEDY}"
    assert refused(tmp_path, capsys) == (2, said)
    said = f"cannot be read (No such file or directory){REMEDY}"
    assert refused(tmp_path / "none", capsys) == (2, said)


def test_two_forms_at_once_are_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        replay(file, as_mermaid=True, as_scenario=True)
    assert capsys.readouterr().err == (
        "effectspec: --mermaid and --scenario print different things; give one of them\n"
    )
