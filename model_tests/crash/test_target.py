"""The target is the outside world: what it does, and what its ledger says then."""

import asyncio
import contextlib
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import RemoteDisconnected
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from effectcrash import ledger, wire
from effectcrash.account import Account, TargetError
from effectcrash.control import (
    MAX_PADDING_BYTES,
    AwaitHeld,
    Behaviour,
    Drop,
    Fail,
    Hold,
    HoldAt,
    KillCaller,
    Moment,
    Pad,
    Refuse,
    Release,
    Serve,
    SetScript,
    Step,
)
from effectcrash.desk import Asked, Desk
from effectcrash.ledger import Ledger, LedgerWriter
from effectcrash.target_process import TargetProcess

SECONDS = 60
"""Bounds every wait of a test for a process; none of them should come near it."""

CALLER = """
import http.client, json, sys
host, port, path, body, headers = json.loads(sys.stdin.readline())
connection = http.client.HTTPConnection(host, port)
connection.request("POST", path, body, headers)
response = connection.getresponse()
print(response.status, response.read().decode(), flush=True)
"""
"""Asks for one effect once it is told which, and prints the answer, if it lives to see one."""

BODY = b'{"amount": 5, "to": "b"}'


@dataclass(frozen=True, slots=True)
class Got:
    """An answer as it came."""

    status: int
    body: bytes


def headers_of(key: str | None, reference: str | None) -> dict[str, str]:
    both = {wire.IDEMPOTENCY_KEY: key, wire.EFFECT_REFERENCE: reference}
    return {name: value for name, value in both.items() if value is not None}


def ask(
    account: Account,
    path: str = "/orders",
    body: bytes = BODY,
    *,
    method: str = "POST",
    key: str | None = None,
    reference: str | None = None,
) -> Got:
    url = urlsplit(account.url)
    with contextlib.closing(http.client.HTTPConnection(url.netloc, timeout=SECONDS)) as connection:
        connection.request(method, url.path + path, body, headers_of(key, reference))
        response = connection.getresponse()
        return Got(response.status, response.read())


def look_up(account: Account, reference: str) -> Got:
    return ask(account, wire.receipt_path(reference), b"", method="GET")


class Caller:
    """A process that asks for one effect, so that it can be killed while it waits."""

    def __init__(self) -> None:
        """It runs, and waits to be told what to ask."""
        self.process = subprocess.Popen(
            [sys.executable, "-S", "-I", "-c", CALLER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.pid = self.process.pid

    def start(self, account: Account, key: str | None = None) -> None:
        """Let it ask `account` now."""
        url = urlsplit(account.url)
        request = (
            url.hostname,
            url.port,
            f"{url.path}/orders",
            BODY.decode(),
            headers_of(key, None),
        )
        stdin = self.process.stdin
        if stdin is None:
            pytest.fail("the caller has no standard input")
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()

    def wait(self) -> tuple[int, str]:
        """Its wait status (negative: the signal that ended it) and what it printed."""
        printed, _ = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, printed

    def kill(self) -> int:
        """SIGKILL; returns the wait status."""
        self.process.kill()
        return self.wait()[0]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TargetProcess]:
    with TargetProcess(tmp_path_factory.mktemp("target") / "ledger.jsonl") as running:
        yield running


@pytest.fixture
def account(target: TargetProcess, request: pytest.FixtureRequest) -> Account:
    return target.account(re.sub(r"[^\w.-]", "-", request.node.name, flags=re.ASCII))


@pytest.fixture
def new_caller() -> Iterator[Callable[[], Caller]]:
    started: list[Caller] = []

    def start() -> Caller:
        started.append(Caller())
        return started[-1]

    yield start
    for caller in started:
        if caller.process.returncode is None:
            caller.kill()


# Effects, and what counts them


def test_an_effect_is_counted_and_answered_with_what_was_asked(account: Account) -> None:
    first = ask(account, "/orders/1?dry=%20no", reference="r")
    second = ask(account, body=b"")
    assert json.loads(first.body) == {
        "effect": 1,
        "path": "/orders/1?dry=%20no",
        "echo": {"amount": 5, "to": "b"},
        "reference": "r",
    }
    assert json.loads(second.body) == {
        "effect": 2,
        "path": "/orders",
        "echo": None,
        "reference": None,
    }
    assert [effect.body for effect in account.effects()] == [{"amount": 5, "to": "b"}, None]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "BREW"])
