"""The tools of the reference: what is refused, what is journaled, what an answer means."""

import resource
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from effectcrash.account import Account
from effectcrash.control import Drop, Fail, Moment, Refuse
from effectjournal import target as target_module
from effectjournal.calls import BadCall
from effectjournal.files import FILES, NOTIFICATIONS
from effectjournal.reconcilers import ReceiptFound
from effectjournal.sent import NO_ANSWER, Sent, outcome_of
from effectjournal.target import BadTarget, Target
from effectjournal.tools import ToolBox, resolve
from effectspec.contract import CONTRACT
from effectspec.gate import Lookup
from effectspec.journaling import ToolKind
from effectspec.json_value import Json
from effectspec.scenario import Job, Tool
from effectspec.settlement import Outcome
from effectspec.tiers import Tier

POST: dict[str, Json] = {"method": "POST", "path": "/orders", "body": {"amount": 12}}
NOWHERE = "http://127.0.0.1:9/account"


def box(folder: Path, *tools: Tool, url: str = NOWHERE) -> ToolBox:
    return ToolBox(Job(run_id="run-1", tools=tools, nodes=()), Target(url), folder)


def send(tools: ToolBox, tool: Tool, arguments: dict[str, Json]) -> Sent:
    return tools.send(tools.resolve(tool.id, arguments))


HTTP = Tool(id="http", kind=ToolKind.HTTP_REQUEST)
FILE = Tool(id="file", kind=ToolKind.WRITE_FILE)
READ = Tool(id="read", kind=ToolKind.READ)
NOTIFY = Tool(id="notify", kind=ToolKind.NOTIFY)
MCP = Tool(id="mcp tool", kind=ToolKind.MCP, tier=Tier.KEYED)


# ── what is journaled (§3, §5) ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("tool", "arguments", "journaled"),
    [
        (HTTP, {"method": "GET", "path": "/orders"}, False),
        *(
            (HTTP, {"method": method, "path": "/orders"}, True)
            for method in ("POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "M-SEARCH")
        ),
        (FILE, {"path": "a", "text": "x"}, False),
        (FILE, {"path": "a", "text": "x", "append": False}, False),
        (FILE, {"path": "a", "text": "x", "append": True}, True),
        (READ, {"path": "/orders"}, False),
        (NOTIFY, {"text": "done"}, False),
        (MCP, {"anything": 1}, True),
    ],
)
def test_j3_it_is_the_resolved_call_that_decides_what_is_journaled(
    tool: Tool, arguments: dict[str, Json], journaled: bool
) -> None:
    assert resolve(CONTRACT, tool, arguments).journaled is journaled


def test_m1_no_annotation_raises_the_tier_of_a_discovered_tool_or_calls_it_benign() -> None:
    annotations: dict[str, Json] = {
        "idempotentHint": True,
        "readOnlyHint": True,
        "duplicationBenign": True,
        "tier": 1,
    }
    boasting = msgspec.structs.replace(MCP, annotations=annotations)

    resolved = resolve(CONTRACT, boasting, {})

    assert (resolved.tier, resolved.journaled) == (Tier.OPAQUE, True)


