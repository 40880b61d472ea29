"""Readers of the archives: each records the results of its files, and ratings from outside, in an engine."""

import csv
import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

from gallery.files import FIXTURES
from ratingcore import Engine, Event, RatingSeeded, SessionPlayed, Side
from ratingcore.errors import NotInstalled
from ratingcore.importer.tables import FieldMap

POOL = "gallery"
"""The only pool of each archive's log."""

Paths = Mapping[str, Path]
Reader = Callable[[Engine, Paths], object]
Row = dict[str, Any]


def table(name: str, mapping: str | Mapping[str, str]) -> Reader:
    """Returns a reader of a table; `mapping` names its columns, or a file in `mappings` or `fixtures/archives`."""

    def read(engine: Engine, paths: Paths) -> object:
        return engine.import_file(paths[name], pool=POOL, fields=_fields(mapping))

    return read


def _fields(mapping: str | Mapping[str, str]) -> Mapping[str, str] | FieldMap:
    if not isinstance(mapping, str):
        return mapping
    here = Path(__file__).parent / "mappings" / mapping
    return FieldMap.load(here if here.exists() else FIXTURES / "archives" / mapping)


def rows(path: Path) -> list[dict[str, str]]:
    """Reads the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def r_data(path: Path) -> list[Row]:
    """Reads the rows of the only data frame in a file of R (`.rda`).

    Raises
    ------
    NotInstalled
        Without the package rdata.
    """
    try:
        import rdata  # only two archives need it
    except ImportError:
        raise NotInstalled("rdata", "reading files of R", "dev") from None
    (frame,) = rdata.read_rda(str(path)).values()
    return [dict(row) for row in frame.to_dict("records")]


CONGRESS = date(2013, 7, 28)
"""The day of the first round. Round r is recorded r - 1 days later, since the file does not have the rest days."""


def go_congress(engine: Engine, paths: Paths) -> None:
    """Records the players' ratings before a congress, then its rounds, each on a day of its own."""
    known = {row["player"]: row["rating"] for row in rows(paths["players.csv"])}
    _seed(engine, {player: float(rating) for player, rating in known.items()}, CONGRESS)
    games = [
        {"a": row["white"], "b": row["black"], "score": row["score"], "event": "congress",
         "played": (CONGRESS + timedelta(days=int(row["round"]) - 1)).isoformat()}
        for row in rows(paths["games.csv"])
    ]  # fmt: skip
    engine.import_file(games, pool=POOL, name="games")


def _seed(engine: Engine, ratings: Mapping[str, float], day: date) -> None:
    seeds = [
        RatingSeeded(uid=f"seed-{n}", pool=POOL, played=day, player=player, values={"rating": rating})
        for n, (player, rating) in enumerate(ratings.items())
    ]
    engine.record(*seeds)


LAST_ISSUES = ("3212", "3226", "3228-adjusted", "11309")
"""The issues to read: of a session that was issued twice, only the corrected one."""


def bridge_sessions(engine: Engine, paths: Paths) -> None:
    """Records club sessions: pairs with their percentages, or with their IMPs in sessions scored by IMPs."""
    pairs = rows(paths["pairs.csv"])
    for session in rows(paths["sessions.csv"]):
        if session["issue"] in LAST_ISSUES:
            day, month, year = map(int, session["date"].split("/"))
            seated = [row for row in pairs if row["issue"] == session["issue"]]
            sides = [Side([row["player"], row["partner"]], float(row["percentage"] or row["total"])) for row in seated]
            played = date(year, month, day)
            engine.record(SessionPlayed(uid=session["issue"], pool=POOL, played=played, sides=sides))


def riichi_tables(engine: Engine, paths: Paths) -> None:
    """Records the tables of a club in 2019: four players with their points."""
    path = paths["riichi.rda"]
    table_rows: list[Any] = r_data(path) if path.suffix == ".rda" else rows(path)
    engine.record(*(_riichi_table(n, list(map(int, row.values()))) for n, row in enumerate(table_rows)))


def _riichi_table(n: int, cells: list[int]) -> Event:
    """Makes the session of a row: the day of the year, four players, and their points."""
    played = date(2018, 12, 31) + timedelta(days=cells[0])
    sides = [Side([f"p{player}"], float(points)) for player, points in zip(cells[1:5], cells[5:], strict=True)]
    return SessionPlayed(uid=f"table-{n}", pool=POOL, played=played, order=n, sides=sides)


CONTESTS = {"1305": (date(2020, 3, 3), 6), "1349": (date(2020, 5, 12), 1)}
"""Day of each contest, and its step: every sixth participant of the first is read, since all make 27 million pairs."""


def contests(engine: Engine, paths: Paths) -> None:
    """Records contests as sessions of single players, after the rating of each before their first contest."""
    files = {path.name.split("-")[1]: path for path in paths.values()}
    met: set[str] = set()
    for number, (day, every) in CONTESTS.items():
        content = files[number].read_bytes()
        places = json.loads(gzip.decompress(content) if files[number].suffix == ".gz" else content)[::every]
        new = {handle: float(rating) for handle, _, _, rating, _ in places if handle not in met}
        seeds = (
            RatingSeeded(uid=f"seed-{handle}", pool=POOL, played=day, player=handle, values={"rating": rating})
            for handle, rating in new.items()
        )
        engine.record(*seeds, SessionPlayed(uid=number, pool=POOL, played=day, order=1, sides=list(_places(places))))
        met |= new.keys()


def _places(standing: list[tuple[str, float, float, int, int]]) -> Iterator[Side]:
    """Yields sides scored by their rank from below: more points first, then the smaller penalty."""
    order = sorted({(points, -penalty) for _, points, penalty, _, _ in standing})
    rank = {key: float(n) for n, key in enumerate(order)}
    for handle, points, penalty, _, _ in standing:
        yield Side([handle], rank[points, -penalty])


def australian_football(engine: Engine, paths: Paths) -> None:
    """Records games with their points; the first team is at home."""
    games = [
        {"a": row["HomeTeam"], "b": row["AwayTeam"], "played": _r_day(row["Date"]), "home": "a",
         "points_a": int(row["HomeScore"]), "points_b": int(row["AwayScore"])}
        for row in r_data(paths["aflodds.rda"])
    ]  # fmt: skip
    engine.import_file(games, pool=POOL, name="aflodds")


def _r_day(cell: object) -> str:
    """Converts a date of R, which may come as a number of days since 1970."""
    if isinstance(cell, float | int):
        return (date(1970, 1, 1) + timedelta(days=int(cell))).isoformat()
    return str(cell)[:10]


def chess_server(engine: Engine, paths: Paths) -> None:
    """Records the rated games of a month on a server; White is the first player."""
    try:
        import zstandard  # only this archive needs it
    except ImportError:
        raise NotInstalled("zstandard", "reading .zst files", "tables") from None
    (path,) = paths.values()
    with path.open("rb") as packed, zstandard.ZstdDecompressor().stream_reader(packed) as opened:
        engine.import_file(BytesIO(opened.read()), pool=POOL, reader="pgn", name=path.stem)
