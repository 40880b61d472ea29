"""The PostgreSQL schema of a log: tables, triggers that keep it append-only, and readable views."""

import hashlib
from collections.abc import Iterator

SCHEMA, OF_ROWS = 2, 1
"""Versions of the tables in a log with sealed segments, and in a log of rows only, which older versions can read."""

MARK = "a log of ratingcore, schema "
"""Prefix of the comment on the schema of a log; the version follows."""

OLDEST = 13
"""Oldest version of PostgreSQL with all required features."""

LONGEST_UID = 2_000
"""Length in bytes of the longest uid: an index of PostgreSQL holds 2,704. New uids are shorter than that; older logs
may have longer ones."""

TABLES = {
    "log": """
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        key text NOT NULL,
        schema integer NOT NULL,
        position bigint NOT NULL,
        digest text NOT NULL,
        recorded bigint NOT NULL,
        names integer NOT NULL,
        erasures integer NOT NULL""",
    "batch": """
        first bigint NOT NULL,
        last bigint PRIMARY KEY,
        recorded bigint NOT NULL,
        source integer,
        digest text NOT NULL""",
    "event": """
        position bigint PRIMARY KEY,
        uid text COLLATE "C" NOT NULL CONSTRAINT event_uid UNIQUE,
        kind text COLLATE "C" NOT NULL,
        pool integer,
        played bigint,
        "order" integer NOT NULL,
        a integer,
        b integer,
        score double precision,
        ref bigint,
        data text COLLATE "C\"""",
    "name": """
        id integer PRIMARY KEY,
        kind text COLLATE "C" NOT NULL,
        key text COLLATE "C",
        salt text COLLATE "C",
        digest text NOT NULL,
        batch bigint NOT NULL""",
    "cursor": """
        subscriber text COLLATE "C" PRIMARY KEY,
        position bigint NOT NULL""",
    "erasure": """
        name integer PRIMARY KEY,
        erased text NOT NULL,
        "by" text NOT NULL,
        cleared text""",
}
"""Columns of the tables. `data` is text, since jsonb would rewrite the bytes that the digest covers."""

SEGMENT_TABLES = {
    "segment": """
        number integer PRIMARY KEY,
        first bigint NOT NULL UNIQUE,
        last bigint NOT NULL UNIQUE,
        pool integer NOT NULL,
        letters text COLLATE "C" NOT NULL,
        played bytea NOT NULL,
        a bytea NOT NULL,
        b bytea NOT NULL,
        score bytea NOT NULL,
        uid bytea NOT NULL""",
    "uid_run": """
        run integer NOT NULL,
        low bigint NOT NULL,
        keys bytea NOT NULL,
        PRIMARY KEY (run, low)""",
}
"""Columns of the tables that are made with the first sealed segment, as in a file."""

_STATEMENTS = (
    "CREATE UNIQUE INDEX name_key ON {s}.name (kind, md5(key)) WHERE key IS NOT NULL",
    "CREATE INDEX name_batch ON {s}.name (batch)",
    "CREATE INDEX event_kind ON {s}.event (kind, position) WHERE kind <> 'game'",
    # no statistics: the planner's samples of columns would contain names that may have to be erased
    "ALTER TABLE {s}.name ALTER key SET STATISTICS 0, ALTER salt SET STATISTICS 0",
    "ALTER INDEX {s}.name_key ALTER 2 SET STATISTICS 0",
)

_NOT_COMPRESSED = """ALTER TABLE {s}.segment ALTER played SET STORAGE EXTERNAL, ALTER a SET STORAGE EXTERNAL,
        ALTER b SET STORAGE EXTERNAL, ALTER score SET STORAGE EXTERNAL, ALTER uid SET STORAGE EXTERNAL;
    ALTER TABLE {s}.uid_run ALTER keys SET STORAGE EXTERNAL"""

INDEXES = {
    **{f"{table}_pkey": True for table in TABLES},
    "event_uid": True,
    "name_key": True,
    "name_batch": False,
    "event_kind": False,
}
"""Indexes by name, and whether their values are unique."""

SEGMENT_INDEXES = dict.fromkeys(("segment_pkey", "segment_first_key", "segment_last_key", "uid_run_pkey"), True)

REFUSED = "RC001"
"""SQLSTATE of refusals by the triggers."""

