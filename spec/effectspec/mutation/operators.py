"""What can be changed at one place of a rule: each change is a slip that a person can make."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from itertools import islice
from typing import Final, TypeAlias

Names: TypeAlias = Mapping[str, object]
"""What the names of a module stand for: its enums and the rows of its tables are looked up here."""

NOTHING: Final = "nothing"
"""Stands for what is left out, or is not there before."""

PROSE: Final = frozenset({"precondition", "guarantee", "means", "remedy", "why", "reason"})
"""The columns of the tables that are there to be read; nothing is decided by them."""

COMPARISONS: Final[Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
}

SIGNS: Final[Mapping[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}


@dataclass(frozen=True, slots=True)
class Change:
    """``node`` becomes ``other``; ``before`` and ``after`` say it in code, as short as it gets."""

    node: ast.AST
    other: ast.AST
    before: str
    after: str


def _swap(node: ast.AST, other: ast.AST) -> Change:
    return Change(node, other, ast.unparse(node), ast.unparse(other))


def everywhere(root: ast.AST, names: Names) -> Iterator[Change]:
    """Every change at every place of a piece of code that takes part in deciding."""
    for node in _deciding(root):
        yield from _changes(node, names)


def _deciding(root: ast.AST) -> Iterator[ast.AST]:
    """A node and those below it, without types, what is only said, and what goes wrong."""
    yield root
    if isinstance(root, ast.Set):
        return  # another member is one less and one more
    for name, value in ast.iter_fields(root):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            match child:
                case ast.Expr(value=ast.Constant()) | ast.Raise():
                    continue
                case ast.AST():
                    yield from _deciding(child)
                case _:
                    continue


def _changes(node: ast.AST, names: Names) -> Iterator[Change]:  # noqa: C901, PLR0912  (one case an operator)
    match node:
        case ast.Compare(left=left, ops=[op], comparators=right):
            for comparison in COMPARISONS[type(op)]:
                yield _swap(node, ast.Compare(left, [comparison()], right))
        case ast.BoolOp(op=op, values=values):
            yield _swap(
                node, ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            )
            for value, rest in _one_less(values):
                other = rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
                yield Change(node, other, ast.unparse(value), NOTHING)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield _swap(node, operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SIGNS:
            yield _swap(node, ast.BinOp(left, SIGNS[type(op)](), right))
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in SIGNS:
            yield _swap(node, ast.AugAssign(target, SIGNS[type(op)](), value))
        case ast.If(test=test) | ast.IfExp(test=test) | ast.match_case(guard=ast.expr() as test):
            yield from _decided(test)
        case ast.comprehension(ifs=tests):
            for test in tests:
                yield from _decided(test)
        case ast.Call(func=ast.Name(id="implies"), args=[premise, conclusion]):
            yield Change(node, conclusion, ast.unparse(premise), NOTHING)
        case ast.Name(id="all" | "any" as name):
            yield _swap(node, ast.Name("any" if name == "all" else "all", ast.Load()))
        case ast.Attribute(value=ast.Name() as enum, attr=member):
            for another in _members(names.get(enum.id)):
                if another != member:
                    yield _swap(node, ast.Attribute(enum, another, ast.Load()))
        case ast.Constant(value=bool(value)):
            yield _swap(node, ast.Constant(not value))
        case ast.Constant(value=int(value)):
            yield _swap(node, ast.Constant(value + 1))
            yield _swap(node, ast.Constant(value - 1))
        case ast.Constant(value=str(value)):
            yield _swap(node, ast.Constant("" if value else "x"))
        case ast.Set() | ast.Tuple(ctx=ast.Load()) | ast.MatchOr():
            yield from _of_group(node, names)
        case _:
            return


def _decided(test: ast.expr) -> Iterator[Change]:
    """A condition that is not asked any more."""
    yield _swap(test, ast.Constant(value=True))
    yield _swap(test, ast.Constant(value=False))


def _members(value: object) -> Iterable[str]:
    return value.__members__ if isinstance(value, type) and issubclass(value, Enum) else ()


# ── groups ───────────────────────────────────────────────────────────────────────────────────────


def _one_less(items: list[ast.expr]) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    for index, item in enumerate(items):
        yield item, items[:index] + items[index + 1 :]


def _of_group(group: ast.Set | ast.Tuple | ast.MatchOr, names: Names) -> Iterator[Change]:
    """A group of alike with one less, and a set with one more."""
    match group:
        case ast.Set(elts=items):
            for item, rest in _one_less(items):
                empty = ast.Call(ast.Name("set", ast.Load()), [], [])
                yield Change(group, ast.Set(rest) if rest else empty, ast.unparse(item), NOTHING)
            for member in _missing(items, names):
                yield Change(group, ast.Set([*items, member]), NOTHING, ast.unparse(member))
        case ast.Tuple(elts=items, ctx=ctx) if _are_alike(items):
            for item, rest in _one_less(items):
                yield Change(group, ast.Tuple(rest, ctx), ast.unparse(item), NOTHING)
        case ast.MatchOr(patterns=patterns):
            for index, pattern in enumerate(patterns):
                others = patterns[:index] + patterns[index + 1 :]
                other = others[0] if len(others) == 1 else ast.MatchOr(others)
                yield Change(group, other, ast.unparse(pattern), NOTHING)
        case _:
            return


def _missing(items: list[ast.expr], names: Names) -> Iterator[ast.expr]:
    match items:
        case [ast.Attribute(value=ast.Name() as enum), *_]:
            present = {each.attr for each in items if isinstance(each, ast.Attribute)}
            for member in _members(names.get(enum.id)):
                if member not in present:
                    yield ast.Attribute(enum, member, ast.Load())
        case _:
            return


def _are_alike(items: list[ast.expr]) -> bool:
    """Whether a tuple is a group, and not a record whose every part has its own place."""
    kinds = set()
    for item in items:
        match item:
            case ast.Attribute(value=ast.Name(id=enum)):
                kinds.add(enum)
            case ast.Constant(value=value):
                kinds.add(type(value).__name__)
            case ast.Starred():
                continue
            case _:
                return False
    return len(kinds) == 1


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def of_row(table: ast.Dict, index: int, names: Names) -> Iterator[Change]:
    """The table without one of its rows, and the row with what other rows have in the same column.

    A cell is also changed as code is: to each other member of its enum.
    """
    key, row = table.keys[index], table.values[index]
    assert key is not None, "no table of the contract takes in another"
    rest = ast.Dict(
        table.keys[:index] + table.keys[index + 1 :],
        table.values[:index] + table.values[index + 1 :],
    )
    yield Change(table, rest, ast.unparse(key), NOTHING)
    for column, cell in _cells(row, names):
        if column in PROSE:
            continue
        own = ast.unparse(cell)
        others = (dict(_cells(each, names)).get(column) for each in table.values)
        swaps = {
            swap.after: swap
            for swap in (_swap(cell, other) for other in others if other is not None)
            if swap.after != own
        }
        if _is_text(cell):
            yield from islice(swaps.values(), 1)  # a wrong clause is as wrong as another
        else:
            yield from {**swaps, **{each.after: each for each in everywhere(cell, names)}}.values()


def _is_text(cell: ast.expr) -> bool:
    return isinstance(cell, ast.Constant) and isinstance(cell.value, str)


def _cells(row: ast.expr, names: Names) -> Iterator[tuple[str, ast.expr]]:
    """The cells of a row by their columns; a row that is no record is one cell."""
    match row:
        case ast.Call(func=ast.Name(id=name), args=cells, keywords=keywords):
            kind = names[name]
            assert isinstance(kind, type)
            assert is_dataclass(kind)
            yield from zip((each.name for each in fields(kind)), cells, strict=False)
            for each in keywords:
                assert each.arg is not None, "no row of the contract takes in another"
                yield each.arg, each.value
        case _:
            yield "", row
