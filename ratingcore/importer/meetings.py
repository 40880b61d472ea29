"""Names that may be those of two people, as they play twice at once, and days on which rounds run backwards."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.events import DAY, Instant
from ratingcore.events.rounds import is_one_round, round_order
from ratingcore.events.values import Fact, Facts
from ratingcore.importer.notes import (
    SHOWN,
    Namesakes,
    NamesakesInEvents,
    RoundsAgainstRows,
    RoundsOfPlayers,
    RoundsWithoutOrder,
)
from ratingcore.readers import Note

_TOGETHER = 2**16
"""Games that are looked at together: rows of one time, round or event mostly are near each other."""
_EVENTS = 20
"""Events of a player on one day beyond which `event` names no events, but games."""
_BARE = re.compile("[Rr] ?([0-9]{1,3})")
_SIZES = (16, 32, 64, 128, 256)
"""Rounds that are called by how many play in them."""
_USUAL = 0.01
"""Share of the days of players beyond which it is usual there to play in two events."""


class _Cases(list[Any]):
    """The first cases of what was found, and how many there are."""

    total = 0

    def add(self, *case: Any) -> None:
        self.total += 1
        if self.total <= SHOWN:
            self.append(case)


class Meetings:
    """Finds names that may be those of two people, and days whose order of games is not that of the rounds."""

    def __init__(self) -> None:
        self._games: list[tuple[int, str, Instant, str, str, int, Any, Any]] = []
        """Line, pool, time, players, order on the day, round and event."""
        self._at_once, self._in_two_events = _Cases(), _Cases()
        self._backwards, self._nowhere = _Cases(), _Cases()
        self._turns: set[Any] = set()
        self._days = 0
        """Days of players in events, where there are several on one day."""

    def add(self, games: Iterable[tuple[int, str, Instant, str, str, int, Facts]]) -> None:
        """Takes note of games: line, pool, time, players, order on the day and facts of each."""
        self._games += [
            (line, pool, at, a, b, order, facts.get("round"), facts.get("event"))
            for line, pool, at, a, b, order, facts in games
            if at % DAY or "round" in facts or "event" in facts
        ]
        while len(self._games) >= _TOGETHER:
            self._look()

    def notes(self) -> list[Note]:
        """What was found, a note of each kind."""
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
        """Looks at the games that were added since."""
        if not self._games:
            return
        lines, pools, times, a, b, orders, turns, events = zip(*self._games[:_TOGETHER], strict=True)
        del self._games[:_TOGETHER]
        self._turns.update(turns)
        whole = np.array(times, np.int64) % DAY == 0
        in_round, in_event = (np.array([one is not None for one in column]) for column in (turns, events))
        when, turn, event = _hashes(zip(pools, times, strict=True)), _hashes(turns), _hashes(events)

        def entries(rows: Ints) -> tuple[list[tuple[str, int]], Ints, Ints]:
            """Who plays some games, with the line of each, a number for each player, and one for each opponent."""
            some = rows.tolist()
            players = [(name, lines[row]) for row in some for name in (a[row], b[row])]
            who = _hashes(name for name, _ in players)
            return players, who, who.reshape(-1, 2)[:, ::-1].ravel()

        if in_round.any():
            rank = {turn: _rank(turn) for turn in set(turns)}
            ranks = np.fromiter(map(rank.__getitem__, turns), np.int64, len(turns)) * whole
            self._look_at_order(np.array(lines), ranks, np.array(orders), whole & in_round, mixed(when, event), turns)
        of_one = {turn for turn in set(turns) if turn is not None and is_one_round(turn)}
        in_one = np.fromiter(map(of_one.__contains__, turns), np.bool_, len(turns))
        rows = np.flatnonzero(in_one | ~whole)
        players, who, others = entries(rows)
        at_once = mixed(np.repeat(mixed(when, turn, event)[rows], 2), who)
        for one, first in _others(at_once, others):
            self._at_once.add(players[one][0], players[first][1], players[one][1])
        rows = np.flatnonzero(whole & in_event & ~in_round)
        several = _others(when[rows], event[rows])  # most days have one event
        rows = rows[np.isin(when[rows], when[rows][[row for row, _ in several]])]
        players, who, _ = entries(rows)
        days, entered = np.repeat(when[rows], 2), np.repeat(event[rows], 2)
        on_day = mixed(days, who)
        self._days += len(np.unique(on_day))
        met = np.flatnonzero(np.isin(on_day, on_day[[one for one, _ in _others(on_day, entered)]]))
        self._look_at_events([players[one] for one in met.tolist()], days[met], entered[met])

    def _look_at_events(self, players: Sequence[tuple[str, int]], days: Ints, events: Ints) -> None:
        """Takes note of names that are the only ones in both of two events of a day."""
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
        """Takes note of days of an event on which a game comes after one of a later round, or whose rounds say nothing.

        Parameters
        ----------
        ranks : (n,) int64
            The order that each round gives; 0 for none.
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


def _rank(turn: Fact | None) -> int:
    return 0 if turn is None else round_order(turn)


def _hashes(values: Iterable[object]) -> Ints:
    return np.fromiter(map(hash, values), np.int64)


def mixed(*columns: NDArray[Any]) -> Ints:
    """A number for each row, which rows of equal values share."""
    made = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        made = (made ^ column.view(np.uint64)) * _FACTOR
        made ^= made >> _SHIFT
    return made.view(np.int64)


_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
"""Multiplied by the golden ratio of 64 bits, neighbours come far apart [1]_; the shift lets high bits move low ones.

.. [1] Knuth, *The Art of Computer Programming* 3, section 6.4.
"""


def _others(keys: Ints, values: Ints) -> list[tuple[int, int]]:
    """Places of values that are not those of the first place with the same key, each with that place."""
    sort = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[sort], prepend=keys[sort[0]] - 1 if len(sort) else 0))
    first = sort[np.repeat(starts, np.diff(starts, append=len(sort)))]
    other = np.flatnonzero(values[sort] != values[first])
    return sorted(zip(sort[other].tolist(), first[other].tolist(), strict=True))
