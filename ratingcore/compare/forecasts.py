"""Makes forecasts of every game and session of a view, each strictly before it was played."""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import pairwise
from time import perf_counter

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import FOREVER, Floats, Games, Ints, Sides, View
from ratingcore.columns.timeline import SeedTable
from ratingcore.compare.future_guard import Asking, Audited, Refitted
from ratingcore.compare.played import PlayedSessions
from ratingcore.errors import BadValue, BrokenContract
from ratingcore.events import Instant
from ratingcore.methods.contract import Bools, Cadence, Method
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.periods import Period
from ratingcore.methods.rule_histories import Book
from ratingcore.methods.strengths import Strengths, placed
from ratingcore.methods.text import identity, text_of
from ratingcore.replay.contract_check import readable_view
from ratingcore.replay.fold import MONTH, fold, replay_with_forecasts, walk_forward
from ratingcore.replay.periodic import Periodic
from ratingcore.replay.replay import Replay
from ratingcore.replay.steps import in_force

SLACK = 1e-12
"""Amount by which rounding may carry a share of the point out of its range."""


@frozen(eq=False)
class Forecasts:
    """Forecasts of one method for the games and sessions of a view, each made strictly before its result.

    Parameters
    ----------
    method : str
        Identity of the method, as in provenance.
    text : str
        The method as the user spelt it.
    expected : (n,) float64 in [0, 1]
        Share of the point that `a` was expected to take; NaN if a player was unrated.
    draw : (n,) float64 or None
        Chance of a draw, if the method gives it.
    seconds : float
        Time that the forecasts took.
    ratings : callable
        Returns the ratings of `a` and `b` before each game; called at most once, on first use.
    strengths : Strengths or None
        Strengths of the sides just before each session, in order of play; NaN if a member was unrated. None unless the
        method forecasts who finishes ahead of whom.
    """

    method: str
    text: str
    expected: Floats
    draw: Floats | None
    seconds: float
    ratings: Callable[[], tuple[Floats, Floats]]
    strengths: Strengths | None = None
    left_out: str = ""
    """Results that the method cannot read, in words."""
    seated: Callable[[], Floats] | None = None
    """Returns the ratings of the members before each session of the view; None if the method rates no sessions."""

    def __len__(self) -> int:
        return len(self.expected)

    @cached_property
    def _before(self) -> tuple[Floats, Floats]:
        return self.ratings()

    @property
    def rating_a(self) -> Floats:
        """(n,) float64: rating of `a` before each game, unrounded; NaN if unrated."""
        return self._before[0]

    @property
    def rating_b(self) -> Floats:
        """(n,) float64: rating of `b` before each game, unrounded; NaN if unrated."""
        return self._before[1]

    @cached_property
    def rated(self) -> Bools:
        """(n,) bool: whether there is a forecast to score."""
        return ~np.isnan(self.expected)

    def rates(self, played: PlayedSessions) -> Bools:
        """(n,) bool: the sessions with a forecast of who finishes ahead of whom, in which all players were rated."""
        if self.strengths is None or not len(played):
            return np.zeros(len(played), dtype=bool)
        return ~np.logical_or.reduceat(np.isnan(self.strengths.mean), played.result[:-1])

    @property
    def outcomes(self) -> tuple[Floats, Floats, Floats]:
        """Chances of a win, a draw and a loss of `a`; only for methods that give the chance of a draw."""
        assert self.draw is not None, "the method does not forecast draws"
        half = self.draw / 2
        win, loss = self.expected - half, 1.0 - self.expected - half
        return np.maximum(win, 0.0), self.draw, np.maximum(loss, 0.0)


