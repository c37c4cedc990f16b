"""An adapter can fail as a process in many ways; each has one message that says what to do."""

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from effectcrash.adapter import ANSWERED_BY, Adapter, Limits
from effectcrash.adapter_errors import (
    AdapterError,
    CannotStart,
    Died,
    EndsBadly,
    Hangs,
    LineTooLong,
    Lingers,
    Noise,
    NotTheChild,
    OtherVersion,
    OutOfOrder,
    StopsTalking,
)
from effectcrash.child import TAIL_LINES, Death
from effectspec import protocol
from effectspec.points import Place, Point
from effectspec.settlement import Outcome

Script = Callable[[str], tuple[str, ...]]

ROWS = protocol.ReadRows(run_id="run")
FENCE = protocol.FenceToken(run_id="run", owner="owner", generation=1)
PREPARED = Point(Place.PREPARED)
OPEN = protocol.Open(store="store", target="http://127.0.0.1:1/account", points=(PREPARED,))
QUIETLY = (
    "write nothing to standard output but messages, one a line, as "
    "effectspec/schema/protocol-1.answer.json describes them; anything else belongs on stderr"
)
SHORT = 0.3
"""Seconds for an adapter that will never answer."""


def message_of(error: pytest.ExceptionInfo[AdapterError], command: tuple[str, ...]) -> str:
    """The message, without the command that each one names first."""
    text = str(error.value)
    named = f"adapter `{shlex.join(command)}`, "
    assert text.startswith(named)
    return text.removeprefix(named)


def test_it_agrees_on_the_protocol_answers_and_ends_in_peace(script: Script) -> None:
    with Adapter(script("welcome(); serve()")) as adapter:
        assert (adapter.welcome.name, adapter.welcome.pid) == ("script", adapter.pid)
        assert adapter.ask(ROWS) == protocol.Rows(rows=())
        assert str(adapter.end()) == "exited with status 0"


def test_each_request_but_the_release_has_its_answer() -> None:
    assert ANSWERED_BY.keys() == set(get_args(protocol.Request)) - {protocol.Release}


def test_text_on_stderr_breaks_nothing(script: Script) -> None:
    warns = "sys.stderr.write('x' * 1_000_000 + '\\n'); welcome(); serve()"
    with Adapter(script(warns)) as adapter:
        assert adapter.ask(ROWS) == protocol.Rows(rows=())


# ── it cannot be started ─────────────────────────────────────────────────────────────────────────


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(CannotStart) as error:
        Adapter(("no-such-adapter", "--flag"))
    assert str(error.value) == (
        "adapter `no-such-adapter --flag`, at its start: command not found; "
        "give a command that this machine can execute, after `--`"
    )


def test_a_file_that_is_not_executable(tmp_path: Path) -> None:
    file = tmp_path / "adapter.sh"
    file.write_text("#!/bin/sh\n")
    with pytest.raises(CannotStart) as error:
        Adapter((str(file),))
    assert message_of(error, (str(file),)) == (
        "at its start: not executable; give a command that this machine can execute, after `--`"
    )


# ── it dies ──────────────────────────────────────────────────────────────────────────────────────


def test_one_that_dies_at_once_is_shown_with_its_status_and_last_words(script: Script) -> None:
    command = script("sys.stderr.write('one\\n\\x1b[2Jtwo'); sys.exit(3)")
    with pytest.raises(Died) as error:
        Adapter(command)
    assert message_of(error, command) == (
        "asked to 'hello': exited with status 3; run the command by itself and see what it says\n"
        "  its stderr: one\n"
        "  its stderr: �[2Jtwo"
    )


def test_one_that_dies_of_a_signal_names_it(script: Script) -> None:
    command = script("welcome(); hear(); os.kill(os.getpid(), signal.SIGABRT)")
    with Adapter(command) as adapter, pytest.raises(Died) as error:
        adapter.ask(ROWS)
    assert message_of(error, command) == (
        "asked to 'rows': was killed by SIGABRT; run the command by itself and see what it says"
    )


def test_only_the_last_lines_of_stderr_are_shown(script: Script) -> None:
    command = script("print(*range(10_000), sep='\\n', file=sys.stderr); sys.exit(1)")
    with pytest.raises(Died) as error:
        Adapter(command)
    _, *shown = str(error.value).splitlines()
    assert shown == [f"  its stderr: {line}" for line in range(10_000 - TAIL_LINES, 10_000)]


@pytest.mark.parametrize(
    ("after", "what"),
    [
        ("sys.exit(4)", "answered, and then exited with status 4"),
        ("os.kill(os.getpid(), signal.SIGABRT)", "answered, and then was killed by SIGABRT"),
    ],
)
def test_a_bye_that_ends_otherwise_than_in_peace_is_a_failure(
    script: Script, after: str, what: str
) -> None:
    command = script(f"welcome(); serve(); {after}")
    with Adapter(command) as adapter, pytest.raises(EndsBadly) as error:
        adapter.end()
    assert message_of(error, command) == (
        f"asked to 'bye': {what}; "
        "answer `bye` with `done`, let go of everything, and exit with status 0"
    )


