"""Attributes a whole-pool rating to a player's results: the pool is refitted before and with each of them."""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from math import nan
from typing import Any

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats, Ints, Span
from ratingcore.columns.sides import Sides
from ratingcore.events import DAY, Instant
from ratingcore.events.times import FIRST
from ratingcore.explain.history import cells_of
from ratingcore.lists.policy import Cell
from ratingcore.methods.state import State
from ratingcore.replay.newcomers import month_of
from ratingcore.replay.replay import Replay
from ratingcore.replay.run import pairs_in
from ratingcore.replay.seeds import Planter

MOST = 200
"""Number of refits of a pool in an attribution, at most, by default."""

WORDS = ("", "day", "month", "year", "all")
"""Ways to take own results together, from each alone to all at once."""


@frozen(eq=False)
class Share:
    """Own results taken together, or an own seed, with the rating in the fit before and in the fit with them.

    Parameters
    ----------
    played : int
        When the last of them was played.
    results : tuple of int
        Indices of own results; empty for a seed.
    seed : int or None
        Number of the seed in the table of the view.
    before, after : float, NaN where the fit does not rate the player
    opposition : float
        Mean rating of the others in the results, in the fit before; NaN if one of them is unrated.
    expected : (results,) float64
        Forecasts of the fit before, from the player's side.
    columns : mapping of name to cell
        Further listed columns of the player in the fit after, on the day of the last of them.
    """

    played: Instant
    results: tuple[int, ...]
    seed: int | None
    before: float
    after: float
    opposition: float
    expected: Floats
    columns: Mapping[str, Cell] = field(factory=dict)


@frozen(eq=False)
class Attribution:
    """Shares in order of play.

    Parameters
    ----------
    shares : tuple of Share
    word : str
        The way results are taken together: one of `WORDS`.
    refits : int
        Number of fits of the pool.
    """

    shares: tuple[Share, ...]
    word: str
    refits: int


def attribute(replay: Replay, row: int, since: Instant = FIRST, most: int = MOST) -> Attribution:
    """Refits a pool before and with each result of a player, in order of play.

    Results at one instant are taken one after the other. Where that needs more than `most` fits, results are taken
    together by day, then by month, by year, or all at once.

    Parameters
    ----------
    replay : Replay
        Of a retrospective method.
    row : int
        The player's row of the state.
    since : int
        Results and seeds played before it get no share.
    """
    fits = Fits(replay, row)
    own, seeds = fits.own(since)
    for word in WORDS:
        parts = list(_parts(fits, own, seeds, word))
        points = {point for part in parts for point in (part.before, part.after)}
        if len(points) <= max(most, 2):
            break
    return Attribution(tuple(fits.share(part) for part in parts), word, len(points))


@frozen
class _Point:
    """A fit: of the leading results, further ones, and the leading seeds."""

    results: int
    seeds: int
    further: tuple[int, ...] = ()


@frozen
class _Part:
    results: tuple[int, ...]
    seed: int | None
    before: _Point
    after: _Point


def _parts(fits: "Fits", own: Ints, seeds: Ints, word: str) -> Iterator[_Part]:
    """Own results and seeds in order of play, seeds before results of the same time."""
    played, planted = fits.results.played, fits.seeds.played
    events = [(int(planted[s]), 0, s) for s in seeds.tolist()] + [(int(played[r]), 1, r) for r in own.tolist()]
    together = _KEYS[word]
    for (is_result, _), group in groupby(sorted(events), lambda e: (e[1], together(e[0]) if together else e)):
        some = [number for _, _, number in group]
        if not is_result:
            for s in some:
                n = int(np.searchsorted(played, planted[s]))
                yield _Part((), s, _Point(n, s), _Point(n, s + 1))
            continue
        given = int(np.searchsorted(planted, played[some[0]], "right"))
        first = some[0]
        # consecutive results form a longer beginning, so one fit may serve two parts
        plain = some == [*range(first, first + len(some))]
        after = _Point(first + len(some), given) if plain else _Point(first, given, tuple(some))
        yield _Part(tuple(some), None, _Point(first, given), after)


