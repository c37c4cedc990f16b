"""Where the contract decides something, and the clauses that each such place is under."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from effectspec.mutation.operators import NOTHING, Change, Names, everywhere, of_row

_ID: Final = re.compile(r"\b[A-Z]-\d+\b")

Clauses: TypeAlias = frozenset[str]


@dataclass(frozen=True, slots=True)
class Place:
    """What can be changed in one function, law or row of a table."""

    within: str
    clauses: Clauses
    changes: Iterable[Change]


@dataclass(frozen=True, slots=True)
class _Definition:
    name: str
    code: ast.AST
    said: str


def of_rules(rules: ast.Module, laws: ast.Module, names: Names) -> Iterator[Place]:
    """The places of a module of rules, given the module of their laws.

    A place is under the clauses that its own words name, or else those of its laws, or else those
    of the code that uses it.
    """
    sentences: defaultdict[str, set[str]] = defaultdict(set)
    for law in _laws(laws):
        sentences[law.function] |= _ids(law.sentence)
    definitions = list(_definitions(rules))
    own = {each.name: _ids(each.said) or frozenset(sentences[each.name]) for each in definitions}
    inherited = _inherited([(each.code, own[each.name]) for each in definitions], definitions)
    for each in definitions:
        clauses = own[each.name] or inherited[each.name]
        match each.code:
            case ast.Dict() as table:
                for index, row in enumerate(table.values):
                    yield Place(each.name, _of_row(row) or clauses, of_row(table, index, names))
            case _:
                yield Place(each.name, clauses, everywhere(each.code, names))


def of_laws(laws: ast.Module, names: Names) -> Iterator[Place]:
    """The places of a module of laws: each condition, and whatever only conditions ask.

    A condition is under the clause that its sentence begins with, what it asks under those of all
    that ask it. The calls and answers that laws are tried with are no law.
    """
    conditions = list(_laws(laws))
    for law in conditions:
        yield Place(law.function, _ids(law.sentence), _of_law(law, names))
    definitions = list(_definitions(laws))
    inherited = _inherited([(law.condition, _ids(law.sentence)) for law in conditions], definitions)
    for each in definitions:
        if inherited[each.name]:
            yield Place(each.name, inherited[each.name], everywhere(each.code, names))


def _ids(text: str) -> Clauses:
    return frozenset(_ID.findall(text))


def _of_row(row: ast.expr) -> Clauses:
    """The clauses that a row of a table has in a column."""
    return frozenset().union(
        *(
            _ids(each.value)
            for each in ast.walk(row)
            if isinstance(each, ast.Constant) and isinstance(each.value, str)
        )
    )


# ── definitions ──────────────────────────────────────────────────────────────────────────────────


def _definitions(module: ast.Module) -> Iterator[_Definition]:
    for index, statement in enumerate(module.body):
        match statement:
            case ast.FunctionDef(name=name):
                yield _Definition(name, statement, ast.get_docstring(statement) or "")
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                yield _Definition(name, value, _text_of(module.body[index + 1 : index + 2]))
            case ast.ClassDef(name=name, body=body):
                said = ast.get_docstring(statement) or ""
                for each in body:
                    match each:
                        case ast.Assign(targets=[ast.Name(id=member)], value=ast.Constant(int())):
                            yield _Definition(f"{name}.{member}", each.value, said)
                        case _:
                            continue
            case _:
                continue


def _text_of(statements: Sequence[ast.stmt]) -> str:
    match statements:
        case [ast.Expr(value=ast.Constant(value=str(text)))]:
            return text
        case _:
            return ""


def _inherited(
    users: Iterable[tuple[ast.AST, Clauses]], definitions: Iterable[_Definition]
) -> Mapping[str, Clauses]:
    """The clauses of all that uses a definition, itself or through another, by its name."""
    code = {each.name: each.code for each in definitions}
    inherited: dict[str, Clauses] = dict.fromkeys(code, frozenset())
    for user, clauses in users:
        reached: set[str] = set()
        todo = [user]
        while todo:
            used = {each.id for each in ast.walk(todo.pop()) if isinstance(each, ast.Name)}
            fresh = (used & code.keys()) - reached
            reached |= fresh
            todo += (code[name] for name in fresh)
        for name in reached:
            inherited[name] |= clauses
    return inherited


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Law:
    function: str
    sentence: str
    condition: ast.expr
    around: ast.FunctionDef
    decorator: ast.expr


def _laws(module: ast.Module) -> Iterator[_Law]:
    for puts_laws in module.body:
        if not isinstance(puts_laws, ast.FunctionDef):
            continue
        for around in puts_laws.body:
            if not isinstance(around, ast.FunctionDef):
                continue
            for decorator in around.decorator_list:
                match decorator:
                    case ast.Call(
                        func=ast.Name(id="ensure" | "require"),
                        args=[condition, ast.Constant(value=str(sentence))],
                    ):
                        yield _Law(around.name, sentence, condition, around, decorator)
                    case _:
                        continue


def _of_law(law: _Law, names: Names) -> Iterator[Change]:
    others = [each for each in law.around.decorator_list if each is not law.decorator]
    without = ast.FunctionDef(
        law.around.name, law.around.args, law.around.body, others, law.around.returns
    )
    yield Change(law.around, without, law.sentence, NOTHING)
    yield from everywhere(law.condition, names)