def test_a_bye_that_is_answered_with_an_error_is_a_failure(script: Script) -> None:
    command = script(
        "welcome(); serve(bye={'type': 'error', 'code': 'store', 'message': 'm', 'definite': True})"
    )
    with Adapter(command) as adapter, pytest.raises(EndsBadly) as error:
        adapter.end()
    assert message_of(error, command) == (
        """asked to 'bye': said {"type":"error","code":"store","message":"m","definite":true}; """
        "answer `bye` with `done`, let go of everything, and exit with status 0"
    )


def test_a_bye_that_nothing_follows_is_a_failure(script: Script) -> None:
    command = script("welcome(); serve(); signal.pause()")
    with Adapter(command, Limits(death=SHORT)) as adapter, pytest.raises(Lingers) as error:
        adapter.end()
    assert message_of(error, command) == (
        "asked to 'bye': answered, and still runs 0.3 s later; "
        "exit with status 0 once `bye` is answered; see which thread or handle keeps it"
    )


# ── it hangs ─────────────────────────────────────────────────────────────────────────────────────


def test_one_that_never_says_hello(script: Script) -> None:
    command = script("signal.pause()")
    with pytest.raises(Hangs) as error:
        Adapter(command, Limits(start=SHORT))
    assert message_of(error, command) == (
        "asked to 'hello': no answer within 0.3 s; "
        "answer every request, and flush standard output after each line"
    )


def test_one_that_never_answers(script: Script) -> None:
    command = script("welcome(); signal.pause()")
    with Adapter(command, Limits(answer=SHORT)) as adapter, pytest.raises(Hangs) as error:
        adapter.ask(ROWS)
    assert message_of(error, command) == (
        "asked to 'rows': no answer within 0.3 s; "
        "answer every request, and flush standard output after each line"
    )


def test_one_that_does_not_even_listen_does_not_hold_up_a_long_request(script: Script) -> None:
    settle = protocol.Settle(fence=FENCE, row_id=1, outcome=Outcome.DONE, result="x" * 1_000_000)
    command = script("welcome(); signal.pause()")
    with Adapter(command, Limits(answer=SHORT)) as adapter, pytest.raises(Hangs):
        adapter.ask(settle)


def test_one_that_closes_its_output_and_lives(script: Script) -> None:
    command = script("welcome(); os.close(1); signal.pause()")
    with (
        Adapter(command, Limits(answer=SHORT, death=SHORT)) as adapter,
        pytest.raises(StopsTalking) as error,
    ):
        adapter.ask(ROWS)
    assert message_of(error, command) == (
        "asked to 'rows': closed its end, and lives; keep both open until `bye` is answered"
    )


# ── it says what it should not ───────────────────────────────────────────────────────────────────


def test_noise_is_shown_and_clipped(script: Script) -> None:
    command = script("print('\\x1b[31mStarting ' + '.' * 500, flush=True); signal.pause()")
    with pytest.raises(Noise) as error:
        Adapter(command)
    assert message_of(error, command) == (
        f"asked to 'hello': wrote �[31mStarting {'.' * 106}…, which is not an answer of "
        f"protocol 1: JSON is malformed: invalid character (byte 0); {QUIETLY}"
    )


@pytest.mark.parametrize(
    ("noise", "why"),
    [
        ("b'[' * 100_000", "nested deeper than 272 levels (byte 272)"),
        ("b'\\0'", "JSON is malformed: invalid character (byte 0)"),
        ("b'\\xff'", "not UTF-8 (byte 0)"),
        (r"""b'{"type":"error","message":"\ud800"}'""", "pair (byte 33)"),
        ("""b'{"type":"begun","start":' + b'9' * 5000 + b'}'""", "out of range - at `$.start`"),
        ("""b'{"type":"swept","deleted":-1}'""", "Expected `int` >= 0 - at `$.deleted`"),
    ],
)
def test_noise_of_every_kind_is_told_with_its_place_and_what_to_do(
    script: Script, noise: str, why: str
) -> None:
    command = script(f"welcome(); hear(); os.write(1, {noise} + b'\\n'); hear()")
    with Adapter(command) as adapter, pytest.raises(Noise) as error:
        adapter.ask(ROWS)
    assert message_of(error, command).endswith(f"{why}; {QUIETLY}")


def test_a_message_with_a_field_too_many_is_noise_that_names_it(script: Script) -> None:
    command = script("welcome(); serve(rows={'type': 'rows', 'rows': [], 'colour': 'red'})")
    with Adapter(command) as adapter, pytest.raises(Noise, match="unknown field `colour`"):
        adapter.ask(ROWS)


