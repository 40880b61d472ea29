"""The SQLite schema of a log: tables, triggers that keep it append-only, and readable views."""

SCHEMA = 1
"""Version of the tables; rises when an older ratingcore could not read them."""

APPLICATION = 0x52434C47
"""Marks the file as a log of ratingcore (the letters RCLG)."""

TABLES = (
    """CREATE TABLE batch (
        first INTEGER NOT NULL,
        last INTEGER PRIMARY KEY,
        recorded INTEGER NOT NULL,
        source INTEGER REFERENCES name (id),
        digest TEXT NOT NULL
    )""",
    """CREATE TABLE event (
        position INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        pool INTEGER,
        played INTEGER,
        "order" INTEGER NOT NULL,
        a INTEGER,
        b INTEGER,
        score REAL,
        ref INTEGER,
        data TEXT
    )""",
    """CREATE TABLE name (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        key TEXT,
        salt TEXT,
        digest TEXT NOT NULL,
        batch INTEGER NOT NULL
    )""",
    "CREATE TABLE cursor (subscriber TEXT PRIMARY KEY, position INTEGER NOT NULL)",
    "CREATE TABLE log (key TEXT NOT NULL)",
    "CREATE UNIQUE INDEX name_key ON name (kind, key) WHERE key IS NOT NULL",
    "CREATE INDEX name_batch ON name (batch)",
    "CREATE INDEX event_kind ON event (kind, position) WHERE kind <> 'game'",
)


def _frozen(table: str) -> tuple[str, ...]:
    return tuple(
        f"""CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table}
        BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"""
        for verb in ("UPDATE", "DELETE")
    )


TRIGGERS = (
    *_frozen("batch"),
    *_frozen("event"),
)


def _time(column: str) -> str:
    """SQL that shows microseconds since 1970 as ISO text; rounded down before 1970 too, where `/` would round up."""
    seconds = f"(({column} - (({column} % 1000000) + 1000000) % 1000000) / 1000000)"
    return f"strftime('%Y-%m-%dT%H:%M:%SZ', {seconds}, 'unixepoch')"


VIEWS = {
    "events": f"""
        SELECT e.position, {_time("b.recorded")} AS recorded, e.kind, p.key AS pool,
            {_time("e.played")} AS played, e.uid, a.key AS a, o.key AS b, e.score,
            t.uid AS of_uid, e.data
        FROM event e
        JOIN batch b ON b.last = (SELECT min(last) FROM batch WHERE last >= e.position)
        LEFT JOIN name p ON p.id = e.pool
        LEFT JOIN name a ON a.id = e.a
        LEFT JOIN name o ON o.id = e.b
        LEFT JOIN event t ON t.position = e.ref""",
    "games": """
        SELECT position, pool, played, a, b, score, uid, data FROM events WHERE kind = 'game'""",
    "corrections": """
        SELECT position, recorded, kind, of_uid, a AS keep, b AS other, uid, data
        FROM events WHERE kind IN ('void', 'amend', 'merge', 'unmerge')""",
    "batches": f"""
        SELECT b.first, b.last, {_time("b.recorded")} AS recorded, s.key AS source, b.digest
        FROM batch b LEFT JOIN name s ON s.id = b.source""",
}
