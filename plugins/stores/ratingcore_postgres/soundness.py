"""Checks the parts of a log's schema that digests do not cover: columns, triggers, indexes, head, cursors, erasures."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ratingcore_postgres.database import Database
from ratingcore_postgres.schema import (
    FUNCTIONS,
    INDEXES,
    MARK,
    OF_ROWS,
    SCHEMA,
    SEGMENT_INDEXES,
    SEGMENT_TABLES,
    SEGMENT_TRIGGERS,
    TABLES,
    TRIGGERS,
)

_MANY = 20
"""Largest number of faults of one kind that are listed."""

_TYPE = re.compile(r'^\s*"?(\w+)"? (boolean|text|integer|bigint|double precision|bytea)\b(.*?),?$', re.MULTILINE)

_EVENTS = {"INSERT": 4, "DELETE": 8, "UPDATE": 16, "TRUNCATE": 32}
"""Bits of `pg_trigger.tgtype`; 2 means BEFORE, 1 each row."""


def faults(database: Database) -> Iterator[str]:
    """Yields faults of a schema, a sentence each; rows are checked only if all tables are as they should be."""
    sealed = _is_sealed(database)
    tables = TABLES | SEGMENT_TABLES if sealed else TABLES
    missing = list(_tables(database, tables))
    yield from missing
    yield from _triggers(database, tables, TRIGGERS | SEGMENT_TRIGGERS if sealed else TRIGGERS)
    yield from _functions(database)
    yield from _indexes(database, INDEXES | SEGMENT_INDEXES if sealed else INDEXES)
    if not missing:
        yield from _head(database, SCHEMA if sealed else OF_ROWS)
        yield from _outside_chain(database)


def _is_sealed(database: Database) -> bool:
    """True if the log is marked as one with segments, or has a table of segments."""
    sql = """SELECT obj_description(oid, 'pg_namespace') = %s
            OR EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid AND relname = ANY(%s))
        FROM pg_namespace n WHERE nspname = %s"""
    return bool(database.one(sql, (f"{MARK}{SCHEMA}", list(SEGMENT_TABLES), database.log))[0])


def _tables(database: Database, tables: Mapping[str, str]) -> Iterator[str]:
    sql = """SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s) AND c.relkind IN ('r', 'p')
        AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum"""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for table, *column in database.rows(sql, (database.log,)):
        found.setdefault(table, []).append(tuple(column))
    for table, text in tables.items():
        meant = [(name, kind, "NOT NULL" in rest or "PRIMARY KEY" in rest) for name, kind, rest in _TYPE.findall(text)]
        if table not in found:
            yield f"the table {table} is missing"
        elif found[table] != meant:
            yield f"the table {table} differs from the one that ratingcore makes"


def _triggers(database: Database, tables: Iterable[str], triggers: Mapping[str, str]) -> Iterator[str]:
    sql = """SELECT t.tgname::text, c.relname::text, t.tgtype::int, t.tgenabled::text, p.proname::text, t.tgdeferrable,
            t.tginitdeferred, t.tgqual IS NULL, p.pronamespace = c.relnamespace
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
        WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s) AND NOT t.tgisinternal"""
    found = {row[:2]: tuple(row[2:]) for row in database.rows(sql, (database.log,))}
    meant = {}
    for name, text in triggers.items():
        deferred, each = "DEFERRED" in text, "FOR EACH ROW" in text
        events = sum(bit for event, bit in _EVENTS.items() if event in text.partition(" ON ")[0])
        function = text.rpartition("{s}.")[2].removesuffix("()")
        bits = events + (0 if deferred else 2) + each
        table = text.partition(" ON {s}.")[2].split()[0]
        meant[name, table] = (bits, "O", function, deferred, deferred, True, True)
    for (name, table), shape in meant.items():
        if (name, table) not in found:
            yield f"the trigger {name} is missing"
        elif found[name, table] != shape:
            yield f"the trigger {name} is switched off or has been changed"
    for name, table in found.keys() - meant.keys():
        if table in tables:
            yield f"the trigger {name} does not belong to the log, but affects its tables"
    sql = "SELECT rulename::text FROM pg_rules WHERE schemaname = %s AND tablename = ANY(%s)"
    for (name,) in database.rows(sql, (database.log, list(tables))):
        yield f"the rule {name} does not belong to the log, but affects its tables"


def _functions(database: Database) -> Iterator[str]:
    sql = """SELECT proname::text, prosrc FROM pg_proc
        WHERE pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s)"""
    found = dict(database.rows(sql, (database.log,)))
    for name, text in FUNCTIONS.items():
        if found.get(name) != text.split("$$")[1]:
            yield f"the function {name} {'has been changed' if name in found else 'is missing'}"


def _indexes(database: Database, indexes: Mapping[str, bool]) -> Iterator[str]:
    sql = """SELECT c.relname::text, i.indisunique, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s)"""
    found = {name: (unique, valid) for name, unique, valid in database.rows(sql, (database.log,))}
    for name, unique in indexes.items():
        if name not in found:
            yield f"the index {name} is missing"
        elif found[name] != (unique, True):
            yield f"the index {name} is not valid or has been changed"


def _head(database: Database, schema: int) -> Iterator[str]:
    """Yields faults of the single row of table log, which repeats facts of batches and names."""
    rows = database.rows("SELECT key, position, digest, recorded, names, erasures, schema FROM {s}.log")
    if len(rows) != 1 or not rows[0][0]:
        yield f"the table log must have one row with a key, and has {len(rows)}{' without one' if rows else ''}"
        return
    last = database.one("SELECT last, digest, recorded FROM {s}.batch ORDER BY last DESC LIMIT 1") or (0, "0" * 64, 0)
    if rows[0][1:4] != last:
        yield f"the head in the table log is at position {rows[0][1]}, but does not match the last batch, at {last[0]}"
    names, erased = database.one("SELECT count(*), count(*) FILTER (WHERE key IS NULL) FROM {s}.name")
    if rows[0][4:6] != (names, erased):
        counted = f"{rows[0][4]} names, {rows[0][5]} of them erased"
        yield f"the table log counts {counted}, but there are {names} and {erased}"
    sql = "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = %s"
    (comment,) = database.one(sql, (database.log,))
    if rows[0][6] != schema:
        yield f"the schema is version {rows[0][6]} in the table log, and its tables are those of version {schema}"
    if comment != f"{MARK}{rows[0][6]}":
        yield f"the schema is version {rows[0][6]} in the table log, but its comment reads: {comment}"


def _outside_chain(database: Database) -> Iterator[str]:
    """Yields faults in the tables outside the chain of digests."""
    sql = f"""SELECT subscriber, position FROM {{s}}.cursor
        WHERE position < 0 OR position > (SELECT coalesce(max(last), 0) FROM {{s}}.batch) LIMIT {_MANY}"""
    for subscriber, position in database.rows(sql):
        yield f"the cursor of {subscriber!r} is outside the log: position {position!r}"
    sql = f"""SELECT id FROM {{s}}.name WHERE key IS NULL AND id NOT IN (SELECT name FROM {{s}}.erasure)
        ORDER BY id LIMIT {_MANY}"""
    for (number,) in database.rows(sql):
        yield f"name {number} has no text, but no erasure is recorded"
    sql = f"""SELECT name FROM {{s}}.erasure WHERE name NOT IN (SELECT id FROM {{s}}.name WHERE key IS NULL)
        ORDER BY name LIMIT {_MANY}"""
    for (number,) in database.rows(sql):
        yield f"name {number} was erased, but is still there"
