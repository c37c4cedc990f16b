"""Who may notice a mutant, the cheapest first; all of it runs where the mutant is what is imported.

The *laws*: those of the mutant's module are tried over every call of their domains, as `test_laws`
does. A rule is noticed if it breaks one. A law is noticed if the contract breaks it; if some wrong
answer to some call is forbidden by no law any more; or if a law forbids nothing of its own, so that
nobody would miss it. A law that forbids less than it did, where another law forbids the same, has
changed nothing that the laws together say.

The *rule tests*: the tests of the module, which were written out by hand from the contract.

The *faults*: each wrong rule of the catalogue breaks laws of exactly the clauses that it says.

The *model*: the small worlds are explored under the contract with the mutant in it and, where that
is a law, under its laws. A world that breaks a property, or that has no end, notices it.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from enum import Enum
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from effectspec.laws.law import Law, laws_of
from effectspec.laws.rule import Rule
from effectspec.mutation.loading import forget
from effectspec.mutation.mutants import SPEC, Mutant

TESTS: Final = SPEC.parents[1] / "model_tests" / "spec"
"""Where a checkout has the tests of the rules."""

PYTEST: Final = (
    *("-x", "-q", "-c", os.devnull, "-p", "no:cacheprovider"),
    *("--import-mode=importlib", "--disable-plugin-autoload"),
)
"""The first failure is enough, and what is slow to load has no part in it."""

MOST_STATES: Final = 1 << 18
"""Six times what the largest of the small worlds comes to; beyond it a world has no end."""


class Oracle(Enum):
    """Who noticed a mutant."""

    IMPORT = "import"
    LAWS = "laws"
    RULE_TESTS = "rule tests"
    FAULTS = "faults"
    MODEL = "model"
    TIME = "time"


Seen: TypeAlias = tuple[Oracle, str]
"""Who noticed something, and how."""


def noticed(mutant: Mutant) -> Seen | None:
    """Who notices a mutant that is imported in the place of its module from now on, and how.

    A rule that raises where it should decide is noticed by whoever asks it. Raises
    :class:`TestsUnusable` where the tests say nothing of the mutant.
    """
    module = f"effectspec.{mutant.module}"
    forget(module, but="effectspec.laws")
    try:
        rules = _rules_of(mutant.rules)
    except Exception as error:  # noqa: BLE001  (a mutant does anything when it is loaded)
        return Oracle.IMPORT, repr(error)
    judging = [each for each in rules if each.core.__name__ == mutant.within]
    try:
        how = _flaw(judging if judging and mutant.is_of_laws else rules)
    except Exception as error:  # noqa: BLE001  (nor does it answer every call)
        how = repr(error)
    if how is not None:
        return Oracle.LAWS, how
    forget(module)
    how = _failing([tests_of(mutant.rules)])
    if how is not None:
        return Oracle.RULE_TESTS, how
    for oracle, ask in (
        (Oracle.FAULTS, _unexpected),
        (Oracle.MODEL, partial(_broken, under_laws=mutant.is_of_laws)),
    ):
        try:
            how = ask()
        except Exception as error:  # noqa: BLE001  (the same)
            how = repr(error)
        if how is not None:
            return oracle, how
    return None


def _rules_of(module: str) -> list[Rule[Any]]:
    laws = import_module(f"effectspec.laws.{module}")
    return [each for each in vars(laws).values() if isinstance(each, Rule)]


def _flaw(rules: Sequence[Rule[Any]]) -> str | None:
    for rule in rules:
        if broken := rule.broken_by(rule.core):
            return f"{rule.name} breaks {min(law.sentence for law in broken)!r}"
    for rule in rules:
        alone: set[Law] = set()
        for laws in rule.forbidding():
            if not laws:
                return f"a wrong answer of {rule.name} is forbidden by no law"
            alone |= laws if len(laws) == 1 else set()
        for law in laws_of(rule.lawful(rule.core)):
            if law not in alone:
                return f"{law.sentence!r} forbids nothing that no other law forbids"
    return None


class TestsUnusable(RuntimeError):
    """The tests of the rules could not be run; the message has what pytest said."""


def tests_of(rules: str) -> Path:
    """The tests of a module of rules and of the laws that judge them."""
    return TESTS / f"test_{rules}.py"


def _failing(files: Iterable[Path]) -> str | None:
    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        ended = pytest.main([*PYTEST, f"--rootdir={TESTS}", *map(str, files)])
    said = printed.getvalue().splitlines()
    match ended:
        case pytest.ExitCode.OK:
            return None
        case pytest.ExitCode.TESTS_FAILED | pytest.ExitCode.INTERRUPTED:
            return next(line for line in said if line.startswith(("FAILED", "ERROR")))
        case _:
            raise TestsUnusable("\n".join(said))


def _unexpected() -> str | None:
    from effectspec.contract import CONTRACT
    from effectspec.faults import FAULTS, Method
    from effectspec.laws import violations

    for fault in FAULTS.values():
        if fault.rule is not None:
            broken = violations(fault.rule(CONTRACT))
            if broken != fault.red[Method.CONTRACTS]:
                return f"{fault.name} breaks laws of {', '.join(sorted(broken)) or 'no clause'}"
    return None


def _broken(*, under_laws: bool) -> str | None:
    from effectspec.checker.exploration import Limits
    from effectspec.checker.explorer import explore
    from effectspec.contract import CONTRACT
    from effectspec.laws import checked
    from effectspec.model.configuration import SMALL
    from effectspec.model.model import Model
    from effectspec.model.properties import SAFETY

    contract = checked(CONTRACT) if under_laws else CONTRACT
    for small in SMALL:
        found = explore(Model(small, contract), SAFETY, limits=Limits(states=MOST_STATES))
        if found.counterexamples:
            broken = found.counterexamples[0].broken
            return f"{small.name} breaks {broken.clause}: {broken.name}"
        if found.stopped is not None:
            return f"{small.name} has no end"
    return None


# ── without any mutant ───────────────────────────────────────────────────────────────────────────


def _laws_complain(rules: Iterable[str]) -> Seen | None:
    return _seen(Oracle.LAWS, next(filter(None, map(_flaw, map(_rules_of, rules))), None))


def _rule_tests_complain(rules: Iterable[str]) -> Seen | None:
    return _seen(Oracle.RULE_TESTS, _failing(map(tests_of, rules)))


def _faults_complain(_: Iterable[str]) -> Seen | None:
    return _seen(Oracle.FAULTS, _unexpected())


def _model_complains(_: Iterable[str]) -> Seen | None:
    return _seen(Oracle.MODEL, _broken(under_laws=False) or _broken(under_laws=True))


def _seen(oracle: Oracle, how: str | None) -> Seen | None:
    return None if how is None else (oracle, how)


COMPLAINTS: Final = (_model_complains, _laws_complain, _rule_tests_complain, _faults_complain)
"""What each oracle has against modules of rules as they stand, the slowest first.

An oracle that is red anyway would notice every mutant.
"""
