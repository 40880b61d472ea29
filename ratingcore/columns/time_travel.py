"""Moves timelines to other cuts of a log: forward as it grows, and back to the knowledge of earlier readers."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

import numpy as np
from attrs import evolve

from ratingcore.columns.games import Ints
from ratingcore.columns.games_in_order import GameTable, in_play_order, merged
from ratingcore.columns.log_history import FactBook, LogHistory, sealed_parts
from ratingcore.columns.player_fields import PlayerBook, PlayerFields
from ratingcore.columns.result_fields import FieldBook
from ratingcore.columns.streamed import Growing
from ratingcore.columns.timeline import NEVER, Players, SeedTable, SessionTable, Timeline
from ratingcore.events import CORRECTIONS, Instant, Row
from ratingcore.events.corrections import Corrections, rooted

Table = TypeVar("Table", SessionTable, SeedTable)

SAME: Instant = 2**63 - 1
"""Played time that means no difference: it is later than every possible cut, `FOREVER` included."""

_IN_ROWS = ("session", "seed", *CORRECTIONS)
"""Kinds that are read row by row; games are read as columns, and descriptions of players change no column."""

_FEW_EDITS = 200
"""Largest number of games that are inserted or removed one by one."""


class Difference(NamedTuple):
    """The difference between a timeline and the knowledge of a reader at another cut of its log.

    Attributes
    ----------
    corrections : Corrections
        The corrections as seen by the other reader.
    since : int
        Earliest played time affected: everything before it is the same for both. `SAME` without a difference.
    uncorrected : int
        Like `since`, but only for events that one reader does not know, without corrected events.
    stale : mapping of int to (Row or None, Row or None)
        Rows that corrections changed, by position: as in the timeline and as seen by the other reader; None where
        a row is unknown to a reader or does not count in the pool.
    moved : set of int
        Ids of players who count as someone else because merges were made or undone.
    games : GameTable
        Games only the other reader knows, as they were first recorded, in order of position.
    rows : list of Row
        Sessions and seeds only the other reader knows, as they were first recorded.
    """

    corrections: Corrections
    since: Instant
    uncorrected: Instant
    stale: dict[int, tuple[Row | None, Row | None]]
    moved: set[int]
    games: GameTable
    rows: list[Row]


def difference(timeline: Timeline, log: LogHistory, position: int) -> Difference:
    """Returns the difference between a timeline and the knowledge of a reader of the first `position` events."""
    low, high = sorted((timeline.known_at, position))
    between = [row for row in log.rows(low, high, _IN_ROWS) if row.pool in (timeline.pool, None)]
    corrections = timeline.corrections
    if any(row.kind in CORRECTIONS for row in between):
        corrections = Corrections.of(log.rows(0, position, CORRECTIONS))
    stale = _readings(log, timeline.corrections.touched(corrections), timeline, corrections, position)
    moved = timeline.corrections.moved(corrections)
    if position > timeline.known_at:
        news = log.games(timeline.pool, low, high)
        games = GameTable(news.position, news.played, news.order, news.a, news.b, news.score)
        rows = [row for row in between if row.kind not in CORRECTIONS]
        times = [row.played for row in rows if row.played is not None]
        times += [int(games.played.min())] if len(games.played) else []
    else:  # events unknown to the other reader are in the timeline, at the time that they have there
        games, rows = GameTable.of(()), []
        first = timeline.table.first_later_than(position)
        times = [] if first is None else [first]
        for table in (timeline.sessions, timeline.seeds):
            times += table.played[table.position > position].tolist()
    uncorrected = min(times, default=SAME)
    times += _times(stale)
    if moved:
        times += _of_moved(log, timeline, moved, corrections)
        # games of one player against themselves are in no table, but another merge may make them count
        times += _times(_readings(log, timeline.self_pairings, timeline, corrections, position))
    return Difference(corrections, min(times, default=SAME), uncorrected, stale, moved, games, rows)


def _readings(
    log: LogHistory, positions: Iterable[int], timeline: Timeline, corrections: Corrections, position: int
) -> dict[int, tuple[Row | None, Row | None]]:
    """Rows at some positions as both readers see them; None for a reader in whose pool a row does not count."""

    def read(row: Row, reader: Corrections, known_at: int) -> Row | None:
        now = reader.read(row) if row.position <= known_at else None
        return now if now is not None and now.pool == timeline.pool and now.kind != "player" else None

    both = ((timeline.corrections, timeline.known_at), (corrections, position))
    rows = log.rows_at(positions)
    return {row.position: (read(row, *both[0]), read(row, *both[1])) for row in rows}


def _times(readings: dict[int, tuple[Row | None, Row | None]]) -> list[Instant]:
    rows = (row for pair in readings.values() for row in pair)
    return [row.played for row in rows if row is not None and row.played is not None]


def _of_moved(log: LogHistory, timeline: Timeline, moved: set[int], corrections: Corrections) -> list[Instant]:
    """Times when players who now count as someone else first appeared, and when their sessions were played.

    A session in which a merge seats a player twice is in no table, so its players may never have appeared.
    """
    was = timeline.corrections
    people = moved | {side.root(player) for player in moved for side in (was, corrections)}
    first = [timeline.first_of.get(side.root(player)) for player in moved for side in (was, corrections)]
    times = [at for at in first if at is not None]
    for row in log.rows(0, timeline.known_at, ("session",)):
        now = was.read(row)
        if now is None or now.pool != timeline.pool or now.played is None:
            continue
        if any(player in people for players, _ in now.facts["sides"] for player in players):
            times.append(now.played)
    return times


def known_at(timeline: Timeline, log: LogHistory, position: int, news: Difference | None = None) -> Timeline:
    """Returns the timeline of the same pool as seen by a reader of the first `position` events.

    A few games are inserted and removed where they belong, however early they were played. Anything else rebuilds the
    timeline from the first difference on; earlier results keep their columns.

    Parameters
    ----------
    news : Difference or None
        The difference, if the caller has computed it already.
    """
    if news is None:
        timeline, _ = with_sealed(timeline, log, position)
    if position == timeline.known_at:
        return timeline
    news = difference(timeline, log, position) if news is None else news
    timeline, news = _with_few_edits(timeline, position, news)
    if news.since == SAME:
        self_pairings = frozenset(at for at in timeline.self_pairings if at <= position)
        digest = log.digest_at(position)
        return evolve(
            timeline, known_at=position, digest=digest, corrections=news.corrections, self_pairings=self_pairings
        )
    return _Rebuilding(timeline, log, position, news).timeline()


def with_sealed(timeline: Timeline, log: LogHistory, position: int) -> tuple[Timeline, Instant]:
    """Extends a timeline with sealed games up to a position, and with the events before each, while games are in order.

    Returns the timeline of the reader reached in this way, and the earliest played time affected.
    """
    since, growing = SAME, None
    for first, last in sealed_parts(log, timeline.pool, timeline.known_at, position):
        if growing is not None and growing.position < first - 1:
            timeline, growing = growing.timeline(), None
        if growing is None:
            if timeline.known_at < first - 1:
                news = difference(timeline, log, first - 1)
                timeline, since = known_at(timeline, log, first - 1, news), min(since, news.since)
            growing = Growing(timeline, log)
        if not growing.take_in((first, last)):
            break
        since = min(since, growing.since)
    return (timeline if growing is None else growing.timeline()), since


# a few games inserted and removed


def _with_few_edits(timeline: Timeline, position: int, news: Difference) -> tuple[Timeline, Difference]:
    """Returns the timeline with a few games edited, and the difference that remains: all of it for other changes."""
    readings = [row for pair in news.stale.values() for row in pair if row is not None]
    if news.moved or any(row.kind != "game" for row in readings):
        return timeline, news
    edited, fresh = timeline, news.games
    if news.stale:
        # rows after `position` are not edited: they leave with everything else unknown to the reader
        pairs = [pair for at, pair in news.stale.items() if at <= position]
        was = GameTable.of(row for row, _ in pairs if row is not None)
        now = GameTable.of(row for _, row in pairs if row is not None)
        found = _edited(timeline, _rooted(was, timeline.corrections), _rooted(now, news.corrections))
        if found is None:
            return timeline, news
        # a new game that is already corrected was inserted as corrected
        edited, fresh = found, fresh.take(~np.isin(fresh.position, list(news.stale)))
    news = news._replace(stale={}, since=news.uncorrected, games=fresh)
    if len(fresh.a) and not news.rows:
        more = _edited(edited, GameTable.of(()), _rooted(fresh, news.corrections))
        if more is not None:
            return more, news._replace(since=SAME)
    return edited, news


def without_games(timeline: Timeline, gone: GameTable) -> Timeline | None:
    """Returns the timeline without some of its games, by rows of players; None if that takes more than a few edits."""
    ids = timeline.players.id
    return _edited(timeline, gone._replace(a=ids[gone.a], b=ids[gone.b]), GameTable.of(()))


def _edited(timeline: Timeline, gone: GameTable, fresh: GameTable) -> Timeline | None:
    """Returns the timeline without some games and with others, by ids of players; None if edits are not enough.

    Rows are numbered by first appearance. The numbers stay as long as everybody in these games had played before
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