def test_j3_every_method_but_get_asks_for_an_effect(account: Account, method: str) -> None:
    assert ask(account, method=method).status == 200
    assert len(account.effects()) == 1
    assert [request.method for request in account.requests()] == [method]


def test_j3_get_is_a_read_that_answers_the_same_whatever_happened(account: Account) -> None:
    account.script(Refuse(400))
    before = ask(account, "/balance?of=b", b"", method="GET")
    account.script()
    ask(account)
    assert before == ask(account, "/balance?of=b", b"", method="GET")
    assert json.loads(before.body) == {"read": "/balance?of=b"}
    assert len(account.effects()) == 1
    assert len(account.requests()) == 3


def test_the_ledger_counts_requests_as_well_as_effects_and_shows_key_and_bytes_as_sent(
    account: Account,
) -> None:
    key = "Kéy/with spaces; \t and=signs"
    ask(account, key=key, body=b"[1]")
    ask(account, key=key, body=b" [1]")
    digests = {request.digest for request in account.requests()}
    assert [request.key for request in account.requests()] == [key, key]
    assert digests == {
        # printf '[1]' | sha256sum; printf ' [1]' | sha256sum
        "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22",
        "8654748fb6342dee236173461a2e0527953b974d408af58079e352e26806e8f2",
    }
    assert len(account.effects()) == 1


def test_a_body_that_is_no_json_is_refused_without_an_effect_and_takes_no_step(
    account: Account,
) -> None:
    account.script(Serve())
    assert ask(account, body=b"amount=5").status == 400
    assert account.effects() == ()
    assert len(account.requests()) == 1
    assert account.state().steps_left == 1


def test_accounts_have_nothing_in_common(target: TargetProcess, account: Account) -> None:
    other = target.account(account.name + "-other")
    account.script(Refuse(402))
    account.configure(Behaviour(honours_keys=False, offers_receipts=False))
    account.hide_receipts()
    assert ask(other, key="k", reference="r").status == 200
    assert ask(account, key="k", reference="r").status == 402
    assert look_up(other, "r").status == 200
    assert json.loads(ask(account, key="k").body)["effect"] == 1


@pytest.mark.parametrize("path", ["/", "", "/_hidden/orders", "/_control", "/a%20b/orders"])
def test_a_path_outside_every_account_is_not_found(target: TargetProcess, path: str) -> None:
    url = urlsplit(target.base_url)
    with contextlib.closing(http.client.HTTPConnection(url.netloc, timeout=SECONDS)) as connection:
        connection.request("POST", path, BODY)
        assert connection.getresponse().status == 404


def test_a_request_that_does_not_arrive_whole_has_not_been_made(account: Account) -> None:
    url = urlsplit(account.url)
    with socket.create_connection((url.hostname or "", url.port or 0)) as connection:
        head = f"POST {url.path}/orders HTTP/1.1\r\nHost: t\r\nContent-Length: 100\r\n\r\n"
        connection.sendall(head.encode() + BODY)
    ask(account)
    assert len(account.requests()) == 1
    assert len(account.effects()) == 1


# Tier 1: keys


def test_t2_the_same_key_gets_the_same_bytes_and_no_second_effect(account: Account) -> None:
    first = ask(account, key="k")
    assert ask(account, key="k") == first
    assert len(account.effects()) == 1
    assert len(account.requests()) == 2


