"""Sessions on a real store: turns, rows without results, one snapshot, one sweep."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from effectjournal.errors import HistoryUnreadable, JournalError, Refused, SessionBlocked
from effectjournal.journal import DATABASE, Journal
from effectjournal.session.effects import CHUNK, SessionCall
from effectjournal.session.session import Session
from effectspec.disclosure import Disclosure
from effectspec.lifecycle import State
from effectspec.session import Acknowledgement
from effectspec.settlement import Outcome, Settlement
from effectspec.tiers import Tier
from effectspec.transcript import Course, Exchange, ToolCall

DELIVERED = Acknowledgement.DELIVERED


def call(slot: int = 0, *, call_id: str = "engine-1", tool: str = "pay") -> SessionCall:
    return SessionCall(slot, tool, Tier.OPAQUE, "v5:" + "0" * 64, call_id, 1)


def done(session: Session, *calls: SessionCall) -> list[int]:
    """A turn in which these calls are prepared and committed; their rows."""
    turn = session.reserve()
    rows = [session.prepare(turn, each).row_id for each in calls]
    for row in rows:
        session.settle(row, Outcome.DONE)
    return rows


def query(folder: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as store:
        return store.execute(sql, values).fetchall()


def told(session: Session) -> list[Disclosure]:
    return [each.disclosure for each in session.read().told]


# ── turns ────────────────────────────────────────────────────────────────────────────────────────


def test_x14_no_two_hosts_are_given_one_turn(folder: Path) -> None:
    with closing(Journal.open(folder)) as one, closing(Journal.open(folder)) as other:
        hosts = [Session(one, "chat"), Session(other, "chat")] * 4
        assert [host.reserve() for host in hosts] == list(range(8))


def test_x14_a_session_of_older_rows_begins_above_them(folder: Path, journal: Journal) -> None:
    done(Session(journal, "chat"), call())
    query(folder, "UPDATE run_effects SET unit = '41'")
    query(folder, "DELETE FROM sessions")

    assert Session(journal, "chat").reserve() == 42


def test_x14_a_history_that_is_none_blocks_its_session_and_no_other(
    folder: Path, journal: Journal
) -> None:
    sick, healthy = Session(journal, "sick"), Session(journal, "healthy")
    done(sick, call())
    query(folder, "UPDATE run_effects SET unit = 'last'")
    query(folder, "DELETE FROM sessions")

    with pytest.raises(SessionBlocked, match="session 'sick': its effects have turns that are no"):
        sick.reserve()
    with pytest.raises(SessionBlocked):
        sick.sweep(sick.read(), DELIVERED, owned=lambda: True)
    assert query(folder, "SELECT scope_id, state FROM run_effects") == [("sick", "committed")]
    assert healthy.reserve() == 0


def test_r4_the_floor_commits_with_the_deletions(folder: Path, journal: Journal) -> None:
    session = Session(journal, "chat")
    done(session, call())
    query(folder, "DELETE FROM sessions")

    session.sweep(session.read(), DELIVERED, owned=lambda: True)

    assert query(folder, "SELECT next_turn FROM sessions") == [(1,)]
    assert session.reserve() == 1


def test_l2_commands_count_anew_under_each_turn(journal: Journal) -> None:
    session = Session(journal, "chat")
    done(session, call(-1), call(-2))
    done(session, call(-1))

    assert [(each.captured.turn, each.captured.slot) for each in session.read().told] == [
        ("0", -1),
        ("0", -2),
        ("1", -1),
    ]


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


def test_x10_a_result_is_never_written_and_never_read(folder: Path, journal: Journal) -> None:
    session = Session(journal, "chat")
    done(session, call())
    assert query(folder, "SELECT result FROM run_effects") == [(None,)]
    query(folder, "UPDATE run_effects SET result = x'00ff'")

    assert told(session) == [Disclosure.LANDED]
    with pytest.raises(Refused, match="a session delivers nothing again"):
        session.prepare(0, call())


def test_g11_a_matching_prepare_is_refused_in_every_state(folder: Path, journal: Journal) -> None:
    session = Session(journal, "chat")
    turn = session.reserve()
    session.prepare(turn, call())

    for state in ("prepared", "ambiguous", "committed", "needs_attention"):
        query(folder, "UPDATE run_effects SET state = ?", state)
        with pytest.raises(Refused):
            session.prepare(turn, call())


def test_i8_each_call_has_its_own_id_and_provider_attempt(folder: Path, journal: Journal) -> None:
    session = Session(journal, "chat")
    turn = session.reserve()
    session.prepare(turn, call(0, call_id="engine-1"))
    session.prepare(turn, SessionCall(1, "pay", Tier.KEYED, "v5:", "engine-2", 3))

    assert query(folder, "SELECT tool_call_id, provider_attempt, owner_id FROM run_effects") == [
        ("engine-1", 1, ""),
        ("engine-2", 3, ""),
    ]


def test_reading_11_the_same_settle_twice_is_alike_and_another_is_evidence(
    journal: Journal,
) -> None:
    session = Session(journal, "chat")
    row = session.prepare(session.reserve(), call()).row_id

    assert session.settle(row, Outcome.UNKNOWN) == (Settlement.MARK_AMBIGUOUS, State.AMBIGUOUS)
    assert session.settle(row, Outcome.UNKNOWN) == (Settlement.ALIKE, State.AMBIGUOUS)
    assert session.settle(row, Outcome.DONE) == (Settlement.EVIDENCE, State.AMBIGUOUS)
    (view,) = journal.session_rows("chat")
    assert view.late_evidence == 1


def test_o2_a_turn_that_was_not_reserved_takes_no_effect(journal: Journal) -> None:
    with pytest.raises(Refused, match="turn 0 was not reserved; reserve one"):
        Session(journal, "chat").prepare(0, call())


# ── the read ─────────────────────────────────────────────────────────────────────────────────────


def test_d2_history_is_read_whole_however_much_of_it_was_compacted(journal: Journal) -> None:
    session = Session(journal, "chat")
    done(session, call())
    session.write(0, Exchange(Course.COMPLETED, (ToolCall("engine-1", "pay"),)))
    session.write(1, Exchange(Course.COMPLETED, ()))

    assert session.compact(below_turn=1) == 1
    assert told(session) == [Disclosure.SILENT]


@pytest.mark.parametrize("body", [b"{", b'{"course":"x","calls":[]}', b'{"calls":[]}', b"\xff"])
def test_d7_a_history_that_cannot_be_read_stops_the_read(
    folder: Path, journal: Journal, body: bytes
) -> None:
    session = Session(journal, "chat")
    done(session, call())
    session.write(0, Exchange(Course.COMPLETED, ()))
    query(folder, "UPDATE exchanges SET body = ?", body)

    with pytest.raises(HistoryUnreadable, match="row 1 of its transcript is no exchange"):
        session.read()


def test_d2_an_unknown_field_of_an_exchange_is_no_exchange(folder: Path, journal: Journal) -> None:
    session = Session(journal, "chat")
    session.write(0, Exchange(Course.COMPLETED, ()))
    query(
        folder,
        "UPDATE exchanges SET body = ?",
        b'{"course":"its turn was written whole","calls":[],"more":1}',
    )

    with pytest.raises(HistoryUnreadable):
        session.read()


def test_r4_reads_and_sweeps_refuse_an_outer_transaction(journal: Journal) -> None:
    session = Session(journal, "chat")
    done(session, call())
    reading = session.read()

    with journal.store.transaction():
        with pytest.raises(JournalError, match="within a transaction"):
            session.read()
        with pytest.raises(JournalError, match="within a transaction"):
            session.sweep(reading, DELIVERED, owned=lambda: True)
    assert told(session) == [Disclosure.LANDED]


# ── the sweep ────────────────────────────────────────────────────────────────────────────────────


def test_r3_an_id_that_belongs_to_another_address_by_now_survives(
    folder: Path, journal: Journal
) -> None:
    session = Session(journal, "chat")
    done(session, call())
    for changed in ("slot = 5", "tool_id = 'mail'", "unit = '7'"):
        reading = session.read()
        query(folder, f"UPDATE run_effects SET {changed}")
        assert session.sweep(reading, DELIVERED, owned=lambda: True).deleted == 0


def test_r3_another_sessions_row_under_the_id_survives(folder: Path, journal: Journal) -> None:
    session = Session(journal, "chat")
    done(session, call())
    reading = session.read()
    query(folder, "UPDATE run_effects SET scope_id = 'other'")

    assert session.sweep(reading, DELIVERED, owned=lambda: True).deleted == 0
    query(folder, "UPDATE run_effects SET scope_id = 'chat', scope_kind = 'run'")
    assert session.sweep(reading, DELIVERED, owned=lambda: True).deleted == 0


def test_r4_all_chunks_commit_together_or_not_at_all(folder: Path, journal: Journal) -> None:
    session = Session(journal, "chat")
    done(session, *(call(slot) for slot in range(CHUNK * 2 + 1)))
    reading = session.read()
    query(
        folder,
        "CREATE TRIGGER last BEFORE DELETE ON run_effects WHEN OLD.slot = 1000 "
        "BEGIN SELECT RAISE(ABORT, 'no'); END",
    )

    with pytest.raises(JournalError, match="no"):
        session.sweep(reading, DELIVERED, owned=lambda: True)
    assert query(folder, "SELECT count(*) FROM run_effects") == [(CHUNK * 2 + 1,)]

    query(folder, "DROP TRIGGER last")
    assert session.sweep(reading, DELIVERED, owned=lambda: True).deleted == CHUNK * 2 + 1


def test_r6_every_sweep_empties_the_log_an_empty_one_too(folder: Path, journal: Journal) -> None:
    session = Session(journal, "chat")
    done(session, call())
    log = folder / f"{DATABASE}-wal"
    assert log.stat().st_size > 0

    for deleted in (1, 0):
        swept = session.sweep(session.read(), DELIVERED, owned=lambda: True)
        assert (swept.deleted, swept.checkpoint.is_complete) == (deleted, True)
        assert log.stat().st_size == 0
        query(folder, "UPDATE sessions SET blocked = blocked")


def test_x12_a_reader_defers_the_checkpoint_and_a_later_empty_sweep_completes_it(
    folder: Path, journal: Journal
) -> None:
    session = Session(journal, "chat")
    done(session, call())
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM run_effects").fetchall()
        deferred = session.sweep(session.read(), DELIVERED, owned=lambda: True)
        reader.execute("ROLLBACK")

    assert (deferred.deleted, deferred.checkpoint.is_complete) == (1, False)
    assert (folder / f"{DATABASE}-wal").stat().st_size > 0
    assert session.sweep(session.read(), DELIVERED, owned=lambda: True).checkpoint.is_complete
    assert (folder / f"{DATABASE}-wal").stat().st_size == 0


# ── one-shot runs ────────────────────────────────────────────────────────────────────────────────


def test_r5_a_one_shot_run_takes_its_settled_rows_with_it(journal: Journal) -> None:
    earlier = Session(journal, "agent")
    done(earlier, call())
    run = Session(journal, "agent")
    turn = run.reserve()
    run.settle(run.prepare(turn, call()).row_id, Outcome.DONE)
    run.prepare(turn, call(1))

    assert run.unwind(None).deleted == 0
    assert run.unwind(turn).deleted == 1
    assert [(row.node, row.state) for row in journal.session_rows("agent")] == [
        ("0", State.COMMITTED),
        ("1", State.PREPARED),
    ]
