"""The compiled part: what packed worlds lead to by the tables, and which of that is new."""

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from effectspec.checker.layout import Words
from effectspec.checker.table import (
    ASKED,
    BASE,
    MASK,
    SHIFT,
    SIZE,
    UNKNOWN,
    WORD,
    Branches,
    Integers,
)

U64 = np.uint64
_LOW = U64(0xFFFFFFFF)
_HALF = U64(32)
_ONE = U64(1)

UNKNOWN_LEAF = -1
ASKED_LEAF = -2

JUDGES = 2
"""How many of the trees that are asked of a world say what is broken, and not what may happen."""

MOST_OF_A_WORLD = 256
"""Steps and misses that one world may bring about, at most."""

AHEAD = 16
"""Slots that are looked at before the first of them is needed: memory answers late, but many."""


class Tables(NamedTuple):
    """What a world is looked up in; the arrays are named as in :mod:`table` and :mod:`leaves`.

    ``asked`` are the trees to ask of every world: first for what may happen, then for what is
    broken in it, and last, where no process can do anything, for what is broken by that. ``acts``
    says of each tree whether it is what a process does of its own.
    """

    asked: Integers
    acts: NDArray[np.bool_]
    roots: Branches
    nodes: Integers
    branches: Branches
    starts: Integers
    lengths: Integers
    members: Integers
    effects: Words
    breaks: Words


class Store(NamedTuple):
    """Worlds in the order in which they were found, whence they came, and where to find them.

    A slot holds the upper half of a world's hash and its index, counted from 1.
    """

    states: Words
    parents: NDArray[np.int32]
    slots: Words


class Found(NamedTuple):
    """What :func:`follow` found.

    ``worlds`` are what steps lead to, ``hashes`` theirs, ``sources`` the indices of the worlds
    from which they lead. ``again``: worlds with a miss, which are to be asked again. ``misses``,
    ``broken``: world and tree.
    """

    worlds: Words
    hashes: Words
    sources: NDArray[np.int32]
    again: Integers
    misses: Integers
    broken: Integers


class Tally(NamedTuple):
    """How many worlds were followed, how many of each there are, and how many steps were taken."""

    done: int
    worlds: int
    again: int
    misses: int
    broken: int
    steps: int


compiled = numba.njit(cache=True, nogil=True)


@compiled
def _hashed(first, second):
    """A hash of a packed world (two rounds of the finaliser of MurmurHash3)."""
    hashed = first * U64(0x9E3779B97F4A7C15) ^ (second + U64(0x7F4A7C15)) * U64(0xC2B2AE3D27D4EB4F)
    hashed ^= hashed >> U64(29)
    hashed *= U64(0xBF58476D1CE4E5B9)
    hashed ^= hashed >> _HALF
    hashed *= U64(0x94D049BB133111EB)
    return hashed ^ hashed >> U64(29)


@compiled
def leaf_of(tree, first, second, tables):
    """The leaf at which a tree is in a world; negative where that is not known.

    ``ASKED_LEAF`` where it was asked for before: what is missed is to be told once.
    """
    cell = tables.roots[tree]
    if cell == UNKNOWN:
        tables.roots[tree] = ASKED
    while cell > 0:
        word = second if tables.nodes[cell, WORD] else first
        value = np.int64(word >> U64(tables.nodes[cell, SHIFT]) & U64(tables.nodes[cell, MASK]))
        if value >= tables.nodes[cell, SIZE]:
            return UNKNOWN_LEAF
        at = tables.nodes[cell, BASE] + value
        cell = tables.branches[at]
        if cell == UNKNOWN:
            tables.branches[at] = ASKED
    if cell == ASKED:
        return ASKED_LEAF
    return UNKNOWN_LEAF if cell == UNKNOWN else -1 - cell


