"""From one timeline to another: as the log grows, and back to what was known earlier."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ratingcore.events import CORRECTIONS, Row
from ratingcore.tables.corrections import Corrections
from ratingcore.tables.ordering import counted, follows, in_play_order, merged, numbered
from ratingcore.tables.source import Source
from ratingcore.tables.timeline import GameTable, Players, SeedTable, SessionTable, Timeline

_SPEAKING = ("session", "seed", *CORRECTIONS)


def known_at(timeline: Timeline, log: Source, position: int) -> Timeline:
    """The timeline of the same pool as a reader of the first `position` events knows it.

    Only what reads otherwise is read again: new games in bulk, corrected ones one by one.
    """
    if position == timeline.known_at:
        return timeline
    low, high = sorted((timeline.known_at, position))
    spoken = {row.kind for row in log.rows(low, high, _SPEAKING) if row.pool in (timeline.pool, None)}
    corrections = timeline.corrections
    if spoken & set(CORRECTIONS):
        corrections = Corrections.of(log.rows(0, position, CORRECTIONS))
    reading = _read_games(timeline, log, position, corrections)
    if not spoken and reading.kept is None and follows(timeline.games, reading.fresh):
        grown = _grown(timeline, log, position, reading)
        if grown is not None:
            return grown
    return _rebuilt(timeline, log, position, corrections, reading, spoken)


class _Reading(NamedTuple):
    """Which known games stay (None: all), the others with players as ids, and those left out as played alone."""

    kept: NDArray[np.bool_] | None
    fresh: GameTable
    alone: frozenset[int]


def _read_games(timeline: Timeline, log: Source, position: int, corrections: Corrections) -> _Reading:
    known, was = timeline.games, timeline.corrections
    stale = was.touched(corrections)
    moved = was.moved(corrections)
    kept = known.position <= position
    if stale:
        kept &= ~np.isin(known.position, list(stale))
    if moved:
        roots = {side.root(player) for player in moved for side in (was, corrections)}
        whose = np.isin(timeline.players.id, list(roots))
        meets = whose[known.a] | whose[known.b]
        stale |= set(known.position[meets].tolist()) | timeline.alone
        kept &= ~meets
    fresh = _rooted(_in_bulk(timeline, log, position, stale), corrections)
    rows = (corrections.read(row) for row in log.rows_at(at for at in stale if at <= position) if row.kind == "game")
    again = GameTable.of(row for row in rows if row is not None and row.pool == timeline.pool)
    if len(again.a):
        fresh = fresh.then(_rooted(again, corrections))
    left_out = {at for at in timeline.alone - stale if at <= position}
    if corrections.roots or len(again.a):  # merges, and amendments of both sides, can make two players one
        alone = fresh.a == fresh.b
        left_out |= set(fresh.position[alone].tolist())
        fresh = fresh.take(~alone)
    return _Reading(None if kept.all() else kept, in_play_order(fresh), frozenset(left_out))


def _in_bulk(timeline: Timeline, log: Source, position: int, stale: Collection[int]) -> GameTable:
    """New games that no correction speaks about."""
    if position <= timeline.known_at:
        return GameTable.of(())
    news = log.games(timeline.pool, timeline.known_at, position)
    fresh = GameTable(news.position, news.played, news.order, news.a, news.b, news.score)
    return fresh.take(~np.isin(fresh.position, list(stale))) if stale else fresh


def _rebuilt(
    timeline: Timeline, log: Source, position: int, corrections: Corrections, reading: _Reading, spoken: set[str]
) -> Timeline:
    """The timeline with its games merged anew and its players numbered anew."""
    known = timeline.games if reading.kept is None else timeline.games.take(reading.kept)
    ids = timeline.players.id
    games = merged(known._replace(a=ids[known.a], b=ids[known.b]), reading.fresh)
    if spoken:
        sessions = SessionTable.of(_rows(timeline, log, position, corrections, "session"), corrections.root)
        seeds = SeedTable.of(_rows(timeline, log, position, corrections, "seed"), corrections.root)
    else:
        sessions = timeline.sessions._replace(player=ids[timeline.sessions.player])
        seeds = timeline.seeds._replace(player=ids[timeline.seeds.player])
    players = numbered(games, sessions, seeds)
    row = players.rows(int(players.id.max(initial=0)) + 1)
    return Timeline(
        timeline.pool, position, log.digest_at(position), corrections,
        games._replace(a=row[games.a], b=row[games.b]),
        sessions._replace(player=row[sessions.player]),
        seeds._replace(player=row[seeds.player]),
        players, reading.alone,
    )  # fmt: skip


def _rooted(games: GameTable, corrections: Corrections) -> GameTable:
    """The games with merged players counted as the ones they are."""
    if not corrections.roots or not len(games.a):
        return games
    root = np.arange(max(int(games.a.max()), int(games.b.max()), *corrections.roots) + 1, dtype=np.int32)
    root[list(corrections.roots)] = list(corrections.roots.values())
    return games._replace(a=root[games.a], b=root[games.b])


def _rows(timeline: Timeline, log: Source, position: int, corrections: Corrections, kind: str) -> Iterable[Row]:
    """Rows of a kind that count in the pool, as they read now."""
    for row in log.rows(0, position, (kind,)):
        now = corrections.read(row)
        if now is not None and now.pool == timeline.pool:
            yield now


def _grown(timeline: Timeline, log: Source, position: int, reading: _Reading) -> Timeline | None:
    """The timeline with later games after it; None if more than that changes."""
    players, fresh = timeline.players, reading.fresh
    games = timeline.games
    if len(fresh.a):
        limit = int(max(fresh.a.max(), fresh.b.max(), players.id.max(initial=0))) + 1
        row = players.rows(limit)
        waiting = players.id[players.debut > fresh.played[0]]  # known by a seed, or by a session yet to come
        if np.isin(waiting, fresh.a).any() or np.isin(waiting, fresh.b).any():
            return None
        strangers = fresh.take((row[fresh.a] < 0) | (row[fresh.b] < 0)) if len(players.id) else fresh
        if len(strangers.a):
            if not _numbers_last(timeline, int(fresh.played[0])):
                return None
            met = numbered(strangers, SessionTable.of((), int), SeedTable.of((), int))
            new = Players(*(column[row[met.id] < 0] for column in met))
            players = Players(*(np.concatenate(pair) for pair in zip(players, new, strict=True)))
            row = players.rows(limit)
        fresh = fresh._replace(a=row[fresh.a], b=row[fresh.b])
        games = games.then(fresh)
        n = len(players.id)
        known = np.concatenate([timeline.players.results, np.zeros(n - len(timeline.players.id), dtype=np.int64)])
        players = players._replace(results=known + counted(fresh.a, n) + counted(fresh.b, n))
    return evolve(
        timeline, known_at=position, digest=log.digest_at(position), games=games, players=players, alone=reading.alone
    )


def _numbers_last(timeline: Timeline, at: int) -> bool:
    """Whether players who first appear in a game from this time on are numbered after all who are known."""
    first = timeline.players.first
    if not len(first) or first[-1] < at:
        return True
    return bool(first[-1] == at) and not len(timeline.sessions.played)  # sessions of one time have an order too
