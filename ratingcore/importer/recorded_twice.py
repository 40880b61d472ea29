"""Finds games that count twice: because they are imported a second time, or because players are merged."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ratingcore.corrections.counted_again import ResultsOf
from ratingcore.events.corrections import Corrections
from ratingcore.events.rows import GameColumns
from ratingcore.importer.meetings import mixed
from ratingcore.importer.one_game import players
from ratingcore.importer.recorded_notes import RecordedTwice
from ratingcore.importer.same_games import GameMatches
from ratingcore.log import Log
from ratingcore.log.base_log import columns_of
from ratingcore.log.lookup import corrections_of
from ratingcore.plans.notes import MergedTwice, Twin

_LOOKED = 2**27
"""Largest product of earlier events and players of new games at which the games of these players are looked up."""
_READ, _READ_EACH = 500_000, 10
"""Largest number of earlier events whose games are all read: this many, or this many for each new game."""
_NAMED = 500
"""Largest number of players whose games are looked up by a query, since databases limit the values of a query."""
_RECENT, _OFTEN = 2_000, 0.2
"""Number of recent events in which the games of the players are counted, and the share of them from which reading all
games is faster than looking up those of the players."""
_AMENDABLE = frozenset(("played", "a", "b", "score", "pool"))


class Repeats(NamedTuple):
    """New games of a pool that repeat others.

    Attributes
    ----------
    pool : str
    twin : Twin
    found : dict of int to int
        Position of the repeated game, by position of the new one.
    of : int
        Number of all new games of the pool.
    days : int
        How many days later the new games are, if they were moved.
    """

    pool: str
    twin: Twin
    found: dict[int, int]
    of: int
    days: int

    def noted(self, lines: Mapping[int, int]) -> RecordedTwice:
        """Returns the note on new games; `lines` gives the lines of some of them in the file, by position."""
        at = sorted(self.found)
        on = tuple(sorted(lines[one] for one in at if one in lines))
        first = at[0], self.found[at[0]]
        return RecordedTwice(self.pool, self.twin, len(at), self.of, on, first, _spans(at), self.days)

    def merged(self) -> MergedTwice:
        """Returns the note on games that count twice because players are merged."""
        at = sorted(self.found)
        return MergedTwice(self.pool, self.twin, len(at), (at[0], self.found[at[0]]), _spans(at), self.days)


def recorded_twice(
    log: Log,
    before: int,
    spans: Iterable[tuple[int, int]],
    known: Collection[int] = (),
    *,
    of_table: bool = False,
    differ: bool = False,
) -> Iterator[Repeats]:
    """Finds new games that are probably recorded already, by pool and by how they repeat others.

    Two games may be the same if they have the same players, after all merges, and the same score. They are different
    if their rounds or points differ, or, without rounds, if their events differ or no two time zones explain their
    times. Two such games on one day are found, unless players often meet several times a day in the pool; then they
    must be of the same round, or half of the new games must be repeated. Such games on different days are found if
    there are too many for chance, or if they are of the same round and one has only the day of its event.

    Parameters
    ----------
    log : Log
    before : int
        Position of the last event before the new ones.
    spans : iterable of (int, int)
        First and last positions of the new events.
    known : collection of int
        Positions of earlier events that the new ones were compared with already.
    of_table : bool
        Whether the file is a table, whose equal rows are found elsewhere.
    differ : bool
        Whether it is known that no two new games have the same names, time and score.
    """
    spans = list(spans)
    if not spans:
        return
    reading = corrections_of(log)
    void = np.fromiter(reading.void, np.int64, len(reading.void))
    left_out = np.concatenate([void, np.array(sorted(known), np.int64)])
    for key in log.book.keys_of("pool"):
        pool = log.book.number("pool", key)
        if differ and not reading.roots and not reading.changes and not _has_games(log, pool, before):
            continue
        new = log.games(pool, before, log.head.position)
        of_spans = np.zeros(len(new.position), np.bool_)
        for first, last in spans:
            of_spans |= (new.position >= first) & (new.position <= last)
        new = new.take(of_spans & ~np.isin(new.position, void))
        if not len(new.position):
            continue
        old = _as_read(log, pool, _earlier(log, pool, before, new, reading), reading, before)
        old = old.take(~np.isin(old.position, left_out))
        for twin, found, days in GameMatches.of(log, reading, old, new, of_table).twins():
            yield Repeats(key, twin, found, len(new.position), days)


def merged_twice(log: Log, then: Log, results_of: ResultsOf) -> Iterator[MergedTwice]:
    """Finds games that count twice once corrections merge players, because they were recorded under several names.

    Of two such games, the one under the names that are older in the log is taken as the earlier one.

    Parameters
    ----------
    log, then : Log
        The log without the corrections, and with them.
    results_of : callable
        Finds results of the log without the corrections.
    """
    was, reading = corrections_of(log), corrections_of(then)
    groups = defaultdict[int, set[int]](set)
    for player in () if reading.roots == was.roots else {*reading.roots, *reading.roots.values()}:
        groups[reading.root(player)].add(player)
    joined = [some for some in groups.values() if len({was.root(player) for player in some}) > 1]
    merged = set[int]().union(*joined)
    back = was.void - reading.void if merged else ()
    for key in then.book.keys_of("pool") if merged else ():
        pool = then.book.number("pool", key)
        positions = {*results_of(key, merged).tolist(), *back}
        read = [reading.read(row) for row in then.rows_at(positions) if row.kind == "game"]
        rows = [row for row in read if row is not None and row.pool == pool and not merged.isdisjoint((row.a, row.b))]
        games = columns_of(rows)
        named = defaultdict[int, dict[int, int]](dict)
        pairs = (mixed(*players(games, roots)).tolist() for roots in (reading.roots, was.roots))
        turn = np.array([named[now].setdefault(then, len(named[now])) for now, then in zip(*pairs, strict=True)])
        for one in range(1, int(turn.max(initial=0)) + 1):
            new = games.take(turn == one)
            for twin, found, days in GameMatches.of(then, reading, games.take(turn < one), new, of_table=False).twins():
                if twin != "file":  # such games counted twice before, too
                    yield Repeats(key, twin, found, len(new.position), days).merged()


def _spans(positions: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Returns the first and last position of each run of consecutive positions."""
    spans = list[tuple[int, int]]()
    for at in positions:
        first = spans.pop()[0] if spans and spans[-1][1] + 1 == at else at
        spans.append((first, at))
    return tuple(spans)