def test_t2_the_same_key_with_the_members_in_another_order_is_the_same_request(
    account: Account,
) -> None:
    first = ask(account, key="k", body=b'{"amount": 5, "to": "b"}')
    assert ask(account, key="k", body=b'{"to":"b","amount":5}') == first
    assert len(account.effects()) == 1


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/orders", b'{"amount": 6, "to": "b"}'),
        ("POST", "/orders", b'{"amount": 5.0, "to": "b"}'),
        ("POST", "/orders?urgent", BODY),
        ("PUT", "/orders", BODY),
    ],
)
def test_the_same_key_with_another_request_is_refused(
    account: Account, method: str, path: str, body: bytes
) -> None:
    ask(account, "/orders", BODY, key="k")
    assert ask(account, path, body, method=method, key="k").status == 422
    assert len(account.effects()) == 1


def test_t4_a_target_that_ignores_keys_does_the_effect_again(account: Account) -> None:
    account.configure(Behaviour(honours_keys=False))
    ask(account, key="k")
    ask(account, key="k")
    assert [effect.key for effect in account.effects()] == ["k", "k"]


def test_reading_3_a_target_that_forgot_the_key_does_the_effect_again(account: Account) -> None:
    ask(account, key="k")
    account.forget_keys()
    ask(account, key="k")
    assert len(account.effects()) == 2
    assert ledger.Forgotten(account=account.name, keys=("k",)) in account.entries()


def test_a_key_whose_first_request_is_running_is_in_use_and_later_gets_its_answer(
    account: Account, new_caller: Callable[[], Caller]
) -> None:
    account.script(Hold(HoldAt.BEFORE_EFFECT))
    first = new_caller()
    first.start(account, key="k")
    account.await_held()
    assert ask(account, key="k").status == 409
    account.forget_keys()
    assert ask(account, key="k").status == 409
    account.release()
    status, printed = first.wait()
    later = ask(account, key="k")
    assert (status, printed) == (0, f"200 {later.body.decode()}\n")
    assert len(account.effects()) == 1


# Tier 2: receipts


@pytest.mark.parametrize("reference", ["r", "a/b c?d#e%é", ".."])
def test_t3_a_receipt_holds_the_answer_of_the_effect(account: Account, reference: str) -> None:
    answer = ask(account, reference=reference)
    receipt = look_up(account, reference)
    assert receipt.status == 200
    assert json.loads(receipt.body) == {"reference": reference, "answer": json.loads(answer.body)}
    assert len(account.effects()) == 1


def test_t3_without_an_effect_there_is_no_receipt(account: Account) -> None:
    account.script(Refuse(402))
    ask(account, reference="r")
    assert look_up(account, "r") == Got(404, b'{"reference":"r"}')


def test_reading_2_a_receipt_may_be_shown_late(account: Account) -> None:
    account.hide_receipts()
    ask(account, reference="r")
    assert look_up(account, "r") == Got(404, b'{"reference":"r"}')
    account.show_receipts()
    assert look_up(account, "r").status == 200


def test_reading_2_look_ups_may_fail(account: Account) -> None:
    ask(account, reference="r")
    account.fail_look_ups()
    assert look_up(account, "r") == Got(503, b'{"reference":"r"}')


def test_a_target_that_offers_no_receipts_never_finds_one(account: Account) -> None:
    account.configure(Behaviour(offers_receipts=False))
    ask(account, reference="r")
    account.show_receipts()
    assert look_up(account, "r").status == 404


def test_a_reference_is_no_key_and_its_receipt_is_the_first_effects(account: Account) -> None:
    for _ in range(2):
        ask(account, reference="r")
    assert len(account.effects()) == 2
    assert json.loads(look_up(account, "r").body)["answer"]["effect"] == 1


# The script


