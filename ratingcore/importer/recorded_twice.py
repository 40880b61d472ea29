"""Finds games that count a second time: new ones, from elsewhere or under another name or day, or once names merge."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.events import DAY, Row
from ratingcore.events.corrections import Corrections, rooted
from ratingcore.events.rows import GameColumns
from ratingcore.events.values import exchanged
from ratingcore.importer.meetings import mixed
from ratingcore.importer.recorded_notes import MergedTwice, RecordedTwice, Twin
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of

_FEWEST = 4
"""Number of games from which on it is not chance that all were played with the same score a day before or after."""
_FEWEST_MOVED = 8
"""The same for any other number of days, unless rounds agree, too."""
_COMPARED = 5_000
"""Number of games whose rounds and points are compared, at most: more are not chance."""
_LOOKED = 2**27
"""Number of earlier events, times that of new players, that are searched for games of these players alone."""
_READ, _READ_EACH = 500_000, 10
"""Number of earlier events of which all games are read otherwise, at least, and for each new game."""
_DIGITS = 9
_USUAL = 0.01
"""Share of days beyond which it is usual that two players meet again on one day with the same score."""
_SELDOM = 3
"""Number of earlier meetings up to which one on the day with day and month exchanged is not chance."""
_SAMPLE, _MEETINGS, _FURTHEST = 200, 50, 62
"""Games, earlier meetings of each, and days within which a tournament is looked for that was moved."""
_SEASON = 300
"""Number of days within which games of one round of an event of one name are of one edition."""
_HOUR = DAY // 24
_ZONES, _STEP = 14 * _HOUR, _HOUR // 4
"""Largest difference of zones, and the numbers of minutes that zones differ by."""
_AMENDABLE = frozenset(("played", "a", "b", "score", "pool"))


class Repeats(NamedTuple):
    """New games of a pool that are like others: the other of each by position, of how many, and by how many days."""

    pool: str
    twin: Twin
    found: dict[int, int]
    of: int
    days: int

    def noted(self, kind: type[RecordedTwice] = RecordedTwice, lines: Mapping[int, int] | None = None) -> RecordedTwice:
        """The note on them; `lines` are those of new games by position."""
        at, on = sorted(self.found), lines or {}
        return kind(
            self.pool, self.twin, len(at), self.of, tuple(sorted(on[one] for one in at if one in on)),
            (at[0], self.found[at[0]]), _spans(at), self.days,
        )  # fmt: skip


def recorded_twice(
    log: Log,
    before: int,
    spans: Iterable[tuple[int, int]],
    known: Collection[int] = (),
    *,
    of_table: bool = False,
    differ: bool = False,
) -> Iterator[Repeats]:
    """Finds new games like others, by pool and kind of likeness: of the same players, as they count now, and score.

    Games whose rounds differ, or their points, are others; without rounds so are games of different events, and games
    at times that no two zones explain. Those of one day are found unless two players often meet on one day; then they
    must be half of the new games of their pool, or of one round. Those of another day are found if so many agree that
    it is not chance, or if they are of one round and the day of one of the two is only that of its event.

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
        Whether equal rows of the file are found otherwise.
    differ : bool
        Whether it is known that no two new games have the same players, as they are named, time and score.
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
        old = _as_read(log, pool, _earlier(log, pool, before, new, reading), reading)
        old = old.take(~np.isin(old.position, left_out))
        for twin, found, days in _Comparison.of(log, reading, old, new, of_table).twins():
            yield Repeats(key, twin, found, len(new.position), days)


