"""Finds names that may belong to two people, because they play twice at one time, and days with rounds out of order."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.events import DAY, GamePlayed
from ratingcore.events.rounds import is_one_round, round_order
from ratingcore.events.values import Fact, Facts
from ratingcore.importer.day_notes import RoundsAgainstRows, RoundsOfPlayers, RoundsWithoutOrder
from ratingcore.importer.name_notes import Namesakes, NamesakesInEvents
from ratingcore.importer.notes import SHOWN
from ratingcore.readers import Note

_TOGETHER = 2**16
"""Number of games examined together: rows of one time, round or event are usually near each other."""
_EVENTS = 20
"""If a player is in more events on one day than this, the field `event` probably names single games."""
_BARE = re.compile("[Rr] ?([0-9]{1,3})")
_SIZES = (16, 32, 64, 128, 256)
"""Numbers of players by which rounds are called, such as the round of 16."""
_USUAL = 0.01
"""Share of days with two events of one player above which this is usual, and not noted."""


class _Cases(list[Any]):
    """The first cases of one kind of finding, with the number of all."""

    total = 0

    def add(self, *case: Any) -> None:
        self.total += 1
        if self.total <= SHOWN:
            self.append(case)


class _Games(NamedTuple):
    """Games as columns: hashes of values that are only compared, and the values that a note may show."""

    line: Ints
    when: Ints
    """A number for each time of each pool."""
    whole: NDArray[np.bool_]
    """True for games with a day, but no time of day."""
    names: NDArray[Any]
    who: Ints
    """Hashes of the names of the players, two in each row."""
    order: Ints
    turn: NDArray[Any]
    turn_hash: Ints
    event: Ints
    in_round: NDArray[np.bool_]
    in_event: NDArray[np.bool_]

    def taken(self, rows: "slice | NDArray[Any]") -> "_Games":
        """Returns some of the games."""
        return _Games._make(column[rows] for column in self)


class DoubtfulMeetings:
    """Finds names that may belong to two people, and days on which the order of games contradicts their rounds."""

    def __init__(self) -> None:
        self._games: list[_Games] = []
        self._at_once, self._in_two_events = _Cases(), _Cases()
        self._backwards, self._nowhere = _Cases(), _Cases()
        self._turns: set[Any] = set()
        self._days = 0
        """Number of pairs of a player and a day, on days with several events."""

    def add_all(self, games: Sequence[tuple[int, GamePlayed]]) -> None:
        """Adds games, each with its line."""
        if not games:
            return
        some = [game for _, game in games]
        self.add(
            np.array([line for line, _ in games]), _hashes(game.pool for game in some),
            np.array([game.played for game in some]), [name for game in some for name in (game.a, game.b)],
            np.arange(2 * len(games)).reshape(-1, 2), np.array([game.order for game in some]),
            [game.data for game in some], np.arange(len(games)),
        )  # fmt: skip

    def add(
        self,
        lines: Ints,
        pools: Ints,
        played: Ints,
        names: Sequence[str],
        players: Ints,
        orders: Ints,
        facts: Sequence[Facts],
        which: Ints,
    ) -> None:
        """Adds games given as columns.

        Parameters
        ----------
        pools : (n,) int64
            A number for each pool.
        players : (n, 2) int
            Indexes of the players in `names`.
        which : (n,) int
            Indexes of the games' facts in `facts`.
        """
        turns, events = ([one.get(field) for one in facts] for field in ("round", "event"))
        in_round, in_event = (np.array([one is not None for one in column])[which] for column in (turns, events))
        whole = played % DAY == 0
        some = np.flatnonzero((~whole | in_event) & _may_recur(played) | in_round)
        seats, which = [names[at] for at in players[some].ravel().tolist()], which[some]
        games = _Games(
            lines[some], mixed(pools[some], played[some]), whole[some], _objects(seats).reshape(-1, 2),
            _hashes(seats).reshape(-1, 2), orders[some], _objects(turns)[which], _hashes(turns)[which],
            _hashes(events)[which], in_round[some], in_event[some],
        )  # fmt: skip
        self._games.append(games)
        while sum(len(part.line) for part in self._games) >= _TOGETHER:
            self._look()

    def notes(self) -> list[Note]:
        """Returns the findings, one note for each kind."""
        self._look()
        found = list[Note]()
        for kind, cases in (
            (Namesakes, self._at_once), (NamesakesInEvents, self._in_two_events), (RoundsAgainstRows, self._backwards),
            (RoundsWithoutOrder, self._nowhere),
        ):  # fmt: skip
            usual = kind is NamesakesInEvents and cases.total > max(SHOWN, _USUAL * self._days)
            found += [kind(cases.total, tuple(cases))] if cases and not usual else []
        numbers = sorted(int(match[1]) for match in map(_BARE.fullmatch, map(str, self._turns)) if match)
        of_players = tuple(f"R{number}" for number in numbers if number in _SIZES)
        counted_on = tuple(f"R{number}" for number in numbers if number not in _SIZES)
        return [*found, *([RoundsOfPlayers(of_players, counted_on)] if of_players and counted_on else [])]

    def _look(self) -> None:
        """Examines the first of the games not examined yet."""
        if not self._games:
            return
        every = _Games._make(map(np.concatenate, zip(*self._games, strict=True)))
        games, self._games = every.taken(slice(_TOGETHER)), [every.taken(slice(_TOGETHER, None))]
        in_one = np.zeros(len(games.line), np.bool_)
        if games.in_round.any():
            turns = games.turn.tolist()
            self._turns.update(turns)
            in_one = self._look_at_rounds(games, turns)
        some = games.taken(in_one | ~games.whole)
        at_once = mixed(np.repeat(mixed(some.when, some.turn_hash, some.event), 2), some.who.ravel())
        for one, first in _others(at_once, some.who[:, ::-1].ravel()):
            self._at_once.add(some.names.flat[one], int(some.line[first // 2]), int(some.line[one // 2]))
        some = games.taken(games.whole & games.in_event & ~games.in_round)
        several = _others(some.when, some.event)  # most days have one event
        some = some.taken(np.isin(some.when, some.when[[row for row, _ in several]]))
        days, entered = np.repeat(some.when, 2), np.repeat(some.event, 2)
        on_day = mixed(days, some.who.ravel())
        self._days += len(np.unique(on_day))
        met = np.flatnonzero(np.isin(on_day, on_day[[one for one, _ in _others(on_day, entered)]]))
        players = list(zip(some.names.ravel()[met].tolist(), some.line[met // 2].tolist(), strict=True))
        self._look_at_events(players, days[met], entered[met])

    def _look_at_rounds(self, games: _Games, turns: Sequence[Any]) -> NDArray[np.bool_]:
        """Examines the order of rounds; returns a mask of the games in rounds in which everybody plays once."""
        rank = {turn: _rank(turn) for turn in set(turns)}
        ranks = np.fromiter(map(rank.__getitem__, turns), np.int64, len(turns)) * games.whole
        days, in_round = mixed(games.when, games.event), games.whole & games.in_round
        self._look_at_order(games.line, ranks, games.order, in_round, days, turns)
        of_one = {turn for turn in rank if turn is not None and is_one_round(turn)}
        return np.fromiter(map(of_one.__contains__, turns), np.bool_, len(turns))

    def _look_at_events(self, players: Sequence[tuple[str, int]], days: Ints, events: Ints) -> None:
        """Notes each name that is the only one in both of two events on one day."""
        entered: dict[tuple[int, str], dict[int, int]] = defaultdict(dict)
        for (name, line), day, event in zip(players, days.tolist(), events.tolist(), strict=True):
            entered[day, name].setdefault(event, line)
        both: dict[tuple[int, int, int], list[str]] = defaultdict(list)
        for (day, name), first in entered.items():
            for one, other in combinations(sorted(first), 2) if len(first) <= _EVENTS else ():
                both[day, one, other].append(name)
        alone = {(day, some[0]) for (day, _, _), some in both.items() if len(some) == 1}
        for (day, name), first in entered.items():
            if (day, name) in alone:
                self._in_two_events.add(name, *sorted(first.values())[:2])

    def _look_at_order(
        self, lines: Ints, ranks: Ints, orders: Ints, in_round: NDArray[np.bool_], days: Ints, turns: Sequence[Any]
    ) -> None:
        """Notes days of an event on which a game comes after one of a later round, or on which rounds have no order.

        Parameters
        ----------
        ranks : (n,) int64
            Order that follows from the round of each game; 0 for none.
        days : (n,) int64
            A number for each day of each event.
        """
        silent = in_round & (ranks == 0) & (orders == 0) & np.array([str(one) != "0" for one in turns])
        for at in np.flatnonzero(silent)[np.isin(days[silent], days[ranks != 0])].tolist():
            self._nowhere.add(str(turns[at]), int(lines[at]))
        if (ranks == orders).all():
            return
        sort = np.lexsort((orders, days))
        sort = sort[ranks[sort] != 0]
        back = (np.diff(ranks[sort]) < 0) & (np.diff(days[sort]) == 0)
        _, first = np.unique(days[sort][1:][back], return_index=True)
        for at in sorted(np.flatnonzero(back)[first].tolist(), key=lambda at: lines[sort[at]]):
            before, after = sort[at], sort[at + 1]
            self._backwards.add(str(turns[before]), int(lines[before]), str(turns[after]), int(lines[after]))


def _may_recur(played: Ints) -> NDArray[np.bool_]:
    """Mask of the times that further games may have: in many rows in order, those of neighbours and of either end."""
    step = np.diff(played)
    if len(played) < _TOGETHER or (step < 0).any():
        return np.ones(len(played), np.bool_)
    ends, same = np.array([True]), step == 0
    near: NDArray[np.bool_] = np.concatenate((ends, same)) | np.concatenate((same, ends))
    return near


def _rank(turn: Fact | None) -> int:
    return 0 if turn is None else round_order(turn)


def _objects(values: Sequence[object]) -> NDArray[Any]:
    return np.fromiter(values, np.object_, len(values))


def _hashes(values: Iterable[object]) -> Ints:
    return np.fromiter(map(hash, values), np.int64)


def mixed(*columns: NDArray[Any]) -> Ints:
    """Returns a hash for each row, the same for rows of equal values."""
    made = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        made = (made ^ column.view(np.uint64)) * _FACTOR
        made ^= made >> _SHIFT
    return made.view(np.int64)


_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
"""Multiplication by the 64-bit golden ratio moves neighbours far apart [1]_; the shift mixes high bits into low ones.

.. [1] Knuth, *The Art of Computer Programming* 3, section 6.4.
"""


def _others(keys: Ints, values: Ints) -> list[tuple[int, int]]:
    """Returns the indexes of values that differ from the first value of their key, each with that value's index."""
    ordered = np.sort(keys)  # many times as fast as sorting indexes, and most keys come once
    several = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(several):
        return []
    some = np.flatnonzero(several[np.searchsorted(several, keys).clip(max=len(several) - 1)] == keys)
    sort = some[np.argsort(keys[some], kind="stable")]
    starts = np.flatnonzero(np.diff(keys[sort], prepend=keys[sort[0]] - 1))
    first = sort[np.repeat(starts, np.diff(starts, append=len(sort)))]
    other = np.flatnonzero(values[sort] != values[first])
    return sorted(zip(sort[other].tolist(), first[other].tolist(), strict=True))
