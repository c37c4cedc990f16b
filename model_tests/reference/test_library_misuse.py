"""What the library refuses: each mistake has a message of its own, and nothing of it is written."""

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import effectjournal
from effectjournal import (
    Attachment,
    Keyed,
    Misuse,
    NeedsAttention,
    Node,
    Opaque,
    OpenJournal,
    Operator,
    Paused,
    Queryable,
    ReceiptFound,
    Resolution,
    Run,
    Tool,
)
from effectjournal.journal import DATABASE
from effectjournal.library.given import NESTING, SAFE_INTEGER, why_not_json
from effectjournal.library.misuse import (
    AnswerNotKept,
    BadArguments,
    BadValue,
    OutputNotKept,
    UnknownTool,
)
from effectspec.digest import NotCanonicalJson, canonical
from effectspec.json_value import Json
from effectspec.lifecycle import State

RUN = "order-17"
MAIL = Opaque("mail")


class Journals:
    """A journal's folder: runs under way in it, and what it holds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, work: Callable[[OpenJournal, Run], None], *tools: Tool) -> None:
        """A run with ``work`` in its block."""
        with (
            effectjournal.open(self.folder) as journal,
            journal.run(RUN, tools=tools or (MAIL,)) as run,
        ):
            work(journal, run)

    def node(self, work: Callable[[Node], None], *tools: Tool) -> None:
        """A node of that run with ``work`` in its block."""

        def alone(_journal: OpenJournal, run: Run) -> None:
            with run.node("pay") as node:
                work(node)

        self.run(alone, *tools)

    def lose_an_answer(self, tool: Tool = MAIL) -> NeedsAttention:
        """Leave effect 1 of unknown outcome; what that raises."""

        def work(node: Node) -> None:
            with node.effect(tool, {}) as effect:
                effect.unknown("it timed out")

        with pytest.raises(NeedsAttention) as stopped:
            self.node(work, tool)
        return stopped.value

    def done_and_paused(self, tool: Tool = MAIL) -> None:
        """Leave effect 1 committed, and its run paused."""

        def work(node: Node) -> None:
            with node.effect(tool, {}) as effect:
                assert isinstance(tool, Opaque) or effect.key
                effect.done("sent")
            raise Paused

        with pytest.raises(Paused):
            self.node(work, tool)

    @contextmanager
    def operator(self) -> Iterator[Operator]:
        """An operator's access."""
        with effectjournal.open(self.folder) as journal:
            yield journal.operator

    def refused(self, use: Callable[[], object], error: type[Misuse] = BadValue) -> str:
        """What ``use`` is refused with, and it has written nothing."""
        before = self._written()
        with pytest.raises(error) as refused:
            use()
        assert self._written() == before
        return str(refused.value)

    def _written(self) -> list[str]:
        if not self.folder.exists():
            return []
        with closing(sqlite3.connect(self.folder / DATABASE)) as store:
            return list(store.iterdump())


@pytest.fixture
def journals(folder: Path) -> Journals:
    return Journals(folder)


# ── texts ────────────────────────────────────────────────────────────────────────────────────────

NOT_STR = [
    (17, "is 17; give a str"),
    (b"pay", "is b'pay'; give a str"),
    ("", "is ''; give at least one character"),
    ("a\ud800", r"is 'a\ud800'; give text without the lone surrogate at 1, which cannot be stored"),
]
NO_TEXTS = [(None, "is None; give a str"), *NOT_STR]


@pytest.mark.parametrize(("said", "words"), NO_TEXTS)
def test_an_id_that_is_no_text_is_refused(journals: Journals, said: str, words: str) -> None:
    def work(journal: OpenJournal, run: Run) -> None:
        in_run = journals.refused(lambda: journal.run(said, tools=[]))
        assert in_run == f"the id of a run {words}"
        assert journals.refused(lambda: run.node(said)) == f"the id of a node {words}"
        assert journals.refused(lambda: Keyed(said)) == f"the id of a Keyed {words}"

    journals.run(work)


@pytest.mark.parametrize(("said", "words"), NOT_STR)
def test_i6_a_call_id_that_is_no_text_is_refused_and_may_be_left_out(
    journals: Journals, said: str, words: str
) -> None:
    def work(node: Node) -> None:
        refused = journals.refused(lambda: node.effect(MAIL, {}, call_id=said))
        assert refused == f"node 'pay', slot 0, tool 'mail': call_id {words}"
        with node.effect(MAIL, {}, call_id=None) as effect:
            effect.done(None)

    journals.node(work)


