"""The difference between two knowledge cuts: which rows read differently, and the earliest played time affected."""

from collections.abc import Iterable
from typing import NamedTuple

from ratingcore.columns.history import Source
from ratingcore.columns.pieces import GameTable
from ratingcore.columns.timeline import Timeline
from ratingcore.events import CORRECTIONS, Instant, Row
from ratingcore.events.corrections import Corrections

SAME: Instant = 2**63 - 1
""""No difference": later than every possible cut, `FOREVER` included."""

_IN_ROWS = ("session", "seed", *CORRECTIONS)
"""Kinds that are read row by row; games come as columns, and descriptions of players change no column."""

_FEW = 100_000
"""Events up to which reading their rows beats looking through the columns of all games."""


class Difference(NamedTuple):
    """The way from a timeline to what a reader at another cut of its log knows.

    Attributes
    ----------
    corrections : Corrections
        As the other reader knows them.
    since : int
        Earliest played time affected: everything before it is the same for both. `SAME` without a difference.
    recorded : int
        As `since`, but counting only events that one reader does not know, not those corrected.
    stale : mapping of int to (Row or None, Row or None)
        Rows that the two readers read differently, by position: as the timeline reads them and as the other reader
        does; None where a row is not known or does not count in the pool.
    moved : set of int
        Players, by id, whom merges and their undoing count as someone else.
    games : GameTable
        Games only the other reader knows, as they were first recorded, in order of position.
    rows : list of Row
        Sessions and seeds only the other reader knows, as they were first recorded.
    """

    corrections: Corrections
    since: Instant
    recorded: Instant
    stale: dict[int, tuple[Row | None, Row | None]]
    moved: set[int]
    games: GameTable
    rows: list[Row]


def difference(timeline: Timeline, log: Source, position: int) -> Difference:
    """Returns the difference between a timeline and what a reader of the first `position` events knows."""
    low, high = sorted((timeline.known_at, position))
    between = [row for row in log.rows(low, high, _IN_ROWS) if row.pool in (timeline.pool, None)]
    corrections = timeline.corrections
    if any(row.kind in CORRECTIONS for row in between):
        corrections = log.corrections(position)
    stale = _readings(log, timeline.corrections.touched(corrections), timeline, corrections, position)
    moved = timeline.corrections.moved(corrections)
    times = [row.played for row in between if row.kind in ("session", "seed") and row.played is not None]
    games = GameTable.of(())
    if position > timeline.known_at:
        news = log.games(timeline.pool, low, high)
        games = GameTable(news.position, news.played, news.order, news.a, news.b, news.score)
        times += [int(games.played.min())] if len(games.played) else []
    else:  # what the other reader does not know yet stands in the timeline, as it reads there and as it was recorded
        times += [at for at in (_first_recorded(timeline, log, low, high),) if at is not None]
        times += timeline.sessions.played[timeline.sessions.position > position].tolist()
        times += timeline.seeds.played[timeline.seeds.position > position].tolist()
        times += _times({at: pair for at, pair in stale.items() if at > position})
    recorded = min(times, default=SAME)
    times += _times(stale)
    if moved:
        times += _of_moved(log, timeline, moved, corrections)
        # games of one player against themselves are in no table, but another merge may make them count
        times += _times(_readings(log, timeline.alone, timeline, corrections, position))
    fresh = [row for row in between if row.kind not in CORRECTIONS] if position > timeline.known_at else []
    return Difference(corrections, min(times, default=SAME), recorded, stale, moved, games, fresh)


def _first_recorded(timeline: Timeline, log: Source, low: int, high: int) -> Instant | None:
    """When the first of the games that only the timeline knows was played, or an instant before that."""
    if high - low > _FEW:
        return timeline.table.first_later_than(low)
    played = log.games(timeline.pool, low, high).played
    return int(played.min()) if len(played) else None


def _readings(
    log: Source, positions: Iterable[int], timeline: Timeline, corrections: Corrections, position: int
) -> dict[int, tuple[Row | None, Row | None]]:
    """Rows at some positions as both readers read them; None where one does not count them in the pool."""

    def read(row: Row, reader: Corrections, known_at: int) -> Row | None:
        now = reader.read(row) if row.position <= known_at else None
        return now if now is not None and now.pool == timeline.pool and now.kind != "player" else None

    both = ((timeline.corrections, timeline.known_at), (corrections, position))
    rows = log.rows_at(positions)
    return {row.position: (read(row, *both[0]), read(row, *both[1])) for row in rows}


def _times(readings: dict[int, tuple[Row | None, Row | None]]) -> list[Instant]:
    rows = (row for pair in readings.values() for row in pair)
    return [row.played for row in rows if row is not None and row.played is not None]


def _of_moved(log: Source, timeline: Timeline, moved: set[int], corrections: Corrections) -> list[Instant]:
    """When players who now count as someone else first appeared, and when their sessions were played.

    A session in which a merge made somebody sit twice is in no table, so its players may never have appeared.
    """
    was = timeline.corrections
    first = [timeline.first_of.get(side.root(player)) for player in moved for side in (was, corrections)]
    times = [at for at in first if at is not None]
    people = moved | {side.root(player) for player in moved for side in (was, corrections)}
    for row in log.rows(0, timeline.known_at, ("session",)):
        now = was.read(row)
        if now is None or now.pool != timeline.pool or now.played is None:
            continue
        if any(player in people for players, _ in now.facts["sides"] for player in players):
            times.append(now.played)
    return times
