"""Attributes a whole-pool rating to a player's results by refitting the pool just before and just after each."""

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
"""Default limit on the number of refits in one attribution."""

WORDS = ("", "day", "month", "year", "all")
"""Spans by which a player's results are grouped, from each result alone to all at once."""


@frozen(eq=False)
class Share:
    """A group of a player's results, or one seed, with the player's rating in the fits before and after it.

    Parameters
    ----------
    played : int
        Instant of the last of these results, or of the seed.
    results : tuple of int
        Indices of the results; empty for a seed.
    seed : int or None
        Number of the seed in the table of the view.
    before, after : float, NaN where the fit does not rate the player
    opposition : float
        Mean rating of the opponents in the fit before; NaN if one of them is unrated.
    expected : (results,) float64
        Scores that the fit before expects of the player.
    columns : mapping of name to cell
        Further listed columns of the player in the fit after, at the instant `played`.
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
        Span by which results are grouped: one of `WORDS`.
    refits : int
        Number of fits of the pool.
    """

    shares: tuple[Share, ...]
    word: str
    refits: int


def attribute(replay: Replay, row: int, since: Instant = FIRST, most: int = MOST) -> Attribution:
    """Attributes a player's rating to their results, by refits before and after each of them in order of play.

    Results at one instant are taken one after the other. If that needs more than `most` fits, the player's results
    are grouped by day, else by month, by year, or all at once.

    Parameters
    ----------
    replay : Replay
        A replay of a retrospective method.
    row : int
        The player's row of the state.
    since : int
        Results and seeds before this instant get no share.
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
    """The input of a fit: the number of leading results, the number of leading seeds, and further results."""

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
    """Groups the player's results and seeds in order of play, seeds before results of the same time."""
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
        # consecutive results extend the leading ones, so that one fit may serve two parts
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
    """Fits a pool to some of its results, and keeps fits that may be needed again."""

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
        """Returns the indices of the player's results and seeds from an instant on."""
        results = np.searchsorted(self._member_start, np.flatnonzero(self._member == self.row), "right") - 1
        seeds = np.flatnonzero(self.seeds.player == self.row)
        return results[self.results.played[results] >= since], seeds[self.seeds.played[seeds] >= since]

    def share(self, part: _Part) -> Share:
        before, state = self._fit(part.before)
        after, solved = self._fit(part.after)
        if part.seed is not None:
            played = int(self.seeds.played[part.seed])
            extra = cells_of(self.method, solved, self.row, played)
            return Share(played, (), part.seed, before, after, nan, np.empty(0), extra)
        opposition, expected = self._foreseen(state, part.results)
        self._made = {part.before: (before, state), part.after: self._made[part.after]}  # perhaps needed again
        played = int(self.results.played[part.results[-1]])
        extra = cells_of(self.method, solved, self.row, played)
        return Share(played, part.results, None, before, after, opposition, expected, extra)

    def _fit(self, point: _Point) -> tuple[float, State]:
        if point not in self._made:
            state = self._solved(point)
            rating = state["rating"]
            self._made[point] = float(rating[self.row]) if self.row < len(rating) else self._start, state
        return self._made[point]

    def _solved(self, point: _Point) -> State:
        """Returns the state of a fit, with rows for all players who had appeared by then."""
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
        """Returns the mean rating of the opponents in some results, and the player's expected score in each."""
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
    """Returns the number of pairs for which a state has rows."""
    return max((len(state[column.name]) for column in columns if column.per == "pair"), default=0)


def _mean(ratings: Floats) -> float:
    return float(ratings.mean()) if len(ratings) else nan
