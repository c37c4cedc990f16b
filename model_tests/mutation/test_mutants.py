"""Small changes to rules and laws: that they are made, and that who should notice them does."""

import ast
from enum import Enum

import pytest
import typer

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
    return next(each for each in mutants_of(name.partition(".")[0]) if each.name == name)


WRONG = "ownership.fence_holds: writer == current → writer != current"
NONE = "tiers.effective_tier: declared is Tier.OPAQUE → nothing"


def test_a_wrong_rule_is_noticed_by_its_laws_and_one_that_changes_nothing_by_nobody() -> None:
    trials = {each.mutant.name: each for each in try_all(map(named, (WRONG, NONE)), 2)}
    assert trials[WRONG].oracle is Oracle.LAWS
    assert trials[NONE].oracle is None


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