def _earlier(log: Log, pool: int, before: int, new: GameColumns, reading: Corrections) -> GameColumns:
    """Returns earlier games of a pool: all, or those of the new games' players; in a large log only recent ones."""
    if not _has_games(log, pool, before):
        return log.games(pool, 0, 0)
    met = set(np.unique(np.concatenate(players(new, reading.roots))).tolist())
    met |= {one for one, root in reading.roots.items() if root in met}
    looked = _LOOKED // len(met)
    if looked < before <= max(_READ, _READ_EACH * len(new.position)):
        return log.games(pool, 0, before)
    after = max(before - max(_READ // _READ_EACH, looked), 0)
    recent = log.games(pool, max(before - _RECENT, 0), before)
    if len(met) > _NAMED or np.isin(recent.a, [*met]).sum() > _OFTEN * len(recent.a):
        games = log.games(pool, after, before)
        return games.take(np.isin(games.a, [*met]) & np.isin(games.b, [*met]))
    rows = log.rows(after, before, ("game",), pool, sorted(met))
    return columns_of([row for row in rows if row.b in met])


def _has_games(log: Log, pool: int, before: int) -> bool:
    return any(True for _ in log.rows(0, before, ("game",), pool))


def _as_read(log: Log, pool: int, games: GameColumns, reading: Corrections, last: int) -> GameColumns:
    """Applies corrections to games up to a position, with those moved into the pool, without those moved out."""
    moved = [at for at, fields in reading.changes.items() if at <= last and not _AMENDABLE.isdisjoint(fields)]
    if not moved:
        return games
    kept = games.take(~np.isin(games.position, np.array(moved, np.int64)))
    read = (reading.read(row) for row in log.rows_at(sorted(moved)) if row.kind == "game")
    rows = [row for row in read if row is not None and row.pool == pool]
    if not rows:
        return kept
    columns: Iterable[Any] = zip(kept, columns_of(rows), strict=True)
    return GameColumns._make([np.append(column, more) for column, more in columns])
