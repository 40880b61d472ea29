"""Compares new games of a pool with earlier ones, and finds those that seem to be the same games."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.events import DAY, Row
from ratingcore.events.corrections import Corrections
from ratingcore.events.rows import GameColumns
from ratingcore.importer.meetings import mixed
from ratingcore.importer.one_game import (
    event_name,
    exchanged_days,
    from_side_of,
    is_local_day,
    likeness,
    may_be_one_time,
    meetings,
    players,
)
from ratingcore.log import Log
from ratingcore.plans.notes import Twin

_FEWEST = 4
"""Number of games from which on it is not chance that all were played with the same score a day before or after."""
_FEWEST_MOVED = 8
"""The same for any other number of days, unless rounds agree, too."""
_COMPARED = 5_000
"""Number of games whose rounds and points are compared, at most: more are not chance."""
_USUAL = 0.01
"""Share of days beyond which it is usual that two players meet again on one day with the same score."""
_FEWEST_RENAMED = 10
"""Number of games from which on half of them may be those of a tournament that has another name now."""
_SELDOM = 3
"""Number of earlier meetings up to which one on the day with day and month exchanged is not chance."""
_SAMPLE, _MEETINGS, _FURTHEST = 200, 50, 62
"""Games, earlier meetings of each, and days within which a tournament is looked for that was moved."""
_SEASON = 300
"""Number of days within which games of one round are of one edition of an event, if it has one name, or all agree."""


class _Match(NamedTuple):
    """A game like a new one: its position, whether it is of the same round, or its time of the same day in some zone,
    and whether it is under another name.
    """

    position: int
    one_round: bool
    renamed: bool


_Matches = dict[int, _Match]
"""The game like each new one, by position."""
Twins = tuple[Twin, dict[int, int], int]
"""Kind of likeness, the like of each new game by position, and by how many days they were moved."""


def _apart(one: Row, other: Row) -> int:
    """Returns the time between two games, without its sign."""
    return abs((one.played or 0) - (other.played or 0))


@frozen
class Comparison:
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
    def of(cls, log: Log, reading: Corrections, old: GameColumns, new: GameColumns, of_table: bool) -> "Comparison":
        """Compares the games that have the same players and score as others."""
        there, here = (meetings(games, reading.roots) for games in (old, new))
        some = _among(there, here)
        return cls(log, reading, old.take(some), new, there[some], here, of_table)

    def twins(self) -> Iterator[Twins]:
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
            before, same = {*taken}, self._matched(days, taken)
            if not self.of_table and total >= _FEWEST_RENAMED and 2 * len(same) < total:
                renamed = self._matched(days, before, named=False)
                same, taken = (renamed, before) if 2 * len(renamed) >= total else (same, taken)
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
            turned = exchanged_days(days)
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
        at, found, named, far = defaultdict[int, list[Row]](list), _Matches(), True, set[int]()
        for met, position in zip(self.there[near].tolist(), self.old.position[near].tolist(), strict=True):
            at[met].append(rows[position])
        for met, position in zip(self.here[places].tolist(), self.new.position[places].tolist(), strict=True):
            row = rows[position]
            for away, one in sorted(((_apart(one, row), one) for one in at.get(met, ())), key=itemgetter(0)):
                if away > _SEASON * DAY:
                    break
                if "dated" in {*one.facts, *row.facts} and likeness(one, row, self.reading.roots):
                    same = event_name(one) == event_name(row) != ""
                    far |= {position} if not same and away > _FURTHEST * DAY else set()
                    found[position] = _Match(one.position, True, False)
                    named &= same
                    at[met].remove(one)
                    break
        if len(found) < max(len(self.here), _FEWEST_MOVED):  # the whole of a long league is no chance
            found = {position: one for position, one in found.items() if position not in far}
        return found if named or (2 * len(found) >= len(self.here) and self._pairs(found) > 1) else {}

    def _moved(self, days: Ints) -> Twins | None:
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
        said = from_side_of(one, other, roots)
        if "home" in said and "home" in other.facts and said["home"] != other.facts["home"]:
            return False
        return likeness(one, other, roots) is not None and not (self.of_table and said == other.facts)

    def _pairs(self, found: Collection[int]) -> int:
        """Number of pairs of players who met in some new games."""
        some = np.isin(self.new.position, list(found))
        return len(np.unique(np.column_stack(players(self.new.take(some), self.reading.roots)), axis=0))

    def _matched(self, days: Ints, taken: set[int], named: bool = True) -> _Matches:
        """The earlier games like new ones on some days, one to one, without games that are `taken`; adds those.

        If not `named`, games of different events without rounds may be the same.
        """
        there, here = mixed(self.there, self.old.played // DAY), mixed(self.here, days)
        candidates = np.flatnonzero(_among(there, here) & ~np.isin(self.old.position, list(taken)))
        places = np.flatnonzero(_among(here, there) & ~np.isin(self.new.position, list(taken)))
        if not len(places) or not len(candidates):
            return {}
        alike = self._alike(self.old.position[candidates], self.new.position[places], named)
        at = defaultdict[int, list[tuple[int, int]]](list)
        cells = (there[candidates], self.old.position[candidates], self.old.played[candidates])
        for met, one, then in zip(*(column.tolist() for column in cells), strict=True):
            at[met].append((one, then))
        found = _Matches()
        cells = (here[places], self.new.position[places], self.new.played[places])
        for met, position, played in zip(*(column.tolist() for column in cells), strict=True):
            for game in at.get(met, ()):
                match = alike(game[0], position) if may_be_one_time(game[1], played) else None
                if match is not None:
                    found[position] = match._replace(one_round=match.one_round or is_local_day(game[1], played))
                    at[met].remove(game)
                    break
        taken |= found.keys() | {one.position for one in found.values()}
        return found

    def _alike(self, old: Ints, new: Ints, named: bool) -> Callable[[int, int], _Match | None]:
        """Compares the names, rounds and points of an earlier and a new game, by their positions."""
        if len(old) + len(new) > _COMPARED:
            return lambda one, other: _Match(one, False, False)
        rows = self._rows({*old.tolist(), *new.tolist()})

        def match(one: int, other: int) -> _Match | None:
            there, here = rows[one], rows[other]
            one_round = likeness(there, here, self.reading.roots, named)
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
