"""Builds a timeline from another one: forward as the log grows, and back to what was known earlier."""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ratingcore.columns.arrays import Ints, tally
from ratingcore.columns.difference import SAME, Difference, difference
from ratingcore.columns.history import Source
from ratingcore.columns.pieces import GameTable, in_play_order, merged
from ratingcore.columns.timeline import NEVER, Players, SeedTable, SessionTable, Timeline
from ratingcore.events import Instant, Row
from ratingcore.events.corrections import Corrections

Table = TypeVar("Table", SessionTable, SeedTable)


def known_at(timeline: Timeline, log: Source, position: int) -> Timeline:
    """Returns the timeline of the same pool as a reader of the first `position` events knows it.

    What was played before the first difference keeps its columns. Behind it, only rows that read differently are
    read again: new games in bulk, corrected ones one by one.
    """
    if position == timeline.known_at:
        return timeline
    return changed(timeline, log, position, difference(timeline, log, position))


def changed(timeline: Timeline, log: Source, position: int, news: Difference) -> Timeline:
    """Returns the timeline at another position of the log, from the difference."""
    digest, corrections = log.digest_at(position), news.corrections
    timeline, news = _put_in(timeline, position, news)
    if news.since == SAME:
        return evolve(timeline, known_at=position, digest=digest, corrections=corrections)
    if position < timeline.known_at:
        timeline.keep_counts()
    tail = _Tail.of(timeline, news.since, position)
    reading = _Reading(timeline, log, position, news, tail)
    games, alone = reading.games()
    sessions, seeds = reading.sessions(), reading.seeds()
    players = _players(timeline.players, tail, games, sessions, seeds)
    row = players.rows(int(players.id.max(initial=0)) + 1)
    return Timeline(
        timeline.pool, position, digest, corrections,
        timeline.table.replaced(tail.start, games._replace(a=row[games.a], b=row[games.b])),
        _behind(timeline.sessions, tail.first_session, sessions._replace(player=row[sessions.player])),
        _behind(timeline.seeds, tail.first_seed, seeds._replace(player=row[seeds.player])),
        players, alone, _results(timeline, tail, games, sessions, players),
    )  # fmt: skip


def _put_in(timeline: Timeline, position: int, news: Difference) -> tuple[Timeline, Difference]:
    """Puts a few games in and takes a few out, and returns the timeline with what is left of the difference.

    This makes one correction, or one late game, cheap however early it was played. All else rebuilds the tail, from
    the first difference on.
    """
    readings = [row for pair in news.stale.values() for row in pair if row is not None]
    if news.moved or any(row.kind != "game" for row in readings):
        return timeline, news
    edited, fresh = timeline, news.games
    if news.stale:
        # rows after `position` are not edited: they leave with everything else that the reader does not know yet
        pairs = [pair for at, pair in news.stale.items() if at <= position]
        was = GameTable.of(row for row, _ in pairs if row is not None)
        now = GameTable.of(row for _, row in pairs if row is not None)
        found = _edited(timeline, _rooted(was, timeline.corrections), _rooted(now, news.corrections))
        if found is None:
            return timeline, news
        # a new game that was corrected at once has been put in as it reads now
        edited, fresh = found, fresh.take(~np.isin(fresh.position, list(news.stale)))
    # corrections are done; what remains are events that one of the readers does not know
    news = news._replace(stale={}, since=news.recorded, games=fresh)
    if len(fresh.a) and not news.rows:
        more = _edited(edited, GameTable.of(()), _rooted(fresh, news.corrections))
        if more is not None:
            return more, news._replace(since=SAME)
    return edited, news


def without_games(timeline: Timeline, gone: GameTable) -> Timeline | None:
    """The timeline without some of its games, players as rows; None if that takes more than a few edits."""
    ids = timeline.players.id
    return _edited(timeline, gone._replace(a=ids[gone.a], b=ids[gone.b]), GameTable.of(()))