def forecast(method: Method, view: View, period: Period | str | None = None, text: str | None = None) -> Forecasts:
    """Forecasts every game and session of a view by a method, from what was known strictly before it.

    A continuous method runs over all games at once. As a check, some games are also forecast one by one, with their
    scores and all later games withheld; the forecasts must be the same. A periodic method forecasts a game from its
    state after the last period that ended before the game. A whole-pool method is refitted before each period. Neither
    sees the scores of the games it forecasts, nor anything later. A game has no forecast if a player is seeded between
    the game and the end of its period, because the state already contains that seed.

    Parameters
    ----------
    method : Method
    view : View
    period : Period, str or None
        How often a retrospective method is refitted, by the calendar; every month if None. Ignored by other methods.
    text : str or None
        The method as the user spelt it.

    Raises
    ------
    BrokenContract
        If a forecast depends on the score of its game or on later games, or is not in [0, 1].
    MethodError
        If the method cannot rate the games of the view.
    """
    start = perf_counter()
    every = MONTH if period is None else period if isinstance(period, Period) else Period.parse(period)
    if every.unit == "event":
        raise BadValue("period", "event", "must be a period of the calendar, because tournaments overlap in time")
    method = in_force(method, view)
    make = {
        Cadence.CONTINUOUS: _continuous,
        Cadence.PERIODIC: _periodic,
        Cadence.RETROSPECTIVE: _retrospective,
    }[method.cadence]
    if isinstance(method, Book):
        make = _of_steps
    fits = readable_view(method, view)
    answer = make(method, fits, every)
    expected, draw = _shares(answer, method, fits)
    name = text_of(method) if text is None else text
    seconds = perf_counter() - start
    made = Forecasts(
        identity(method), name, expected, draw, seconds, answer.ratings, answer.strengths, seated=answer.seated
    )
    return made if fits.timeline is view.timeline else _among(made, fits, view)


def _among(made: Forecasts, fits: View, view: View) -> Forecasts:
    """Spreads forecasts of the results that a method can read over all results of the view, with NaN for the others."""
    all_of, some = (one.timeline.table.part(0, one.n_games).position for one in (view, fits))
    which = np.isin(all_of, some)

    def among(column: Floats) -> Floats:
        whole = np.full(len(all_of), np.nan)
        whole[which] = column
        return whole

    strengths = made.strengths
    if strengths is not None:
        table, sat = view.timeline.sessions, fits.timeline.sessions.position
        size = np.diff(table.result[: view.n_sessions + 1])
        seated = np.repeat(np.isin(table.position[: view.n_sessions], sat), size)
        strengths = placed(None, strengths, np.flatnonzero(seated), len(seated))
    return evolve(
        made, strengths=strengths, expected=among(made.expected), draw=None if made.draw is None else among(made.draw),
        ratings=lambda: (among(made.rating_a), among(made.rating_b)),
        seated=None if made.seated is None else partial(_seated_among, made.seated, fits, view),
        left_out=", ".join(fits.unreadable.sentences(view.through)),
    )  # fmt: skip


def _seated_among(seated: Callable[[], Floats], fits: View, view: View) -> Floats:
    """Spreads the members' ratings in sessions that a method can read over all sessions of the view, NaN elsewhere."""
    table, n = view.timeline.sessions, view.n_sessions
    size = np.diff(table.side[table.result[: n + 1]])
    whole = np.full(int(size.sum()), np.nan)
    whole[np.repeat(np.isin(table.position[:n], fits.timeline.sessions.position), size)] = seated()
    return whole


@frozen(eq=False)
class _Answer:
    """Unchecked forecasts of a method for the games of a view, in order of play."""

    expected: Floats
    draw: Floats | None
    ratings: Callable[[], tuple[Floats, Floats]]
    unrated: bool
    """True if some player may have had no rating before a game."""
    strengths: Strengths | None = None
    """Strengths of the sides of the view's sessions."""
    seated: Callable[[], Floats] | None = None
    """Returns the ratings of the members of the view's sessions."""


def _continuous(method: Method, view: View, every: Period) -> _Answer:
    return _of_replay(fold(_held(Audited(_rater(method)), method), view, keep=True), view)


