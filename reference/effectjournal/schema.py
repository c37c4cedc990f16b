"""The tables, and how an older file becomes the present one."""

APPLICATION_ID = 0x45464A4C
"""Marks a SQLite file as an effect journal ("EFJL")."""

_FIRST = (
    """
    CREATE TABLE runs (
        run_id      TEXT    NOT NULL PRIMARY KEY,
        generation  INTEGER NOT NULL,
        owner_id    TEXT    NOT NULL,
        incarnation INTEGER NOT NULL,
        phase       TEXT    NOT NULL,
        ended       TEXT,
        spent       INTEGER NOT NULL DEFAULT 0,
        approved    INTEGER NOT NULL DEFAULT 0,
        closed_by   TEXT,
        closed_at   INTEGER
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE nodes (
        run_id    TEXT    NOT NULL,
        node_id   TEXT    NOT NULL,
        starts    INTEGER NOT NULL,
        completed INTEGER NOT NULL DEFAULT 0,
        output    BLOB,
        PRIMARY KEY (run_id, node_id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE events (
        run_id      TEXT    NOT NULL,
        seq         INTEGER NOT NULL,
        incarnation INTEGER NOT NULL,
        at          INTEGER NOT NULL,
        body        BLOB    NOT NULL,
        PRIMARY KEY (run_id, seq)
    ) STRICT, WITHOUT ROWID
    """,
    # No foreign key to runs: a row outlives its run, since a purge is when it matters most.
    # AUTOINCREMENT: an operator may hold the id of a row that is swept; no other may take it.
    """
    CREATE TABLE run_effects (
        id               INTEGER PRIMARY KEY AUTOINCREMENT,
        scope_kind       TEXT    NOT NULL,
        scope_id         TEXT    NOT NULL,
        unit             TEXT    NOT NULL,
        slot             INTEGER NOT NULL,
        tool_id          TEXT    NOT NULL,
        start            INTEGER NOT NULL,
        generation       INTEGER NOT NULL,
        owner_id         TEXT    NOT NULL,
        attempt          INTEGER NOT NULL,
        provider_attempt INTEGER NOT NULL,
        tool_call_id     TEXT    NOT NULL,
        tier             INTEGER NOT NULL,
        digest           TEXT    NOT NULL,
        mapping          TEXT    NOT NULL,
        policy           BLOB    NOT NULL,
        state            TEXT    NOT NULL,
        result           BLOB,
        idempotency_key  TEXT,
        reference        TEXT,
        key_issued_at    INTEGER,
        key_lifetime_s   INTEGER,
        retrying         INTEGER,
        retried_in       INTEGER,
        settled_as       TEXT,
        settled_at       INTEGER,
        resolution       TEXT,
        resolved_by      TEXT,
        resolved_at      INTEGER,
        note             TEXT,
        landed           INTEGER NOT NULL DEFAULT 0,
        undelivered      INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    # IS NOT counts NULL as undiscarded; `<>` would let duplicates in (reading 8).
    """
    CREATE UNIQUE INDEX effect_identity
        ON run_effects (scope_kind, scope_id, unit, slot, tool_id)
        WHERE resolution IS NOT 'discarded'
    """,
    """
    CREATE TABLE effect_evidence (
        id          INTEGER PRIMARY KEY,
        effect_id   INTEGER NOT NULL,
        at          INTEGER NOT NULL,
        generation  INTEGER NOT NULL,
        outcome     TEXT    NOT NULL,
        fingerprint TEXT    NOT NULL,
        result      BLOB
    ) STRICT
    """,
    "CREATE INDEX evidence_of_effect ON effect_evidence (effect_id)",
)

# When a row was prepared and what a resume last made of it: the story that an operator reads. Rows
# of the first version have none of it.
_SECOND = (
    "ALTER TABLE run_effects ADD COLUMN prepared_at INTEGER",
    "ALTER TABLE run_effects ADD COLUMN marked_at INTEGER",
    "ALTER TABLE run_effects ADD COLUMN marked_in INTEGER",
)

_THIRD = (
    # `next_turn` is the high-water mark of the allocator: no turn below it is handed out again,
    # whatever was swept. `blocked`: the history of the session is none, and nobody guesses.
    """
    CREATE TABLE sessions (
        session_id TEXT    NOT NULL PRIMARY KEY,
        next_turn  INTEGER NOT NULL,
        blocked    INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE exchanges (
        session_id TEXT    NOT NULL,
        seq        INTEGER NOT NULL,
        turn       INTEGER NOT NULL,
        body       BLOB    NOT NULL,
        dropped    INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session_id, seq)
    ) STRICT, WITHOUT ROWID
    """,
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _SECOND, _THIRD)
"""The statements that lead from each version to the next; a new file starts at version 0."""

VERSION = len(MIGRATIONS)
"""The version that this code reads and writes."""