def merged_twice(log: Log, after: int) -> Iterator[RecordedTwice]:
    """Notes games that count twice since corrections after a position merged players: each was under another name.

    Of two such games, those under the names that came into the log first are taken as the earlier ones.
    """
    was, reading = corrections_of(log, after), corrections_of(log)
    merged = {reading.root(player) for player in reading.moved(was)}
    group = np.array(sorted(merged.union(one for one, root in reading.roots.items() if root in merged)), np.int64)
    void = np.fromiter(reading.void, np.int64, len(reading.void))
    for key in log.book.keys_of("pool") if len(group) else ():
        pool = log.book.number("pool", key)
        games = _as_read(log, pool, log.games(pool, 0, log.head.position), reading)
        games = games.take((np.isin(games.a, group) | np.isin(games.b, group)) & ~np.isin(games.position, void))
        games = games.take(np.argsort(games.position))
        named = defaultdict[int, dict[int, int]](dict)
        pairs = (mixed(*_players(games, roots)).tolist() for roots in (reading.roots, was.roots))
        turn = np.array([named[now].setdefault(then, len(named[now])) for now, then in zip(*pairs, strict=True)])
        for one in range(1, int(turn.max(initial=0)) + 1):
            new = games.take(turn == one)
            for twin, found, days in _Comparison.of(log, reading, games.take(turn < one), new, of_table=False).twins():
                if twin != "file":  # which counted twice before
                    yield Repeats(key, twin, found, len(new.position), days).noted(MergedTwice)


