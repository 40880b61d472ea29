"""Checks a store against the contract of a log: the same history, digests and refusals as every other store."""

import glob
import json
from collections.abc import Callable
from pathlib import Path

from ratingcore.errors import Conflict, CursorMoved, HeadMoved, RatingCoreError, UnknownUid
from ratingcore.events import Event, GamePlayed, PlayersMerged, RatingSeeded, ResultAmended, ResultVoided
from ratingcore.log import Log, SqliteLog, export_lines, load_lines, verify
from ratingcore.log.abilities import clear
from ratingcore.log.lookup import as_read, row_of
from ratingcore.testing.law import LawBroken

SEASON: tuple[Event, ...] = (
    RatingSeeded(uid="s-1", pool="rapid", played="2024-01-01", player="ann", values={"rating": 1600.5}),
    GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="ann", b="Zoë", score=1.0, data={"points_a": 3}),
    GamePlayed(uid="g-2", pool="rapid", played="2024-03-03", a="Zoë", b="名前", score=0.5),
    GamePlayed(uid="g-3", pool="blitz", played="1969-12-31", a="bo", b="ann", score=0.0),
    ResultAmended(uid="a-1", of="g-2", changes={"score": 1.0}, why="typing error"),
    ResultVoided(uid="v-1", of="g-3", why="not played"),
    PlayersMerged(uid="m-1", keep="ann", other="bo", why="the same person"),
)
"""Events of several kinds, with corrections among them."""


def check_store(new: Callable[[], Log], opened: Callable[[str], Log] | None = None) -> None:
    """Checks a store against the contract, on new logs.

    A log with an address is also opened a second time, and each of the two must read what the other writes. If the
    address is the path of a file or a folder, with or without a scheme, no erased name may remain in it, nor in files
    beside it whose names begin with the same name.

    Parameters
    ----------
    new : callable
        Returns a new, empty log of the store at each call.
    opened : callable or None
        Opens a log again by its address; by default, the class of the log is called with the address.

    Raises
    ------
    LawBroken
        With the first broken promise.

    Examples
    --------
    >>> from ratingcore.log import SqliteLog
    >>> check_store(lambda: SqliteLog(":memory:"))
    """
    with new() as log, SqliteLog(":memory:") as other:
        _expect(log.head.position == 0 and not list(log.rows()), "a new log is empty")
        _expect(log.append(SEASON[:3], source="march.csv").accepted == 3, "an append counts what it accepted")
        _expect(log.append(SEASON[:3]).duplicates == 3, "an event that is there already is counted, not written")
        log.append(SEASON[3:])
        _expect(
            [row.position for row in log.rows()] == [*range(1, len(SEASON) + 1)], "positions go from 1 without gaps"
        )
        _expect(
            [row.uid for row in log.rows(2, 5)] == ["g-2", "g-3", "a-1"],
            "rows are read from after one position up to another",
        )
        pool = log.book.number("pool", "rapid")
        _expect(
            [row.uid for row in log.rows(0, None, ("game",), pool)] == ["g-1", "g-2"],
            "rows are chosen by kind and pool",
        )
        _expect(row_of(log, "a-1").ref == 3 and set(log.find(["g-1", "none"])) == {"g-1"}, "rows are found by uid")
        games = log.games(pool, 0, log.head.position)
        _expect(games.position.tolist() == [2, 3] and games.score.tolist() == [1.0, 0.5], "games are read as columns")
        _expect(dict(log.fields(pool, "points_a", 0, 9)) == {2: 3}, "fields of the data are read by position")
        _expect(log.digest_at(log.head.position) == log.head.digest, "the head is the digest of the whole history")
        _expect(as_read(log, "g-3") is None, "a voided game counts as never recorded")
        _refused(
            lambda: log.append([GamePlayed(uid="g-1", pool="rapid", played="2024-03-02", a="x", b="y", score=0.0)]),
            Conflict,
        )
        _refused(lambda: log.append([ResultVoided(uid="v-2", of="nothing")]), UnknownUid)
        _refused(
            lambda: log.append([GamePlayed(uid="n", pool="p", played="2024-01-01", a="x", b="y", score=1.0)], expect=1),
            HeadMoved,
        )
        before = log.head
        _failing(log, "u")
        _expect(
            log.head == before and log.book.find("player", "x") is None,
            "a failed transaction leaves nothing behind",
        )
        _check_nested(log)
        _check_cursors(log)
        if log.address is not None:
            _check_others(log, opened or type(log))
        before = log.head
        load_lines(other, export_lines(log))
        _expect(other.head == log.head and verify(log, [before]).head == other.head, "all stores give the same digests")
        with new() as again:
            load_lines(again, export_lines(other))
            _expect(again.head == log.head and list(again.rows()) == list(log.rows()), "an export loads as it was")
        number = log.book.number("player", "Zoë")
        with log.writing():
            log.erase([number], "secretary")
        clear(log)
        _expect(log.book.nameless("player") == [number], "an erased name is gone")
        _expect(verify(log, [before]).head == before, "an erasure changes no digest")
        if log.address is not None:
            _expect(not _is_in_files("Zoë", log.address.text), "no file contains an erased name")