# ── what is refused before anything is journaled (O-1) ───────────────────────────────────────────


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        (HTTP, {"method": "POST"}, "`path`"),
        (HTTP, {"path": "/a"}, "`method`"),
        (HTTP, {"method": "post", "path": "/a"}, "$.method"),
        (HTTP, {"method": "POST", "path": 7}, "$.path"),
        (HTTP, {"method": "POST", "path": "/a", "boddy": {}}, "`boddy`"),
        (HTTP, {"method": "GET", "path": "/a", "body": {}}, "`body`"),
        (HTTP, {"method": "POST", "path": "/a b"}, "`path`"),
        (HTTP, {"method": "POST", "path": "/a\r\nHost: b"}, "`path`"),
        (HTTP, {"method": "POST", "path": "/a#b"}, "`path`"),
        (HTTP, {"method": "POST", "path": ""}, "`path`"),
        (HTTP, {"method": "POST", "path": "/a/../../other/orders"}, "`path`"),
        (HTTP, {"method": "POST", "path": "/%2E%2e/other/orders"}, "`path`"),
        (READ, {}, "`path`"),
        (READ, {"path": "../other"}, "`path`"),
        (FILE, {"path": "a"}, "`text`"),
        (FILE, {"path": "a", "text": "x", "append": "yes"}, "$.append"),
        (FILE, {"path": "../a", "text": "x"}, "`path`"),
        (FILE, {"path": "b/../../a", "text": "x"}, "`path`"),
        (FILE, {"path": "/etc/passwd", "text": "x"}, "`path`"),
        (FILE, {"path": "", "text": "x"}, "`path`"),
        (FILE, {"path": ".", "text": "x"}, "`path`"),
        (FILE, {"path": "a\0b", "text": "x"}, "`path`"),
        (MCP, {"limit": 2**53 + 1}, "'limit'"),
        (NOTIFY, {"share": float("nan")}, "'share'"),
        (NOTIFY, {"text": "\ud800"}, "'text'"),
    ],
)
def test_o1_a_call_of_the_wrong_shape_is_refused_and_names_tool_argument_and_remedy(
    tool: Tool, arguments: dict[str, Json], named: str, folder: Path
) -> None:
    with pytest.raises(BadCall) as refused:
        box(folder, tool).resolve(tool.id, arguments)

    message = str(refused.value)
    assert message.startswith(f"tool {tool.id!r}: ")
    assert named in message
    assert "give" in message or "leave" in message


def test_o1_an_unknown_tool_is_refused_and_the_known_ones_are_named(folder: Path) -> None:
    with pytest.raises(BadCall, match=r"tool 'htpt' is not one of the job's.*'http'"):
        box(folder, HTTP).resolve("htpt", POST)


def test_o1_a_refusal_never_quotes_an_argument_since_it_may_be_a_secret(folder: Path) -> None:
    with pytest.raises(BadCall) as refused:
        box(folder, MCP).resolve(MCP.id, {"pin": 9007199254740993})
    assert "9007199254740993" not in str(refused.value)


def test_j5_a_file_behind_a_link_that_leaves_the_stores_files_is_refused(
    folder: Path, tmp_path: Path
) -> None:
    (folder / FILES).mkdir(parents=True)
    (folder / FILES / "out").symlink_to(tmp_path)
    with pytest.raises(BadCall, match="leaves the store's files"):
        box(folder, FILE).resolve(FILE.id, {"path": "out/a", "text": "x"})


# ── what an answer means (reading 10) ────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("statuses", "outcome"),
    [
        (range(100, 200), Outcome.UNKNOWN),
        (range(200, 300), Outcome.DONE),
        (range(300, 400), Outcome.UNKNOWN),
        ([*range(400, 409), *range(410, 500)], Outcome.NOT_DONE),
        ([409], Outcome.UNKNOWN),
        (range(500, 600), Outcome.UNKNOWN),
    ],
)
def test_reading_10_a_status_says_done_not_done_or_unknown(
    statuses: range | list[int], outcome: Outcome
) -> None:
    assert {outcome_of(status) for status in statuses} == {outcome}


def test_reading_10_the_target_answers_and_the_effect_is_done_once(
    folder: Path, account: Account
) -> None:
    sent = send(box(folder, HTTP, url=account.url), HTTP, POST)

    [effect] = account.effects()
    assert sent.outcome is Outcome.DONE
    assert isinstance(sent.answer, dict)
    assert (sent.answer["effect"], sent.answer["path"]) == (1, "/orders")
    assert (effect.path, effect.body, effect.key, effect.reference) == (
        "/orders",
        {"amount": 12},
        None,
        None,
    )