FUNCTIONS = {
    "append_only": f"""CREATE FUNCTION {{s}}.append_only() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
        IF TG_OP = 'INSERT' AND current_setting('ratingcore.appending', true) = 'on' THEN RETURN NULL; END IF;
        RAISE EXCEPTION 'the log is append-only' USING ERRCODE = '{REFUSED}';
    END$$""",
    "not_lent": f"""CREATE FUNCTION {{s}}.not_lent() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
        IF current_setting('ratingcore.lending', true) = 'on' THEN
            RAISE EXCEPTION 'this transaction is lent to a consumer' USING ERRCODE = '{REFUSED}';
        END IF;
        RETURN NULL;
    END$$""",
}

_CHANGES = "INSERT OR UPDATE OR DELETE OR TRUNCATE"


def _guards(function: str, *tables: str) -> dict[str, str]:
    """Returns triggers that call a function before any change of the tables, by name."""
    return {
        f"{table}_{function}": f"CREATE TRIGGER {table}_{function} BEFORE {_CHANGES} ON {{s}}.{table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {{s}}.{function}()"
        for table in tables
    }


TRIGGERS = {
    **_guards("append_only", "batch", "event"),
    **_guards("not_lent", "log", "name", "cursor", "erasure"),
    # checked at COMMIT: a consumer who commits a lent transaction would separate its rows from the cursor
    "cursor_moves_at_the_end": "CREATE CONSTRAINT TRIGGER cursor_moves_at_the_end AFTER INSERT OR UPDATE ON {s}.cursor "
    "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {s}.not_lent()",
}

SEGMENT_TRIGGERS = {**_guards("append_only", "segment"), **_guards("not_lent", "uid_run")}


def _time(column: str) -> str:
    """Returns SQL that shows microseconds since 1970 as ISO text, rounded down, before 1970 too."""
    moment = f"timestamp 'epoch' + floor({column} / 1000000.0)::float8 * interval '1 second'"
    return f"""to_char({moment}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')"""


VIEWS = {
    "events": f"""
        SELECT e.position, {_time("b.recorded")} AS recorded, e.kind, p.key AS pool,
            {_time("e.played")} AS played, e.uid, a.key AS a, o.key AS b, e.score,
            t.uid AS of_uid, e.data
        FROM {{s}}.event e
        JOIN LATERAL (SELECT recorded FROM {{s}}.batch WHERE last >= e.position ORDER BY last LIMIT 1) b ON true
        LEFT JOIN {{s}}.name p ON p.id = e.pool
        LEFT JOIN {{s}}.name a ON a.id = e.a
        LEFT JOIN {{s}}.name o ON o.id = e.b
        LEFT JOIN {{s}}.event t ON t.position = e.ref""",
    "games": """
        SELECT position, pool, played, a, b, score, uid, data FROM {s}.events WHERE kind = 'game'""",
    "corrections": """
        SELECT position, recorded, kind, of_uid, a AS keep, b AS other, uid, data
        FROM {s}.events WHERE kind IN ('void', 'amend', 'merge', 'unmerge')""",
    "batches": f"""
        SELECT b.first, b.last, {_time("b.recorded")} AS recorded, n.key AS source, b.digest
        FROM {{s}}.batch b LEFT JOIN {{s}}.name n ON n.id = b.source""",
}


def _made(tables: dict[str, str]) -> Iterator[str]:
    return (f"CREATE TABLE {{s}}.{table} ({columns})" for table, columns in tables.items())


MAKE = ";\n".join(
    (
        *_made(TABLES),
        *_STATEMENTS,
        *FUNCTIONS.values(),
        *TRIGGERS.values(),
        *(f"CREATE VIEW {{s}}.{view} AS {query}" for view, query in VIEWS.items()),
        f"COMMENT ON SCHEMA {{s}} IS '{MARK}{OF_ROWS}'",
    )
)
"""Makes everything in an existing schema, for a log of rows."""

MAKE_SEGMENTS = ";\n".join(
    (
        *_made(SEGMENT_TABLES),
        _NOT_COMPRESSED,
        *SEGMENT_TRIGGERS.values(),
        f"COMMENT ON SCHEMA {{s}} IS '{MARK}{SCHEMA}'",
        f"UPDATE {{s}}.log SET schema = {SCHEMA}",
    )
)
"""Makes the tables of segments in the schema of a log of rows."""


def quoted(name: str) -> str:
    """Returns the quoted name of a schema for SQL."""
    return '"' + name.replace('"', '""') + '"'


def lock_key(name: str) -> int:
    """Returns the number of the advisory lock that an appending transaction holds on a log until its end."""
    return int.from_bytes(hashlib.sha256(f"append to {name}".encode()).digest()[:8], "big", signed=True)


def channel(name: str) -> str:
    """Returns the channel that announces appends to a log; a schema's name may be too long for a channel."""
    return f"ratingcore_{hashlib.sha256(name.encode()).hexdigest()[:32]}"