def _retrospective(method: Method, view: View, every: Period) -> _Answer:
    replay = walk_forward(Refitted(method), view, every)
    answer = _of_replay(replay, view)
    first, last = view.first_played, view.last_played
    if first is None or last is None or not len(view.seeds.played):
        return answer
    ends = every.edges(min(first, int(view.seeds.played[0])), max(last, int(view.seeds.played[-1])))[1:] - 1
    return evolve(
        answer, expected=_without_late_seeds(answer.expected, view, ends, view.seeds),
        strengths=_without_late_strengths(answer.strengths, view, ends, view.seeds),
    )  # fmt: skip


def _periodic(method: Method, view: View, every: Period) -> _Answer:
    asking = Asking(_rater(method))
    run = Periodic(_held(asking, method), view)
    asking.begin(run.results, run.plan.ends)
    asking.end(run.stand())
    which, first, (seat_a, seat_b) = _games_of(run.results, view)
    a, b = asking.rating[seat_a], asking.rating[seat_b]
    draw = None if asking.draw is None else asking.draw[which]
    ends, early = run.plan.ends, _seeded_early(method, view)
    expected = _without_late_seeds(asking.expected_of[first], view, ends, early)
    strengths = _without_late_strengths(_of_sessions(asking.strengths, run.results, view), view, ends, early)
    seated = _seated(strengths, lambda: asking.rating, run.results, view)
    return _Answer(expected, draw, lambda: (a, b), bool(np.isnan(asking.rating).any()), strengths, seated)


def _of_steps(method: Method, view: View, every: Period) -> _Answer:
    """Forecasts by a rule with a history: each step forecasts the results that it rates.

    The forecasts of a periodic step are those that `rate` returns; the kit checks them against `expected`.
    """
    replay = replay_with_forecasts(_guarded(method), view, every=every)
    moves, results = replay.moves, replay.results
    assert moves is not None
    played, position = (getattr(view.timeline.table.part(0, view.n_games), name) for name in ("played", "position"))
    if not len(results):
        nothing = np.full(len(played), np.nan)
        return _Answer(nothing, None, lambda: (nothing, nothing), unrated=True)
    by = np.argsort(results.position)
    which = by[np.minimum(np.searchsorted(results.position, position, sorter=by), len(by) - 1)]
    there = results.position[which] == position
    first = which if isinstance(results, Games) else results.result[which]
    seats = (2 * which, 2 * which + 1) if isinstance(results, Games) else (results.side[first], results.side[first + 1])
    expected = np.where(there, moves.expected[first], np.nan)

    def ratings() -> tuple[Floats, Floats]:
        before = replay.rating_before
        return np.where(there, before[seats[0]], np.nan), np.where(there, before[seats[1]], np.nan)

    draw = None if moves.draw is None else np.where(there, moves.draw[which], np.nan)
    ends = _ends_of(method, replay, view, every)
    for step, begin, end in _spans(method):
        if step.cadence is not Cadence.CONTINUOUS:
            fewer = _without_late_seeds(expected, view, ends, _seeded_early(step, view))
            expected = np.where((played >= begin) & (played < end), fewer, expected)
    strengths = _of_sessions(moves.strengths, results, view)
    seated = _seated(strengths, lambda: replay.rating_before, results, view)
    return _Answer(expected, draw, ratings, unrated=True, strengths=strengths, seated=seated)


def _spans(method: Method) -> Iterator[tuple[Method, Instant, Instant]]:
    """Yields the steps of a rule, each with the instant from which and the instant before which it rates results."""
    steps = method.steps if isinstance(method, Book) else ((method, None),)
    for (step, begin), (_, end) in pairwise((*steps, (method, FOREVER))):
        yield step, -FOREVER if begin is None else begin, FOREVER if end is None else end


def _ends_of(method: Method, replay: Replay, view: View, every: Period) -> Ints:
    """Returns the ends of the periods before which forecasts are made."""
    ends = [call.span.end - 1 for call in replay.calls]
    first = next(_spans(method))
    if first[0].cadence is Cadence.RETROSPECTIVE and view.first_played is not None:
        ends += (every.edges(view.first_played, first[2]) - 1).tolist()
    return np.array(sorted(ends), dtype=np.int64)