@pytest.mark.parametrize(
    ("step", "status", "effects"),
    [
        (Serve(), 200, 1),
        (Pad(1), 200, 1),
        (Refuse(402), 402, 0),
        (Refuse(422), 422, 0),
        (Fail(500, Moment.BEFORE_EFFECT), 500, 0),
        (Fail(503, Moment.AFTER_EFFECT), 503, 1),
        (Drop(Moment.BEFORE_EFFECT), None, 0),
        (Drop(Moment.AFTER_EFFECT), None, 1),
    ],
)
def test_a_step_decides_what_the_caller_sees_and_whether_the_effect_happens(
    account: Account, step: Step, status: int | None, effects: int
) -> None:
    account.script(step)
    if status is None:
        with pytest.raises(RemoteDisconnected):
            ask(account, key="k")
    else:
        assert ask(account, key="k").status == status
    assert len(account.effects()) == effects
    # Under the stored key the retry is safe in every case, T-2.
    assert json.loads(ask(account, key="k").body)["effect"] == 1
    assert len(account.effects()) == 1
    assert len(account.requests()) == 2


def test_steps_are_taken_in_order_and_a_new_script_replaces_what_is_left(account: Account) -> None:
    account.script(Serve(), Refuse(402), Refuse(403), Refuse(404))
    assert [ask(account).status for _ in range(2)] == [200, 402]
    assert account.state().steps_left == 2
    account.script(Refuse(410))
    assert [ask(account).status for _ in range(2)] == [410, 200]
    assert len(account.effects()) == 2


def test_padding_makes_the_answer_long_and_is_part_of_the_stored_one(account: Account) -> None:
    account.script(Pad(100_000))
    first = ask(account, key="k")
    assert len(json.loads(first.body)["padding"]) == 100_000
    assert ask(account, key="k") == first


def test_a_kept_alive_connection_that_is_dropped_was_asked_twice_not_three_times(
    account: Account,
) -> None:
    account.script(Serve(), Drop(Moment.AFTER_EFFECT))
    url = urlsplit(account.url)
    with contextlib.closing(http.client.HTTPConnection(url.netloc, timeout=SECONDS)) as connection:
        connection.request("POST", f"{url.path}/orders", BODY)
        connection.getresponse().read()
        connection.request("POST", f"{url.path}/orders", BODY)
        with pytest.raises(RemoteDisconnected):
            connection.getresponse()
    assert len(account.requests()) == len(account.effects()) == 2


@pytest.mark.parametrize(
    "build",
    [
        lambda: Refuse(200),
        lambda: Refuse(409),
        lambda: Refuse(500),
        lambda: Fail(404, Moment.BEFORE_EFFECT),
        lambda: Pad(0),
        lambda: Pad(MAX_PADDING_BYTES + 1),
        lambda: KillCaller(1, Moment.AFTER_EFFECT),
        lambda: KillCaller(0, Moment.AFTER_EFFECT),
        lambda: KillCaller(-2, Moment.AFTER_EFFECT),
    ],
)
def test_a_step_that_would_lie_or_kill_a_group_cannot_be_built(build: Callable[[], Step]) -> None:
    with pytest.raises(ValueError, match="give"):
        build()


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b'{"do":"Guess"}',
        b'{"do":"SetScript","steps":[{"step":"KillCaller","pid":-1,"moment":"after_effect"}]}',
        b'{"do":"SetScript","steps":[{"step":"Serve","twice":true}]}',
    ],
)
def test_a_message_that_says_nothing_is_refused_and_changes_nothing(
    target: TargetProcess, account: Account, message: bytes
) -> None:
    url = urlsplit(target.base_url)
    with contextlib.closing(http.client.HTTPConnection(url.netloc, timeout=SECONDS)) as connection:
        connection.request("POST", f"/_control/{account.name}", message)
        assert connection.getresponse().status == 400
    assert account.state().steps_left == 0


# Callers that die