@pytest.mark.parametrize(("said", "words"), NO_TEXTS)
def test_a5_an_operator_gives_a_name_and_a_note(journals: Journals, said: str, words: str) -> None:
    journals.lose_an_answer()
    accepted = Resolution.ACCEPTED
    with journals.operator() as operator:
        uses: list[tuple[str, Callable[[], object]]] = [
            ("effect 1: by", lambda: operator.resolve(1, accepted, by=said, note="seen")),
            ("effect 1: note", lambda: operator.resolve(1, accepted, by="ann", note=said)),
            ("effect 1: by", lambda: operator.attach(1, Attachment(None), by=said)),
            (f"run {RUN!r}: by", lambda: operator.close_run(RUN, by=said)),
            ("the id of a run", lambda: operator.close_run(said, by="ann")),
            ("the id of a run", lambda: operator.rows(said)),
            ("the id of a run", lambda: operator.events(said)),
        ]
        for thing, use in uses:
            assert journals.refused(use) == f"{thing} {words}"


class Named(str):
    """A text of a class of its own, as the members of a string enumeration are."""

    __slots__ = ()


def test_a_text_of_a_class_of_its_own_is_kept_as_plain_text(journals: Journals) -> None:
    tool = Opaque(Named("mail"))

    def work(_journal: OpenJournal, run: Run) -> None:
        with run.node(Named("pay")) as node, node.effect(tool, {}, call_id=Named("c")) as effect:
            effect.done(None)
        raise Paused

    with pytest.raises(Paused):
        journals.run(work, tool)
    with journals.operator() as operator:
        (row,) = operator.rows(Named(RUN))
    assert (row.run_id, row.node, row.tool, row.call_id) == (RUN, "pay", "mail", "c")


# ── the journal and its runs ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("said", ["", "a\0b", "a\ud800", None, 3, b"store"])
def test_a_folder_that_is_no_path_is_refused(
    journals: Journals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert journals.refused(lambda: effectjournal.open(said)) == (
        f"the journal's folder is {said!r}; give a path, as str or pathlib.Path, of at least one "
        "character and without NUL"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (5, "the journal's clock is 5; give a function without arguments"),
        (lambda: 1.5, "what the journal's clock says is 1.5; give a whole number, as int"),
        (lambda: None, "what the journal's clock says is None; give a whole number, as int"),
        (lambda: -1, "what the journal's clock says is -1; give a whole number, as int"),
    ],
)
def test_a_clock_that_tells_no_whole_seconds_is_refused(
    journals: Journals, clock: Callable[[], int], words: str
) -> None:
    refused = journals.refused(lambda: effectjournal.open(journals.folder, clock=clock))
    assert refused.startswith(words)
    assert not journals.folder.exists()


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        (None, "tools is None; give a list of tools: Keyed, Queryable or Opaque"),
        (MAIL, "tools is Opaque(id='mail', secret_keys=()"),
        ((tool for tool in [MAIL]), "tools is <generator object <genexpr>"),
        ("mail", "one of tools is 'm'; give a tool: Keyed, Queryable or Opaque"),
        ([MAIL, 3], "one of tools is 3; give a tool: Keyed, Queryable or Opaque"),
        ([Opaque("a"), Keyed("a")], "tools names 'a' twice; give each tool an id of its own"),
    ],
)
def test_tools_that_are_none_are_refused(journals: Journals, tools: list[Tool], words: str) -> None:
    with effectjournal.open(journals.folder) as journal:
        refused = journals.refused(lambda: journal.run(RUN, tools=tools))
    assert refused.startswith(f"run {RUN!r}: {words}")


@pytest.mark.parametrize("said", ["no", 1, None])
def test_reading_12_a_take_over_by_declaration_wants_a_plain_true(
    journals: Journals, said: bool
) -> None:
    with effectjournal.open(journals.folder) as journal:
        refused = journals.refused(lambda: journal.run(RUN, tools=[], declared_dead=said))
    assert refused == f"run {RUN!r}: declared_dead is {said!r}; give True or False"


# ── tools ────────────────────────────────────────────────────────────────────────────────────────

