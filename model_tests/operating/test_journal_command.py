"""``effectspec journal`` on real files: what needs a person, its story, and the word on it."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import effectjournal
from effectjournal import Opaque
from effectjournal.journal import DATABASE
from effectjournal.schema import APPLICATION_ID, MIGRATIONS
from operating.desk import MAIL, Desk, run_once, unanswered

COLUMNS = 80
SIGNED = ("--by", "ann", "--note", "it is in my inbox")


def written(folder: Path) -> list[str]:
    """All that is written in a journal."""
    with closing(sqlite3.connect(folder / DATABASE)) as store:
        return list(store.iterdump())


def timeless(text: str) -> str:
    """A text with its times made equal."""
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", text)
    text = re.sub(r", (?:now|\d+ s ago)", ", now", text)
    return re.sub(r"prepared by \S+ ", "prepared by OWNER ", text)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in timeless(text).splitlines()]


@pytest.fixture
def result(tmp_path: Path) -> Path:
    file = tmp_path / "answer.json"
    file.write_text('{"receipt": "r-1"}')
    return file


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def test_r7_list_says_at_a_glance_what_needs_a_person(desk: Desk) -> None:
    said = desk.at_terminal("list", "JOURNAL")

    assert said.code == 0
    first, *table, _, hint = lines(said.out)
    assert first == "2 effects need a person"
    assert re.split(r" {2,}", table[0]) == [
        *("effect", "run", "node", "tool", "tier", "what is known", "to do")
    ]
    assert re.findall(r"^ +(\d+)  ", "\n".join(table), re.MULTILINE) == ["1", "3"]
    assert "resolve" in said.out
    assert "attach" in said.out
    assert hint.startswith("its story, and what can follow: effectspec journal show ")


def test_r7_a_table_and_a_story_fit_on_eighty_columns(desk: Desk) -> None:
    for words in (("list", "JOURNAL", "--all"), ("show", "JOURNAL", "1"), ("stats", "JOURNAL")):
        said = desk.at_terminal(*words)
        commands = re.compile(r"^  effectspec journal |^its story")
        assert said.code == 0
        assert [
            line
            for line in said.out.splitlines()
            if len(line.rstrip()) > COLUMNS and not commands.match(line)
        ] == []


def test_r7_list_counts_what_a_resume_settles_and_shows_it_with_all(desk: Desk) -> None:
    assert "1 other effect: --all shows them" in desk("list", "JOURNAL").out
    assert "resume its run" in desk("list", "JOURNAL", "--all").out


def test_r7_an_empty_journal_needs_nobody(tmp_path: Path) -> None:
    with effectjournal.open(tmp_path / "new"):
        pass

    said = Desk(tmp_path / "new")("list", "JOURNAL")

    assert (said.code, said.out, said.err) == (0, "nothing needs a person\n", "")


def test_a5_show_tells_the_story_and_what_can_follow(desk: Desk) -> None:
    said = desk("show", "JOURNAL", "1")

    journal = str(desk.folder)
    assert lines(said.out.replace(journal, "JOURNAL")) == [
        "effect 1: tool 'mail', tier 3, at most once",
        "  run 'mail-17', node 'pay', slot 0",
        "  needs_attention: may have happened",
        "",
        "  TIME  prepared by OWNER (generation 1, attempt 1)",
        "  TIME  settled: ambiguous",
        "  TIME  a resume (generation 2) could not tell what became of it",
        "",
        "to do: resolve",
        "  look first in the target for what 'mail' does, at or after",
        "  TIME; its arguments are not in the journal",
        "  effectspec journal resolve JOURNAL 1 --accepted --result FILE --by NAME --note TEXT",
        "    it counts as done, and its node is given this result instead of doing it",
        "    again",
        "  effectspec journal resolve JOURNAL 1 --accepted --by NAME --note TEXT",
        "    it counts as done; its node still waits for the result, which `attach`",
        "    brings (reading 7)",
        "  effectspec journal resolve JOURNAL 1 --discarded --by NAME --note TEXT",
        "    its node does it again at the next resume; if it did happen, it will have",
        "    happened twice",
    ]


def test_t2_show_names_the_key_under_which_the_target_knows_the_call(desk: Desk) -> None:
    shown = json.loads(desk("show", "JOURNAL", "2", "--json").out)

    assert shown["need"] == "resume its run"
    assert shown["effect"]["key"]
    assert "the same call goes out again under its key" in desk("show", "JOURNAL", "2").out


def test_g9_gate_says_what_a_resume_would_find_and_changes_nothing(desk: Desk) -> None:
    before = written(desk.folder)

    refused = desk("gate", "JOURNAL", "mail-17")
    let_pass = json.loads(desk("gate", "JOURNAL", "order-18", "--json").out)

    assert refused.out.splitlines()[0] == "run 'mail-17': the gate refuses"
    assert [each["verdict"] for each in let_pass] == ["retry"]
    assert written(desk.folder) == before


def test_r7_stats_count_what_is_there_and_what_waits(desk: Desk) -> None:
    counts = json.loads(desk("stats", "JOURNAL", "--json").out)

    assert counts["effects"] == {"ambiguous": 1, "committed": 1, "needs_attention": 1}
    assert counts["waiting"] == {"resolve": 1, "resume its run": 1, "attach": 1}
    assert counts["bytes"]["file"] == (desk.folder / DATABASE).stat().st_size


def test_x9_an_export_has_no_handle_and_no_secret_in_its_texts(desk: Desk) -> None:
    note = "see https://ada:s3cr3t@shop.example"
    desk("resolve", "JOURNAL", "1", "--accepted", "--by", "ann", "--note", note, "--yes")

    said = desk("export", "JOURNAL")

    effects = [json.loads(line) for line in said.out.splitlines()]
    assert [each["effect"] for each in effects] == [1, 2, 3]
    assert effects[0]["note"] == "see https://[redacted]@shop.example"
    assert effects[1]["key"] == "[redacted]"
    assert "s3cr3t" not in said.out


def test_a_reading_command_changes_no_byte(desk: Desk) -> None:
    before = (desk.folder / DATABASE).read_bytes()

    for words in (("list",), ("show", "1"), ("gate", "mail-17"), ("stats",), ("export",)):
        assert desk(words[0], "JOURNAL", *words[1:]).code == 0

    assert (desk.folder / DATABASE).read_bytes() == before


# ── deciding ─────────────────────────────────────────────────────────────────────────────────────


def test_a5_accepted_with_its_result_an_effect_is_delivered_and_not_done_again(
    desk: Desk, result: Path
) -> None:
    said = desk.at_terminal(
        *("resolve", "JOURNAL", "1", "--accepted", "--result", str(result), *SIGNED), typed="y\n"
    )
    given: list[object] = []

    with (
        effectjournal.open(desk.folder) as journal,
        journal.run("mail-17", tools=[MAIL]) as run,
        run.node("pay") as node,
        node.effect(MAIL, {"to": "ann"}) as effect,
    ):
        given.append((effect.replayed, effect.value))

    assert said.code == 0
    assert "it counts as done, and its node is given this result" in said.out
    assert given == [(True, {"receipt": "r-1"})]


def test_a5_nothing_is_written_without_a_yes(desk: Desk) -> None:
    before = written(desk.folder)

    no = desk.at_terminal("resolve", "JOURNAL", "1", "--discarded", *SIGNED, typed="n\n")
    nobody = desk("resolve", "JOURNAL", "1", "--discarded", *SIGNED)

    assert no.code == 1
    assert "it will have happened twice" in no.out
    assert "nothing was written" in no.out
    assert nobody.code == 2
    assert "--yes says it beforehand" in nobody.err
    assert written(desk.folder) == before


def test_a5_a_second_word_is_refused_and_changes_nothing(desk: Desk) -> None:
    first = desk("resolve", "JOURNAL", "1", "--accepted", *SIGNED, "--yes")
    before = written(desk.folder)

    second = desk("resolve", "JOURNAL", "1", "--discarded", *SIGNED, "--yes")

    assert first.code == 0
    assert second.code == 1
    assert timeless(second.err) == (
        "effectspec: effect 1 was accepted by ann at TIME; an effect is resolved once\n"
    )
    assert written(desk.folder) == before
    told = [line for line in lines(desk("show", "JOURNAL", "1").out) if "accepted" in line]
    assert told[0] == "  TIME  accepted, without its result, by ann: it is in my inbox"


def test_reading_7_the_absent_result_is_attached_once(desk: Desk, result: Path) -> None:
    file = desk.folder.parent / "small.json"
    file.write_text("1")

    too_large = desk("attach", "JOURNAL", "3", "--by", "ann", "--result", str(result), "--yes")
    first = desk("attach", "JOURNAL", "3", "--by", "ann", "--result", str(file), "--yes")
    again = desk("attach", "JOURNAL", "3", "--by", "ann", "--result", str(file), "--yes")

    assert (too_large.code, first.code, again.code) == (1, 0, 1)
    assert "it exceeds the 75 bytes of its tool" in too_large.err
    assert "only a committed or accepted effect without a result takes one" in again.err


def test_r2_a_closed_run_is_swept_and_keeps_what_is_unresolved(desk: Desk) -> None:
    for run in ("report-4", "mail-17"):
        assert desk("sweep", "JOURNAL", run).out == f"run {run!r}: 0 effects deleted\n"
        assert desk("close", "JOURNAL", run, "--by", "ann", "--yes").code == 0

    assert desk("sweep", "JOURNAL", "report-4").out == "run 'report-4': 1 effect deleted\n"
    assert desk("sweep", "JOURNAL", "mail-17").out == "run 'mail-17': 0 effects deleted\n"


def test_f1_a_run_with_a_live_owner_is_not_decided_for(desk: Desk) -> None:
    with (
        effectjournal.open(desk.folder) as journal,
        journal.run("new", tools=[MAIL]) as run,
        run.node("pay") as node,
        node.effect(MAIL, {}) as effect,
    ):
        listed = json.loads(desk("list", "JOURNAL", "--json").out)
        said = desk("resolve", "JOURNAL", "4", "--accepted", *SIGNED, "--yes")
        effect.done(None)

    assert listed[-1]["need"] == "wait for its owner"
    assert said.code == 6
    assert "has a live owner; end that process before you decide for it" in said.err


# ── what cannot be ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("show", "JOURNAL", "99"), "effect 99 is not in JOURNAL; the nearest are 1, 2, 3"),
        (("gate", "JOURNAL", "mail17"), "run 'mail17' is not in JOURNAL; there are 'mail-17'"),
        (("sweep", "JOURNAL", "xyz"), "run 'xyz' is not in JOURNAL; there are 'mail-17', "),
        (("resolve", "JOURNAL", "1", *SIGNED), "say one of --accepted (it happened) and"),
        (
            ("resolve", "JOURNAL", "1", "--accepted", "--by", " ", "--note", "x"),
            "--by is empty; it is written on the effect",
        ),
        (
            ("resolve", "JOURNAL", "1", "--discarded", "--result", "x", *SIGNED),
            "a discarded effect has no result; leave --result out",
        ),
        (
            ("resolve", "JOURNAL", "1", "--accepted", "--result", "nowhere.json", *SIGNED),
            "nowhere.json: cannot be read (No such file or directory); give a file of JSON",
        ),
        (("list", "nowhere"), "nowhere: no journal there; give the folder that was opened"),
        (("list", "postgresql://u:pw@h/db"), "postgresql://[redacted]@h/db: no journal that can"),
    ],
)
def test_a_wrong_invocation_names_the_thing_and_the_remedy(
    desk: Desk, words: tuple[str, ...], says: str
) -> None:
    before = written(desk.folder)

    said = desk(*words)

    assert said.code == 2
    assert said.err.startswith("effectspec: " + says.replace("JOURNAL", str(desk.folder)))
    assert "Traceback" not in said.err
    assert written(desk.folder) == before


def test_a_result_that_is_no_json_is_refused(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "answer.txt"
    file.write_text("{oops")

    said = desk("resolve", "JOURNAL", "1", "--accepted", "--result", str(file), *SIGNED, "--yes")

    assert said.code == 2
    assert said.err.startswith(f"effectspec: {file}: no JSON (")


def test_a_file_that_is_no_journal_is_refused(desk: Desk, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as store:
        store.execute("CREATE TABLE t (x)")
    text = tmp_path / "text.db"
    text.write_text("no database at all, but long enough to have a header of its own")
    (tmp_path / "empty.db").touch()

    for file, says in (
        (foreign, "a SQLite file, but no effect journal"),
        (text, "not a usable SQLite file"),
        (tmp_path / "empty.db", "an empty file, and no effect journal"),
    ):
        said = desk("list", str(file))
        assert said.code == 2
        assert f"{file}: {says}" in said.err


def test_a_newer_journal_is_refused(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.folder / DATABASE)) as store:
        store.execute("PRAGMA user_version = 99")

    for words in (("list", "JOURNAL"), ("sweep", "JOURNAL", "mail-17")):
        said = desk(*words)
        assert said.code == 2
        assert "written by a newer version (schema 99" in said.err


def test_an_older_journal_is_upgraded_and_then_read(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    with closing(sqlite3.connect(folder / DATABASE)) as store:
        for statement in MIGRATIONS[0]:
            store.execute(statement)
        store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        store.execute("PRAGMA user_version = 1")
    old = Desk(folder)

    refused = old("list", "JOURNAL")
    upgraded = old("upgrade", "JOURNAL")

    assert refused.code == 2
    assert "of an older version (schema 1" in refused.err
    assert "`effectspec journal upgrade`" in refused.err
    assert (upgraded.code, old("list", "JOURNAL").code) == (0, 0)


def test_a_corrupt_journal_is_named(desk: Desk) -> None:
    file = desk.folder / DATABASE
    file.write_bytes(file.read_bytes()[:5000])

    said = desk("list", "JOURNAL")

    assert said.code == 2
    assert f"{file}: " in said.err
    assert "Traceback" not in said.err


def test_f2_a_locked_journal_is_read_and_not_written(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.folder / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        read = desk("list", "JOURNAL")
        said = desk("resolve", "JOURNAL", "1", "--accepted", *SIGNED, "--yes")
        other.execute("ROLLBACK")

    assert read.code == 0
    assert said.code == 1
    assert "another process held the write lock" in said.err
    assert "needs_attention" in desk("show", "JOURNAL", "1").out


def test_a_url_and_a_file_name_the_same_journal(desk: Desk) -> None:
    by_folder = desk("show", "JOURNAL", "1", "--json").out

    assert desk("show", str(desk.folder / DATABASE), "1", "--json").out == by_folder
    assert desk("show", f"sqlite://{desk.folder}", "1", "--json").out == by_folder


def test_i5_the_id_of_an_effect_is_its_own_in_every_run(desk: Desk) -> None:
    run_once(desk.folder, "mail-18", Opaque("mail"), unanswered)

    assert "run 'mail-18'" in desk("show", "JOURNAL", "4").out