def test_reading_10_a_refusal_is_an_answer_and_no_effect(folder: Path, account: Account) -> None:
    account.script(Refuse(422))
    sent = send(box(folder, HTTP, url=account.url), HTTP, POST)
    assert sent.outcome is Outcome.NOT_DONE
    assert isinstance(sent.answer, dict)
    assert account.effects() == ()


@pytest.mark.parametrize("step", [Drop(Moment.AFTER_EFFECT), Drop(Moment.BEFORE_EFFECT)])
def test_case_24_a_broken_connection_is_unknown_and_nothing_sends_again(
    step: Drop, folder: Path, account: Account
) -> None:
    account.script(step)
    assert send(box(folder, HTTP, url=account.url), HTTP, POST) == NO_ANSWER
    assert len(account.requests()) == 1


def test_case_24_a_5xx_is_unknown_and_nothing_sends_again(folder: Path, account: Account) -> None:
    account.script(Fail(503, Moment.AFTER_EFFECT))
    sent = send(box(folder, HTTP, url=account.url), HTTP, POST)
    assert sent.outcome is Outcome.UNKNOWN
    assert len(account.requests()) == 1


def test_reading_10_a_target_that_nobody_serves_gives_no_answer(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert send(box(folder, HTTP, url=f"http://127.0.0.1:{port}/a"), HTTP, POST) == NO_ANSWER


@contextmanager
def serving(answer: bytes, *, hold: bool = False) -> Iterator[tuple[str, list[bytes]]]:
    """A server that gives every connection these bytes; its URL, and the requests that came."""
    requests: list[bytes] = []
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    requests.append(connection.recv(65536))
                    connection.sendall(answer)
                    if hold:
                        over.wait()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/a", requests
        finally:
            over.set()
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
    ],
)
def test_reading_10_an_answer_that_breaks_off_leaves_the_outcome_unknown(answer: bytes) -> None:
    with serving(answer) as (url, requests):
        assert Target(url).send("POST", "/orders", {}) == NO_ANSWER
    assert len(requests) == 1


def test_reading_10_an_answer_that_does_not_come_in_time_leaves_the_outcome_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(target_module, "REQUEST_TIMEOUT_S", 0.05)
    with serving(b"", hold=True) as (url, requests):
        assert Target(url).send("POST", "/orders", {}) == NO_ANSWER
    assert len(requests) == 1


def test_reading_10_an_answer_that_does_not_end_is_not_read_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(target_module, "ANSWER_LIMIT", 8)
    with serving(b"HTTP/1.1 200 OK\r\n\r\n123456789") as (url, _):
        assert Target(url).send("POST", "/orders", {}) == NO_ANSWER


def test_case_24_no_redirect_is_followed_and_its_outcome_is_unknown() -> None:
    moved = b"HTTP/1.1 307 Temporary\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
    with serving(moved) as (url, requests):
        assert Target(url).send("POST", "/orders", {}).outcome is Outcome.UNKNOWN
    assert len(requests) == 1


def test_case_24_every_request_has_a_connection_of_its_own() -> None:
    done = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    with serving(done) as (url, requests):
        for _ in range(2):
            assert Target(url).send("POST", "/orders", {}) == Sent(Outcome.DONE, {})
    assert len(requests) == 2
    assert all(b"\r\nConnection: close\r\n" in request for request in requests)


@pytest.mark.parametrize(
    ("content", "answer"),
    [(b"", None), (b"fine", "fine"), (b"[1e400]", "[1e400]"), (b"\xff", "\ufffd")],
)
def test_reading_10_an_answer_that_is_no_json_is_a_result_all_the_same(
    content: bytes, answer: Json
) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content)
    with serving(head + content) as (url, _):
        assert Target(url).send("POST", "/orders", {}) == Sent(Outcome.DONE, answer)


# ── the handles of the tiers ─────────────────────────────────────────────────────────────────────


