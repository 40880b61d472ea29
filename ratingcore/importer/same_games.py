"""Finds new games of a pool that are probably the same as games already in the log."""

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
"""Fewest new games that cannot all match games of the day before or after by chance."""
_FEWEST_MOVED = 8
"""Fewest new games that cannot all match games some other number of days away by chance, unless rounds agree, too."""
_COMPARED = 5_000
"""Largest number of games whose rounds and points are compared; more games do not match by chance."""
_USUAL = 0.01
"""If players meet several times a day with one score on more than this share of days, that is usual in the pool."""
_FEWEST_RENAMED = 10
"""Fewest new games for which matches of half of them mean a tournament that was recorded under other names."""
_SELDOM = 3
"""If two players have met at most this often, a match with day and month exchanged is not chance."""
_SAMPLE, _MEETINGS, _FURTHEST = 200, 50, 62
"""Limits of the search for a tournament that was moved: games, earlier meetings of each, and days apart."""
_SEASON = 300
"""Largest number of days between two games of the same edition of an event."""


class _Match(NamedTuple):
    """An earlier game that matches a new one.

    Attributes
    ----------
    position : int
        Position of the earlier game.
    one_round : bool
        Whether both are of the same round, or one has only a day, and the other a time of this day in some time zone.
    renamed : bool
        Whether the players have other names.
    """

    position: int
    one_round: bool
    renamed: bool


_Matches = dict[int, _Match]
"""The earlier game that matches each new one, by the position of the new one."""
Twins = tuple[Twin, dict[int, int], int]
"""How new games repeat earlier ones; positions of the earlier games, by position of the new ones; days moved."""


def _apart(one: Row, other: Row) -> int:
    """Returns the time between two games, without its sign."""
    return abs((one.played or 0) - (other.played or 0))


@frozen
class GameMatches:
    """New games of one pool, and earlier ones with the same players and score."""

    log: Log
    reading: Corrections
    old: GameColumns
    new: GameColumns
    there: Ints
    """A number for each earlier game, equal for games of the same players with the same score, from either side."""
    here: Ints
    """The same number for each new game."""
    of_table: bool
    """Whether the new games are from a table."""

    @classmethod
    def of(cls, log: Log, reading: Corrections, old: GameColumns, new: GameColumns, of_table: bool) -> "GameMatches":
        """Returns the comparison of new games with those earlier ones that have the same players and score."""
        there, here = (meetings(games, reading.roots) for games in (old, new))
        some = _among(there, here)
        return cls(log, reading, old.take(some), new, there[some], here, of_table)

    def twins(self) -> Iterator[Twins]:
        """Yields the new games that repeat earlier ones, by how they repeat them."""
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
        """Returns earlier games of the same round on another day, where one game has only the day of its event."""
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
        if len(found) < max(len(self.here), _FEWEST_MOVED):  # a whole long league does not match by chance
            found = {position: one for position, one in found.items() if position not in far}
        return found if named or (2 * len(found) >= len(self.here) and self._pairs(found) > 1) else {}

    def _moved(self, days: Ints) -> Twins | None:
        """Returns all games of the file if they repeat a tournament that was moved by some days; otherwise None."""
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
        """Returns games of the file that repeat earlier games of the same file, at the same time."""
        key = mixed(self.here, self.new.played)
        ordered = np.sort(key)  # many times as fast as argsort, and usually enough
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
        facts = from_side_of(one, other, roots)
        if "home" in facts and "home" in other.facts and facts["home"] != other.facts["home"]:
            return False
        return likeness(one, other, roots) is not None and not (self.of_table and facts == other.facts)

    def _pairs(self, found: Collection[int]) -> int:
        """Returns the number of pairs of players in some new games."""
        some = np.isin(self.new.position, list(found))
        return len(np.unique(np.column_stack(players(self.new.take(some), self.reading.roots)), axis=0))

    def _matched(self, days: Ints, taken: set[int], named: bool = True) -> _Matches:
        """Matches new games one to one with earlier games of given days, and adds both to `taken`.

        Parameters
        ----------
        days : (n,) int64
            For each new game, the day on which to look for an earlier one.
        taken : set of int
            Positions of games that are matched already.
        named : bool
            Whether games without rounds are different if their events have different names.
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
        """Returns a function that compares names, rounds and points of an earlier and a new game, by position."""
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
        """Returns games with all corrections applied, by position."""
        return {row.position: self.reading.read(row) or row for row in self.log.rows_at(sorted(positions))}


def _places(found: _Matches) -> dict[int, int]:
    return {at: one.position for at, one in found.items()}


def _among(numbers: Ints, some: Ints) -> NDArray[np.bool_]:
    """Returns a mask of the numbers that are in `some`; with many distinct ones, several times as fast as `np.isin`."""
    if not len(numbers) or not len(some):
        return np.zeros(len(numbers), np.bool_)
    ordered = np.sort(some)
    found: NDArray[np.bool_] = ordered[np.searchsorted(ordered[:-1], numbers)] == numbers
    return found


def _are_usual(meetings: Ints) -> bool:
    """True if two players often meet several times on one day with the same score."""
    _, counts = np.unique(meetings, return_counts=True)
    several = counts[counts > 2]  # two may be one game recorded twice
    return len(several) > _USUAL * len(counts)
