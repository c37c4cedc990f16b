"""The ledger is what decides what happened, so it must be there whole, in order and per account."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from effectcrash.ledger import (
    Answer,
    Dropped,
    Effect,
    Entry,
    Forgotten,
    Killed,
    Ledger,
    LedgerError,
    LedgerWriter,
    Request,
)

OUT_OF_ROOM = """
import pathlib, resource, sys
from effectcrash.ledger import Dropped, LedgerError, LedgerWriter
writer = LedgerWriter(pathlib.Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    writer.append(Dropped(account="a", request=1))
except LedgerError as error:
    print(error)
"""
"""Its file-size limit makes the kernel write an entry in part or not at all, like a full disk."""


def effect(account: str, number: int, body: object = None) -> Effect:
    return Effect(
        account=account,
        number=number,
        request=number,
        path="/orders",
        key="k",
        reference=None,
        body=body,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.jsonl"


def test_an_entry_is_one_line_of_the_file_as_soon_as_append_returns(path: Path) -> None:
    writer = LedgerWriter(path)
    writer.append(effect("a", 1, {"note": "two\nlines"}))
    lines = path.read_text().split("\n")
    writer.close()
    assert [json.loads(line) for line in lines[:-1]] == [
        {
            "entry": "effect",
            "account": "a",
            "number": 1,
            "request": 1,
            "path": "/orders",
            "key": "k",
            "reference": None,
            "body": {"note": "two\nlines"},
        }
    ]
    assert lines[-1] == ""


def test_every_kind_of_entry_is_read_back_as_it_was_written_and_in_order(path: Path) -> None:
    written: tuple[Entry, ...] = (
        Request(
            account="a",
            number=1,
            method="POST",
            path="/orders?x=1",
            key="k",
            reference="r",
            digest="d",
        ),
        effect("a", 1, [1, 1.5, True, None, {"": ""}]),
        Answer(account="a", request=1, status=200),
        Dropped(account="a", request=2),
        Killed(account="a", request=3, pid=4711),
        Forgotten(account="a", keys=("k", "l")),
    )
    writer = LedgerWriter(path)
    for entry in written:
        writer.append(entry)
    writer.close()
    assert Ledger(path).entries("a") == written


def test_accounts_are_told_apart(path: Path) -> None:
    writer = LedgerWriter(path)
    for account in ("a", "b", "a"):
        writer.append(effect(account, 1))
    writer.close()
    ledger = Ledger(path)
    assert [len(ledger.effects(account)) for account in ("a", "b", "c")] == [2, 1, 0]


def test_effects_and_requests_are_told_apart(path: Path) -> None:
    request = Request(
        account="a", number=1, method="GET", path="/", key=None, reference=None, digest="d"
    )
    writer = LedgerWriter(path)
    for entry in (request, effect("a", 1), request):
        writer.append(entry)
    writer.close()
    ledger = Ledger(path)
    assert ledger.effects("a") == (effect("a", 1),)
    assert ledger.requests("a") == (request, request)


def test_a_reader_goes_on_with_what_was_written_since_it_last_looked(path: Path) -> None:
    writer = LedgerWriter(path)
    ledger = Ledger(path)
    for number in (1, 2, 3):
        writer.append(effect("a", number))
        assert [seen.number for seen in ledger.effects("a")] == list(range(1, number + 1))
    writer.close()


def test_an_unfinished_last_line_is_no_entry_until_it_is_finished(path: Path) -> None:
    writer = LedgerWriter(path)
    writer.append(effect("a", 1))
    writer.close()
    line = path.read_bytes()
    path.write_bytes(line + line[:20])
    ledger = Ledger(path)
    assert len(ledger.effects("a")) == 1
    path.write_bytes(line + line)
    assert len(ledger.effects("a")) == 2


@pytest.mark.parametrize("line", ["no JSON", '{"entry":"effect"}', '{"entry":"rumour"}', ""])
def test_a_line_that_is_no_entry_is_refused_with_its_place(path: Path, line: str) -> None:
    writer = LedgerWriter(path)
    writer.append(effect("a", 1))
    writer.close()
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(LedgerError, match=rf"{path}, line 2: not an entry"):
        Ledger(path).effects("a")


def test_a_ledger_that_exists_is_never_written_again(path: Path) -> None:
    LedgerWriter(path).close()
    with pytest.raises(LedgerError, match=f"{path}: exists already"):
        LedgerWriter(path)


def test_a_ledger_in_no_folder_cannot_be_created(path: Path) -> None:
    missing = path / "ledger.jsonl"
    with pytest.raises(LedgerError, match=f"{missing}: cannot be created"):
        LedgerWriter(missing)


def test_a_ledger_that_is_not_there_cannot_be_read(path: Path) -> None:
    with pytest.raises(LedgerError, match=f"{path}: cannot be read"):
        Ledger(path).effects("a")


@pytest.mark.parametrize(
    ("room", "complaint"),
    [(10, "10 of 46 bytes of an entry were written"), (0, "cannot be written")],
)
def test_an_entry_that_is_not_there_whole_is_an_error_for_its_writer(
    path: Path, room: int, complaint: str
) -> None:
    child = subprocess.run(
        [sys.executable, "-c", OUT_OF_ROOM, str(path), str(room)],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert f"ledger {path}: {complaint}" in child.stdout
    assert path.stat().st_size == room
