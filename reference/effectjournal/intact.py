"""Whether a store's file still has every table, column and index that its journal relies on."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache

from effectjournal.schema import MIGRATIONS
from effectjournal.storage import Fields, Transaction

_PARTS = r"""
    SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\'
    UNION ALL
    SELECT 'column ' || part.name || '.' || field.name
        FROM sqlite_schema AS part, pragma_table_info(part.name) AS field
        WHERE part.type = 'table'
"""


def missing(transaction: Transaction) -> tuple[str, ...]:
    """What is gone, such as ``table runs``: dropped or renamed, nobody knows what it said."""
    gone = sorted(_parts_of_ours().difference(_named(transaction.query(_PARTS))))
    # With a table go its columns and indexes, which are not worth a word of their own.
    return tuple(part for part in gone if part.startswith("table ")) or tuple(gone)


@cache
def _parts_of_ours() -> frozenset[str]:
    with closing(sqlite3.connect(":memory:")) as made:
        for statements in MIGRATIONS:
            for statement in statements:
                made.execute(statement)
        return frozenset(_named(made.execute(_PARTS)))


def _named(found: Iterable[Fields]) -> Iterable[str]:
    return (part for (part,) in found)
