"""Tables that plugins keep in the schema of a log in PostgreSQL."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

from ratingcore.plugin.stores import Tables
from ratingcore_postgres.database import Database, in_schema
from ratingcore_postgres.erasure import rewrite, tables_of_others

_TYPES: Mapping[type, str] = {str: 'text COLLATE "C"', int: "bigint", float: "double precision"}
PAGE = 20_000
"""Number of rows written at a time."""


class PostgresTables(Tables):
    """The tables of plugins in the schema of a log.

    Parameters
    ----------
    database : Database
    writing : callable
        Returns a context that writes everything or nothing.
    """

    position = "strpos"

    def __init__(self, database: Database, writing: Callable[[], AbstractContextManager[None]]) -> None:
        super().__init__(database.address, writing)
        self._database = database

    def all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._database.connection():  # the statement may write
            return self._database.spelt(sql, values)

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        return self._database.run(in_schema(sql), values)

    def add(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        text = self._database.text(f"COPY {{s}}.{table} FROM STDIN", bare=True)
        coming = iter(rows)
        # a page is computed before its COPY begins: computing rows queries the log, which a copying connection cannot
        while page := list(islice(coming, PAGE)):
            with self._database.connection() as db, db.cursor() as cursor, cursor.copy(text) as copy:
                for row in page:
                    copy.write_row([None if value != value else value for value in row])  # NULL, as in SQLite

    def clear(self) -> None:
        with self._database.connection() as db:
            for table in tables_of_others(self._database):
                rewrite(self._database, db, table)

    def columns(self, table: str) -> list[str]:
        text = """SELECT column_name::text FROM information_schema.columns
            WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"""
        return [name for (name,) in self._database.rows(text, (self._database.log, table))]

    def create(
        self, table: str, columns: Mapping[str, type], key: Sequence[str], indexes: Iterable[Sequence[str]] = ()
    ) -> None:
        spelt = [
            f"{_quoted(name)} {_TYPES[kind]}{' NOT NULL' if name in key else ''}" for name, kind in columns.items()
        ]
        keys = ", ".join(map(_quoted, key))
        self._database.run(f"CREATE TABLE {{s}}.{table} ({', '.join(spelt)}, PRIMARY KEY ({keys}))")
        for index in indexes:
            self._database.run(f"CREATE INDEX ON {{s}}.{table} ({', '.join(map(_quoted, index))})")
        # no statistics: the planner's samples of columns would contain names that may have to be erased
        for name, kind in columns.items():
            if kind is str and name not in key:
                self._database.run(f"ALTER TABLE {{s}}.{table} ALTER {_quoted(name)} SET STATISTICS 0")


def _quoted(column: str) -> str:
    return f'"{column}"'