# everything else


class _Rebuilding:
    """Rebuilds a timeline from the first difference on, for the reader at another cut; its players are ids."""

    def __init__(self, timeline: Timeline, log: LogHistory, position: int, news: Difference) -> None:
        self._was = timeline
        self._log = log
        self._position = position
        self._news = news
        ids = timeline.players.id
        self._start = timeline.table.before(news.since)
        self._session, self._seed, self._player = (
            int(np.searchsorted(times, news.since))
            for times in (timeline.sessions.played, timeline.seeds.played, timeline.players.first)
        )
        games = timeline.table.known(self._start, position)
        sessions = timeline.sessions.take(np.arange(self._session, len(timeline.sessions.played)))
        seeds = timeline.seeds.take(slice(self._seed, None))
        self._games = games._replace(a=ids[games.a], b=ids[games.b])
        self._sessions = sessions._replace(player=ids[sessions.player])
        self._seeds = seeds._replace(player=ids[seeds.player])
        self._stale = set(news.stale) | (self._of_moved() | timeline.self_pairings if news.moved else set())
        self._again = list(log.rows_at(at for at in self._stale if at <= position))

    def _of_moved(self) -> set[int]:
        """Positions of all results and seeds of players who now count as someone else."""
        games, sessions, seeds = self._games, self._sessions, self._seeds
        readers = (self._was.corrections, self._news.corrections)
        whose = np.array(sorted({reader.root(player) for player in self._news.moved for reader in readers}))
        meets = np.isin(games.a, whose) | np.isin(games.b, whose)
        seats = np.flatnonzero(np.isin(sessions.player, whose))
        seated = np.searchsorted(sessions.side[sessions.result], seats, "right")
        positions = (games.position[meets], seeds.position[np.isin(seeds.player, whose)])
        return set(np.concatenate(positions).tolist()) | set(sessions.position[np.unique(seated) - 1].tolist())

    def timeline(self) -> Timeline:
        """The timeline as the other reader knows it."""
        was, position = self._was, self._position
        games, self_pairings = self._new_games()
        sessions, seeds = self._new_sessions(), self._new_seeds()
        players = self._new_players(games, sessions, seeds)
        row = players.rows(int(players.id.max(initial=0)) + 1)
        return Timeline(
            was.pool, position, self._log.digest_at(position), self._news.corrections,
            was.table.replaced(self._start, games._replace(a=row[games.a], b=row[games.b])),
            _behind(was.sessions, self._session, sessions._replace(player=row[sessions.player])),
            _behind(was.seeds, self._seed, seeds._replace(player=row[seeds.player])),
            players, self_pairings, self._results(games, sessions, players),
        )  # fmt: skip

    def _unchanged(self, positions: Ints) -> Ints:
        """Indices of the rows after the first difference that are known at the cut and were not corrected."""
        unchanged = positions <= self._position
        if self._stale:
            unchanged &= ~np.isin(positions, list(self._stale))
        return np.flatnonzero(unchanged)

    def _read(self, kind: str, fresh: Iterable[Row] = ()) -> list[Row]:
        """New or corrected rows of a kind that count in the pool."""
        rows = [row for row in self._again if row.kind == kind]
        rows += [row for row in fresh if row.kind == kind and row.position not in self._stale]
        now = (self._news.corrections.read(row) for row in rows)
        return [row for row in now if row is not None and row.pool == self._was.pool]

    def _new_games(self) -> tuple[GameTable, frozenset[int]]:
        """Games from the first difference on, and positions of games left out because both sides are one player."""
        corrections, fresh = self._news.corrections, self._news.games
        if self._stale and len(fresh.a):
            fresh = fresh.take(~np.isin(fresh.position, list(self._stale)))
        again = GameTable.of(self._read("game"))
        fresh = _rooted(fresh.then(again), corrections)
        self_pairings = {at for at in self._was.self_pairings - self._stale if at <= self._position}
        if corrections.roots or len(again.a):  # merges, and amendments of both sides, can make two players one
            same = fresh.a == fresh.b
            self_pairings |= set(fresh.position[same].tolist())
            fresh = fresh.take(~same)
        known = self._games
        if self._stale:
            known = known.take(self._unchanged(known.position))
        return merged(known, in_play_order(fresh)), frozenset(self_pairings)

    def _new_sessions(self) -> SessionTable:
        """Sessions from the first difference on."""
        known, root = self._sessions, self._news.corrections.root
        if self._news.moved:  # some were left out because merging seated a player twice
            rows = self._log.rows(0, self._position, ("session",))
            now = (self._news.corrections.read(row) for row in rows)
            here = [row for row in now if row is not None and row.pool == self._was.pool]
            return SessionTable.of((row for row in here if (row.played or 0) >= self._news.since), root)
        fresh = SessionTable.of(self._read("session", self._news.rows), root)
        known = known.take(self._unchanged(known.position))
        return known.then(fresh).sorted() if len(fresh.played) else known

    def _new_seeds(self) -> SeedTable:
        """Seeds from the first difference on."""
        fresh = SeedTable.of(self._read("seed", self._news.rows), self._news.corrections.root)
        known = self._seeds.take(self._unchanged(self._seeds.position))
        return known.then(fresh).sorted() if len(fresh.played) else known

    def _new_players(self, games: GameTable, sessions: SessionTable, seeds: SeedTable) -> Players:
        """Players who appeared before the difference, with their current debuts, and those who first appear later."""
        known, since = self._was.players, self._news.since
        body = Players(*(column[: self._player] for column in known))
        met = Players.of(games, sessions, seeds)
        row = body.rows(int(max(body.id.max(initial=0), met.id.max(initial=0))) + 1)[met.id]
        debut = np.where(body.debut < since, body.debut, NEVER)
        debut[row[row >= 0]] = np.minimum(debut[row[row >= 0]], met.debut[row >= 0])
        new = Players(*(column[row < 0] for column in met))
        if not len(new.id) and len(body.id) == len(known.id) and np.array_equal(debut, known.debut):
            return known
        body = body._replace(debut=debut)
        return Players(*(np.concatenate(pair) for pair in zip(body, new, strict=True)))

    def _results(self, games: GameTable, sessions: SessionTable, players: Players) -> Ints | None:
        """Number of results of each player; None where counting on demand is as quick."""
        was, first = self._was, self._player
        if was.results is None or len(was.table) - self._start + len(games.a) > self._start:
            return None
        seats = was.sessions.side[was.sessions.result[[self._session, -1]]].tolist()
        gone = was.counts(slice(self._start, len(was.table)), slice(*seats))
        results = _seats(games, sessions, int(players.id.max(initial=0)) + 1)[players.id]
        results[:first] += was.results[:first] - gone[:first]
        return results


