"""The SQLite schema of a log: tables, append-only triggers, readable views; and the check of a file against it."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ratingcore.sqlite_library import sqlite3

SCHEMA, SEALED, OF_ROWS = 3, 2, 1
"""Versions of the tables: in a log with sealed segments, whose new names have salt and digest as bytes; in one in which
all names have hexadecimal digits, as older versions wrote them; and in a log of rows only, which these can read."""

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


SEGMENT_TABLES = (
    """CREATE TABLE segment (
        number INTEGER PRIMARY KEY,
        first INTEGER NOT NULL UNIQUE,
        last INTEGER NOT NULL UNIQUE,
        pool INTEGER NOT NULL,
        letters TEXT NOT NULL,
        played BLOB NOT NULL,
        a BLOB NOT NULL,
        b BLOB NOT NULL,
        score BLOB NOT NULL,
        uid BLOB NOT NULL
    )""",
    """CREATE TABLE uid_run (
        run INTEGER NOT NULL, low INTEGER NOT NULL, keys BLOB NOT NULL, PRIMARY KEY (run, low)
    ) WITHOUT ROWID""",
    *_frozen("segment"),
)
"""Tables made with the first sealed segment: games as columns, and an index of their ids, derived from the columns."""


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

ERASURE_TABLE = """CREATE TABLE IF NOT EXISTS erasure (
    name INTEGER PRIMARY KEY, erased TEXT NOT NULL, "by" TEXT NOT NULL, cleared TEXT
)"""
"""Erased names, when and by whom; `cleared` once no byte of them is left in the file."""


ERASED_VIEW = """CREATE VIEW IF NOT EXISTS erased_names AS SELECT name, erased, "by", cleared FROM erasure"""
"""A view of this table; if the table is dropped by hand, the view stays and shows that there was one."""

_MANY = 20
"""Largest number of faults of one sort that are reported."""

_TOKEN = r"""
    --[^\n]* | /\*.*?(?:\*/|\Z) | '((?:[^']|'')*)' | "((?:[^"]|"")*)" | `((?:[^`]|``)*)` | \[([^]]*)\] | (\w+)