RETENTION = "give a whole number, as int, from 0 to 67108864"
LIFETIME = "give a whole number, as int, from 1 to 9223372036854775807"
NAMES = "give a tuple of names, such as ('password',)"


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        (Opaque, {"retention": -1}, f"retention is -1; {RETENTION}"),
        (Opaque, {"retention": 2**26 + 1}, f"retention is 67108865; {RETENTION}"),
        (Opaque, {"retention": 1e3}, f"retention is 1000.0; {RETENTION}"),
        (Opaque, {"retention": True}, f"retention is True; {RETENTION}"),
        (Opaque, {"retention": 10**5000}, f"retention is <int>; {RETENTION}"),
        (Keyed, {"key_lifetime_s": True}, f"key_lifetime_s is True; {LIFETIME}"),
        (Keyed, {"key_lifetime_s": -1}, f"key_lifetime_s is -1; {LIFETIME}"),
        (Keyed, {"key_lifetime_s": 0}, f"key_lifetime_s is 0; {LIFETIME}"),
        (Keyed, {"key_lifetime_s": math.nan}, f"key_lifetime_s is nan; {LIFETIME}"),
        (Keyed, {"key_lifetime_s": 8.0}, f"key_lifetime_s is 8.0; {LIFETIME}"),
        (Keyed, {"key_lifetime_s": 2**63}, f"key_lifetime_s is 9223372036854775808; {LIFETIME}"),
        (Opaque, {"secret_keys": "token"}, f"secret_keys is 'token'; {NAMES}"),
        (Keyed, {"secret_keys": ["a"]}, f"secret_keys is ['a']; {NAMES}"),
        (Opaque, {"secret_keys": (3,)}, "a name in secret_keys is 3; give a str"),
        (Opaque, {"secret_keys": ("",)}, "a name in secret_keys is ''; give at least"),
        (Queryable, {"query": "/receipts"}, "query is '/receipts'; give a function of a reference"),
        (Queryable, {"query": ReceiptFound, "retention": -1}, f"retention is -1; {RETENTION}"),
    ],
)
def test_a_tool_that_cannot_be_is_refused(
    kind: Callable[..., Tool], fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadValue) as refused:
        kind("mail", **fields)
    assert str(refused.value).startswith(f"tool 'mail': {words}")


# ── a call ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("mail", "'mail' is no tool; name one of the run's: Keyed, Queryable or Opaque"),
        (Keyed("pay"), "tool 'pay' is not one of the run's tools; name it in journal.run("),
        (Keyed("mail"), "tool 'mail' is declared otherwise in journal.run(..., tools=...); use"),
    ],
)
def test_a_tool_that_is_not_the_run_s_is_refused(
    journals: Journals, tool: Tool, words: str
) -> None:
    def work(node: Node) -> None:
        refused = journals.refused(lambda: node.effect(tool, {}), UnknownTool)
        assert refused.startswith(f"node 'pay', slot 0: {words}")

    journals.node(work)


@pytest.mark.parametrize("arguments", [None, [("to", "ann")], "to=ann", {"to"}])
def test_o1_arguments_that_are_no_mapping_are_refused(
    journals: Journals, arguments: dict[str, Json]
) -> None:
    def work(node: Node) -> None:
        assert journals.refused(lambda: node.effect(MAIL, arguments), BadArguments) == (
            f"node 'pay', slot 0, tool 'mail': arguments is {arguments!r}; give a dict of names "
            "to JSON values"
        )

    journals.node(work)


def nested(levels: int) -> list[Json]:
    """Lists inside one another."""
    value: list[Json] = []
    for _ in range(levels - 1):
        value = [value]
    return value


def cyclic() -> list[Json]:
    """A list with itself in it."""
    value: list[Json] = []
    value.append(value)
    return value


def around(value: Json) -> dict[str, Json]:
    """``value`` in the midst of others, at ``AT``."""
    return {"id": 7, "order": {"lines": [True, value]}}