@pytest.mark.parametrize(
    ("moment", "effects"), [(Moment.BEFORE_EFFECT, 0), (Moment.AFTER_EFFECT, 1)]
)
def test_c2_c3_the_caller_is_killed_on_that_side_of_the_effect_and_sees_no_answer(
    account: Account, new_caller: Callable[[], Caller], moment: Moment, effects: int
) -> None:
    caller = new_caller()
    account.script(KillCaller(caller.pid, moment))
    caller.start(account, key="k")
    assert caller.wait() == (-signal.SIGKILL, "")
    assert len(account.effects()) == effects
    assert account.entries()[-1] == ledger.Killed(account=account.name, request=1, pid=caller.pid)
    assert json.loads(ask(account, key="k").body)["effect"] == 1
    assert len(account.effects()) == 1


def test_nothing_is_sent_to_a_caller_that_is_being_killed(
    account: Account, new_caller: Callable[[], Caller]
) -> None:
    victim = new_caller()
    account.script(KillCaller(victim.pid, Moment.AFTER_EFFECT))
    url = urlsplit(account.url)
    # The test asks in the victim's place, to see what would have reached it.
    with socket.create_connection((url.hostname or "", url.port or 0)) as connection:
        connection.sendall(f"POST {url.path}/orders HTTP/1.1\r\nHost: t\r\n\r\n".encode())
        assert victim.wait()[0] == -signal.SIGKILL
        assert account.state().effects == 1
        connection.setblocking(False)
        with pytest.raises(BlockingIOError):
            connection.recv(1)


@pytest.mark.parametrize(
    ("at", "effects_while_held"),
    [(HoldAt.IN_TRANSIT, 0), (HoldAt.BEFORE_EFFECT, 0), (HoldAt.AFTER_EFFECT, 1)],
)
def test_a_held_request_has_its_effect_although_its_sender_was_killed(
    account: Account, new_caller: Callable[[], Caller], at: HoldAt, effects_while_held: int
) -> None:
    caller = new_caller()
    account.script(Hold(at))
    caller.start(account)
    account.await_held()
    assert caller.kill() == -signal.SIGKILL
    # An answered request after the kill: the target has had its chance to notice.
    ask(account, "/balance", b"", method="GET")
    assert len(account.effects()) == effects_while_held
    account.release()
    assert len(account.effects()) == 1
    assert account.state().held == 0


def test_reading_3_a_late_arrival_under_a_key_that_is_known_has_no_effect(
    account: Account, new_caller: Callable[[], Caller]
) -> None:
    account.script(Hold(HoldAt.IN_TRANSIT))
    caller = new_caller()
    caller.start(account, key="k")
    account.await_held()
    caller.kill()
    assert ask(account, key="k").status == 200
    account.release()
    assert [effect.request for effect in account.effects()] == [2]


def test_reading_3_a_late_arrival_under_a_key_that_was_forgotten_is_a_second_effect(
    account: Account, new_caller: Callable[[], Caller]
) -> None:
    account.script(Hold(HoldAt.IN_TRANSIT))
    caller = new_caller()
    caller.start(account, key="k")
    account.await_held()
    caller.kill()
    assert ask(account, key="k").status == 200
    account.forget_keys()
    account.release()
    assert [effect.request for effect in account.effects()] == [2, 1]


def test_several_requests_can_be_held_and_are_released_together(
    account: Account, new_caller: Callable[[], Caller]
) -> None:
    account.script(Hold(HoldAt.BEFORE_EFFECT), Hold(HoldAt.AFTER_EFFECT))
    callers = [new_caller(), new_caller()]
    for caller in callers:
        caller.start(account)
    account.await_held(2)
    assert account.state().held == 2
    account.release()
    assert [caller.wait()[0] for caller in callers] == [0, 0]
    assert len(account.effects()) == 2


def test_the_wait_for_a_held_request_is_bounded_and_says_what_it_found(account: Account) -> None:
    with pytest.raises(TargetError, match=rf"{account.name}, AwaitHeld: .*held=0"):
        account.await_held(seconds=0.01)