"""
"""Matches a comment, or a word: bare, or in any of the quotes that SQLite allows around the name of a table."""

_BEFORE_TABLE = frozenset({"into", "from", "update", "rollback", "abort", "replace", "fail", "ignore"})
"""Words before the name of a table in a statement of a trigger; triggers cannot add a schema to the name."""

_ON_DEMAND = frozenset({"erasure", "segment", "uid_run"})
"""Tables that not every log has."""
_BY_BATCH = ("index", "name_batch")
"""An index that only older versions use; it is dropped with the first segment."""

_Objects = dict[tuple[str, str], tuple[str, str | None]]


def faults(db: sqlite3.Connection) -> Iterator[str]:
    """Faults of a file, a sentence each; it stops early if tables of the log are missing."""
    for (line,) in db.execute(f"PRAGMA integrity_check({_MANY})"):
        if line != "ok":
            yield f"SQLite reports: {line}"
    yield from _marks(db)
    there, meant = _objects(db), _schema()
    yield from _schema_faults(there, meant)
    if all(key in there for key in meant if key[0] == "table" and key[1] not in _ON_DEMAND):
        yield from _table_faults(db, erasures=("table", "erasure") in there)


def _marks(db: sqlite3.Connection) -> Iterator[str]:
    sealed = db.execute("SELECT 1 FROM sqlite_master WHERE name IN ('segment', 'uid_run')").fetchone()
    versions = (SCHEMA, SEALED) if sealed else (OF_ROWS,)
    for pragma, meant in (("application_id", (APPLICATION,)), ("user_version", versions)):
        found = db.execute(f"PRAGMA {pragma}").fetchone()[0]
        if found not in meant:
            yield f"{pragma} of the file is {found}, not {meant[0]}"


def _schema() -> _Objects:
    """Tables, indexes, triggers and views as they should be, in the spelling of SQLite."""
    db = sqlite3.connect(":memory:")
    try:
        for statement in (
            *TABLES,
            ERASURE_TABLE,
            ERASED_VIEW,
            *SEGMENT_TABLES,
            *TRIGGERS,
            *(f"CREATE VIEW {name} AS {sql}" for name, sql in VIEWS.items()),
        ):
            db.execute(statement)
        return _objects(db)
    finally:
        db.close()


def _objects(db: sqlite3.Connection) -> _Objects:
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return {(kind, name): (table, sql) for kind, name, table, sql in rows}


def _schema_faults(there: _Objects, meant: _Objects) -> Iterator[str]:
    """Yields faults: objects that are missing or defined differently, and foreign ones that affect tables of the log.

    All other objects belong to the user: their own tables, the derived tables, and indexes and triggers of these.
    """
    erased = ("view", "erased_names")  # made when a name is erased; older versions made only the table
    if there.get(erased) == meant.pop(erased) and ("table", "erasure") not in there:
        yield "the table erasure is missing"
    sealed = ("table", "segment") in there or ("table", "uid_run") in there
    without = {"erasure"} if sealed else _ON_DEMAND
    if sealed and _BY_BATCH not in there:
        del meant[_BY_BATCH]
    for (kind, name), (table, sql) in meant.items():
        if (kind, name) not in there:
            if table not in without:
                yield f"the {kind} {name} is missing"
        elif there[kind, name] != (table, sql):
            yield f"the {kind} {name} differs from the one that ratingcore makes"
    own = {name for kind, name in meant if kind in ("table", "view")}
    for (kind, name), (table, sql) in there.items():
        if (kind, name) in meant or kind not in ("index", "trigger"):
            continue
        if str(table).lower() in own or (kind == "trigger" and own & _written_to(str(sql))):
            yield f"the {kind} {name} does not belong to the log, but affects its tables"


def _written_to(trigger: str) -> set[str]:
    """Tables that the text of a trigger may write to, and some that it only reads."""
    tokens = re.finditer(_TOKEN, trigger.lower(), re.DOTALL | re.VERBOSE)
    words = [token[token.lastindex] for token in tokens if token.lastindex]
    return {word for before, word in pairwise(words) if before in _BEFORE_TABLE}


def _table_faults(db: sqlite3.Connection, *, erasures: bool) -> Iterator[str]:
    """Yields faults in the tables that the chain of digests does not cover."""
    keys = [key for (key,) in db.execute("SELECT key FROM log")]
    if len(keys) != 1 or type(keys[0]) is not str or not keys[0]:
        yield f"the log has no key, or more than one: {len(keys)} rows in table log"
    sql = """SELECT subscriber, position FROM cursor WHERE typeof(position) <> 'integer' OR position < 0
        OR typeof(subscriber) <> 'text' OR position > (SELECT coalesce(max(last), 0) FROM batch)"""
    for subscriber, position in _some(db, sql):
        yield f"the cursor of {subscriber!r} is where the log has no event: {position!r}"
    if erasures:
        sql = "SELECT name FROM erasure WHERE name NOT IN (SELECT id FROM name WHERE key IS NULL)"
        for (number,) in _some(db, sql):
            yield f"name {number} was erased, but is still there"


def remarks(db: sqlite3.Connection) -> Iterator[str]:
    """Yields remarks on names erased without an entry: by an older version, or by hand."""
    table = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'erasure'").fetchone()
    entered = " AND id NOT IN (SELECT name FROM erasure)" if table else ""
    count, first = db.execute(f"SELECT count(*), min(id) FROM name WHERE key IS NULL{entered}").fetchone()
    if count:
        names = f"name {first} is" if count == 1 else f"{count} names are"
        which = "" if count == 1 else f" (the first is name {first})"
        yield f"{names} erased without an entry{which}, by an older version or by hand"


def _some(db: sqlite3.Connection, sql: str) -> list[tuple[object, ...]]:
    return db.execute(f"{sql} LIMIT {_MANY}").fetchall()
