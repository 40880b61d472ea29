"""The PostgreSQL schema of a log: tables, triggers that keep it append-only, and readable views."""

import hashlib

SCHEMA = 1
"""Version of the tables; it rises when an older ratingcore could not read them."""

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

_STATEMENTS = (
    "CREATE UNIQUE INDEX name_key ON {s}.name (kind, md5(key)) WHERE key IS NOT NULL",
    "CREATE INDEX name_batch ON {s}.name (batch)",
    "CREATE INDEX event_kind ON {s}.event (kind, position) WHERE kind <> 'game'",
    # no statistics: the planner's samples of columns would contain names that may have to be erased
    "ALTER TABLE {s}.name ALTER key SET STATISTICS 0, ALTER salt SET STATISTICS 0",
    "ALTER INDEX {s}.name_key ALTER 2 SET STATISTICS 0",
)

INDEXES = {
    **{f"{table}_pkey": True for table in TABLES},
    "event_uid": True,
    "name_key": True,
    "name_batch": False,
    "event_kind": False,
}
"""Indexes by name, and whether their values are unique."""

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

TRIGGERS = {
    **{
        f"{table}_append_only": f"CREATE TRIGGER {table}_append_only BEFORE {_CHANGES} ON {{s}}.{table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION {s}.append_only()"
        for table in ("batch", "event")
    },
    **{
        f"{table}_not_lent": f"CREATE TRIGGER {table}_not_lent BEFORE {_CHANGES} ON {{s}}.{table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION {s}.not_lent()"
        for table in ("log", "name", "cursor", "erasure")
    },
    # checked at COMMIT: a consumer who commits a lent transaction would separate its rows from the cursor
    "cursor_moves_at_the_end": "CREATE CONSTRAINT TRIGGER cursor_moves_at_the_end AFTER INSERT OR UPDATE ON {s}.cursor "
    "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {s}.not_lent()",
}


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

MAKE = ";\n".join(
    (
        *(f"CREATE TABLE {{s}}.{table} ({columns})" for table, columns in TABLES.items()),
        *_STATEMENTS,
        *FUNCTIONS.values(),
        *TRIGGERS.values(),
        *(f"CREATE VIEW {{s}}.{view} AS {query}" for view, query in VIEWS.items()),
        f"COMMENT ON SCHEMA {{s}} IS '{MARK}{SCHEMA}'",
    )
)
"""Makes everything in an existing schema."""


def quoted(name: str) -> str:
    """Returns the quoted name of a schema for SQL."""
    return '"' + name.replace('"', '""') + '"'


def lock_key(name: str) -> int:
    """Returns the number of the advisory lock that an appending transaction holds on a log until its end."""
    return int.from_bytes(hashlib.sha256(f"append to {name}".encode()).digest()[:8], "big", signed=True)


def channel(name: str) -> str:
    """Returns the channel that announces appends to a log; a schema's name may be too long for a channel."""
    return f"ratingcore_{hashlib.sha256(name.encode()).hexdigest()[:32]}"