def test_a_server_that_cancels_a_request_does_not_cancel_its_effect(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    asked = Asked(method="POST", path="/orders", key=None, reference=None, body=BODY)

    async def cancel_while_held(writer: LedgerWriter) -> None:
        desk = Desk("a", writer)
        await desk.obey(SetScript((Hold(HoldAt.BEFORE_EFFECT),)))
        serving = asyncio.create_task(desk.ask(asked))
        await desk.obey(AwaitHeld(1, SECONDS))
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        assert Ledger(path).effects("a") == ()
        await desk.obey(Release())
        # Once the release is answered the ledger shows it: the harness need not look twice.
        assert len(Ledger(path).effects("a")) == 1

    writer = LedgerWriter(path)
    asyncio.run(cancel_while_held(writer))
    writer.close()


# The process


def test_a_target_ends_with_the_harness_and_a_held_request_ends_with_it(
    tmp_path: Path, new_caller: Callable[[], Caller]
) -> None:
    path = tmp_path / "ledger.jsonl"
    with (
        subprocess.Popen(
            [sys.executable, "-m", "effectcrash.target", "--ledger", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process,
        contextlib.ExitStack() as at_last,
    ):
        at_last.callback(process.kill)
        if process.stdin is None or process.stdout is None:
            pytest.fail("the target has no pipes")
        port = json.loads(process.stdout.readline())["port"]
        account = Account("a", port, Ledger(path))
        account.script(Hold(HoldAt.BEFORE_EFFECT))
        caller = new_caller()
        caller.start(account)
        account.await_held()
        process.stdin.close()
        assert process.wait(SECONDS) == 0
        assert process.stdout.read() == b""
    assert account.effects() == ()
    assert len(account.requests()) == 1
    assert caller.wait()[0] == 1


def test_a_target_that_cannot_start_says_why(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.touch()
    with pytest.raises(TargetError, match=f"status 2; it said: ledger {path}: exists already"):
        TargetProcess(path)


def test_bad_invocation_is_one_message_and_no_traceback(tmp_path: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-m", "effectcrash.target", "--ledger", str(tmp_path / "no" / "ledger")],
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert (child.returncode, child.stdout) == (2, "")
    assert re.fullmatch(r"ledger .*/no/ledger: cannot be created .*\n", child.stderr)


def test_a_target_that_died_is_no_evidence(
    tmp_path: Path, new_caller: Callable[[], Caller]
) -> None:
    target = TargetProcess(tmp_path / "ledger.jsonl")
    account = target.account("a")
    account.script(KillCaller(target._process.pid, Moment.AFTER_EFFECT))
    caller = new_caller()
    caller.start(account)
    assert caller.wait()[0] == 1
    with pytest.raises(TargetError, match="exited by itself, with status -9"):
        target.__exit__(None, None, None)
    with pytest.raises(TargetError, match="account a, Report: the target does not answer"):
        account.state()


def test_a_script_that_kills_nobody_is_reported(
    tmp_path: Path, new_caller: Callable[[], Caller]
) -> None:
    gone = new_caller()
    gone.kill()
    target = TargetProcess(tmp_path / "ledger.jsonl")
    account = target.account("a")
    account.script(KillCaller(gone.pid, Moment.AFTER_EFFECT))
    with pytest.raises(RemoteDisconnected):
        ask(account)
    with pytest.raises(TargetError, match=f"it said: KillCaller: there is no process {gone.pid}"):
        target.__exit__(None, None, None)


def test_what_is_wrong_with_the_target_does_not_hide_what_failed(tmp_path: Path) -> None:
    target = TargetProcess(tmp_path / "ledger.jsonl")
    target._process.kill()
    target._process.wait()
    with pytest.raises(ZeroDivisionError) as raised, target:
        raise ZeroDivisionError
    assert raised.value.__notes__ == ["the target: it exited by itself, with status -9"]


@pytest.mark.parametrize("name", ["", "_control", "a/b", "a b", "é", ".."])
def test_a_name_that_no_account_can_have_is_refused(target: TargetProcess, name: str) -> None:
    with pytest.raises(TargetError, match="not a name"):
        target.account(name)