def _guarded(method: Method) -> Method:
    """Returns the method with a guard around every step that rates game by game."""
    if isinstance(method, Book):
        return evolve(method, before=_guarded(method.before), method=_guarded(method.method))
    return _held(Audited(_rater(method)), method) if method.cadence is Cadence.CONTINUOUS else method


def _rater(method: Method) -> Method:
    """Returns the method without its way of seeding newcomers."""
    return method.method if isinstance(method, Entering) else method


def _held(guard: Method, method: Method) -> Method:
    """Puts a guard in place of the rater of a method, and keeps the method's way of seeding newcomers."""
    return evolve(method, method=guard) if isinstance(method, Entering) else guard


def _of_replay(replay: Replay, view: View) -> _Answer:
    moves, results = replay.moves, replay.results
    assert moves is not None
    which, first, (seat_a, seat_b) = _games_of(results, view)

    def ratings() -> tuple[Floats, Floats]:
        return replay.rating_before[seat_a], replay.rating_before[seat_b]

    draw = None if moves.draw is None else moves.draw[which]
    ever = (replay.start, replay.state["rating"], replay.sown.rating)
    unrated = any(np.isnan(rating).any() for rating in ever) or (
        moves.held is not None and bool(np.isnan(moves.held).any())
    )
    strengths = _of_sessions(moves.strengths, results, view)
    seated = _seated(strengths, lambda: replay.rating_before, results, view)
    return _Answer(moves.expected[first], draw, ratings, unrated, strengths, seated)


Where = slice | Ints


def _games_of(results: Games | Sides, view: View) -> tuple[Where, Where, tuple[Where, Where]]:
    """Finds the games of a view among results: their indices, their first sides, the seats of both players."""
    if isinstance(results, Games):
        return slice(None), slice(None), (slice(0, None, 2), slice(1, None, 2))
    position = view.timeline.table.part(0, view.n_games).position
    by = np.argsort(results.position)
    which = by[np.searchsorted(results.position, position, sorter=by)]
    first = results.result[which]
    return which, first, (results.side[first], results.side[first + 1])


def _seated(
    strengths: Strengths | None, rating: Callable[[], Floats], results: Games | Sides, view: View
) -> Callable[[], Floats] | None:
    """Returns a function that picks the ratings of session members, in order of play, from the ratings of all seats."""
    if strengths is None or isinstance(results, Games):
        return None
    table = view.timeline.sessions

    def seated() -> Floats:
        rated, seats = _among_results(results, view, table.side[table.result], results.side[results.result])
        whole = np.full(len(rated), np.nan)
        whole[rated] = rating()[seats[rated]]
        return whole

    return seated


def _of_sessions(strengths: Strengths | None, results: Games | Sides, view: View) -> Strengths | None:
    """Returns the strengths of the sides of the view's sessions, in order of play; NaN for sessions not rated."""
    if strengths is None or isinstance(results, Games) or not (view.n_sessions and len(results)):
        return None
    rated, sides = _among_results(results, view, view.timeline.sessions.result, results.result)
    return placed(None, strengths.take(sides[rated]), np.flatnonzero(rated), len(rated))


def _among_results(results: Sides, view: View, there: Ints, here: Ints) -> tuple[Bools, Ints]:
    """Returns a mask of the sides, or members, in rated sessions of a view, and the place of each in the results.

    `there` and `here` are the indices at which each session begins, in the table of sessions and in the results.
    """
    table, n = view.timeline.sessions, view.n_sessions
    by = np.argsort(results.position)
    place = by[np.minimum(np.searchsorted(results.position, table.position[:n], sorter=by), len(by) - 1)]
    size = np.diff(there[: n + 1])
    rated = np.repeat(results.position[place] == table.position[:n], size)
    return rated, np.arange(len(rated)) + np.repeat(here[place] - there[:n], size)


