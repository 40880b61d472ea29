"""Indexes uids, and names, after a great many are written: sorted at once, where each would change another page.

SQLite can neither drop nor defer the index of a UNIQUE column, as that of uids is. So for the time of one transaction
the schema writes it down as an index of its own, which can be dropped and made again; afterwards it is what it was, to
the letter.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ratingcore.log.append import BatchRefused, UidTwice
from ratingcore.log.connection import Connection, sqlite3

_INLINE = "uid TEXT NOT NULL UNIQUE"
_PLAIN = "uid TEXT NOT NULL"
_OF_TABLE, _APART = "sqlite_autoindex_event_1", "event_uid_later"
_MADE = f"CREATE UNIQUE INDEX {_APART} ON event (uid)"


@contextmanager
def uids_indexed_after(db: Connection) -> Iterator[bool]:
    """Writes events without the index of their uids, and makes it at the end of the block.

    Call it in a transaction; if that fails, call `forget_schema` once it is undone. Nobody else ever sees the events
    without the index. Gives whether it is away: not where SQLite protects its schema.

    Raises
    ------
    UidTwice
        If two events have one uid.
    """
    db.execute("SAVEPOINT late_index")
    away = _set_apart(db)
    if not away:
        db.execute("ROLLBACK TO late_index")
        forget_schema(db)
    db.execute("RELEASE late_index")
    yield away
    if not away:
        return
    try:
        db.execute(_MADE)
    except sqlite3.IntegrityError as error:
        (uid,) = db.execute("SELECT uid FROM event GROUP BY uid HAVING count(*) > 1 LIMIT 1").fetchone()
        raise UidTwice(uid) from error
    _rename(db, _APART, _OF_TABLE, None, (_PLAIN, _INLINE))


def _set_apart(db: Connection) -> bool:
    """Takes the index away; returns whether it is."""
    with suppress(sqlite3.DatabaseError):
        _rename(db, _OF_TABLE, _APART, _MADE, (_INLINE, _PLAIN))
        db.execute(f"DROP INDEX {_APART}")
        return True
    return False


def _rename(db: Connection, name: str, new: str, sql: str | None, text: tuple[str, str]) -> None:
    """Writes the index down by another name and text, and the column in the text of the table."""
    db.execute("PRAGMA writable_schema = ON")
    try:
        db.execute("UPDATE sqlite_master SET name = ?, sql = ? WHERE type = 'index' AND name = ?", (new, sql, name))
        db.execute("UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'event'", text)
    finally:
        forget_schema(db)


@contextmanager
def names_indexed_after(db: Connection) -> Iterator[None]:
    """Writes names without the index of their keys, and makes it at the end of the block; in a transaction.

    Raises
    ------
    BatchRefused
        If two names of a kind are the same.
    """
    ((sql,),) = db.execute("SELECT sql FROM sqlite_master WHERE type = 'index' AND name = 'name_key'")
    db.execute("DROP INDEX name_key")
    yield
    try:
        db.execute(sql)
    except sqlite3.IntegrityError as error:
        raise BatchRefused(str(error)) from error


def forget_schema(db: Connection) -> None:
    """Lets a connection read the schema of its file anew."""
    db.execute("PRAGMA writable_schema = RESET")
