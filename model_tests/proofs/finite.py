"""Functions over finite domains as z3 expressions, read off by asking them about every case."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import z3  # type: ignore[import-untyped]  # z3 ships no types

Expr: TypeAlias = Any
"""A z3 expression or sort: to mypy they have no types."""


@dataclass(frozen=True, slots=True)
class Finite:
    """A z3 sort with a constant for every value of a Python domain."""

    values: tuple[object, ...]
    sort: Expr
    constants: tuple[Expr, ...]

    def __getitem__(self, value: object) -> Expr:
        """The constant that stands for ``value``."""
        return self.constants[self.values.index(value)]


def finite(name: str, values: Iterable[object]) -> Finite:
    """A sort of its own for ``values``; z3 wants each name declared once."""
    listed = tuple(values)
    sort, constants = z3.EnumSort(name, [getattr(value, "name", "NONE") for value in listed])
    return Finite(listed, sort, tuple(constants))


BOOL = Finite((False, True), z3.BoolSort(), (z3.BoolVal(False), z3.BoolVal(True)))


@dataclass(frozen=True, slots=True)
class Table:
    """``function`` as an expression: equal to it for all ``arguments``, case by case."""

    function: Callable[..., object]
    arguments: tuple[Finite, ...]
    answers: Finite
    names: tuple[Expr, ...]
    tree: Expr

    def __call__(self, *values: Expr) -> Expr:
        """The answer for ``values``, one for each argument."""
        return z3.substitute(self.tree, *zip(self.names, values, strict=True))


def table(function: Callable[..., object], arguments: tuple[Finite, ...], answers: Finite) -> Table:
    """Ask ``function`` about every case."""
    names = tuple(z3.FreshConst(argument.sort) for argument in arguments)
    tree = _tree(function, tuple(zip(names, arguments, strict=True)), answers)
    return Table(function, arguments, answers, names, tree)


def _tree(
    function: Callable[..., object], remaining: tuple[tuple[Expr, Finite], ...], answers: Finite
) -> Expr:
    if not remaining:
        return answers[function()]
    (name, argument), rest = remaining[0], remaining[1:]
    branches = [_tree(partial(function, value), rest, answers) for value in argument.values]
    tree = branches[-1]
    for constant, branch in zip(argument.constants[:-1], branches[:-1], strict=True):
        if not branch.eq(tree):
            tree = z3.If(name == constant, branch, tree)
    return tree
