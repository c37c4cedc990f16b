"""A model as a graph, world by world: slow, plain, and all there to be walked in any direction."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, NamedTuple

from effectspec.checker.exploration import NO_LIMITS, Limit, Limits, Progress, Step
from effectspec.model.actions import Action
from effectspec.model.model import Model
from effectspec.model.world import World

A_WHILE: Final = 100
"""Worlds that are followed before anybody is told, and the limits are looked at."""


class Edge(NamedTuple):
    """A step from one world to another."""

    at: int
    action: Action
    to: int


@dataclass(slots=True)
class Graph:
    """Every world that can be reached, number 0 first, and the steps from each.

    ``depth`` is how many steps lead to the farthest. If a limit ``stopped`` the search, worlds and
    steps are missing.
    """

    worlds: list[World] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    depth: int = 0
    stopped: Limit | None = None

    def steps(self, way: Iterable[Edge]) -> tuple[Step, ...]:
        """A way as the steps of a trace."""
        return tuple(Step(edge.action, self.worlds[edge.to]) for edge in way)

    def edges_if(self, takes: Callable[[Edge], bool]) -> dict[int, list[Edge]]:
        """The steps from each world that may be taken."""
        return {at: [edge for edge in edges if takes(edge)] for at, edges in enumerate(self.edges)}


def graph(
    model: Model,
    named: Callable[[World], World] = lambda world: world,
    *,
    limits: Limits = NO_LIMITS,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Graph:
    """The graph of a model; worlds to which ``named`` gives the same names are one.

    Of the limits, that of memory is not looked at.
    """
    began = monotonic()
    found = Graph()
    numbers: dict[World, int] = {}

    def number(world: World) -> int:
        known = numbers.setdefault(world, len(found.worlds))
        if known == len(found.worlds):
            found.worlds.append(world)
        return known

    for world in model.initial():
        number(named(world))
    layer_end = len(found.worlds)
    for at, world in enumerate(found.worlds):  # which grow while they are walked
        if at == layer_end:
            found.depth += 1
            layer_end = len(found.worlds)
        if at % A_WHILE == 0:
            now = Progress(len(found.worlds), layer_end - at, found.depth, monotonic() - began)
            progress(now)
            found.stopped = limits.reached(now)
            if found.stopped is not None:
                break
        found.edges.append(
            [
                Edge(at, action, number(named(model.step(world, action)[0])))
                for action in model.actions(world)
            ]
        )
    return found


def way(
    edges: Mapping[int, Iterable[Edge]], start: int, ends: Collection[int]
) -> list[Edge] | None:
    """The shortest way from ``start`` to one of ``ends``, None if there is none."""
    came: dict[int, Edge | None] = {start: None}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        if at in ends:
            return list(_back(came, at))[::-1]
        for edge in edges[at]:
            if edge.to not in came:
                came[edge.to] = edge
                queue.append(edge.to)
    return None


def _back(came: Mapping[int, Edge | None], at: int) -> Iterator[Edge]:
    while (edge := came[at]) is not None:
        yield edge
        at = edge.at


def leading_to(edges: Mapping[int, Iterable[Edge]], ends: Iterable[int]) -> set[int]:
    """The worlds from which there is a way to one of ``ends``."""
    before: dict[int, list[int]] = {}
    for each in edges.values():
        for edge in each:
            before.setdefault(edge.to, []).append(edge.at)
    found = set(ends)
    todo = list(found)
    while todo:
        new = set(before.get(todo.pop(), ())) - found
        found |= new
        todo += new
    return found