_KEYS: dict[str, Callable[[Instant], int] | None] = {
    "": None,
    "day": lambda played: played // DAY,
    "month": month_of,
    "year": lambda played: month_of(played) // 12,
    "all": lambda played: 0,
}


class Fits:
    """Fits of a pool as known after some of its results; each is made once."""

    def __init__(self, replay: Replay, row: int) -> None:
        self.method: Any = replay.method
        self.row = row
        self.results: Any = replay.results
        self.seeds = replay.view.seeds
        self._columns = self.method.columns()
        self._planter = Planter(self.seeds, self._columns)
        self._start = float(replay.start[row])
        self._member = replay.member
        self._member_start = replay.member_start
        self._made: dict[_Point, tuple[float, State]] = {}

    def own(self, since: Instant) -> tuple[Ints, Ints]:
        """Indices of the player's results and seeds played from an instant on."""
        results = np.searchsorted(self._member_start, np.flatnonzero(self._member == self.row), "right") - 1
        seeds = np.flatnonzero(self.seeds.player == self.row)
        return results[self.results.played[results] >= since], seeds[self.seeds.played[seeds] >= since]

    def share(self, part: _Part) -> Share:
        """The contribution of a part."""
        before, state = self._fit(part.before)
        after, solved = self._fit(part.after)
        if part.seed is not None:
            played = int(self.seeds.played[part.seed])
            beside = cells_of(self.method, solved, self.row, played)
            return Share(played, (), part.seed, before, after, nan, np.empty(0), beside)
        opposition, expected = self._foreseen(state, part.results)
        self._made = {part.before: (before, state), part.after: self._made[part.after]}  # needed again, perhaps
        played = int(self.results.played[part.results[-1]])
        beside = cells_of(self.method, solved, self.row, played)
        return Share(played, part.results, None, before, after, opposition, expected, beside)

    def _fit(self, point: _Point) -> tuple[float, State]:
        if point not in self._made:
            state = self._solved(point)
            rating = state["rating"]
            self._made[point] = float(rating[self.row]) if self.row < len(rating) else self._start, state
        return self._made[point]

    def _solved(self, point: _Point) -> State:
        """The state of a fit, with rows for all players who had appeared by then."""
        whole = self.results
        n = point.results + len(point.further)
        chosen = whole
        if point.further:
            chosen = whole.take(np.concatenate([np.arange(point.results), np.array(point.further)]))
        last = int(chosen.played[n - 1]) if n else 0
        part = chosen.part(0, n, Span(whole.span.start, last + 1) if n else Span(0, 0))
        members = part.player if isinstance(part, Sides) else np.concatenate([part.a, part.b])
        planted = self.seeds.player[: point.seeds]
        players = 1 + max(int(members.max(initial=-1)), int(planted.max(initial=-1)))
        state = State.start(self._columns, players, pairs_in(part))
        self._planter.plant(state, np.arange(point.seeds), 0, 0)
        solved: State = self.method.rate(state, part).state
        return solved

    def _foreseen(self, state: State, results: tuple[int, ...]) -> tuple[float, Floats]:
        """Mean rating of the others in some results, and the expected score of the player in each."""
        part = self.results.take(np.array(results))
        members = part.player if isinstance(part, Sides) else np.stack([part.a, part.b], axis=1).ravel()
        players = max(int(members.max()) + 1, len(state["rating"]))
        grown = state.grown(State.start(self._columns, players, max(pairs_in(part), _rows(state, self._columns))))
        expected = self.method.expected(grown, part.withheld()).expected
        rating, others = grown["rating"], members != self.row
        if isinstance(part, Sides):
            seat = np.flatnonzero(~others)
            mine = np.searchsorted(part.side, seat, "right") - 1
            side_of = np.repeat(np.arange(len(part.side) - 1), np.diff(part.side))
            return _mean(rating[members[~np.isin(side_of, mine)]]), expected[mine]
        return _mean(rating[members[others]]), np.where(part.a == self.row, expected, 1.0 - expected)


def _rows(state: State, columns: Any) -> int:
    """Number of pairs for which a state has rows."""
    return max((len(state[column.name]) for column in columns if column.per == "pair"), default=0)


def _mean(ratings: Floats) -> float:
    return float(ratings.mean()) if len(ratings) else nan