AT = "['order']['lines'][1]"
NO_JSON = [
    (math.nan, " is nan, for which JSON has no number"),
    (-math.inf, " is -inf, for which JSON has no number"),
    ("\ud800", " has a lone surrogate at 0, which cannot be stored"),
    ({1: "a"}, " has the key 1; the keys of an object are str"),
    ({"\ud800": 1}, " has a key with a lone surrogate at 0, which cannot be stored"),
    (b"x", " is of type bytes, which JSON does not have"),
    ({1}, " is of type set, which JSON does not have"),
    (datetime(2026, 1, 1, tzinfo=UTC), " is of type datetime, which JSON does not have"),
    (cyclic(), "[0] contains itself"),
    (nested(100_000), f"{'[0]' * (NESTING - 3)} is nested deeper than {NESTING} levels"),
]
NO_ARGUMENT = [
    *NO_JSON,
    (2**53, " is an integer beyond 2^53 - 1; give it as a str"),
    (-(2**53), " is an integer beyond 2^53 - 1; give it as a str"),
    (10**5000, " is an integer beyond 2^53 - 1; give it as a str"),
]


@pytest.mark.parametrize(("value", "words"), NO_ARGUMENT, ids=range(len(NO_ARGUMENT)))
def test_reading_14_an_argument_that_canonical_json_cannot_hold_is_named_with_its_place(
    journals: Journals, value: Json, words: str
) -> None:
    def work(node: Node) -> None:
        effect = node.effect(MAIL, around(value))
        refused = journals.refused(effect.__enter__, BadArguments)
        assert refused == f"node 'pay', slot 0, tool 'mail': arguments{AT}{words}"

    journals.node(work)


def test_x1_a_secret_argument_may_be_anything(journals: Journals) -> None:
    login = Opaque("login", secret_keys=("password",))

    def work(node: Node) -> None:
        with node.effect(login, {"password": b"hunter2"}) as effect:  # type: ignore[dict-item]
            effect.done(None)

    journals.node(work, login)


ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=2)
ANY_KEY: st.SearchStrategy[str | int] = st.one_of(ANY_TEXT, st.integers(0, 1))
VALUES: st.SearchStrategy[object] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-9, 9),
        st.integers(SAFE_INTEGER - 1, SAFE_INTEGER + 2),
        st.integers(-SAFE_INTEGER - 2, -SAFE_INTEGER + 1),
        st.floats(),
        ANY_TEXT,
        st.binary(max_size=1),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner),
        st.dictionaries(ANY_KEY, inner, max_size=3),
    ),
    max_leaves=6,
)


@given(VALUES)
def test_reading_14_there_are_words_for_just_what_the_digest_refuses(value: Json) -> None:
    try:
        canonical(value)
    except NotCanonicalJson:
        assert why_not_json("value", value, integers=SAFE_INTEGER)
    else:
        assert why_not_json("value", value, integers=SAFE_INTEGER) is None


class Plain:
    """A class that nothing is read as from JSON."""


@dataclass
class Wrapped:
    plain: Plain


@pytest.mark.parametrize("kind", ["dict", 3, Plain, Wrapped, list[Plain], lambda: None, [dict]])
def test_g7_a_type_that_no_answer_can_be_read_as_is_refused_before_the_call(
    journals: Journals, kind: type[object]
) -> None:
    def work(node: Node) -> None:
        refused = journals.refused(lambda: node.effect(MAIL, {}, answer=kind))
        assert refused.startswith("node 'pay', slot 0, tool 'mail': answer is ")
        assert refused.endswith("; give a type that JSON is read as, such as a dataclass")

    journals.node(work)


@pytest.mark.parametrize("kind", [object, dict[str, object], dict, dict[str, Any]])
def test_g7_a_type_that_is_any_json_is_taken(
    journals: Journals, kind: type[dict[str, object]]
) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, {}, answer=kind) as effect:
            effect.done({"id": 7})

    journals.node(work)


# ── what a row keeps ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("value", "words"), NO_JSON, ids=range(len(NO_JSON)))
def test_a5_an_attachment_that_json_cannot_hold_is_named_with_its_place(
    journals: Journals, value: Json, words: str
) -> None:
    attached = Attachment(around(value))
    journals.lose_an_answer()
    with journals.operator() as operator:
        uses: list[Callable[[], object]] = [
            lambda: operator.resolve(
                1, Resolution.ACCEPTED, by="ann", note="seen", attached=attached
            ),
            lambda: operator.attach(1, attached, by="ann"),
        ]
        for use in uses:
            refused = journals.refused(use)
            assert refused == f"effect 1: the attached result{AT}{words}; attach plain JSON"


