"""Every mutant of the specification: one change at one place of its rules or its laws."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Final

from effectspec.mutation.operators import Change
from effectspec.mutation.places import Place, of_laws, of_rules

SPEC: Final = Path(__file__).parents[1]

RULES: Final = (
    "tiers",
    "identity",
    "journaling",
    "lifecycle",
    "gate",
    "admission",
    "settlement",
    "resolution",
    "ordering",
    "ownership",
    "retention",
    "budget",
    "attention",
    "digest",
    "disclosure",
    "session",
    "transcript",
)
"""The modules that decide. Those of the same names under ``laws`` judge what they decide."""

_OF_LAWS: Final = "laws."


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change.

    ``module`` is its dotted name in ``effectspec``, ``within`` the function or table that is
    changed or judged; ``occurrence`` tells changes apart that read alike.
    """

    module: str
    within: str
    line: int
    before: str
    after: str
    occurrence: int
    clauses: tuple[str, ...]
    tree: ast.Module = field(repr=False, compare=False)
    change: Change = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """What stays the same while other code moves."""
        number = "" if self.occurrence == 1 else f" #{self.occurrence}"
        return f"{self.module}.{self.within}: {self.before} → {self.after}{number}"

    @property
    def rules(self) -> str:
        """The module of rules that is changed, or whose laws are."""
        return self.module.removeprefix(_OF_LAWS)

    @property
    def is_of_laws(self) -> bool:
        """Whether laws are changed, and not what they judge."""
        return self.module.startswith(_OF_LAWS)

    @property
    def path(self) -> Path:
        """The file that is changed."""
        return _path(self.module)

    def code(self) -> CodeType:
        """The module with the change in it; lines stay what they are in the file.

        The tree is changed for good, so this is for a process that runs nothing else.
        """
        changed = _Replacing(self.change).visit(self.tree)
        assert isinstance(changed, ast.Module), "no change is of a whole module"
        code: CodeType = compile(ast.fix_missing_locations(changed), str(self.path), "exec")
        return code


class _Replacing(ast.NodeTransformer):
    def __init__(self, change: Change) -> None:
        self._change = change

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self._change.node:
            return ast.copy_location(self._change.other, node)
        visited: ast.AST = self.generic_visit(node)
        return visited


def mutants() -> list[Mutant]:
    """Every mutant of every rule and every law."""
    return [
        mutant
        for rules in RULES
        for module in (rules, _OF_LAWS + rules)
        for mutant in mutants_of(module)
    ]


def mutants_of(module: str) -> list[Mutant]:
    """Every mutant of a module of rules, such as "gate", or of laws, such as "laws.gate"."""
    tree = _parsed(module)
    names = vars(import_module(f"effectspec.{module}"))
    if module.startswith(_OF_LAWS):
        places = of_laws(tree, names)
    else:
        places = of_rules(tree, _parsed(_OF_LAWS + module), names)
    return list(_numbered(module, tree, places))


def _numbered(module: str, tree: ast.Module, places: Iterable[Place]) -> Iterator[Mutant]:
    seen: Counter[tuple[str, str, str]] = Counter()
    for place in places:
        for change in place.changes:
            before, after = _on_one_line(change.before), _on_one_line(change.after)
            said = (place.within, before, after)
            seen[said] += 1
            yield Mutant(
                module=module,
                within=place.within,
                line=getattr(change.node, "lineno", 1),
                before=before,
                after=after,
                occurrence=seen[said],
                clauses=tuple(sorted(place.clauses)),
                tree=tree,
                change=change,
            )


def _on_one_line(code: str) -> str:
    return " ".join(code.split())


def _parsed(module: str) -> ast.Module:
    return ast.parse(_path(module).read_text("utf-8"))


def _path(module: str) -> Path:
    return SPEC.joinpath(*module.split(".")).with_suffix(".py")
