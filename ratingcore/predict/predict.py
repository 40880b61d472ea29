"""Prediction of meetings: they are added to a log hypothetically, and forecast and rated by the method."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import FOREVER, Games, View
from ratingcore.columns.games import Floats, Ints, Span
from ratingcore.errors import BadResult, CannotSay, MethodError, NoShares
from ratingcore.events import DAY, Event, Instant
from ratingcore.explain.history import extra_cells
from ratingcore.lists.policy import Cell, cell
from ratingcore.log import Log
from ratingcore.methods.contract import Cadence, Forecast, Method, Rated
from ratingcore.methods.first_ratings import Entering
from ratingcore.methods.rule_histories import last_step
from ratingcore.methods.state import State
from ratingcore.methods.wrapped import failing
from ratingcore.predict.matchup import Matchup, Meetings, Result, absent, alone, apart, hyphened, meetings_of
from ratingcore.predict.prediction import Aftermath, Prediction, Predictions
from ratingcore.replay import Columns, fold, stand
from ratingcore.replay.contract_check import Answers, shown_by
from ratingcore.replay.newcomers import unrated
from ratingcore.replay.period_calls import span_of

Cells = list[dict[str, Cell]]
"""Cells that a list shows of the players of a meeting, one mapping from column to cell per player."""


class Supposing(Protocol):
    """The core of an engine: a log and its columns, to which events can be added hypothetically."""

    @property
    def log(self) -> Log: ...
    @property
    def columns(self) -> Columns: ...
    def supposing(self, events: Sequence[Event]) -> "Supposing": ...


def grown_to(method: Method, state: State, players: int, pairs: int) -> State:
    """Adds rows to a state, so that it has these numbers of players (newcomers included) and pairs."""
    columns = unrated(method.columns()) if isinstance(last_step(method), Entering) else method.columns()
    return state.grown(State.start(columns, max(players, len(state["rating"])), pairs))


def _cells_of(method: Method, state: State, at: Instant, groups: Sequence[Ints]) -> list[Cells]:
    """Returns the cells that a list of this instant would show of some rows, by group; unrounded, `rating` first."""
    rows = np.concatenate([*groups]).astype(np.int64) if len(groups) else np.empty(0, dtype=np.int64)
    shown = shown_by(method, state, at)
    ordered = {"rating": shown["rating"]} | dict(shown)
    cells = extra_cells(method, {name: column[rows] for name, column in ordered.items()}, len(rows))
    taken = iter(cells)
    return [[next(taken) for _ in group] for group in groups]


Outcomes = tuple[tuple[Aftermath, ...], str]
"""Aftermaths of a meeting, and the reason if any is missing."""


@frozen
class Occasion:
    """The time at which meetings take place, and the lists before and after them.

    Parameters
    ----------
    at : int
        When the meetings are played.
    cut : int
        Meetings are predicted from the list through this instant.
    listed : int
        The list through this instant has the ratings after the meetings.
    span : Span or None
        The period in which the meetings are rated; only if the method rates by calendar periods.
    """

    at: Instant
    cut: Instant
    listed: Instant
    span: Span | None = None


@frozen
class Aftermaths:
    """Computes the ratings after each possible result of some meetings.

    If a method rates game by game and its columns belong to single players, one call per result rates all meetings, in
    which every seat has a row of its own. With all other methods the list is made anew for each result.

    Parameters
    ----------
    core : Supposing
    base : View
        Everything known of the pool.
    method : Method
    moment : Occasion
    """

    core: Supposing
    base: View
    method: Method
    moment: Occasion

    def of(
        self, matchups: Sequence[Matchup], orders: Sequence[Sequence[int]], state: State, meetings: Meetings
    ) -> list[Outcomes]:
        """Returns the aftermaths of each meeting, in the order win, draw, loss.

        Parameters
        ----------
        orders : sequence of sequence of int
            Sides of each meeting in their expected order of finish.
        """
        outcomes = [one.outcomes(order) for one, order in zip(matchups, orders, strict=True)]
        after: list[list[Aftermath]] = [[] for _ in matchups]
        why = [self._unknown(one) for one in matchups]
        in_one = self.method.cadence is Cadence.CONTINUOUS and alone(self.method)
        able = [n for n in range(len(matchups)) if not why[n]]
        for turn in range(max((len(outcomes[n]) for n in able), default=0)):
            some = [n for n in able if turn < len(outcomes[n])]
            results = [outcomes[n][turn] for n in some]
            if in_one and (rows := self._together(some, results, state, meetings)) is not None:
                made: Sequence[Cells | MethodError] = rows
            else:
                made = [self._recorded(matchups[n], result) for n, result in zip(some, results, strict=True)]
            for n, result, players in zip(some, results, made, strict=True):
                if isinstance(players, MethodError):
                    why[n] = f"no ratings after {result.words}: {players}"
                    continue
                named = dict(zip(matchups[n].players, players, strict=True))
                after[n].append(Aftermath(result.label, result.scores, named))
        return [(tuple(made), reason) for made, reason in zip(after, why, strict=True)]

    def _unknown(self, one: Matchup) -> str:
        """Returns the reason why a meeting has no aftermath; empty if it has one."""
        missing = absent(self.method, one)
        if not missing:
            return ""
        read = " and ".join(missing)
        return f"no ratings after a result: {self.method.name} reads {read} of it, which is not known beforehand"

    def _together(
        self, some: Sequence[int], results: Sequence[Result], state: State, meetings: Meetings
    ) -> list[Cells] | None:
        """Rates one result of each meeting in a single call; None if the method refuses any of them."""
        chosen = meetings.results.take(np.array(some, dtype=np.int64))
        shares = isinstance(chosen, Games)
        scores = np.array([score for result in results for score in result.scores[: 1 if shares else None]])
        rows, games = apart(state, chosen, scores)
        try:
            with failing(self.method):
                answers = Answers(self.method, self.method.columns())
                rated: Rated = answers.rated(self.method.rate(rows, games), rows, games)
        except MethodError:
            return None
        seats = np.arange(len(rows["rating"]))
        members = meetings.members
        sizes = np.cumsum([len(members[n]) for n in some])[:-1]
        return list(_cells_of(self.method, rated.state, self.moment.at, np.split(seats, sizes)))

    def _recorded(self, one: Matchup, result: Result) -> Cells | MethodError:
        """Returns the cells of the list after a result is recorded, or the error that prevents the list."""
        base = self.base
        trial = self.core.supposing([one.event(base.recorded_in, base.clock.stored(self.moment.at), result.scores)])
        view = trial.columns.again(base, self.moment.listed, base.known_at)
        rows = np.array([view.row_of(trial.log.book.number("player", player)) for player in one.players])
        try:
            with failing(self.method):
                standing = stand(self.method, view, trial.columns.checkpoints_of(view))
                return _cells_of(self.method, standing.state, standing.at, [rows])[0]
        except MethodError as error:
            return error


WHAT = "what to expect of a meeting"


def predict(
    core: Supposing,
    base: View,
    method: Method,
    matchups: Sequence[Matchup],
    at: Instant | None = None,
    *,
    after: bool = True,
) -> Predictions:
    """Predicts meetings, each as if it were the only one; see `Engine.predict`.

    Parameters
    ----------
    core : Supposing
    base : View
        Everything known of the pool.
    at : int or None
        When the meetings take place; None for right after everything known.
    after : bool
        Whether to compute the ratings after each result.

    Raises
    ------
    UnknownName, CannotSay, BadField, MethodError
    """
    _check_forms(method, matchups)
    if not matchups:
        return Predictions(())
    stage = staged(core, base, method, matchups, at)
    matchups, moment, meetings, state = stage.matchups, stage.moment, stage.meetings, stage.state
    with failing(method):
        forecast = _forecast(method, state, meetings, stage.view)
        before = _cells_of(method, state, moment.at, meetings.members)
        if isinstance(last_step(method), Entering):
            forecast = _of_newcomers(core, stage, forecast, before)
    expected = _by_result(meetings, forecast.expected)
    made = [
        _prediction(one, moment, expected[n], forecast, meetings, n, before[n], method, base.zone)
        for n, one in enumerate(matchups)
    ]
    if not after:
        return Predictions(tuple(made))
    # indices of sides of each meeting, the expected winner first
    orders = [sorted(range(len(one.sides)), key=lambda side: -(one.expected[side] or 0.0)) for one in made]
    outcomes_of = Aftermaths(core, base, method, moment).of(matchups, orders, state, meetings)
    return Predictions(
        tuple(
            evolve(one, after=outcomes, notes=(*one.notes, *([why] if why else [])))
            for one, (outcomes, why) in zip(made, outcomes_of, strict=True)
        )
    )


class Stage(NamedTuple):
    """Meetings as results that a method reads, and the state before them."""

    method: Method
    matchups: Sequence[Matchup]
    base: View
    """Everything known of the pool."""
    view: View
    """The same view with the meetings added."""
    moment: Occasion
    meetings: Meetings
    state: State


def staged(core: Supposing, base: View, method: Method, matchups: Sequence[Matchup], at: Instant | None) -> Stage:
    """Adds meetings hypothetically, after everything known or at a given time."""
    at = None if at is None else base.clock.of_result(base.clock.stored(at))
    moment = _moment(method, base, at)
    if method.reads is not Games and base.n_sessions and not base.n_games:  # a session, like all other results
        matchups = [evolve(one, session=True) for one in matchups]
    trial = core.supposing([one.event(base.recorded_in, base.clock.stored(moment.at)) for one in matchups])
    view = trial.columns.again(base, FOREVER, base.known_at)
    meetings = meetings_of(method, view.cut(moment.at), len(matchups), view.known_at)
    if moment.span is not None:
        meetings = evolve(meetings, results=meetings.results.replaced(span=moment.span))
    with failing(method):
        standing = stand(method, base.cut(moment.cut), core.columns.checkpoints_of(base))
        state = grown_to(method, standing.state, meetings.players, meetings.pairs)
    return Stage(method, matchups, base, view, moment, meetings, state)


def _check_forms(method: Method, matchups: Sequence[Matchup]) -> None:
    """Refuses sides of several players, and scores that are not shares of a point, if the method reads games."""
    for one in matchups:
        if method.reads is not Games or one.is_game:
            continue
        if len(one.players) == 2 and not one.session:
            wrong = next(scores for scores in one.results if sum(scores) != 1.0 or min(scores) < 0.0)
            why = f"it rates games by shares of one point, not by {hyphened(wrong)}"
            raise NoShares(method.name, WHAT, why)
        who = ", ".join(" + ".join(side) for side in one.sides)
        why = f"it rates games of two players, for shares of one point: {who}"
        raise CannotSay(method.name, WHAT, why, others=("bridge-bayes", "weng-lin", "trueskill"))


def _moment(method: Method, view: View, at: Instant | None) -> Occasion:
    """Returns the occasion of the meetings; by default right after the list of everything known."""
    last = view.last_happened
    if method.cadence is not Cadence.PERIODIC:
        when = (0 if last is None else last) if at is None else at
        return Occasion(when, when, when)
    period = method.period
    if period is None or period.unit == "event":
        when = (0 if last is None else (last // DAY + 1) * DAY) if at is None else at
        return Occasion(when, when, max(when, last or when))
    if at is None:
        at = 0 if last is None else span_of(view, period, last).end  # the list of everything closes its last period
    span = span_of(view, period, at)
    cut = at if at < span.end - 1 else at - 1  # the period itself is not closed yet
    return Occasion(at, cut, span.end - 1, span)


def _forecast(method: Method, state: State, meetings: Meetings, trial: View) -> Forecast:
    """Forecasts the meetings from the state; in a tournament, from the state before its first game."""
    results = meetings.results
    period = method.period
    if method.cadence is Cadence.PERIODIC and period is not None and period.unit == "event":
        replay = fold(method, trial, keep=True)
        assert replay.moves is not None, "they are kept"
        at = np.flatnonzero(np.isin(replay.results.position, results.position))
        at = at[np.argsort(replay.results.position[at], kind="stable")]
        if isinstance(replay.results, Games):
            draw = None if replay.moves.draw is None else replay.moves.draw[at]
            return Forecast(replay.moves.expected[at], draw)
        sides = np.concatenate([np.arange(*replay.results.result[r : r + 2].tolist()) for r in at.tolist()])
        strengths = replay.moves.strengths
        return Forecast(replay.moves.expected[sides], None, None if strengths is None else strengths.take(sides))
    try:
        return Answers(method, method.columns()).forecast(method.expected(state, results.withheld()), results)
    except BadResult as error:
        raise CannotSay(method.name, WHAT, error.why) from None


def _of_newcomers(core: Supposing, stage: Stage, forecast: Forecast, before: list[Cells]) -> Forecast:
    """Completes a forecast for newcomers who enter the pool with the meeting itself, and fills in their ratings.

    Each such meeting is replayed on its own, because players who enter at the mean of the pool, or with a rating from
    another pool, get their first rating only when they play.
    """
    expected, draw = forecast.expected.copy(), None if forecast.draw is None else forecast.draw.copy()
    method, base, moment = stage.method, stage.base, stage.moment
    for n, (one, members) in enumerate(zip(stage.matchups, stage.meetings.members, strict=True)):
        if all(cells["rating"] is not None for cells in before[n]):
            continue
        trial = core.supposing([one.event(base.recorded_in, base.clock.stored(moment.at))])
        view = trial.columns.again(base, moment.listed, base.known_at)
        replay = fold(method, view, keep=True)
        at = np.flatnonzero(replay.results.position == view.known_at)
        if not len(at) or replay.moves is None:
            continue  # the method leaves it out
        expected[n] = replay.moves.expected[at[0]]
        if draw is not None:
            draw[n] = np.nan if replay.moves.draw is None else replay.moves.draw[at[0]]
        rows = grown_to(method, stage.state, stage.meetings.players, 0).copied()
        rows.write("rating", members, replay.rating_before[2 * at[0] : 2 * at[0] + 2])
        before[n] = _cells_of(method, rows, moment.at, [members])[0]
    return Forecast(expected, draw)


def _by_result(meetings: Meetings, expected: Floats) -> list[tuple[float | None, ...]]:
    """Returns the expected score of each side, meeting by meeting."""
    if isinstance(meetings.results, Games):
        return [(cell(share), cell(1.0 - share)) for share in expected.tolist()]
    ends = meetings.results.result.tolist()
    return [tuple(cell(score) for score in expected[start:stop].tolist()) for start, stop in pairwise(ends)]


def _prediction(
    one: Matchup,
    moment: Occasion,
    expected: tuple[float | None, ...],
    forecast: Forecast,
    meetings: Meetings,
    n: int,
    cells: Cells,
    method: Method,
    zone: str,
) -> Prediction:
    before = dict(zip(one.players, cells, strict=True))
    draw, ahead = _chances(forecast, meetings, n, expected)
    share = ahead[0][1]
    win = loss = None
    if draw is not None and share is not None:
        win, loss = max(share - 0.5 * draw, 0.0), max(1.0 - share - 0.5 * draw, 0.0)
    notes = []
    unrated = [player for player in one.players if before[player].get("rating") is None]
    if unrated:
        notes.append(f"no forecast for the unrated: {', '.join(unrated)}")
    elif share is None:
        notes.append(f"{method.name} gives no chance that one side finishes ahead of another")
    elif len(one.sides) == 2 and draw is None:
        notes.append(f"{method.name} gives no chance of a draw, so none of win, draw and loss")
    return Prediction(
        one.sides, moment.at, moment.listed, expected, win, draw, loss, ahead, before, (), tuple(notes), zone
    )


Ahead = tuple[tuple[float | None, ...], ...]


def _chances(
    forecast: Forecast, meetings: Meetings, n: int, expected: tuple[float | None, ...]
) -> tuple[float | None, Ahead]:
    """Returns the chance of a draw between two sides, and the chance of each side to be ahead of each other side."""
    results = meetings.results
    if isinstance(results, Games):
        draw = None if forecast.draw is None else cell(float(forecast.draw[n]))
        return (None if draw is None else min(max(draw, 0.0), 1.0)), ((None, expected[0]), (expected[1], None))
    first, stop = results.result[n : n + 2].tolist()
    k = stop - first
    blank: Ahead = tuple((None,) * k for _ in range(k))
    strengths = forecast.strengths
    if strengths is None:
        return None, blank
    i, j = (np.array(side) for side in zip(*((i, j) for i in range(k) for j in range(k) if i != j), strict=True))
    shares = iter(strengths.ahead(first + i, first + j).tolist())
    ahead = tuple(tuple(None if i == j else cell(next(shares)) for j in range(k)) for i in range(k))
    tied = strengths.margin is not None and k == 2
    draw = cell(float(strengths.tie(np.array([first]), np.array([first + 1]))[0])) if tied else None
    return draw, ahead