@compiled
def follow(todo, states, tables, known, found):
    """Take every step from the worlds ``todo``; stops early where ``found`` has no more room.

    ``known`` are the properties whose breaking has been told. What was found of a world with a
    miss stands; its steps are counted when it is asked again.
    """
    worlds = again = misses = broken = steps = done = 0
    judges = len(tables.asked) - JUDGES
    for at in todo:
        if (
            worlds + MOST_OF_A_WORLD > len(found.worlds)
            or misses + MOST_OF_A_WORLD > len(found.misses)
            or broken + MOST_OF_A_WORLD > len(found.broken)
            or again == len(found.again)
        ):
            break
        done += 1
        first, second = states[at, 0], states[at, 1]
        complete = True
        taken = acting = 0
        for asked in range(len(tables.asked)):
            if asked == judges + 1 and (acting != 0 or not complete):
                break
            source = tables.asked[asked]
            listed = leaf_of(source, first, second, tables)
            if listed < 0:
                complete = False
                if listed == UNKNOWN_LEAF:
                    found.misses[misses, 0], found.misses[misses, 1] = at, source
                    misses += 1
                continue
            start = tables.starts[listed]
            for member in range(start, start + tables.lengths[listed]):
                tree = tables.members[member]
                leaf = leaf_of(tree, first, second, tables)
                if leaf < 0:
                    complete = False
                    if leaf == UNKNOWN_LEAF:
                        found.misses[misses, 0], found.misses[misses, 1] = at, tree
                        misses += 1
                    continue
                # What a judge lists is no step.
                taken += asked < judges
                acting += tables.acts[tree]
                if tables.breaks[leaf] & ~known[0] != 0:
                    known[0] |= tables.breaks[leaf]
                    found.broken[broken, 0], found.broken[broken, 1] = at, tree
                    broken += 1
                to_first = first & tables.effects[leaf, 0] | tables.effects[leaf, 1]
                to_second = second & tables.effects[leaf, 2] | tables.effects[leaf, 3]
                if to_first != first or to_second != second:
                    found.worlds[worlds, 0], found.worlds[worlds, 1] = to_first, to_second
                    found.hashes[worlds] = _hashed(to_first, to_second)
                    found.sources[worlds] = at
                    worlds += 1
        if not complete:
            found.again[again] = at
            again += 1
            continue
        steps += taken
    return done, worlds, again, misses, broken, steps


@compiled
def insert(found, worlds, store, count):
    """Append to the ``count`` worlds of the store what is new of those that were found.

    The store has room for all of them. Gives how many worlds there are then.
    """
    mask = U64(len(store.slots) - 1)
    seen = np.zeros(AHEAD, np.uint64)
    for start in range(0, worlds, AHEAD):
        end = min(start + AHEAD, worlds)
        for each in range(start, end):
            seen[each - start] = store.slots[found.hashes[each] & mask]
        for each in range(start, end):
            first, second, hashed = found.worlds[each, 0], found.worlds[each, 1], found.hashes[each]
            tag = hashed >> _HALF
            at = hashed & mask
            slot = seen[each - start]
            if slot == 0:
                # One of those before it may have come to stand there since.
                slot = store.slots[at]
            while True:
                if slot == 0:
                    store.states[count, 0], store.states[count, 1] = first, second
                    store.parents[count] = found.sources[each]
                    count += 1
                    store.slots[at] = tag << _HALF | U64(count)
                    break
                if slot >> _HALF == tag:
                    index = np.int64(slot & _LOW) - 1
                    if store.states[index, 0] == first and store.states[index, 1] == second:
                        break
                at = at + _ONE & mask
                slot = store.slots[at]
    return count


@compiled
def enter(store, count):
    """Enter the first ``count`` worlds, which differ, into the empty slots."""
    mask = U64(len(store.slots) - 1)
    for index in range(count):
        hashed = _hashed(store.states[index, 0], store.states[index, 1])
        at = hashed & mask
        while store.slots[at] != 0:
            at = at + _ONE & mask
        store.slots[at] = hashed >> _HALF << _HALF | U64(index + 1)
