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
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from enum import Enum
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest

from effectspec.laws.law import laws_of
from effectspec.laws.rule import Rule
from effectspec.mutation.loading import forget
from effectspec.mutation.mutants import SPEC, Mutant

TESTS: Final = SPEC.parents[1] / "model_tests" / "spec"
"""Where a checkout has the tests of the rules."""

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


def noticed(mutant: Mutant) -> tuple[Oracle, str] | None:
    """Who notices a mutant that is imported in the place of its module from now on, and how.

    A rule that raises where it should decide is noticed by whoever asks it. Raises
    :class:`TestsUnusable` where the tests say nothing of the mutant.
    """
    module = f"effectspec.{mutant.module}"
    forget(module, but="effectspec.laws")
    try:
        laws = import_module(f"effectspec.laws.{mutant.rules}")
    except Exception as error:  # noqa: BLE001  (a mutant does anything when it is loaded)
        return Oracle.IMPORT, repr(error)
    rules = [each for each in vars(laws).values() if isinstance(each, Rule)]
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
    for oracle, ask in ((Oracle.FAULTS, _unexpected), (Oracle.MODEL, _broken)):
        try:
            how = ask(mutant)
        except Exception as error:  # noqa: BLE001  (the same)
            how = repr(error)
        if how is not None:
            return oracle, how
    return None


def _flaw(rules: Sequence[Rule[Any]]) -> str | None:
    for rule in rules:
        if broken := rule.broken_by(rule.core):
            return f"{rule.name} breaks {min(law.sentence for law in broken)!r}"
    for rule in rules:
        forbidding = list(rule.forbidding())
        if not all(forbidding):
            return f"a wrong answer of {rule.name} is forbidden by no law"
        alone = {law for laws in forbidding if len(laws) == 1 for law in laws}
        for law in laws_of(rule.lawful(rule.core)):
            if law not in alone:
                return f"{law.sentence!r} forbids nothing that no other law forbids"
    return None


class TestsUnusable(RuntimeError):
    """The tests of the rules could not be run; the message has what pytest said."""


def tests_of(rules: str) -> Path:
    """The tests of a module of rules and of the laws that judge them."""
    return TESTS / f"test_{rules}.py"


def _failing(files: Sequence[Path]) -> str | None:
    printed = StringIO()
    options = ("-x", "-q", "-c", os.devnull, "-p", "no:cacheprovider", "--import-mode=importlib")
    with redirect_stdout(printed), redirect_stderr(printed):
        ended = pytest.main([*options, f"--rootdir={TESTS}", *map(str, files)])
    said = printed.getvalue().splitlines()
    match ended:
        case pytest.ExitCode.OK:
            return None
        case pytest.ExitCode.TESTS_FAILED | pytest.ExitCode.INTERRUPTED:
            return next(line for line in said if line.startswith(("FAILED", "ERROR")))
        case _:
            raise TestsUnusable("\n".join(said))


def _unexpected(_: Mutant) -> str | None:
    from effectspec.contract import CONTRACT
    from effectspec.faults import FAULTS, Method
    from effectspec.laws import violations

    for fault in FAULTS.values():
        if fault.rule is not None:
            broken = violations(fault.rule(CONTRACT))
            if broken != fault.red[Method.CONTRACTS]:
                return f"{fault.name} breaks laws of {', '.join(sorted(broken)) or 'no clause'}"
    return None


def _broken(mutant: Mutant) -> str | None:
    from effectspec.checker.exploration import Limits
    from effectspec.checker.explorer import explore
    from effectspec.contract import CONTRACT
    from effectspec.laws import checked
    from effectspec.model.configuration import SMALL
    from effectspec.model.model import Model
    from effectspec.model.properties import SAFETY

    contract = checked(CONTRACT) if mutant.is_of_laws else CONTRACT
    for small in SMALL:
        found = explore(Model(small, contract), SAFETY, limits=Limits(states=MOST_STATES))
        if found.counterexamples:
            broken = found.counterexamples[0].broken
            return f"{small.name} breaks {broken.clause}: {broken.name}"
        if found.stopped is not None:
            return f"{small.name} has no end"
    return None