def _seeded_early(method: Method, view: View) -> SeedTable:
    """Returns the seeds that the state contains too early: before results of the same period that precede the seed.

    In a calendar period, a seed that gives a rating counts only from its own day on, so it is not among them.
    """
    seeds = view.seeds
    if method.cadence is Cadence.RETROSPECTIVE or (method.period is not None and method.period.unit == "event"):
        return seeds
    return seeds.take(np.isnan(seeds.values.get("rating", np.full(len(seeds.played), np.nan))))


def _without_late_seeds(expected: Floats, view: View, ends: Ints, seeds: SeedTable) -> Floats:
    """Returns forecasts with NaN for games after which, in the same period, a player was seeded."""
    if not len(seeds.played):
        return expected
    games = view.timeline.table.part(0, view.n_games)
    late = _seeded_late(seeds, ends, games.a, games.played) | _seeded_late(seeds, ends, games.b, games.played)
    return np.where(late, np.nan, expected) if late.any() else expected


def _without_late_strengths(
    strengths: Strengths | None, view: View, ends: Ints, seeds: SeedTable
) -> Strengths | None:  # fmt: skip
    """Does the same for sessions, any of whose members may have been seeded."""
    if strengths is None or not len(seeds.played):
        return strengths
    table, n = view.timeline.sessions, view.n_sessions
    start = table.side[table.result[: n + 1]]
    played = np.repeat(table.played[:n], np.diff(start))
    late = np.logical_or.reduceat(_seeded_late(seeds, ends, table.player[: start[-1]], played), start[:-1])
    mean = np.where(np.repeat(late, np.diff(table.result[: n + 1])), np.nan, strengths.mean)
    return evolve(strengths, mean=mean)


def _seeded_late(seeds: SeedTable, ends: Ints, player: Ints, played: Ints) -> Bools:
    """Returns a mask of the players who were seeded after these instants and within the same period."""
    periods = len(ends) + 1
    keys = seeds.player.astype(np.int64) * periods + np.searchsorted(ends, seeds.played)
    last = np.full(len(keys), np.iinfo(np.int64).min)
    key, number = np.unique(keys, return_inverse=True)
    np.maximum.at(last, number, seeds.played)
    mine = player.astype(np.int64) * periods + np.searchsorted(ends, played)
    place = np.minimum(np.searchsorted(key, mine), len(key) - 1)
    return np.asarray((key[place] == mine) & (last[place] > played))


def _shares(answer: _Answer, method: Method, view: View) -> tuple[Floats, Floats | None]:
    """Checks expected shares and chances of a draw, and returns them; NaN if a player was unrated."""
    expected, draw = answer.expected, answer.draw
    if answer.unrated:
        a, b = answer.ratings()
        expected = np.where(np.isnan(a) | np.isnan(b), np.nan, expected)
    expected = _within(expected, 0.0, 1.0, "forecast", method, view)
    if draw is not None:
        room = np.minimum(expected, 1.0 - expected) * 2
        draw = _within(draw, 0.0, room, "chance of a draw", method, view)
    return expected, draw


def _within(chance: Floats, low: float, high: Floats | float, what: str, method: Method, view: View) -> Floats:
    """Clips chances to their range if only rounding carried them out of it."""
    if chance.min(initial=low) >= low and not (chance > high).any():  # comparisons with NaN are false
        return chance
    if not ((chance < low) | (chance > high)).any():
        return chance
    wrong = (chance < low - SLACK) | (chance > high + SLACK)
    if wrong.any():
        at = int(np.argmax(wrong))
        position = int(view.timeline.table.part(at, at + 1).position[0])
        raise BrokenContract(
            method.name, f"its {what} of the game at position {position} is not a share: {chance[at]!r}"
        )
    return np.clip(chance, low, high)


def keep_freed_memory() -> None:
    """Makes glibc keep the memory that one replay frees for the next one: it keeps blocks up to the largest one freed.

    A series of forecasts then takes two thirds of the time, because fresh pages cost more than rating games.
    """
    np.empty(_LARGEST_KEPT, dtype=np.uint8)


_LARGEST_KEPT = 32 * 2**20 - 2**14
"""Bytes; glibc always returns larger blocks to the system."""