@pytest.mark.parametrize("levels", [NESTING + 1, 950, 100_000])
def test_o5_an_answer_that_is_nested_too_deep_is_committed_without_a_result(
    journals: Journals, levels: int
) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, {}) as effect:
            effect.done(nested(levels))

    with pytest.raises(AnswerNotKept, match=rf"answer\S+ is nested deeper than {NESTING} levels"):
        journals.node(work)


def test_g7_an_attachment_may_be_whatever_an_answer_may_be(journals: Journals) -> None:
    answer: Json = {"id": 2**60, "nested": nested(NESTING - 1)}
    journals.lose_an_answer()
    with journals.operator() as operator:
        operator.resolve(1, Resolution.ACCEPTED, by="ann", note="seen", attached=Attachment(answer))

    def again(node: Node) -> None:
        with node.effect(MAIL, {}) as effect:
            assert effect.replayed
        assert effect.value == answer

    journals.node(again)


@pytest.mark.parametrize("row_id", ["1", 1.0, True, 0, 2**63])
def test_a5_an_effect_is_named_by_its_number(journals: Journals, row_id: int) -> None:
    journals.lose_an_answer()
    with journals.operator() as operator:
        uses: list[Callable[[], object]] = [
            lambda: operator.resolve(row_id, Resolution.ACCEPTED, by="ann", note="seen"),
            lambda: operator.attach(row_id, Attachment(None), by="ann"),
        ]
        for use in uses:
            assert journals.refused(use).startswith(f"the id of an effect is {row_id!r}; give a")


def test_a5_what_is_no_resolution_or_no_attachment_is_refused(journals: Journals) -> None:
    journals.lose_an_answer()
    word: Any = "accepted"
    result: Any = {"id": 1}
    with journals.operator() as operator:
        assert journals.refused(lambda: operator.resolve(1, word, by="ann", note="seen")) == (
            "effect 1: the resolution is 'accepted'; give Resolution.ACCEPTED or "
            "Resolution.DISCARDED"
        )
        assert journals.refused(lambda: operator.attach(1, result, by="ann")) == (
            "effect 1: what is attached is {'id': 1}; give Attachment(result)"
        )


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ([1], "output: Expected `object`, got `array`"),
        (None, "output: Expected `object`, got `null`"),
        ({"when": {1}}, "output['when'] is of type set, which JSON does not have"),
        ({3: "a"}, "output has the key 3; the keys of an object are str"),
        ({"a": (1,)}, "output: a re-run would be given {'a': [1]} instead of {'a': (1,)}"),
    ],
)
def test_an_output_that_is_no_plain_json_by_name_does_not_complete_its_node(
    journals: Journals, output: dict[str, Json], words: str
) -> None:
    def work(node: Node) -> None:
        node.output = output

    with pytest.raises(OutputNotKept) as refused:
        journals.node(work)
    assert str(refused.value).startswith(f"node 'pay': {words}; put only")
    with journals.operator() as operator:
        assert "node:completed" not in [event.name for event in operator.events(RUN).events]


# ── what is read afterwards ──────────────────────────────────────────────────────────────────────


def test_g2_whether_an_effect_was_replayed_can_be_read_after_its_block_and_its_run(
    journals: Journals,
) -> None:
    effects = []

    def work(node: Node) -> None:
        with node.effect(MAIL, {}) as effect:
            if not effect.replayed:
                effect.done("sent")
        effects.append(effect)
        raise Paused

    for _ in range(2):
        with pytest.raises(Paused):
            journals.node(work)
    assert [effect.replayed for effect in effects] == [False, True]


def test_g7_a_call_after_an_answer_that_could_not_be_read_is_told_of_that(
    journals: Journals,
) -> None:
    journals.done_and_paused()

    def work(node: Node) -> None:
        with pytest.raises(NeedsAttention), node.effect(MAIL, {}, answer=int):
            pytest.fail("the block ran with an answer that it cannot read")
        with pytest.raises(NeedsAttention), node.effect(MAIL, {"to": "bob"}):
            pytest.fail("the block of a refused effect ran")

    with pytest.raises(NeedsAttention, match="G-7"):
        journals.node(work)


# ── what a person is told ────────────────────────────────────────────────────────────────────────

