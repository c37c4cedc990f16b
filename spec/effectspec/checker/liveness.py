"""Whether what must come at last does come, on every fair way through a graph.

A way is unfair if somebody who could go on all the time never does. So what never comes is found
where a fair way can go round for ever, or end, without it: in a part of the graph from whose every
world the others can be reached, and in which everybody takes a step, or has none to take somewhere.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import assert_never

import networkx as nx

from effectspec.checker.coverage import Coverage
from effectspec.checker.exploration import (
    NO_LIMITS,
    Counterexample,
    Exploration,
    Limits,
    Progress,
)
from effectspec.checker.graph import Edge, Graph, graph, leading_to, way
from effectspec.model.endless import renamed
from effectspec.model.fairness import due, may_go_on
from effectspec.model.liveness import CanReach, LeadsTo, Liveness
from effectspec.model.model import Model


@dataclass(frozen=True, slots=True)
class Answer:
    """What a graph says of a sentence: whether it was about anything, and a way that breaks it."""

    antecedent: bool
    broken: Counterexample | None


def explore_endless(
    model: Model,
    sentences: Sequence[Liveness],
    *,
    limits: Limits = NO_LIMITS,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Exploration:
    """Visit every world of an endless ``model``, and ask for each sentence."""
    began = monotonic()
    found = graph(model, renamed, limits=limits, progress=progress)
    answers = (
        {each.name: ask(found, each, model.most_rows) for each in sentences}
        if found.stopped is None
        else {}
    )
    return Exploration(
        states=len(found.worlds),
        steps=sum(map(len, found.edges)),
        depth=found.depth,
        seconds=monotonic() - began,
        bytes=0,
        evaluations=0,
        stopped=found.stopped,
        counterexamples=tuple(each.broken for each in answers.values() if each.broken is not None),
        coverage=Coverage(antecedents={name for name, each in answers.items() if each.antecedent}),
    )


def ask(found: Graph, sentence: Liveness, rows: int) -> Answer:
    """Ask a graph, in which ``rows`` rows can be prepared, for a sentence."""
    match sentence:
        case LeadsTo():
            answers = [_ask_row(found, sentence, row_id + 1) for row_id in range(rows)]
            broken = next((each.broken for each in answers if each.broken is not None), None)
            return Answer(any(each.antecedent for each in answers), broken)
        case CanReach():
            return _ask_for_a_way(found, sentence)
        case _:
            assert_never(sentence)


# ── what must come ───────────────────────────────────────────────────────────────────────────────


def _ask_row(found: Graph, sentence: LeadsTo, row_id: int) -> Answer:
    without = {at for at, world in enumerate(found.worlds) if not sentence.then(world, row_id)}
    given = {at for at in without if sentence.given(found.worlds[at], row_id)}
    edges = found.edges_if(lambda edge: {edge.at, edge.to} <= without)
    for part in _fair_parts(found, edges):
        leading = given & leading_to(edges, part.worlds)
        if leading:
            stem = [*_way(dict(enumerate(found.edges)), 0, leading)]
            stem += _way(edges, _end(stem), part.worlds)
            steps = found.steps([*stem, *part.round(_end(stem))])
            return Answer(antecedent=True, broken=Counterexample(sentence, steps, len(stem)))
    return Answer(antecedent=bool(given), broken=None)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a graph in which each world leads to each other, by the ``inner`` steps.

    ``waiting`` says who has something to do in which of its worlds.
    """

    graph: Graph
    worlds: frozenset[int]
    inner: Mapping[int, list[Edge]]
    waiting: Mapping[int, frozenset[str]]

    @property
    def everybody(self) -> list[str]:
        return sorted(frozenset[str]().union(*self.waiting.values()))

    @property
    def is_fair(self) -> bool:
        return all(self.turn(who) is not None for who in self.everybody)

    def turn(self, who: str) -> tuple[int, list[Edge]] | None:
        """A world in which somebody has nothing to do, or a step of theirs; None if neither is."""
        for at in sorted(self.worlds):
            if who not in self.waiting[at]:
                return at, []
            for edge in self.inner[at]:
                if due(self.graph.worlds[at], edge.action) == who:
                    return at, [edge]
        return None

    def round(self, start: int) -> list[Edge]:
        """A way from ``start`` back to it that gives everybody a turn."""
        taken: list[Edge] = []
        at = start
        for who in self.everybody:
            turn = self.turn(who)
            assert turn is not None, "the part is fair"
            taken += [*_way(self.inner, at, {turn[0]}), *turn[1]]
            at = taken[-1].to if taken else start
        return [*taken, *_way(self.inner, at, {start})]


def _fair_parts(found: Graph, edges: Mapping[int, list[Edge]]) -> Iterator[_Part]:
    """Where a way may stay for ever once all hazards have come to an end."""
    calm = {
        at: [edge for edge in each if may_go_on(found.worlds[at], edge.action)]
        for at, each in edges.items()
    }
    directed = nx.DiGraph()
    directed.add_nodes_from(calm)
    directed.add_edges_from((edge.at, edge.to) for each in calm.values() for edge in each)
    for worlds in nx.strongly_connected_components(directed):
        inner = {at: [edge for edge in calm[at] if edge.to in worlds] for at in worlds}
        waiting = {at: _waiting(found, at) for at in worlds}
        part = _Part(found, frozenset(worlds), inner, waiting)
        if part.is_fair:
            yield part


def _waiting(found: Graph, at: int) -> frozenset[str]:
    said = (due(found.worlds[at], edge.action) for edge in found.edges[at])
    return frozenset(who for who in said if who is not None)


def _way(edges: Mapping[int, list[Edge]], start: int, ends: Collection[int]) -> list[Edge]:
    found = way(edges, start, ends)
    assert found is not None, "whoever asks knows that there is a way"
    return found


def _end(stem: list[Edge]) -> int:
    return stem[-1].to if stem else 0


# ── what must stay possible ──────────────────────────────────────────────────────────────────────


def _ask_for_a_way(found: Graph, sentence: CanReach) -> Answer:
    given = {at for at, world in enumerate(found.worlds) if sentence.given(world)}
    then = (at for at, world in enumerate(found.worlds) if sentence.then(world))
    allowed = found.edges_if(lambda edge: sentence.allowed(found.worlds[edge.at], edge.action))
    lost = given - leading_to(allowed, then)
    if not lost:
        return Answer(antecedent=bool(given), broken=None)
    there = _way(dict(enumerate(found.edges)), 0, lost)
    return Answer(antecedent=True, broken=Counterexample(sentence, found.steps(there)))
