"""Metadata for Datasette: titles, columns in words, facets, and hidden tables of a log."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

SETTINGS: Mapping[str, int] = {
    "facet_time_limit_ms": 5000,
    "sql_time_limit_ms": 10_000,
    "default_page_size": 50,
    "default_facet_size": 10,
}
"""Limits of Datasette that suit a log of a million games; its own are a fifth of a second and one second."""
_TIMES = {
    "position": "place of the event in the log, from 1 on",
    "recorded": "when the log was given the event, in UTC",
    "played": "when it was played, in UTC",
}
_RESULT = {"a": "first side", "b": "second side", "score": "points of the first side, from 0 to 1"}
_TABLES: Mapping[str, Mapping[str, Any]] = {
    "games": {
        "description": "Results of two sides as they were recorded. Corrections are events of their own.",
        "columns": _TIMES | _RESULT | {"data": "further fields, as JSON"},
        "facets": ["pool", "score", "a", "b"],
        "sort_desc": "position",
    },
    "events": {
        "description": "Everything that the log holds, in the order in which it was recorded.",
        "columns": _TIMES | _RESULT | {"of_uid": "uid of the event that is corrected"},
        "facets": ["kind", "pool"],
        "sort_desc": "position",
    },
    "corrections": {
        "description": "Voids, amendments and merges. The last one that speaks of an event counts.",
        "columns": _TIMES | {"keep": "the player who is kept", "other": "the player who was the same person"},
        "facets": ["kind"],
        "sort_desc": "position",
    },
    "batches": {
        "description": "Appends: what was recorded in one transaction, and the digest of the history up to its end.",
        "columns": {"first": "position of its first event", "last": "position of its last event"},
        "facets": ["source"],
        "sort_desc": "last",
    },
    "ratings_current": {
        "description": "Ratings, as they were brought up to date last.",
        "facets": ["pool", "method"],
        "sort_desc": "rating",
    },
    "rating_history": {
        "description": "Every line of every player's history, as it was brought up to date last.",
        "facets": ["pool", "method"],
    },
}
_BOARDS: Mapping[str, str] = {
    "title": "Boards",
    "description": "Pools that take their results from another pool, as they are declared now.",
    "sql": """
        SELECT pool AS board, json_extract(data, '$.of') AS pool, json_extract(data, '$.results') AS results,
               json_extract(data, '$.method') AS method
        FROM events
        WHERE position IN (SELECT max(position) FROM events WHERE kind = 'pool' GROUP BY pool)
          AND json_extract(data, '$.of') IS NOT NULL
        ORDER BY 2, 1
    """,
}
_SHOWN = {*_TABLES, "rating_tables"}


def metadata(files: Iterable[Path]) -> dict[str, Any]:
    """The metadata of Datasette for logs, and for files of tables that `ratingcore catch-up` writes [1]_.

    Tables behind the views are hidden, and nobody may read them: one of them has the
    salts that keep erased names from being guessed.

    References
    ----------
    .. [1] Datasette documentation, "Metadata", sections "Column descriptions", "Setting a default sort order" and
       "Hiding tables"; "Facets", section "Facets in metadata"; "Authentication and permissions".
    """
    return {"title": "ratingcore", "databases": {file.stem: _database(file) for file in files}}


def _database(file: Path) -> dict[str, Any]:
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
        names = [name for (name,) in connection.execute(query)]
    tables = {name: dict(_TABLES[name]) for name in names if name in _TABLES}
    closed = {name: {"hidden": True, "allow": False} for name in names if name not in _SHOWN}
    queries = {"boards": dict(_BOARDS)} if "events" in names else {}
    return {"tables": tables | closed, "queries": queries, "allow_sql": not closed}