LOOK = "look at the target first, then resolve the effect as accepted or discarded"
ATTACH = "look at the target first, then attach the result"
AGAIN = (
    "a resume sends the same call again under its key, which repeats nothing while the target "
    "remembers it; to decide it by hand, "
)
LOOK_UP = "a resume looks its receipt up; to decide it by hand, "
RESOLVE_BY_HAND = (
    "resolve(1, Resolution.ACCEPTED, by=..., note=..., attached=Attachment(...)), or "
    "Resolution.DISCARDED"
)
OPERATOR = "by hand: effectjournal.open(...).operator"


@pytest.mark.parametrize(
    ("tool", "advice"),
    [
        (Keyed("pay"), f"{AGAIN}{LOOK}"),
        (Queryable("pay", query=ReceiptFound), f"{LOOK_UP}{LOOK}; do not repeat"),
        (Opaque("pay"), f"{LOOK}; do not repeat"),
    ],
)
def test_a3_the_remedy_of_an_open_effect_agrees_with_its_tier_and_names_the_call_that_resolves(
    journals: Journals, tool: Tool, advice: str
) -> None:
    tier = {Keyed: 1, Queryable: 2, Opaque: 3}[type(tool)]
    assert journals.lose_an_answer(tool).remedy.splitlines() == [
        "the outcome of effect 1 is unknown: it timed out",
        f"effect 1 (node 'pay', slot 0, tool 'pay', tier {tier}): {advice}",
        f"{OPERATOR}.{RESOLVE_BY_HAND}",
    ]


@pytest.mark.parametrize("tool", [Keyed("pay"), Opaque("pay")])
def test_a4_the_remedy_of_an_effect_that_no_resume_goes_past_is_not_to_repeat_it(
    journals: Journals, tool: Tool
) -> None:
    journals.lose_an_answer(tool)
    for declared in (MAIL, tool):
        with pytest.raises(NeedsAttention) as stopped:
            journals.run(lambda _journal, _run: pytest.fail("the gate let it pass"), declared)
    assert stopped.value.clause == "A-4"
    assert stopped.value.remedy.splitlines()[1].endswith(f"): {LOOK}; do not repeat")


@pytest.mark.parametrize(
    ("tool", "advice"),
    [
        (Keyed("pay", retention=0), f"{AGAIN}{ATTACH}"),
        (Opaque("pay", retention=0), f"{ATTACH}; do not repeat"),
    ],
)
def test_g3_the_remedy_of_an_absent_result_agrees_with_its_tier_and_names_the_call_that_attaches(
    journals: Journals, tool: Tool, advice: str
) -> None:
    journals.done_and_paused(tool)
    attention = journals.lose_an_answer(tool)
    *_, explained, call = attention.remedy.splitlines()
    assert explained.endswith(f"): it is done but its result is not recorded; {advice}")
    assert call == f"{OPERATOR}.attach(1, Attachment(...), by=...)"


def test_reading_17_the_remedy_of_an_undelivered_effect_names_the_call_that_closes_its_run(
    journals: Journals,
) -> None:
    journals.done_and_paused()
    with pytest.raises(NeedsAttention) as stopped:
        journals.node(lambda _node: None)
    assert stopped.value.remedy.splitlines()[-1] == f"{OPERATOR}.close_run({RUN!r}, by=...)"
    with journals.operator() as operator:
        operator.close_run(RUN, by="ann")
        assert [row.state for row in operator.rows(RUN)] == [State.COMMITTED]


# ── what messages do not repeat ──────────────────────────────────────────────────────────────────

MARKER = "s3cr3t-0f-ada"


def test_x9_the_word_on_an_unknown_outcome_is_masked_like_the_arguments(journals: Journals) -> None:
    def work(node: Node) -> None:
        with node.effect(MAIL, {}) as effect:
            effect.unknown(f"POST https://ada:{MARKER}@shop.example timed out")

    with pytest.raises(NeedsAttention) as stopped:
        journals.node(work)

    assert "POST https://[redacted]@shop.example timed out" in str(stopped.value)
    assert MARKER not in str(stopped.value)


@pytest.mark.parametrize(
    "given", [f"https://ada:{MARKER}@shop.example", {"password": MARKER}, ["--token", MARKER]]
)
def test_x15_a_value_is_masked_before_a_message_shortens_it(
    journals: Journals, given: object
) -> None:
    def work(node: Node) -> None:
        node.effect(given, {})  # type: ignore[arg-type]

    with pytest.raises(UnknownTool) as refused:
        journals.node(work)

    assert "[redacted]" in str(refused.value)
    assert MARKER not in str(refused.value)
