"""What z3 found, in words."""

from collections.abc import Iterable, Iterator, Mapping

import z3  # type: ignore[import-untyped]  # z3 ships no types

from proofs.finite import Expr
from proofs.transitions import Ids
from proofs.world import CHOICE_FIELDS, INT, NONE, WORLD_FIELDS, Choice, Of, World


class Telling:
    """Worlds and choices as a z3 model has them, told of the processes and rows in ``ids``."""

    def __init__(self, model: Expr, ids: Ids) -> None:
        self._model = model
        self._ids = ids

    def choice(self, choice: Choice) -> str:
        """What a step was about, as far as it made a difference."""
        scalars = {name: getattr(choice, name) for name in _names(CHOICE_FIELDS, None)}
        told = (f"{name} {self._model[each]}" for name, each in scalars.items() if self._has(each))
        return ", ".join(told)

    def worlds(self, before: World, after: World) -> str:
        """A world line by line, with what became of it."""
        lines = [f"  run: {self._changes(before, after, None, None)}"]
        rows = self._distinct(self._ids.rows)
        known = [r for r in rows if self._is(z3.Or(before.prepared(r), after.prepared(r)))]
        nodes = self._distinct(before.node[r] for r in known)
        holding = [p for p in self._distinct(self._ids.processes) if self._holds(before, after, p)]
        for of, indices in (("row", known), ("process", holding), ("node", nodes)):
            lines += [f"  {of} {i}: {self._changes(before, after, of, i)}" for i in indices]
        return "\n".join(lines)

    def _holds(self, before: World, after: World, p: Expr) -> bool:
        return self._is(z3.Or(before.holds[p] != NONE, after.holds[p] != NONE))

    def _changes(self, before: World, after: World, of: str | None, index: Expr) -> str:
        return ", ".join(
            self._change(before, after, name, index) for name in _names(WORLD_FIELDS, of)
        )

    def _change(self, before: World, after: World, name: str, index: Expr) -> str:
        was, now = (self._told(world, name, index) for world in (before, after))
        return f"{name} {was}" if was == now else f"{name} {was} -> {now}"

    def _told(self, world: World, name: str, index: Expr) -> str:
        value = getattr(world, name)
        if index is None:
            return self._value(value)
        found = value[index]
        if not z3.is_array(found):
            return self._value(found)
        numbers = found.sort().domain() == INT
        members = self._ids.rows if numbers else [world.call[r] for r in self._ids.rows]
        held = self._distinct(each for each in members if self._is(found[each]))
        return "{" + ", ".join(map(str, held)) + "}"

    def _distinct(self, expressions: Iterable[Expr]) -> list[Expr]:
        values = {str(value): value for value in map(self._evaluated, expressions)}
        return [values[name] for name in sorted(values)]

    def _evaluated(self, expression: Expr) -> Expr:
        return self._model.eval(expression, model_completion=True)

    def _value(self, expression: Expr) -> str:
        return str(self._evaluated(expression))

    def _has(self, constant: Expr) -> bool:
        return self._model[constant] is not None

    def _is(self, expression: Expr) -> bool:
        return bool(z3.is_true(self._evaluated(expression)))


def _names(sorts: Mapping[str, Of], of: str | None) -> Iterator[str]:
    return (name for name, sort in sorts.items() if sort.kind == of)