def _edited(timeline: Timeline, gone: GameTable, fresh: GameTable) -> Timeline | None:
    """The timeline without some games and with others, players as ids; None if that takes more than an edit.

    Rows are numbered by first appearance. The numbers stand as long as everybody in these games had played before
    the first of them; else players would have to be numbered again.
    """
    if not len(gone.a) and not len(fresh.a):
        return timeline
    if len(gone.a) + len(fresh.a) > _FEW_EDITS or (fresh.a == fresh.b).any() or (gone.a == gone.b).any():
        return None
    players = timeline.players
    row = players.rows(int(max(ids.max(initial=0) for ids in (players.id, fresh.a, fresh.b))) + 1)
    everyone = row[np.concatenate([fresh.a, fresh.b, gone.a, gone.b])]
    since = min(int(games.played.min()) for games in (gone, fresh) if len(games.a))
    if (everyone < 0).any() or (players.debut[everyone] >= since).any():
        return None
    indices = [timeline.table.place(*key) for key in zip(gone.played, gone.order, gone.position, strict=True)]
    fresh = in_play_order(fresh)
    table = timeline.table.edited(indices, fresh._replace(a=row[fresh.a], b=row[fresh.b]))
    results = timeline.results
    if results is not None:
        results = results.copy()
        for games, sign in ((fresh, 1), (gone, -1)):
            np.add.at(results, row[np.concatenate([games.a, games.b])], sign)
    return evolve(timeline, table=table, results=results)


_FEW_EDITS = 200
"""Games that are put in or taken out one by one."""


class _Tail(NamedTuple):
    """Where in each table the tail begins, and its games, sessions and seeds with players as ids."""

    since: Instant
    start: int
    first_session: int
    first_seed: int
    first_player: int
    games: GameTable
    sessions: SessionTable
    seeds: SeedTable
    dropped: int
    """Games that the other reader does not know yet, which are not among `games`."""

    @classmethod
    def of(cls, timeline: Timeline, since: Instant, position: int) -> "_Tail":
        ids = timeline.players.id
        start = timeline.table.before(since)
        session, seed = (int(np.searchsorted(t.played, since)) for t in (timeline.sessions, timeline.seeds))
        games = timeline.table.known_by(start, position)
        dropped = len(timeline.table) - start - len(games.a)
        sessions = timeline.sessions.take(np.arange(session, len(timeline.sessions.played)))
        seeds = timeline.seeds.take(slice(seed, None))
        return cls(
            since, start, session, seed, int(np.searchsorted(timeline.players.first, since)),
            games._replace(a=ids[games.a], b=ids[games.b]),
            sessions._replace(player=ids[sessions.player]),
            seeds._replace(player=ids[seeds.player]), dropped,
        )  # fmt: skip


class _Reading:
    """Reads the tail as it stands at the other cut, with players as ids."""

    def __init__(self, timeline: Timeline, log: Source, position: int, news: Difference, tail: _Tail) -> None:
        self._timeline = timeline
        self._log = log
        self._position = position
        self._news = news
        self._tail = tail
        self._stale = set(news.stale)
        self._whose = _marked({side.root(p) for p in news.moved for side in (timeline.corrections, news.corrections)})
        if news.moved:
            self._stale |= self._of_moved() | timeline.alone
        self._again = list(log.rows_at(at for at in self._stale if at <= position))

    def _of_moved(self) -> set[int]:
        """Positions of all results and seeds of players who now count as someone else."""
        games, sessions, seeds = self._tail.games, self._tail.sessions, self._tail.seeds
        meets = self._met(games.a) | self._met(games.b)
        positions = set(games.position[meets].tolist()) | set(seeds.position[self._met(seeds.player)].tolist())
        seated = np.searchsorted(sessions.side[sessions.result], np.flatnonzero(self._met(sessions.player)), "right")
        return positions | set(sessions.position[np.unique(seated) - 1].tolist())

    def _met(self, ids: Ints) -> NDArray[np.bool_]:
        return self._whose[np.minimum(ids, len(self._whose) - 1)]

    def _stays(self, positions: Ints) -> NDArray[np.bool_]:
        """Which rows of the tail are known at the cut and read as before."""
        stays = positions <= self._position
        if self._stale:
            stays &= ~np.isin(positions, list(self._stale))
        return stays

    def _read(self, kind: str, fresh: Iterable[Row] = ()) -> list[Row]:
        """Rows of a kind that are new or read differently, those that count in the pool."""
        corrections = self._news.corrections
        rows = [row for row in self._again if row.kind == kind]
        rows += [row for row in fresh if row.kind == kind and row.position not in self._stale]
        now = (corrections.read(row) for row in rows)
        return [row for row in now if row is not None and row.pool == self._timeline.pool]

    def games(self) -> tuple[GameTable, frozenset[int]]:
        """Games of the tail, and the positions of those left out as played alone."""
        corrections, fresh = self._news.corrections, self._news.games
        if self._stale and len(fresh.a):
            fresh = fresh.take(~np.isin(fresh.position, list(self._stale)))
        again = GameTable.of(self._read("game"))
        if len(again.a):
            fresh = fresh.then(again)
        fresh = _rooted(fresh, corrections)
        alone = {at for at in self._timeline.alone - self._stale if at <= self._position}
        if corrections.roots or len(again.a):  # merges, and amendments of both sides, can make two players one
            same = fresh.a == fresh.b
            alone |= set(fresh.position[same].tolist())
            fresh = fresh.take(~same)
        known = self._tail.games
        stays = self._stays(known.position)
        known = known if stays.all() else known.take(np.flatnonzero(stays))
        return merged(known, in_play_order(fresh)), frozenset(alone)

    def sessions(self) -> SessionTable:
        """Sessions of the tail."""
        known, root = self._tail.sessions, self._news.corrections.root
        if self._news.moved:  # some were left out because merging made a player meet themselves
            rows = self._log.rows(0, self._position, ("session",))
            now = (self._news.corrections.read(row) for row in rows)
            here = [row for row in now if row is not None and row.pool == self._timeline.pool]
            return SessionTable.of((row for row in here if (row.played or 0) >= self._news.since), root)
        fresh = SessionTable.of(self._read("session", self._news.rows), root)
        known = known.take(np.flatnonzero(self._stays(known.position)))
        return known.then(fresh).sorted() if len(fresh.played) else known

    def seeds(self) -> SeedTable:
        """Seeds of the tail."""
        fresh = SeedTable.of(self._read("seed", self._news.rows), self._news.corrections.root)
        known = self._tail.seeds.take(self._stays(self._tail.seeds.position))
        return known.then(fresh).sorted() if len(fresh.played) else known