def test_i7_key_and_reference_go_out_as_they_are_stored(folder: Path, account: Account) -> None:
    tools = box(folder, HTTP, url=account.url)
    call = tools.resolve(HTTP.id, POST)
    tools.send(call, key="the key")
    tools.send(call, reference="the reference")
    assert [(request.key, request.reference) for request in account.requests()] == [
        ("the key", None),
        (None, "the reference"),
    ]


def test_t2_two_calls_of_one_digest_are_one_request_to_a_target_that_compares_bodies(
    folder: Path, account: Account
) -> None:
    tools = box(folder, HTTP, url=account.url)
    spellings: list[dict[str, Json]] = [{"a": 1.0, "b": 2}, {"b": 2, "a": 1}]
    calls = [
        tools.resolve(HTTP.id, {"method": "POST", "path": "/orders", "body": body})
        for body in spellings
    ]
    assert len({CONTRACT.digest(call.arguments, ()) for call in calls}) == 1
    assert {tools.send(call, key="k").outcome for call in calls} == {Outcome.DONE}
    assert len(account.effects()) == 1


def receipts(folder: Path, account: Account) -> Callable[[str], ReceiptFound | Lookup]:
    tool = Tool(id="order", kind=ToolKind.HTTP_REQUEST, tier=Tier.QUERYABLE)
    tools = box(folder, tool, url=account.url)
    tools.send(tools.resolve(tool.id, POST), reference="r/1")
    return tools.reconcilers().queries[tool.id]


def test_t3_a_receipt_is_found_by_the_reference(folder: Path, account: Account) -> None:
    found = receipts(folder, account)("r/1")
    assert isinstance(found, ReceiptFound)
    assert isinstance(found.answer, dict)
    assert found.answer["effect"] == 1


def test_reading_2_a_look_up_that_finds_nothing_is_told_from_one_that_fails(
    folder: Path, account: Account
) -> None:
    look_up = receipts(folder, account)
    assert look_up("r/2") is Lookup.NOTHING
    account.fail_look_ups()
    assert look_up("r/1") is Lookup.FAILED
    account.hide_receipts()
    assert look_up("r/1") is Lookup.NOTHING


@pytest.mark.parametrize("content", [b"{}", b"nonsense", b"\xff"])
def test_t3_a_receipt_without_an_answer_is_a_failed_look_up(content: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content)
    with serving(head + content) as (url, _):
        assert Target(url).receipt("r") is Lookup.FAILED


def test_t6_only_tools_that_declare_a_reconciler_and_can_carry_its_handle_have_one(
    folder: Path,
) -> None:
    def tool(id_: str, kind: ToolKind, tier: Tier, *, reconciler: bool = True) -> Tool:
        return Tool(id=id_, kind=kind, tier=tier, reconciler=reconciler)

    reconcilers = box(
        folder,
        tool("keyed", ToolKind.HTTP_REQUEST, Tier.KEYED),
        tool("queryable", ToolKind.HTTP_REQUEST, Tier.QUERYABLE),
        tool("opaque", ToolKind.HTTP_REQUEST, Tier.OPAQUE),
        tool("keyed, none", ToolKind.HTTP_REQUEST, Tier.KEYED, reconciler=False),
        tool("queryable, none", ToolKind.HTTP_REQUEST, Tier.QUERYABLE, reconciler=False),
        tool("discovered", ToolKind.MCP, Tier.KEYED),
        tool("discovered too", ToolKind.MCP, Tier.QUERYABLE),
        tool("appends", ToolKind.WRITE_FILE, Tier.KEYED),
    ).reconcilers()

    assert reconcilers.keyed == {"keyed"}
    assert reconcilers.queries.keys() == {"queryable"}


# ── the other kinds ──────────────────────────────────────────────────────────────────────────────


