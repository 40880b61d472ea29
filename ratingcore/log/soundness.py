"""Checks what no digest covers in the file of a log: pages, indexes, schema, cursors, erasures and the key."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ratingcore.log.connection import Connection, sqlite3
from ratingcore.log.erasure import TABLE as ERASURE
from ratingcore.log.erasure import VIEW as ERASED
from ratingcore.log.schema import APPLICATION, SCHEMA, TABLES, TRIGGERS, VIEWS

_MANY = 20
"""Faults of one sort that are named."""

_TOKEN = re.compile(
    r"""--[^\n]* | /\*.*?(?:\*/|\Z) | '((?:[^']|'')*)' | "((?:[^"]|"")*)" | `((?:[^`]|``)*)` | \[([^]]*)\] | (\w+)""",
    re.DOTALL | re.VERBOSE,
)
"""A comment, or a word in any of the quotes in which SQLite takes the name of a table, or bare."""

_BEFORE_TABLE = frozenset({"into", "from", "update", "rollback", "abort", "replace", "fail", "ignore"})
"""Words of SQL after which a statement of a trigger names its table; it cannot name the schema of the table."""

_Objects = dict[tuple[str, str], tuple[str, str | None]]


def faults(db: Connection) -> Iterator[str]:
    """What is wrong with a file, a sentence each; it stops early where tables of the log are missing."""
    for (line,) in db.execute(f"PRAGMA integrity_check({_MANY})"):
        if line != "ok":
            yield f"SQLite finds: {line}"
    yield from _marks(db)
    there, meant = _objects(db), _schema()
    yield from _schema_faults(there, meant)
    if all(key in there for key in meant if key[0] == "table" and key[1] != "erasure"):
        yield from _beside(db, erasures=("table", "erasure") in there)


def _marks(db: Connection) -> Iterator[str]:
    for pragma, meant in (("application_id", APPLICATION), ("user_version", SCHEMA)):
        found = db.execute(f"PRAGMA {pragma}").fetchone()[0]
        if found != meant:
            yield f"{pragma} of the file is {found}, not {meant}"


def _schema() -> _Objects:
    """Tables, indexes, triggers and views as they should be, as SQLite writes them down."""
    db = sqlite3.connect(":memory:")
    try:
        for statement in (
            *TABLES,
            ERASURE,
            ERASED,
            *TRIGGERS,
            *(f"CREATE VIEW {name} AS {sql}" for name, sql in VIEWS.items()),
        ):
            db.execute(statement)
        return _objects(db)
    finally:
        db.close()


def _objects(db: Connection) -> _Objects:
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return {(kind, name): (table, sql) for kind, name, table, sql in rows}


def _schema_faults(there: _Objects, meant: _Objects) -> Iterator[str]:
    """Objects that are missing or have another text, and others that bear on the tables of the log.

    Whatever bears on none of them belongs to the user: their own tables, the derived tables, and what hangs on these.
    """
    erased = ("view", "erased_names")  # made when a name is erased, by older versions the table only
    if there.get(erased) == meant.pop(erased) and ("table", "erasure") not in there:
        yield "the table erasure is missing"
    for (kind, name), (table, sql) in meant.items():
        if (kind, name) not in there:
            if table != "erasure":
                yield f"the {kind} {name} is missing"
        elif there[kind, name] != (table, sql):
            yield f"the {kind} {name} is another than the log was made with"
    own = {name for kind, name in meant if kind in ("table", "view")}
    for (kind, name), (table, sql) in there.items():
        if (kind, name) in meant or kind not in ("index", "trigger"):
            continue
        if str(table).lower() in own or (kind == "trigger" and own & _written_to(str(sql))):
            yield f"the {kind} {name} is not of the log, and bears on its tables"


def _written_to(trigger: str) -> set[str]:
    """Tables that the text of a trigger may write to, and some that it only reads."""
    words = [token[token.lastindex] for token in _TOKEN.finditer(trigger.lower()) if token.lastindex]
    return {word for before, word in pairwise(words) if before in _BEFORE_TABLE}


def _beside(db: Connection, *, erasures: bool) -> Iterator[str]:
    """Faults in the tables that are not in the chain."""
    keys = [key for (key,) in db.execute("SELECT key FROM log")]
    if len(keys) != 1 or type(keys[0]) is not str or not keys[0]:
        yield f"the log has no key, or more than one: {len(keys)} rows in table log"
    sql = """SELECT subscriber, position FROM cursor WHERE typeof(position) <> 'integer' OR position < 0
        OR typeof(subscriber) <> 'text' OR position > (SELECT coalesce(max(last), 0) FROM batch)"""
    for subscriber, position in _some(db, sql):
        yield f"the cursor of {subscriber!r} stands where the log has no event: {position!r}"
    if erasures:
        sql = "SELECT name FROM erasure WHERE name NOT IN (SELECT id FROM name WHERE key IS NULL)"
        for (number,) in _some(db, sql):
            yield f"name {number} was erased, and is there"


def remarks(db: Connection) -> Iterator[str]:
    """What may be right, and cannot be told from what was done by hand: names that are erased without an entry."""
    table = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'erasure'").fetchone()
    entered = " AND id NOT IN (SELECT name FROM erasure)" if table else ""
    count, first = db.execute(f"SELECT count(*), min(id) FROM name WHERE key IS NULL{entered}").fetchone()
    if count:
        names = f"name {first} is" if count == 1 else f"{count} names are"
        which = "" if count == 1 else f", the first of them name {first}"
        yield f"{names} erased without an entry{which}: by an older version, or emptied by hand, which cannot be told"


def _some(db: Connection, sql: str) -> list[Any]:
    return db.execute(f"{sql} LIMIT {_MANY}").fetchall()
