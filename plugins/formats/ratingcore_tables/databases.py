"""Reads SQLite databases of other programs: a read-only query returns the rows of a table."""

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ratingcore.plugin.readers import BadFile, Sample, Sheet, SheetKind, Source, Wanted, check_file, sqlite3

NEXT, TOTAL = 60.0, 600.0
"""Maximum time of a query in seconds: until its next row, and in all."""
COLUMNS, MOST = 200, 2**26
"""Maximum number of columns, and of bytes in all rows beyond `_USUAL` each: a query could use any amount of memory."""
LONGEST = MOST // COLUMNS
"""Maximum size of a cell, and of a row, in bytes."""
_USUAL = 2**12
"""Bytes of every row that do not count towards `MOST`."""
_LOG = 0x52434C47
"""Application id in the header of a log of ratingcore."""
_STEPS = 100_000
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def open_database(source: Source, wanted: Wanted) -> Sheet:
    """Opens the rows of a query as a table.

    Raises
    ------
    BadFile
        If there is no query, the query does more than read, the database cannot be read, or the database is a log.
    """
    name, query, where = source.name, wanted.selection, source.path
    if not query.strip():
        raise BadFile(name, "it is a database", "give a query that reads rows of it: SELECT ...", "query")
    if where is None:
        raise BadFile(name, "a database must be a file of its own on disk", "unpack it, or write it to a file")
    check_file(where)
    place = Path(where).absolute()
    with _executed(name, place, query, _Limits(name)) as cursor:
        if cursor.description is None:
            raise BadFile(name, f"the query gives no rows: {query[:80]}")
        columns = tuple(str(column[0]) for column in cursor.description)

    def rows() -> Generator[tuple[int, Any], None, None]:
        limits = _Limits(name)
        with _executed(name, place, query, limits) as cursor:
            for number, row in enumerate(cursor, 1):
                limits.end(row)
                yield number, row
                limits.begin()

    return Sheet.of_values(name, columns, lambda: source.closing(rows()))


class _Limits:
    """Limits on the time of a query and on the size of its rows."""

    def __init__(self, name: str) -> None:
        self._name, self._spent, self._held = name, 0.0, 0
        self.begin()

    def begin(self) -> None:
        """Starts the clock for the next row."""
        self._began = time.monotonic()

    def end(self, row: Sequence[Any]) -> None:
        """Stops the clock at a row; refuses the query if its rows so far are too large."""
        self._spent += time.monotonic() - self._began
        size = sum(len(cell) for cell in row if isinstance(cell, str | bytes))
        self._held = max(0, self._held + size - _USUAL)
        if self._held > MOST:
            why = f"the query gives rows of more than {MOST // 2**20} MB together"
            raise BadFile(self._name, why, "ask for the columns of games only")

    def over(self) -> bool:
        """True if the query has taken too long."""
        waited = time.monotonic() - self._began
        return waited > NEXT or self._spent + waited > TOTAL

    def sentence(self) -> str:
        """Returns the reason why the query was ended."""
        if self._spent + time.monotonic() - self._began > TOTAL:
            return f"the query took more than {TOTAL:g} seconds"
        return f"the query took more than {NEXT:g} seconds to its next row"


@contextmanager
def _executed(name: str, place: Path, query: str, limits: _Limits) -> Iterator[Any]:
    """Opens a cursor over the rows of a query, and closes the database at the end."""
    try:
        db = sqlite3.connect(f"file:{quote(str(place))}?mode=ro{_unused(place)}", uri=True)
        try:
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
            db.setlimit(sqlite3.SQLITE_LIMIT_COLUMN, COLUMNS)
            if db.execute("PRAGMA application_id").fetchone()[0] == _LOG:
                raise BadFile(name, "it is a log of ratingcore", "export its results and import those")
            db.set_authorizer(_may)
            db.set_progress_handler(limits.over, _STEPS)
            with closing(db.execute(query)) as cursor:  # an open cursor would keep the database open
                yield cursor
        finally:
            db.close()
    except sqlite3.Error as error:
        reason = str(error)
        if "interrupted" in reason:
            advice = "ask for fewer rows, or make a table of them first: CREATE TABLE name AS SELECT ..."
            raise BadFile(name, limits.sentence(), advice) from None
        if "too big" in reason:
            why = f"the query gives a cell, or reads a row, of more than {LONGEST // 2**10} kB"
            raise BadFile(name, why, "ask for the columns of games only") from None
        if "prohibited" in reason or "authoriz" in reason:
            raise BadFile(name, f"the query may only read: {query[:80]}") from None
        raise BadFile(name, f"the database refused the query: {reason}") from None
    except sqlite3.Warning as error:  # the query has several statements
        raise BadFile(name, f"the database refused the query: {error}") from None


def _unused(place: Path) -> str:
    """Returns the URI option that reads a database in WAL mode without creating files; empty if a WAL file exists."""
    with place.open("rb") as file:
        in_wal_mode = file.read(20)[18:] == b"\2\2"
    return "&immutable=1" if in_wal_mode and not place.with_name(f"{place.name}-wal").exists() else ""


def _may(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """Authorizer callback for SQLite: allows reading, but no function that loads code or opens files."""
    loads = action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in {"load_extension", "readfile", "edit"}
    return int(sqlite3.SQLITE_OK if action in _READING and not loads else sqlite3.SQLITE_DENY)


def sniff(sample: Sample) -> int:
    """Recognises SQLite files, with less confidence than the readers of programs that store their data in SQLite."""
    return 40 if sample.head.startswith(b"SQLite format 3\0") else 0


SQL = SheetKind(
    "sql", "the rows that a query reads from a SQLite database", "SQLite database", sniff, open_database, asks="query",
    suffixes=(".sqlite", ".sqlite3", ".db"),
)  # fmt: skip