def _seats(games: GameTable, sessions: SessionTable, limit: int) -> Ints:
    """Number of these results in which each player takes part, by id."""
    seats = np.zeros(limit, dtype=np.int64)
    for ids in (games.a, games.b, sessions.player):
        seats += np.bincount(ids, minlength=limit)
    return seats


def _rooted(games: GameTable, corrections: Corrections) -> GameTable:
    """The games with merged players as one player."""
    return games._replace(a=rooted(games.a, corrections.roots), b=rooted(games.b, corrections.roots))


def _behind(known: Table, start: int, tail: Table) -> Table:
    """The rows of a table before `start`, followed by another table."""
    if start == len(known.played) and not len(tail.played):
        return known
    return known.take(np.arange(start)).then(tail)


class Latest:
    """The timeline of a pool at the head of the log, and the earliest time at which each earlier reader differs.

    Parameters
    ----------
    timeline : Timeline
    log : LogHistory
    fields : FieldBook or None
        Fields of results read so far.
    since : mapping of int to int
        The earliest played time at which readers of earlier heads differ, by position, as far as computed.
    players : PlayerBook or None
        Descriptions of players read so far.
    """

    def __init__(
        self,
        timeline: Timeline,
        log: LogHistory,
        fields: FieldBook | None = None,
        since: Mapping[int, Instant] | None = None,
        players: PlayerBook | None = None,
    ) -> None:
        self.timeline = timeline
        self.fields = fields or FieldBook()
        self._log = log
        self._since: dict[int, Instant] = {**(since or {}), timeline.known_at: SAME}
        self._last_requested: Timeline | None = None
        self._book = players or PlayerBook()

    def same_before(self, position: int) -> Instant:
        """Returns the instant before which a reader of the first `position` events sees the same results."""
        if position not in self._since:
            self._since[position] = difference(self.timeline, self._log, position).since
        return self._since[position]

    def grown(self, since: Instant) -> dict[int, Instant]:
        """Updates `same_before` of earlier readers for a log that has grown and changed the pool from a time on.

        Two changes together begin where the earlier of them begins, unless both begin at the same time: then the second
        may have undone the first, and the readers are compared anew.
        """
        known = dict(self._since)  # another thread may ask for more meanwhile
        return {position: min(first, since) for position, first in known.items() if first != since or since == SAME}

    def at(self, position: int) -> Timeline:
        """The timeline as seen by a reader of the first `position` events."""
        if position == self.timeline.known_at:
            return self.timeline
        requested = self._last_requested  # another thread may store its own there meanwhile
        if requested is None or requested.known_at != position:
            news = difference(self.timeline, self._log, position)
            self._since[position] = news.since
            self._last_requested = requested = known_at(self.timeline, self._log, position, news)
        return requested

    def players(self, timeline: Timeline, names: FactBook) -> PlayerFields:
        """Descriptions of players in all pools, for the reader of a timeline, with the current names."""
        return self._book.read(self._log, names, timeline.known_at, timeline.corrections)