def _game(uid: str, player: str = "x") -> GamePlayed:
    return GamePlayed(uid=uid, pool="new", played="2024-01-01", a=player, b="y", score=1.0)


def _failing(log: Log, uid: str) -> None:
    """Appends a game in a transaction that fails."""
    try:
        with log.writing():
            log.append([_game(uid)])
            raise _PowerCut
    except _PowerCut:
        pass


def _check_nested(log: Log) -> None:
    """Checks that an error inside a nested transaction undoes only the inner one."""
    before, promise = log.head.position, "an error in a nested transaction undoes the inner one only"
    with log.writing():
        log.append([_game("n-1", "cy")])
        _failing(log, "n-2")
        _expect(log.head.position == before + 1, promise)
        log.append([_game("n-3", "di")])
    _expect([row.uid for row in log.rows(before)] == ["n-1", "n-3"], promise)
    _expect(verify(log).head == log.head, promise)


def _check_cursors(log: Log) -> None:
    log.move_cursor("mailer", 0, 2)
    _expect(log.cursor("mailer") == 2 and log.cursor("printer") == 0, "each subscriber has a cursor")
    _refused(lambda: log.move_cursor("mailer", 0, 3), CursorMoved)
    _expect(log.cursor("mailer") == 2, "a cursor that has moved meanwhile is not moved")


def _check_others(log: Log, opened: Callable[[str], Log]) -> None:
    """Checks that two open logs at one address read what the other writes, and append after it."""
    assert log.address is not None
    with opened(log.address.text) as other:
        _expect(other.key == log.key and other.head == log.head, "a log is the same when it is opened again")
        _expect(other.cursor("mailer") == 2, "a cursor is kept")
        other.append([_game("o-1")])
        _expect(log.head == other.head and "o-1" in log.find(["o-1"]), "a log reads what others have written")
        log.append([_game("o-2")])
        other.move_cursor("mailer", 2, 3)
        _refused(lambda: log.move_cursor("mailer", 2, 4), CursorMoved)
        _expect(verify(other).head == log.head, "writers take turns")


def _is_in_files(name: str, address: str) -> bool:
    """True if a name occurs in the files at an address or beside it; False if there are no files."""
    place = Path(address.partition("://")[2] or address)
    if not place.exists():
        return False
    texts = [name.encode(), json.dumps(name)[1:-1].encode()]
    there = [place, *place.parent.glob(f"{glob.escape(place.name)}[-.]*")]
    files = [file for one in there for file in (one.rglob("*") if one.is_dir() else [one]) if file.is_file()]
    return any(text in file.read_bytes() for file in files for text in texts)


class _PowerCut(Exception):
    """Raised to end a transaction."""


def _expect(holds: bool, promise: str) -> None:
    if not holds:
        raise LawBroken("contract of a log", "the store", promise)


def _refused(work: Callable[[], object], kind: type[RatingCoreError]) -> None:
    try:
        work()
    except kind:
        return
    raise LawBroken("contract of a log", "the store", f"{kind.__name__} is raised where the contract requires it")