@pytest.mark.parametrize("ending", ["", "\\n"])
def test_a_line_too_long(script: Script, ending: str) -> None:
    command = script(f"welcome(); hear(); print('x' * 2000, end='{ending}', flush=True); hear()")
    with Adapter(command, Limits(line=1000)) as adapter, pytest.raises(LineTooLong) as error:
        adapter.ask(ROWS)
    assert message_of(error, command) == (
        "asked to 'rows': a line of more than 1000 bytes; "
        "end each message with a line feed and keep results within the limit"
    )


@pytest.mark.parametrize("fields", ["protocol=2", "protocol=2, dialect='formal'"])
def test_another_version_is_told_apart_from_noise(script: Script, fields: str) -> None:
    command = script(f"welcome({fields}); serve()")
    with pytest.raises(OtherVersion) as error:
        Adapter(command)
    assert message_of(error, command) == (
        "asked to 'hello': speaks version 2, not 1; "
        "use an adapter and a harness of the same protocol version"
    )


def test_one_that_refuses_our_version(script: Script) -> None:
    command = script(
        "hear(); say('error', code='unsupported', message='only 2', definite=True); hear()"
    )
    with pytest.raises(OtherVersion, match="refuses version 1: only 2"):
        Adapter(command)


def test_a_wrapper_that_does_not_exec_is_not_the_child(script: Script) -> None:
    command = script("welcome(pid=os.getppid()); serve()")
    with pytest.raises(NotTheChild) as error:
        Adapter(command)
    assert re.fullmatch(
        rf"asked to 'hello': is process {os.getpid()}, but \d+ was spawned; let a wrapper exec "
        "the adapter, so that the pid in its hello is the spawned child's",
        message_of(error, command),
    )


def test_an_answer_of_another_kind_is_out_of_order(script: Script) -> None:
    command = script("welcome(); serve(rows={'type': 'done'})")
    with Adapter(command) as adapter, pytest.raises(OutOfOrder) as error:
        adapter.ask(ROWS)
    assert message_of(error, command) == (
        """asked to 'rows': said {"type":"done"}; """
        "give one answer to a request, of the kind that it asks for, in order"
    )


def test_a_second_answer_is_out_of_order(script: Script) -> None:
    command = script(
        'welcome(); hear(); print(\'{"type": "rows", "rows": []}\\n\' * 2, end=\'\', flush=True);'
        "serve()"
    )
    with Adapter(command) as adapter:
        adapter.ask(ROWS)
        with pytest.raises(OutOfOrder, match="before it was asked"):
            adapter.ask(ROWS)


def test_only_the_points_that_were_asked_for_are_reached(script: Script) -> None:
    reached = "{'type': 'reached', 'point': {'place': '%s'}}"
    command = script(f"welcome(); serve(rows={reached % 'prepared'}, events={reached % 'settled'})")
    with Adapter(command) as adapter:
        adapter.ask(OPEN)
        assert adapter.ask(ROWS) == protocol.Reached(point=PREPARED)
        with pytest.raises(OutOfOrder):
            adapter.ask(protocol.ReadEvents(run_id="run"))


# ── it is killed ─────────────────────────────────────────────────────────────────────────────────


def test_a_kill_is_read_off_the_wait_status(script: Script) -> None:
    with Adapter(script("welcome(); serve()")) as adapter:
        death = adapter.kill()
        assert (death.by_sigkill, str(death)) == (True, "was killed by SIGKILL")


def test_a_process_that_ended_by_itself_was_not_killed(script: Script) -> None:
    with Adapter(script("welcome(); sys.exit(0)")) as adapter:
        with pytest.raises(Died):
            adapter.ask(ROWS)
        assert not adapter.kill().by_sigkill


@pytest.mark.parametrize("end", [Adapter.kill, Adapter.end])
def test_what_an_adapter_started_dies_with_it(
    script: Script, end: Callable[[Adapter], Death]
) -> None:
    command = script(
        "child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
        "welcome(name=str(child.pid)); serve()"
    )
    with Adapter(command) as adapter:
        grandchild = int(adapter.welcome.name)
        assert is_running(grandchild)
        end(adapter)
        while is_running(grandchild):
            os.sched_yield()


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie that nobody waits for."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_an_adapter_that_is_dropped_is_killed(script: Script) -> None:
    with Adapter(script("welcome(); serve()")) as adapter:
        pid = adapter.pid
    assert not is_running(pid)


def test_a_failed_greeting_leaves_no_process(script: Script, tmp_path: Path) -> None:
    seen = tmp_path / "pid"
    command = script(f"open({str(seen)!r}, 'w').write(str(os.getpid())); print(1, flush=True)")
    with pytest.raises(Noise):
        Adapter(command)
    assert not is_running(int(seen.read_text()))
