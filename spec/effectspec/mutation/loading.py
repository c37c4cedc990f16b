"""A mutant as what everything imports, in a process that has already loaded the specification."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType, ModuleType

from effectspec.mutation.mutants import SPEC


@dataclass(frozen=True, slots=True)
class _Instead(MetaPathFinder, Loader):
    module: str
    code: CodeType

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        found = PathFinder.find_spec(fullname, path, target)
        assert found is not None, "a mutant has the place of a module that is there"
        found.loader = self
        return found

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, vars(module))  # noqa: S102  (our own source, changed in one place)


def import_as(module: str, code: CodeType) -> None:
    """From now on, let whoever imports ``module`` anew get this code."""
    sys.meta_path.insert(0, _Instead(module, code))


def forget(module: str, *, but: str = "") -> None:
    """Have a module and all that has imported it, ``but`` one, be imported anew."""
    for name in {module, *users()[module]} - {but}:
        if sys.modules.pop(name, None) is not None:
            # An import from a package asks the package first, and that has not forgotten.
            package, _, attribute = name.rpartition(".")
            if package in sys.modules:
                vars(sys.modules[package]).pop(attribute, None)


@cache
def users() -> Mapping[str, frozenset[str]]:
    """Each module of the specification, and what imports it, itself or through another."""
    direct = defaultdict(set)
    modules = {_name(path): path for path in SPEC.rglob("*.py")}
    for user, path in modules.items():
        for imported in _imports(path):
            direct[imported].add(user)
    return {module: frozenset(_closure(module, direct)) for module in modules}


def _closure(module: str, direct: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    todo = [module]
    while todo:
        fresh = direct.get(todo.pop(), set()) - reached
        reached |= fresh
        todo += fresh
    return reached


def _name(path: Path) -> str:
    parts = path.relative_to(SPEC.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(package), names=names):
                yield package
                yield from (f"{package}.{each.name}" for each in names)
            case _:
                continue