def _marked(ids: set[int]) -> NDArray[np.bool_]:
    """Which ids are among these; the last entry stands for all larger ones."""
    marks = np.zeros(max(ids, default=0) + 2, dtype=bool)
    marks[list(ids)] = True
    return marks


def _rooted(games: GameTable, corrections: Corrections) -> GameTable:
    """The games with merged players as the one player they are."""
    if not corrections.roots or not len(games.a):
        return games
    root = np.arange(max(int(games.a.max()), int(games.b.max()), *corrections.roots) + 1, dtype=np.int32)
    root[list(corrections.roots)] = list(corrections.roots.values())
    return games._replace(a=root[games.a], b=root[games.b])


def _behind(known: Table, start: int, tail: Table) -> Table:
    """The leading rows of a table and others behind them."""
    if start == len(known.played) and not len(tail.played):
        return known
    return known.take(np.arange(start)).then(tail)


def _players(known: Players, tail: _Tail, games: GameTable, sessions: SessionTable, seeds: SeedTable) -> Players:
    """Players of the body, their debuts updated where the tail has them, and those who first appear in the tail."""
    body = Players(*(column[: tail.first_player] for column in known))
    met = Players.of(games, sessions, seeds)
    row = body.rows(int(max(body.id.max(initial=0), met.id.max(initial=0))) + 1)[met.id]
    debut = np.where(body.debut < tail.since, body.debut, NEVER)
    debut[row[row >= 0]] = np.minimum(debut[row[row >= 0]], met.debut[row >= 0])
    new = Players(*(column[row < 0] for column in met))
    if not len(new.id) and len(body.id) == len(known.id) and np.array_equal(debut, known.debut):
        return known
    body = body._replace(debut=debut)
    return Players(*(np.concatenate(pair) for pair in zip(body, new, strict=True)))


def _results(
    timeline: Timeline, tail: _Tail, games: GameTable, sessions: SessionTable, players: Players
) -> Ints | None:
    """How many results each player takes part in; None where counting all again later is the cheaper way."""
    known, first = timeline.results, tail.first_player
    if known is None or tail.dropped or len(tail.games.a) + len(games.a) > _FEW:
        return None
    limit = int(max(players.id.max(initial=0), timeline.players.id.max(initial=0))) + 1
    was, now = np.zeros(limit, dtype=np.int64), np.zeros(limit, dtype=np.int64)
    for rows in (tail.games.a, tail.games.b, tail.sessions.player):
        tally(was, rows)
    for rows in (games.a, games.b, sessions.player):
        tally(now, rows)
    results = now[players.id]
    results[:first] += known[:first] - was[players.id[:first]]
    return results


_FEW = 100_000
"""Games in the tails up to which counting what changed beats counting again when it is asked for."""
