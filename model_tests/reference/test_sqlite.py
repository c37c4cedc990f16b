"""The store on SQLite: how it is opened, and what it says of files it cannot use."""

import multiprocessing
import sqlite3
from pathlib import Path

import pytest

from effectjournal.delivery import ResultPolicy
from effectjournal.errors import NotOurStore, StoreFailed
from effectjournal.journal import DATABASE, Expect, Journal
from effectjournal.preparation import PlannedCall
from effectjournal.reconcilers import Reconcilers
from effectjournal.schema import VERSION
from effectjournal.sqlite import SqliteStore
from effectspec.tiers import Tier

PROCESSES = 8


def file_of(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder / DATABASE


def test_p1_the_store_runs_in_wal_with_synchronous_normal_and_secure_delete(folder: Path) -> None:
    store = SqliteStore(file_of(folder))
    with store.snapshot() as snapshot:
        settings = {
            name: snapshot.query(f"PRAGMA {name}")[0][0]
            for name in ("journal_mode", "synchronous", "secure_delete")
        }
    store.close()
    assert settings == {"journal_mode": "wal", "synchronous": 1, "secure_delete": 1}


def test_a_transaction_that_raises_leaves_nothing(folder: Path) -> None:
    store = SqliteStore(file_of(folder))

    def fail_half_way() -> None:
        with store.transaction() as transaction:
            transaction.write("INSERT INTO nodes (run_id, node_id, starts) VALUES ('r', 'n', 1)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    with store.snapshot() as snapshot:
        assert snapshot.query("SELECT * FROM nodes") == []
    store.close()


def _open_and_close(folder: Path) -> None:
    Journal.open(folder).close()


def test_a_fresh_file_is_opened_by_many_processes_at_once(folder: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=_open_and_close, args=(folder,)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * PROCESSES


def test_a_foreign_sqlite_file_is_named_and_left_alone(folder: Path) -> None:
    path = file_of(folder)
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE diary (entry TEXT)")
    foreign.close()
    before = path.read_bytes()
    with pytest.raises(NotOurStore, match=f"{DATABASE}: a SQLite file, but no effect journal"):
        Journal.open(folder)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_named_and_left_alone(folder: Path) -> None:
    path = file_of(folder)
    path.write_text("dear diary, " * 1000)
    with pytest.raises(NotOurStore, match="not a usable SQLite file"):
        Journal.open(folder)
    assert path.read_text() == "dear diary, " * 1000


def test_a_file_of_a_newer_version_is_refused(folder: Path) -> None:
    Journal.open(folder).close()
    with sqlite3.connect(file_of(folder)) as raw:
        raw.execute(f"PRAGMA user_version = {VERSION + 1}")
    raw.close()
    with pytest.raises(NotOurStore, match=f"schema {VERSION + 1}, this one knows {VERSION}"):
        Journal.open(folder)


def test_a_folder_that_is_a_file_is_named(folder: Path) -> None:
    folder.write_text("")
    with pytest.raises(StoreFailed, match="cannot be used as a store's folder") as refused:
        Journal.open(folder)
    assert str(refused.value).count(str(folder)) == 1


def test_a_database_path_that_cannot_be_opened_is_named(folder: Path) -> None:
    file_of(folder).mkdir()
    with pytest.raises(StoreFailed, match="cannot be opened for writing"):
        Journal.open(folder)


def test_a_read_only_file_is_named_with_the_remedy(folder: Path) -> None:
    store = SqliteStore(file_of(folder))
    with store.snapshot() as snapshot:
        snapshot.query("PRAGMA query_only = ON")
    with (
        pytest.raises(StoreFailed, match="check the folder and its permissions"),
        store.transaction() as transaction,
    ):
        transaction.write("DELETE FROM runs")
    store.close()


def test_a_full_disk_refuses_the_prepare_and_loses_nothing(folder: Path) -> None:
    journal = Journal.open(folder)
    run = journal.take_over("run", "owner", Reconcilers(), expect=Expect.NEW)
    start = run.begin_node("node")
    with journal.store.snapshot() as snapshot:
        ((pages,),) = snapshot.query("PRAGMA page_count")
        snapshot.query(f"PRAGMA max_page_count = {pages}")

    def large(slot: int) -> PlannedCall:
        policy = ResultPolicy({"x": "/" + "y" * 100_000})
        return PlannedCall(slot, "tool", Tier.OPAQUE, {}, "call", policy)

    with pytest.raises(StoreFailed, match="the disk is full; free space, then resume"):
        run.prepare(start, large(0))
    assert journal.rows("run") == ()
    with journal.store.snapshot() as snapshot:
        snapshot.query("PRAGMA max_page_count = 1000000")
    assert run.prepare(start, large(0)) is not None
    assert len(journal.rows("run")) == 1
    journal.close()
