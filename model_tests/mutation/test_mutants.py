"""Small changes to rules and laws: that they are made, and that who should notice them does."""

import ast
import json
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

import pytest
import typer

from effectspec.mutation import oracles, trial
from effectspec.mutation.command import mutants as command
from effectspec.mutation.equivalent import EQUIVALENT
from effectspec.mutation.mutants import Mutant, mutants, mutants_of
from effectspec.mutation.operators import everywhere
from effectspec.mutation.oracles import Oracle
from effectspec.mutation.score import Score
from effectspec.mutation.trial import Trial, try_all


class Light(Enum):
    """An enum whose members can be taken for each other."""

    RED = 1
    GREEN = 2


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("a is b", {"a is b → a is not b"}),
        ("a < b", {"a < b → a <= b", "a < b → a >= b"}),
        ("not a", {"not a → a"}),
        ("a and b", {"a and b → a or b", "a → nothing", "b → nothing"}),
        ("Light.RED", {"Light.RED → Light.GREEN"}),
        ("a if b else c", {"b → True", "b → False"}),
        ("all(a)", {"all → any"}),
        ("n + 1", {"n + 1 → n - 1", "1 → 2", "1 → 0"}),
        ("{Light.RED}", {"Light.RED → nothing", "nothing → Light.GREEN"}),
        ("implies(a, b)", {"a → nothing"}),
        ("'text'", {"'text' → ''"}),
        ("f(a)", set()),
    ],
)
def test_every_slip_that_a_place_allows_is_made(code: str, changes: set[str]) -> None:
    tree = ast.parse(code, mode="eval").body
    assert {
        f"{each.before} → {each.after}" for each in everywhere(tree, {"Light": Light})
    } == changes


def test_every_mutant_has_a_name_and_a_clause_of_its_own() -> None:
    every = mutants()
    assert len({each.name for each in every}) == len(every)
    assert [each.name for each in every if not each.clauses] == []


def test_every_mutant_differs_from_what_it_is_a_mutant_of() -> None:
    for number, mutant in enumerate(mutants_of("ownership")):
        code = mutants_of("ownership")[number].code()
        original = compile(mutant.path.read_text("utf-8"), str(mutant.path), "exec")
        assert code != original, mutant.name


def named(name: str) -> Mutant:
    return next(each for each in mutants() if each.name == name)


WRONG = "ownership.fence_holds: writer == current → writer != current"
NONE = "tiers.effective_tier: declared is Tier.OPAQUE → nothing"


@pytest.mark.parametrize(
    ("name", "oracle"),
    [
        (WRONG, Oracle.LAWS),
        ("laws.ownership.fence_holds: F-2: the run's owner writes → nothing", Oracle.LAWS),
        ("gate.GATE: 'G-4' → 'G-2'", Oracle.RULE_TESTS),
        ("laws.gate.may_schedule: read is GateRead.READ → nothing", Oracle.FAULTS),
        (NONE, None),
    ],
)
def test_a_mutant_is_noticed_by_the_first_that_can_or_by_nobody(
    name: str, oracle: Oracle | None
) -> None:
    [tried] = try_all([named(name)])
    assert tried.oracle is oracle, tried.how


def test_a_survivor_is_one_that_is_not_listed_and_a_listed_one_that_was_noticed_is_stale() -> None:
    nobody = Trial(named(WRONG), None, "")
    somebody = Trial(named(NONE), Oracle.MODEL, "opaque breaks T-4")
    score = Score((nobody, somebody), EQUIVALENT)
    assert score.survivors == [nobody]
    assert score.stale == [NONE]
    assert Score((Trial(named(NONE), None, ""),), EQUIVALENT).survivors == []
    assert dict(score.by_clause())["F-2"] == {None: 1}
    assert score.altogether() == {None: 1, Oracle.MODEL: 1}


def test_what_is_listed_as_equivalent_is_a_mutant() -> None:
    assert EQUIVALENT.keys() <= {each.name for each in mutants()}


def test_an_unknown_clause_or_module_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as left:
        command(only="gates")
    assert left.value.exit_code == 2
    assert capsys.readouterr().err.startswith(
        "effectspec: no mutant is of 'gates'; name a clause, or one of admission, attention, "
    )


WHY = {NONE: "it changes nothing"}


@pytest.mark.parametrize(
    ("name", "listed", "oracle", "status", "says"),
    [
        (WRONG, {}, Oracle.LAWS, 0, "1 mutant: 1 noticed, 0 equivalent, 0 not noticed"),
        (NONE, WHY, None, 0, "1 mutant: 0 noticed, 1 equivalent, 0 not noticed"),
        (WRONG, {}, None, 1, f"ownership.py:41: nobody notices {WRONG}"),
        (NONE, WHY, Oracle.MODEL, 1, f"listed as equivalent, and noticed: {NONE}"),
        (WRONG, WHY, Oracle.LAWS, 1, f"listed as equivalent, and no mutant: {NONE}"),
    ],
    ids=["noticed", "equivalent", "alive", "stale", "gone"],
)
def test_only_what_is_noticed_or_truly_listed_leaves_the_command_green(
    *,
    name: str,
    listed: Mapping[str, str],
    oracle: Oracle | None,
    status: int,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    [mutant] = chosen = [named(name)]
    monkeypatch.setattr("effectspec.mutation.equivalent.EQUIVALENT", listed)
    monkeypatch.setattr("effectspec.mutation.mutants.mutants", lambda: chosen)
    monkeypatch.setattr(trial, "refuse_what_is_red", lambda _: None)
    monkeypatch.setattr(trial, "try_all", lambda _: [Trial(mutant, oracle, "as told")])

    with pytest.raises(typer.Exit) as left:
        command(json=tmp_path / "mutants.json")

    assert left.value.exit_code == status
    assert says in capsys.readouterr().out
    [written] = json.loads((tmp_path / "mutants.json").read_text("utf-8"))["mutants"]
    assert (written["name"], written["oracle"]) == (name, oracle and oracle.value)


def test_nothing_is_tried_while_an_oracle_is_red_without_a_mutant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_ownership.py").write_text("def test_red() -> None:\n    assert False\n")
    monkeypatch.setattr(oracles, "TESTS", tmp_path)

    with pytest.raises(typer.Exit) as left:
        command(only="ownership")

    assert left.value.exit_code == 2
    assert "without any mutant, rule tests: FAILED" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("missing", "remedy"),
    [("numba", "pip install 'effectspec[explorer]'"), ("pytest", "`make setup` in a clone")],
)
def test_what_is_not_installed_is_one_line_with_its_remedy(
    missing: str, remedy: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "effectspec.mutation.command.find_spec", lambda name: None if name == missing else name
    )

    with pytest.raises(typer.Exit) as left:
        command()

    assert left.value.exit_code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert remedy in line