def _spans(positions: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """First and last of each run of consecutive positions."""
    spans = list[tuple[int, int]]()
    for at in positions:
        first = spans.pop()[0] if spans and spans[-1][1] + 1 == at else at
        spans.append((first, at))
    return tuple(spans)


class _Match(NamedTuple):
    """A game like a new one: its position, whether it is of the same round, or its time of the same day in some zone,
    and whether it is under another name.
    """

    position: int
    one_round: bool
    renamed: bool


_Matches = dict[int, _Match]
"""The game like each new one, by position."""
_Twins = tuple[Twin, dict[int, int], int]
"""Kind of likeness, the like of each new game by position, and by how many days they were moved."""


@frozen
class _Comparison:
    """New games of one pool, and earlier ones."""

    log: Log
    reading: Corrections
    old: GameColumns
    new: GameColumns
    there: Ints
    """A number for each earlier game, shared by games of the same players with the same score, from either side."""
    here: Ints
    of_table: bool

    @classmethod
    def of(cls, log: Log, reading: Corrections, old: GameColumns, new: GameColumns, of_table: bool) -> "_Comparison":
        """Compares the games that have the same players and score as others."""
        there, here = (_meetings(games, reading.roots) for games in (old, new))
        some = _among(there, here)
        return cls(log, reading, old.take(some), new, there[some], here, of_table)

    def twins(self) -> Iterator[_Twins]:
        """The games found, by kind of likeness."""
        repeated = self._within_file()
        if not len(self.there) and not repeated:
            return
        days, of_event = self.new.played // DAY, self._of_event()
        if of_event:
            yield "round", _places(of_event), 0
        taken = of_event.keys() | {one.position for one in of_event.values()}
        total = len(self.here) - len(of_event)
        usual = _are_usual(mixed(np.append(self.there, self.here), np.append(self.old.played // DAY, days)))
        if len(self.there):
            same = self._matched(days, taken)
            sure = {at: one for at, one in same.items() if not usual or one.one_round or one.renamed}
            near = self._matched(days - 1, taken) | self._matched(days + 1, taken)
            if 2 * len(same) >= total:
                sure = same
            every, of_round = len(same) + len(near) == total, all(one.one_round for one in near.values())
            agree = total >= _FEWEST or (len(near) == total and self._pairs(near) > 1)
            if near and ((every and agree) or (of_round and 2 * (len(near) + len(sure)) >= total)):
                yield "next day", _places((same if every else sure) | near), 0
                return
            if sure:
                yield "day", _places(sure), 0
            taken -= near.keys() | {one.position for one in near.values()}
            turned = _exchanged_days(days)
            may_be = (turned != days) & ~np.isin(self.new.position, list(taken))
            found = self._matched(np.where(may_be, turned, -(2**31)), taken)
            if found and 2 * len(found) >= may_be.sum() and self._is_no_chance(found):
                yield "exchanged", _places(found), 0
            elif not sure and not of_event and (moved := self._moved(days)) is not None:
                yield moved
        if repeated and (not usual or 2 * len(repeated) >= total):
            yield "file", repeated, 0

    def _is_no_chance(self, found: _Matches) -> bool:
        if self._pairs(found) > 1 or any(one.one_round for one in found.values()):
            return True
        here = self.here[np.isin(self.new.position, list(found))]
        return len(found) == 1 and int((self.there == here[0]).sum()) <= _SELDOM

    def _of_event(self) -> _Matches:
        """The earlier games of the same round as new ones on another day, if either has only the day of its event."""
        low, high = (int(self.new.played.min()) - _SEASON * DAY, int(self.new.played.max()) + _SEASON * DAY)
        near, places = (self.old.played >= low) & (self.old.played <= high), _among(self.here, self.there)
        if not 0 < near.sum() + places.sum() <= _COMPARED:
            return {}
        rows = self._rows({*self.old.position[near].tolist(), *self.new.position[places].tolist()})
        at, found, named = defaultdict[int, list[Row]](list), _Matches(), True
        for met, position in zip(self.there[near].tolist(), self.old.position[near].tolist(), strict=True):
            at[met].append(rows[position])
        for met, position in zip(self.here[places].tolist(), self.new.position[places].tolist(), strict=True):
            row = rows[position]
            for one in at.get(met, ()):
                if "dated" in {*one.facts, *row.facts} and _likeness(one, row, self.reading.roots):
                    same = _event_name(one) == _event_name(row) != ""
                    if abs((one.played or 0) - (row.played or 0)) <= (_SEASON if same else _FURTHEST) * DAY:
                        found[position] = _Match(one.position, True, False)
                        named &= same
                        at[met].remove(one)
                        break
        return found if named or (2 * len(found) >= len(self.here) and self._pairs(found) > 1) else {}

    def _moved(self, days: Ints) -> _Twins | None:
        """All games of the file, if they are those of a tournament that was moved by some days."""
        total = len(days)
        if total < _FEWEST:
            return None
        at = defaultdict[int, list[int]](list)
        sample = np.linspace(0, total - 1, min(total, _SAMPLE)).astype(np.int64)
        some = np.isin(self.there, self.here[sample])
        for met, day in zip(self.there[some].tolist(), (self.old.played[some] // DAY).tolist(), strict=True):
            at[met].append(day)
        shifts = Counter[int]()
        for met, day in zip(self.here[sample].tolist(), days[sample].tolist(), strict=True):
            shifts.update({day - one for one in at.get(met, ())[-_MEETINGS:] if abs(day - one) <= _FURTHEST})
        for shift, count in shifts.most_common(1):
            found = self._matched(days - shift, set()) if count == len(sample) else {}
            rounds = 2 * sum(one.one_round for one in found.values()) >= total
            if len(found) == total and self._pairs(found) >= _FEWEST and (rounds or total >= _FEWEST_MOVED):
                return "moved", _places(found), shift
        return None

    def _within_file(self) -> dict[int, int]:
        """Games of the file like earlier ones of it, at the same time."""
        key = mixed(self.here, self.new.played)
        ordered = np.sort(key)  # which is many times as fast as the order of places
        if not (ordered[1:] == ordered[:-1]).any():
            return {}
        order = np.argsort(key, kind="stable")
        again = np.flatnonzero(np.diff(key[order]) == 0)
        if not len(again) or len(again) > _COMPARED:
            return {}
        sides = self.new.position[order[again]].tolist(), self.new.position[order[again + 1]].tolist()
        pairs = [(max(pair), min(pair)) for pair in zip(*sides, strict=True)]
        rows = self._rows({at for pair in pairs for at in pair})
        return {at: one for at, one in pairs if self._is_repeated(rows[one], rows[at])}

    def _is_repeated(self, one: Row, other: Row) -> bool:
        roots = self.reading.roots
        said = _from_side_of(one, other, roots)
        if "home" in said and "home" in other.facts and said["home"] != other.facts["home"]:
            return False
        return _likeness(one, other, roots) is not None and not (self.of_table and said == other.facts)

    def _pairs(self, found: Collection[int]) -> int:
        """Number of pairs of players who met in some new games."""
        some = np.isin(self.new.position, list(found))
        return len(np.unique(np.column_stack(_players(self.new.take(some), self.reading.roots)), axis=0))

    def _matched(self, days: Ints, taken: set[int]) -> _Matches:
        """The earlier games like new ones on some days, one to one, without games that are `taken`; adds those."""
        there, here = mixed(self.there, self.old.played // DAY), mixed(self.here, days)
        candidates = np.flatnonzero(_among(there, here) & ~np.isin(self.old.position, list(taken)))
        places = np.flatnonzero(_among(here, there) & ~np.isin(self.new.position, list(taken)))
        if not len(places) or not len(candidates):
            return {}
        alike = self._alike(self.old.position[candidates], self.new.position[places])
        at = defaultdict[int, list[tuple[int, int]]](list)
        cells = (there[candidates], self.old.position[candidates], self.old.played[candidates])
        for met, one, then in zip(*(column.tolist() for column in cells), strict=True):
            at[met].append((one, then))
        found = _Matches()
        cells = (here[places], self.new.position[places], self.new.played[places])
        for met, position, played in zip(*(column.tolist() for column in cells), strict=True):
            for game in at.get(met, ()):
                match = alike(game[0], position) if _may_be_one_time(game[1], played) else None
                if match is not None:
                    found[position] = match._replace(one_round=match.one_round or _is_local_day(game[1], played))
                    at[met].remove(game)
                    break
        taken |= found.keys() | {one.position for one in found.values()}
        return found

    def _alike(self, old: Ints, new: Ints) -> Callable[[int, int], _Match | None]:
        """Compares the names, rounds and points of an earlier and a new game, by their positions."""
        if len(old) + len(new) > _COMPARED:
            return lambda one, other: _Match(one, False, False)
        rows = self._rows({*old.tolist(), *new.tolist()})

        def match(one: int, other: int) -> _Match | None:
            there, here = rows[one], rows[other]
            one_round = _likeness(there, here, self.reading.roots)
            renamed = {there.a, there.b} != {here.a, here.b}
            return None if one_round is None else _Match(one, one_round, renamed)

        return match

    def _rows(self, positions: Collection[int]) -> dict[int, Row]:
        """Games as they read, by position."""
        return {row.position: self.reading.read(row) or row for row in self.log.rows_at(sorted(positions))}


def _places(found: _Matches) -> dict[int, int]:
    return {at: one.position for at, one in found.items()}


def _among(numbers: Ints, some: Ints) -> NDArray[np.bool_]:
    """Which numbers are among some others; for many different ones this is several times as fast as `isin`."""
    if not len(numbers) or not len(some):
        return np.zeros(len(numbers), np.bool_)
    ordered = np.sort(some)
    found: NDArray[np.bool_] = ordered[np.searchsorted(ordered[:-1], numbers)] == numbers
    return found


def _are_usual(meetings: Ints) -> bool:
    """True if two players often meet several times on one day with the same score."""
    _, counts = np.unique(meetings, return_counts=True)
    several = counts[counts > 2]  # two may be one game that came twice
    return len(several) > _USUAL * len(counts)


def _may_be_one_time(one: int, other: int) -> bool:
    """True if two times may be those of one game, one of them without a time of day or in another zone."""
    if one == other or not one % DAY or not other % DAY:
        return True
    return abs(one - other) <= _ZONES and (one - other) % _STEP == 0


def _is_local_day(one: int, other: int) -> bool:
    """True if one is a day, and the other a time of the day before or after that is of this day in some zone."""
    day, time = (one, other) if other % DAY else (other, one)
    return (
        not day % DAY and time % DAY != 0 and day - _ZONES <= time <= day + DAY + _ZONES and time // DAY != day // DAY
    )


def _exchanged_days(days: Ints) -> Ints:
    """Days with day and month exchanged; those that are none stay."""
    different, which = np.unique(days, return_inverse=True)
    return np.array([_exchanged_day(day) for day in different.tolist()], np.int64)[which]


def _exchanged_day(day: int) -> int:
    try:
        said = date.fromordinal(day + _EPOCH)
        return said.replace(month=said.day, day=said.month).toordinal() - _EPOCH
    except ValueError:
        return day


_NAMED = 500
"""Number of players whose games are asked for by themselves: a database bounds the values of a query."""
_RECENT, _OFTEN = 2_000, 0.2
"""Number of events that show how often players play, and the share of all games from which on these are read faster
than the games of these players alone."""
_EPOCH = date(1970, 1, 1).toordinal()


def _players(games: GameColumns, roots: Mapping[int, int]) -> tuple[Ints, Ints]:
    """The players of each game as they count now, the lower number first."""
    a, b = (rooted(column.astype(np.int64), roots) for column in (games.a, games.b))
    return np.minimum(a, b), np.maximum(a, b)


def _meetings(games: GameColumns, roots: Mapping[int, int]) -> Ints:
    """A number for each game, shared by games of the same players with the same score, from either side."""
    a, b = (rooted(column.astype(np.int64), roots) for column in (games.a, games.b))
    score = np.round(np.where(a <= b, games.score, 1.0 - games.score), _DIGITS) + 0.0
    return mixed(np.minimum(a, b), np.maximum(a, b), score)


def _earlier(log: Log, pool: int, before: int, new: GameColumns, reading: Corrections) -> GameColumns:
    """The games of a pool before the new ones: all, or those of their players; in a large log, of its last events."""
    if not _has_games(log, pool, before):
        return log.games(pool, 0, 0)
    players = set(np.unique(np.concatenate(_players(new, reading.roots))).tolist())
    players |= {one for one, root in reading.roots.items() if root in players}
    looked = _LOOKED // len(players)
    if looked < before <= max(_READ, _READ_EACH * len(new.position)):
        return log.games(pool, 0, before)
    after = max(before - max(_READ // _READ_EACH, looked), 0)
    recent = log.games(pool, max(before - _RECENT, 0), before)
    if len(players) > _NAMED or np.isin(recent.a, [*players]).sum() > _OFTEN * len(recent.a):
        games = log.games(pool, after, before)
        return games.take(np.isin(games.a, [*players]) & np.isin(games.b, [*players]))
    rows = log.rows(after, before, ("game",), pool, sorted(players))
    cells = [(row.position, row.played, row.order, row.a, row.b, row.score) for row in rows if row.b in players]
    return GameColumns._make(map(np.array, zip(*cells, strict=True))) if cells else log.games(pool, 0, 0)


def _has_games(log: Log, pool: int, before: int) -> bool:
    return any(True for _ in log.rows(0, before, ("game",), pool))


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


def _from_side_of(one: Row, other: Row, roots: Mapping[int, int]) -> Mapping[str, Any]:
    """The facts of a game as they are from the side that is the first one of another."""
    turned = roots.get(one.a or 0, one.a) != roots.get(other.a or 0, other.a)
    return exchanged(one.facts) if turned else one.facts


def _event_name(row: Row) -> str:
    """The name of a game's event without the year or day of its edition; empty without an event."""
    return re.sub(r" \([\d.-]+\)\Z", "", str(row.facts.get("event", ""))).casefold()


def _likeness(one: Row, other: Row, roots: Mapping[int, int]) -> bool | None:
    """None if rounds, points or events show that two games differ; else whether they are of one round."""
    said, there = _from_side_of(one, other, roots), other.facts
    both = [name for name in ("round", "points_a", "points_b") if name in said and name in there]
    if any(said[name] != there[name] for name in both):
        return None
    if "round" in both:
        return str(said["round"]).isdigit()
    return None if "event" in said and "event" in there and said["event"] != there["event"] else False
