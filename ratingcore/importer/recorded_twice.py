"""Finds new games that the log has a second time, from elsewhere or under another name of a player."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.events import DAY, Row
from ratingcore.events.corrections import Corrections
from ratingcore.events.rows import GameColumns
from ratingcore.events.values import exchanged
from ratingcore.importer.meetings import mixed
from ratingcore.importer.recorded_notes import RecordedTwice
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of

_FEWEST = 4
"""Number of games from which on it is no chance that all were played with the same score a day before or after."""
_COMPARED = 5_000
"""Number of games whose rounds and points are compared, at most: more are no chance."""
_READ = 100_000
"""Number of earlier events that are read whatever the number of new ones: a microsecond each."""
_READ_EACH = 10
"""Number of earlier events for each new one, beyond which looking would take longer than the import."""
_DIGITS = 9
Likeness = Literal["", "like", "one round"]
_AMENDABLE = frozenset(("played", "a", "b", "score", "pool"))


def recorded_twice(
    log: Log, before: int, spans: Iterable[tuple[int, int]], known: Collection[int] = ()
) -> Iterator[RecordedTwice]:
    """Notes new games like earlier ones, pool by pool: of the same players, as they count now, with one score and day.

    Games whose rounds differ, or their points, are others; without rounds so are games of different events. They are
    noted if they are half of the new games of a pool; those of the day before or after count only if they are of the
    same round, or if all of at least four new games are like earlier ones.

    Parameters
    ----------
    log : Log
    before : int
        Position of the last event before the new ones.
    spans : iterable of (int, int)
        First and last positions of the new events.
    known : collection of int
        Positions of earlier events that the new ones were compared with already.
    """
    spans = list(spans)
    if not spans or not before or before > max(_READ, _READ_EACH * sum(last + 1 - first for first, last in spans)):
        return
    reading = corrections_of(log)
    void = np.fromiter(reading.void, np.int64, len(reading.void))
    for pool in (log.book.number("pool", key) for key in log.book.keys_of("pool")):
        new = log.games(pool, before, log.head.position)
        of_spans = np.zeros(len(new.position), np.bool_)
        for first, last in spans:
            of_spans |= (new.position >= first) & (new.position <= last)
        new = new.take(of_spans & ~np.isin(new.position, void))
        if not len(new.position):
            continue
        old = _as_read(log, pool, log.games(pool, 0, before), reading)
        left_out = np.concatenate([void, np.array(sorted(known), np.int64)])
        note = _of_pool(log, old.take(~np.isin(old.position, left_out)), new, reading.roots)
        if note is not None:
            yield note


def _of_pool(log: Log, old: GameColumns, new: GameColumns, roots: Mapping[int, int]) -> RecordedTwice | None:
    """The note on the new games of one pool."""
    there, here = _meetings(old, roots), _meetings(new, roots)
    days_there, days_here = old.played // DAY, new.played // DAY
    on_day = mixed(there, days_there)
    near = {off: mixed(here, days_here + off) for off in (0, -1, 1)}
    candidates = np.flatnonzero(np.isin(on_day, np.concatenate([*near.values()])))
    places = np.flatnonzero(np.any([np.isin(one, on_day) for one in near.values()], 0))
    alike = _alike(log, old.position[candidates], new.position[places])
    at = defaultdict[int, list[int]](list)
    for one, position in zip(on_day[candidates].tolist(), old.position[candidates].tolist(), strict=True):
        at[one].append(position)
    pairs, total = dict[int, tuple[int, bool]](), len(new.position)
    same_day = True
    for off, meetings in near.items():
        for position, met in zip(new.position[places].tolist(), meetings[places].tolist(), strict=True):
            some = at.get(met, [])
            kinds = ((one, alike(one, position)) for one in some if position not in pairs)
            earlier, kind = next((found for found in kinds if found[1]), (0, ""))
            if kind:
                pairs[position] = earlier, off == 0 or kind == "one round"
                same_day = same_day and off == 0
                some.remove(earlier)
    sure = [position for position, (_, is_sure) in pairs.items() if is_sure]
    every = len(pairs) == total >= _FEWEST
    if not pairs or (not every and 2 * len(sure) < total):
        return None
    found = sorted(pairs if every else sure)
    return RecordedTwice(len(found), total, same_day, (found[0], pairs[found[0]][0]))


def _meetings(games: GameColumns, roots: Mapping[int, int]) -> Ints:
    """A number for each game, shared by games of the same players with the same score, from either side."""
    a, b = (_rooted(column.astype(np.int64), roots) for column in (games.a, games.b))
    score = np.round(np.where(a <= b, games.score, 1.0 - games.score), _DIGITS) + 0.0
    return mixed(np.minimum(a, b), np.maximum(a, b), score)


def _rooted(players: NDArray[np.int64], roots: Mapping[int, int]) -> NDArray[np.int64]:
    if not roots:
        return players
    merged = np.array(sorted(roots), np.int64)
    place = np.minimum(np.searchsorted(merged, players), len(merged) - 1)
    root = np.array([roots[player] for player in merged.tolist()], np.int64)
    return np.where(merged[place] == players, root[place], players)


def _as_read(log: Log, pool: int, games: GameColumns, reading: Corrections) -> GameColumns:
    """The games as they read now, with those that were amended into the pool, and without those amended out of it."""
    moved = [at for at, fields in reading.changes.items() if not _AMENDABLE.isdisjoint(fields)]
    if not moved:
        return games
    kept = games.take(~np.isin(games.position, np.array(moved, np.int64)))
    read = (reading.read(row) for row in log.rows_at(sorted(moved)) if row.kind == "game")
    rows = [row for row in read if row is not None and row.pool == pool]
    if not rows:
        return kept
    read_now = zip(*((row.position, row.played, row.order, row.a, row.b, row.score) for row in rows), strict=True)
    columns: Iterable[Any] = kept
    return GameColumns._make([np.append(column, more) for column, more in zip(columns, read_now, strict=True)])


def _alike(log: Log, old: Ints, new: Ints) -> Callable[[int, int], Likeness]:
    """Compares the rounds and points of an old and a new game, by their positions."""
    if len(old) + len(new) > _COMPARED:
        return lambda one, other: "like"
    reading = corrections_of(log)
    rows = {row.position: reading.read(row) or row for row in log.rows_at(sorted({*old.tolist(), *new.tolist()}))}
    return lambda one, other: _likeness(rows[one], rows[other], reading.roots)


def _likeness(one: Row, other: Row, roots: Mapping[int, int]) -> Likeness:
    turned = roots.get(one.a or 0, one.a) != roots.get(other.a or 0, other.a)
    said, there = exchanged(one.facts) if turned else one.facts, other.facts
    both = [name for name in ("round", "points_a", "points_b") if name in said and name in there]
    if any(said[name] != there[name] for name in both):
        return ""
    if "round" in both:
        return "one round" if str(said["round"]).isdigit() else "like"
    return "" if "event" in said and "event" in there and said["event"] != there["event"] else "like"
