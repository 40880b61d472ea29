"""The rest of a season, simulated many times: final tables, and the chance of every place."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen
from numpy.random import Generator

from ratingcore import Engine
from ratingcore.errors import CannotSay
from ratingcore.plugin import BadValue, Cadence, Floats, Games, Ints, Method, Sides, State
from ratingcore.plugin.analysis import (
    Clock,
    Fact,
    Instant,
    KnownAt,
    Matchup,
    Meeting,
    Stage,
    When,
    Worth,
    absent,
    clock,
    covariance_of,
    failing,
    fold,
    frozen_array,
    identity,
    matchup,
    points_of,
    same_value,
    shown_by,
    staged_meetings,
)
from ratingcore.plugin.reports import AsTable, Table
from ratingcore_season.draws import chance_of_draw, pool_nu, shares_of

MOST = 1_000_000
"""Largest number of runs."""
ROOM = 2**20
"""Games held in memory at once."""


@frozen(eq=False)
class Season(AsTable):
    """Final tables of a season whose rest was simulated many times.

    As a table, it has a row per player, best mean place first: player, played, points (so far), left (games to come),
    expected and spread (mean and standard deviation of the final points), place (mean), and the chance of each place,
    `place 1` and so on. Players level on points have an equal chance of each of their places.

    Parameters
    ----------
    pool : str
    method : str
        Identity.
    worth : Worth
    runs, seed : int
    since : int or None
        First instant of the season; None for everything known.
    at : int
        Instant of the ratings.
    player : tuple of str
        Players in order of mean place.
    played, left : (n,) int
        Games played, and games to come.
    points : (n,) float64
        So far.
    expected, spread : (n,) float64
        Mean and standard deviation of the final points.
    places : (n, n) float64 in [0, 1]
        Chance that the player of a row ends in the place of a column.
    deviations : bool
        Ratings were drawn from their deviations, once a run.
    nu : float or None
        The fitted nu of draws between equals, from the results of the pool; None if the method forecasts draws.
    zone : str
    """

    pool: str
    method: str
    worth: Worth
    runs: int
    seed: int
    since: Instant | None
    at: Instant
    player: tuple[str, ...]
    played: Ints
    left: Ints
    points: Floats
    expected: Floats
    spread: Floats
    places: Floats
    deviations: bool
    nu: float | None
    zone: str = ""

    def __eq__(self, other: object) -> bool:
        return same_value(self, other)

    def __hash__(self) -> int:
        return hash((self.pool, self.method, self.runs, self.seed, self.player))

    def __len__(self) -> int:
        return len(self.player)

    @property
    def clock(self) -> Clock:
        """The clock on which its times are."""
        return clock(self.zone)

    @property
    def place(self) -> Floats:
        """(n,) mean place."""
        return np.asarray(self.places @ np.arange(1, len(self) + 1), dtype=np.float64)

    def as_table(self) -> Table:
        """A row per player."""
        columns: dict[str, object] = {
            "player": self.player, "played": self.played, "points": self.points, "left": self.left,
            "expected": self.expected, "spread": self.spread, "place": self.place,
        }  # fmt: skip
        columns |= {f"place {n}": self.places[:, n - 1] for n in range(1, len(self) + 1)}
        return Table("season", f"Final tables of {self.pool}", columns)

    def notes(self, brief: Callable[[str], str] = str) -> Iterator[str]:
        """The origin of the tables, in sentences; `brief` shortens the identity of the method."""
        since = "everything played" if self.since is None else f"played since {self.clock.iso(self.since)}"
        yield f"pool {self.pool}, {since}, as of {self.clock.day(self.at)}"
        yield f"method {brief(self.method)}"
        drawn = (
            "drawn from their deviations once a run"
            if self.deviations
            else "the same in all: the method has no deviations"
        )
        yield f"{self.runs} runs, seed {self.seed}; ratings are {drawn}"
        if self.nu == 0.0:
            yield "the method gives no chance of a draw, and the pool has none, so every game to come is won or lost"
        elif self.nu is not None:
            share = f"{self.nu / (2.0 + self.nu):.0%}"
            yield f"the method gives no chance of a draw: equals draw {share} of their games, as in the pool so far"


@frozen(eq=False)
class Drawing:
    """Parameters of the runs of a season.

    Parameters
    ----------
    method : Method
    state : State
        With a row for every player.
    games : Games
        Games to come; their scores are arbitrary.
    members : mapping of name to (2 games,) float64, or None
        Fields of the members, for a method that reads sides; None for one that reads games.
    rows : (m,) int
        Rows in the state of the players of these games.
    rating : (m,) float64
    root : (m, m) float64
        A root of the covariance of these ratings, by which standard normal numbers are multiplied; zeros where there
        are not deviations.
    nu : float or None
        The nu of draws between equals, if the method does not forecast draws.
    """

    method: Method
    state: State
    games: Games
    members: Mapping[str, Floats] | None
    rows: Ints
    rating: Floats
    root: Floats
    nu: float | None

    def chances(self, runs: int, rng: Generator) -> tuple[Floats, Floats]:
        """(runs, games) chances of a win and of a draw of the first side, with ratings drawn anew each run."""
        m, n = len(self.rows), len(self.games)
        rating = self.rating + rng.standard_normal((runs, m)) @ self.root.T
        columns = {"rating": rating.ravel(), "deviation": np.zeros(runs * m)}
        whole = State(
            {
                name: frozen_array(columns[name] if name in columns else self._repeated(name, runs))
                for name in self.state.names
            }
        )
        forecast = self.method.expected(whole, self._games(runs))
        share, draw = shares_of(forecast, runs * n, sides=self.members is not None)
        if draw is None:
            draw = chance_of_draw(share, self.nu or 0.0)
        return np.maximum(share - 0.5 * draw, 0.0).reshape(runs, n), draw.reshape(runs, n)

    def _repeated(self, name: str, runs: int) -> Floats:
        """A column of the state, with the rows of the players of each run; unchanged for pairs and for the pool."""
        column = self.state[name]
        per = next((one.per for one in self.method.columns() if one.name == name), "player")
        return np.tile(column[self.rows], (runs, *([1] * (column.ndim - 1)))) if per == "player" else column

    def _games(self, runs: int) -> Games | Sides:
        """The games of all runs, each run with rows of its own."""
        games, m = self.games, len(self.rows)
        seat = np.full(int(self.rows.max(initial=0)) + 1, -1, dtype=np.int32)
        seat[self.rows] = np.arange(m, dtype=np.int32)
        first = np.repeat(np.arange(runs, dtype=np.int32) * m, len(games))

        def again(column: Any) -> Any:
            return frozen_array(np.tile(column, runs))

        made = Games(
            frozen_array(again(seat[games.a]) + first), frozen_array(again(seat[games.b]) + first), again(games.score),
            again(games.played), again(games.position), games.span,
            {name: again(column) for name, column in games.facts.items()},
            {name: again(column[self.rows]) for name, column in games.players.items()},
            again(games.pair) if len(games.pair) else games.pair,
        ).withheld()  # fmt: skip
        if self.members is None:
            return made
        return Sides.of(made, {name: again(column) for name, column in self.members.items()})


class Sums(NamedTuple):
    """Sums over all runs: final points, their squares, and how often each place was taken."""

    points: Floats
    squares: Floats
    places: Floats


def played_out(drawing: Drawing, points: Floats, a: Ints, b: Ints, worth: Worth, runs: int, rng: Generator) -> Sums:
    """Plays the games to come many times, in one pass over arrays.

    Parameters
    ----------
    points : (n,) float64
        So far.
    a, b : (games,) int
        Places in `points` of both sides of each game to come.
    """
    n, games = len(points), len(a)
    first, second = np.zeros((games, n)), np.zeros((games, n))
    first[np.arange(games), a] = second[np.arange(games), b] = 1.0
    total, squares, places = np.zeros(n), np.zeros(n), np.zeros((n, n))
    most = max(1, ROOM // max(games, n))
    for start in range(0, runs, most):
        some = min(most, runs - start)
        win, draw = drawing.chances(some, rng)
        dice = rng.random((some, games))
        score = np.where(dice < win, 1.0, np.where(dice < win + draw, 0.5, 0.0))
        final = points + worth.of(score) @ first + worth.of(1.0 - score) @ second
        total += final.sum(axis=0)
        squares += ((final - points) ** 2).sum(axis=0)
        places += shares_of_places(final)
    return Sums(total, squares, places)


def shares_of_places(final: Floats) -> Floats:
    """(n, n) how often each player took each place, in tables of points; level players share their places.

    Examples
    --------
    >>> shares_of_places(np.array([[3.0, 1.0, 3.0]])).tolist()
    [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0], [0.5, 0.5, 0.0]]
    """
    runs, n = final.shape
    _, level = np.unique(final, return_inverse=True)  # whole numbers, larger in each run than in all before
    points = level.reshape(final.shape) + np.arange(runs)[:, None] * final.size
    ranked, whose = np.sort(points, axis=1).ravel(), np.tile(np.arange(n), runs)
    low, high = (np.searchsorted(ranked, points.ravel(), side) for side in ("left", "right"))
    best, worst = n - (high - np.repeat(np.arange(runs), n) * n), n - (low - np.repeat(np.arange(runs), n) * n)
    share, size = 1.0 / (worst - best), n * (n + 1)
    steps = np.bincount(whose * (n + 1) + best, share, size) - np.bincount(whose * (n + 1) + worst, share, size)
    return np.asarray(np.cumsum(steps.reshape(n, n + 1), axis=1)[:, :n], dtype=np.float64)


WHAT = "what to expect of a season"


def season(
    engine: Engine,
    pool: str,
    method: str | Method | None,
    fixtures: Iterable[Meeting],
    worth: Worth | str = "3,1,0",
    known_at: KnownAt = None,
    *,
    since: When | None = None,
    facts: Mapping[str, Fact] | Sequence[Mapping[str, Fact]] = (),
    runs: int = 10_000,
    seed: int = 1,
    newcomers: bool = False,
) -> Season:
    """Plays the rest of a season many times: final tables, and the chance of every place.

    Points so far are counted from the log. In each run the ratings are drawn once from their deviations, of
    whole-pool methods jointly, and then every game to come is drawn from the method's forecast for these ratings;
    a method without deviations has the same ratings in all runs. Ratings do not move during a run. If a method gives
    no chance of a draw, draws are as frequent as in the pool, by Davidson's curve. Players level on points have an
    equal chance of each of their places. The same log and the same arguments give the same numbers.

    Parameters
    ----------
    engine : Engine
    pool : str
    method : str, Method or None
        The pool's own for None.
    fixtures : iterable of pairs
        Games to come, as `("ann", "bo")`.
    worth : Worth or str
        What a win, a draw and a loss are worth.
    known_at
        Cut in the log, as for a rating list.
    since : str, date, datetime, int or None
        First day of the season: players with games since, or to come, are in the table. Everything played for None.
    facts : mapping, or sequence of mappings
        Further facts of all fixtures, or of each: `{"home": "a"}`.
    runs : int from 1 to 1,000,000
    seed : int >= 0
    newcomers : bool
        Whether players unknown to the pool count as newcomers.

    Returns
    -------
    Season
        polars, pandas and Arrow take it as a table.

    Raises
    ------
    CannotSay
        If the method has no number for a game to come.
    BadValue
        If there is no fixture, one is not a game of two players, the pool has sessions, or a number is out of range.
    UnknownName, BadCut, BadField, PlayedThemselves, MethodNotFound, BadParameter, MethodError

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(pool="cup", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> left = season(engine, "cup", "elo", [("bo", "ann")], "3,1,0", runs=1000)
    >>> left.player, left.points.tolist(), left.left.tolist(), left.places[0].round(1).tolist()
    (('ann', 'bo'), [3.0, 0.0], [1, 1], [0.8, 0.2])
    """
    if isinstance(fixtures, str) or not isinstance(fixtures, Iterable):
        raise BadValue("fixtures", fixtures, 'must be games such as [("ann", "bo")]')
    listed, worth = list(fixtures), Worth.parse(worth) if isinstance(worth, str) else worth
    _check([matchup(one) for one in listed], runs, seed)
    stage = staged_meetings(engine.core, pool, method, listed, known_at, facts=facts, newcomers=newcomers)
    base, rated, results = stage.base, stage.method, stage.meetings.results
    begun = None if since is None else base.instant(since)
    points, played = points_of(base, worth, begun)
    games = results if isinstance(results, Games) else results.duels
    assert games is not None, "a pool without sessions has games alone"
    unknown = stage.meetings.players - len(points)
    points, played = np.append(points, np.zeros(unknown)), np.append(played, np.zeros(unknown, dtype=np.int64))
    left = np.bincount(games.a, minlength=len(points)) + np.bincount(games.b, minlength=len(points))
    there = np.flatnonzero(played + left)
    place = np.searchsorted(there, np.arange(len(points)))
    drawing = _drawing(stage, games)
    sums = played_out(drawing, points[there], place[games.a], place[games.b], worth, runs, np.random.default_rng(seed))
    more = sums.points / runs - points[there]
    spread = np.sqrt(np.maximum(sums.squares / runs - more**2, 0.0))
    places = np.round(sums.places / runs, 12)  # shares of a place add up to whole numbers except for the last bits
    order = np.lexsort((-points[there], places @ np.arange(len(there))))
    names = stage.view.names()
    return Season(
        pool, identity(rated), worth, runs, seed, begun, stage.moment.cut, tuple(names[row] for row in there[order]),
        played[there][order], left[there][order], points[there][order], points[there][order] + more[order],
        spread[order], places[order], bool(drawing.root.any()), drawing.nu, base.zone,
    )  # fmt: skip


def _check(matchups: Sequence[Matchup], runs: int, seed: int) -> None:
    """Refuses an invalid season, number of runs or seed."""
    for name, number, least, most in (("runs", runs, 1, MOST), ("seed", seed, 0, 2**63)):
        if type(number) is not int or not least <= number <= most:
            raise BadValue(name, number, f"must be a whole number from {least} to {most}")
    if not matchups:
        raise BadValue("fixtures", [], "must be one or more games to come")
    for one in matchups:
        if not one.is_game:
            raise BadValue("fixtures", " against ".join(map("+".join, one.sides)), "must be games of two players")


def _drawing(stage: Stage, games: Games) -> Drawing:
    """The parameters of runs: the ratings of everybody with games to come, and their errors."""
    rows, state, method = np.unique(np.concatenate([games.a, games.b])).astype(np.int64), stage.state, stage.method
    with failing(method):
        forecast = method.expected(state, stage.meetings.results.withheld())
    share, draw = shares_of(forecast, len(games), sides=isinstance(stage.meetings.results, Sides))
    for game in np.flatnonzero(~np.isfinite(share))[:1].tolist():
        names = " against ".join(stage.view.name(int(row)) for row in (games.a[game], games.b[game]))
        missing = " and ".join(absent(method, stage.matchups[game]))
        why = f"the fixture lacks {missing}" if missing else "one may be unrated"
        raise CannotSay(method.name, WHAT, f"it has no number for {names}; {why}")
    root = np.zeros((len(rows), len(rows)))
    if "deviation" in shown_by(method, state, stage.moment.at):
        joint = None
        if method.cadence is Cadence.RETROSPECTIVE:
            joint = fold(method, stage.base.cut(stage.moment.cut)).covariance
        covariance = covariance_of(method, state, stage.moment.at, rows, joint)
        value, vector = np.linalg.eigh(np.nan_to_num(covariance))  # unconnected players have no covariance
        root = vector * np.sqrt(np.maximum(value, 0.0))
    members = stage.meetings.results.members if isinstance(stage.meetings.results, Sides) else None
    nu = pool_nu(stage) if draw is None else None
    return Drawing(method, state, games, members, rows, state["rating"][rows], root, nu)