def test_j2_a_read_is_a_get_on_the_target(folder: Path, account: Account) -> None:
    sent = send(box(folder, READ, url=account.url), READ, {"path": "orders?page=2"})
    [request] = account.requests()
    assert sent == Sent(Outcome.DONE, {"read": "/orders?page=2"})
    assert (request.method, account.effects()) == ("GET", ())


def test_m1_a_discovered_tool_is_posted_to_under_its_own_name(
    folder: Path, account: Account
) -> None:
    sent = send(box(folder, MCP, url=account.url), MCP, {"limit": 3})
    [effect] = account.effects()
    assert sent.outcome is Outcome.DONE
    assert (effect.path, effect.body) == ("/mcp/mcp%20tool", {"limit": 3})


def test_j3_appends_add_up_and_a_whole_file_is_its_own_receipt(folder: Path) -> None:
    tools = box(folder, FILE)
    log = folder / FILES / "notes" / "log"
    for _ in range(2):
        sent = send(tools, FILE, {"path": "notes/log", "text": "ä\n", "append": True})
        assert sent == Sent(Outcome.DONE, {"path": "notes/log", "bytes": 3})
    assert log.read_text() == "ä\nä\n"
    for _ in range(2):
        send(tools, FILE, {"path": "notes/log", "text": "new\n"})
    assert log.read_text() == "new\n"


def test_reading_10_a_file_that_cannot_be_opened_was_not_written(folder: Path) -> None:
    (folder / FILES / "taken").mkdir(parents=True)
    sent = send(box(folder, FILE), FILE, {"path": "taken", "text": "x", "append": True})
    assert sent == Sent(Outcome.NOT_DONE, {"error": "the file cannot be opened: Is a directory"})


def test_reading_10_a_file_behind_a_link_that_came_after_the_check_was_not_written(
    folder: Path, tmp_path: Path
) -> None:
    tools = box(folder, FILE)
    checked = tools.resolve(FILE.id, {"path": "out/a", "text": "x", "append": True})
    (folder / FILES).mkdir(parents=True)
    (folder / FILES / "out").symlink_to(tmp_path)
    assert tools.send(checked) == Sent(
        Outcome.NOT_DONE,
        {"error": "the file cannot be opened: `path` leaves the store's files"},
    )
    assert not (tmp_path / "a").exists()


@pytest.fixture
def full_disk() -> Iterator[None]:
    """The kernel lets no file of this process grow beyond four bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("full_disk")
def test_reading_10_a_write_that_breaks_off_is_unknown(folder: Path) -> None:
    sent = send(box(folder, FILE), FILE, {"path": "a", "text": "12345678", "append": True})
    assert sent == NO_ANSWER
    assert (folder / FILES / "a").read_text() == "1234"


def test_j4_a_notification_that_cannot_be_logged_is_a_failure(folder: Path) -> None:
    (folder / NOTIFICATIONS).mkdir(parents=True)
    sent = send(box(folder, NOTIFY), NOTIFY, {"text": "paid"})
    assert sent == Sent(Outcome.UNKNOWN, {"error": "the log cannot be written: Is a directory"})


def test_j4_a_notification_is_logged_without_its_declared_secrets(folder: Path) -> None:
    folder.mkdir()
    tool = msgspec.structs.replace(NOTIFY, secret_keys=("token",))
    assert send(box(folder, tool), tool, {"text": "paid", "token": "s3cret"}).outcome is (
        Outcome.DONE
    )
    assert (folder / NOTIFICATIONS).read_text() == '{"tool":"notify","message":{"text":"paid"}}\n'


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:4711/account",
        "ftp://127.0.0.1/account",
        "http:///account",
        "http://127.0.0.1:99999/account",
        "http://127.0.0.1/account?x=1",
        "http://127.0.0.1/account#x",
        "http://user:pa55word@127.0.0.1/account",
    ],
)
def test_case_31_a_target_that_is_no_plain_url_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(BadTarget, match="give one such as http://") as refused:
        Target(url)
    assert "pa55word" not in str(refused.value)
