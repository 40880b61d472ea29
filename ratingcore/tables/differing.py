"""What two readers of a log read otherwise, and since when in played time: before that, all they know is the same."""

from collections.abc import Iterable
from typing import NamedTuple

from ratingcore.events import CORRECTIONS, Instant, Row
from ratingcore.tables.corrections import Corrections
from ratingcore.tables.source import Source
from ratingcore.tables.timeline import GameTable, Timeline

SAME: Instant = 2**62
"""Since when two readers differ who know the same."""

_SPOKEN = ("session", "seed", *CORRECTIONS)
_FEW = 100_000
"""Events up to which reading their rows beats looking through the columns of all games."""


class Difference(NamedTuple):
    """From a timeline to what another reader of its log knows.

    Attributes
    ----------
    corrections : Corrections
        As the other reader knows them.
    since : int
        Everything played before is the same for both; `SAME` if everything is.
    stale : set of int
        Positions that read otherwise under the other's corrections, or are those of moved players.
    moved : set of int
        Players, by id, who count as someone else.
    games : GameTable
        Games only the other reader knows, as they were first recorded, in order of position.
    rows : list of Row
        Sessions and seeds only the other reader knows, as they were first recorded.
    """

    corrections: Corrections
    since: Instant
    stale: set[int]
    moved: set[int]
    games: GameTable
    rows: list[Row]


def difference(timeline: Timeline, log: Source, position: int) -> Difference:
    """What a reader of the first `position` events reads otherwise than a timeline."""
    low, high = sorted((timeline.known_at, position))
    spoken = [row for row in log.rows(low, high, _SPOKEN) if row.pool in (timeline.pool, None)]
    corrections = timeline.corrections
    if any(row.kind in CORRECTIONS for row in spoken):
        corrections = Corrections.of(log.rows(0, position, CORRECTIONS))
    stale = timeline.corrections.touched(corrections)
    moved = timeline.corrections.moved(corrections)
    times = [row.played for row in spoken if row.kind in ("session", "seed") and row.played is not None]
    games = GameTable.of(())
    if position > timeline.known_at:
        news = log.games(timeline.pool, low, high)
        games = GameTable(news.position, news.played, news.order, news.a, news.b, news.score)
        times += [int(games.played.min())] if len(games.played) else []
    else:
        times += [at for at in (_first_recorded(timeline, log, low, high),) if at is not None]
        times += timeline.sessions.played[timeline.sessions.position > position].tolist()
        times += timeline.seeds.played[timeline.seeds.position > position].tolist()
    times += _readings(log, stale, timeline, corrections, position)
    if moved:
        times += _of_moved(log, timeline, moved, corrections)
        times += _readings(log, timeline.alone, timeline, corrections, position)
    fresh = [row for row in spoken if row.kind not in CORRECTIONS] if position > timeline.known_at else []
    return Difference(corrections, min(times, default=SAME), stale, moved, games, fresh)


def _first_recorded(timeline: Timeline, log: Source, low: int, high: int) -> Instant | None:
    """When the first of the games was played that only the timeline knows; never too late."""
    if high - low > _FEW:
        return timeline.table.first_later_than(low)
    played = log.games(timeline.pool, low, high).played
    return int(played.min()) if len(played) else None


def _readings(
    log: Source, positions: Iterable[int], timeline: Timeline, corrections: Corrections, position: int
) -> list[Instant]:
    """When results and seeds of the pool were played, as the one reader has it and as the other."""
    times = []
    for row in log.rows_at(positions):
        for reader, known_at in ((timeline.corrections, timeline.known_at), (corrections, position)):
            now = reader.read(row) if row.position <= known_at else None
            if now is not None and now.pool == timeline.pool and now.played is not None:
                times.append(now.played)
    return times


def _of_moved(log: Source, timeline: Timeline, moved: set[int], corrections: Corrections) -> list[Instant]:
    """When players who now count as someone else first appeared; of sessions, all in which they sit."""
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
