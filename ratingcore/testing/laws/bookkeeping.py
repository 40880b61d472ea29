"""Laws of book-keeping: every change of a rating is reported and aligned, and only players of a result are moved."""

from collections.abc import Iterator

import numpy as np

from ratingcore.columns import Games, View
from ratingcore.columns.games import Floats
from ratingcore.methods.contract import Cadence, Method, Rated, Solved
from ratingcore.replay import fold
from ratingcore.replay.contract_check import Answers
from ratingcore.testing.law import CONTINUOUS, FORWARD, Violation, among, law_of_seasons, same, same_columns, seeded
from ratingcore.testing.season import Results, Season


@law_of_seasons(FORWARD)
def sums(method: Method, season: Season) -> None:
    """Changes, labelled lines and seeds add up to the difference of any two lists."""
    played = season.results(method).played
    cuts = [int(played[int(len(played) * part)]) for part in (0.3, 0.6) if len(played)]
    for view in (*map(season.through, cuts), season.view):
        rating, added = _added_up(method, view)
        rated = ~np.isnan(rating) & ~np.isnan(added)
        who = among(np.flatnonzero(rated), season.who)
        same("rating, and start with all that moved it,", rating[rated], added[rated], who, exact=False)


def _added_up(method: Method, view: View) -> tuple[Floats, Floats]:
    """Returns every player's rating, and the sum of their start and all reported changes; NaN for the unrated."""
    replay = fold(method, view, keep=True)
    moves = replay.moves
    assert moves is not None
    total = np.nan_to_num(replay.start)
    for change in (moves.change, *moves.before.values()):
        np.add.at(total, replay.member, change)
    for line in moves.after:
        total[: len(line.amount)] += line.amount
    jump = np.where(np.isnan(replay.sown.jump), replay.sown.rating, replay.sown.jump)
    np.add.at(total, replay.sown.seeds.player, jump)
    return replay.state["rating"], np.where(np.isnan(replay.start) & ~seeded(replay), np.nan, total)


@law_of_seasons(CONTINUOUS)
def bystanders(method: Method, season: Season) -> None:
    """A game changes only the rows of its players and of their pair."""
    for stage in season.stages(method):
        for r in range(len(stage.results)):
            one: Results = stage.results.part(r, r + 1)
            rated = method.rate(stage.state, one)
            idle = {"player": np.ones(len(stage.state["rating"]), dtype=np.bool_)}
            if isinstance(one, Games):
                idle["player"][[one.a[0], one.b[0]]] = False
            else:
                idle["player"][one.player] = False
            for column in method.columns():
                if column.per == "pair" and isinstance(one, Games):
                    idle["pair"] = np.arange(len(stage.state[column.name])) != one.pair[0]
                if column.per in idle:
                    rows = np.flatnonzero(idle[column.per])
                    was, now = (state[column.name][rows] for state in (stage.state, rated.state))
                    same(f"{column.name}, before and after a game of others,", was, now, among(rows, season.who))


@law_of_seasons()
def shapes(method: Method, season: Season) -> None:
    """Everything returned is aligned with the results, and is float64."""
    answers = Answers(method, method.columns())
    checked = answers.solved if method.cadence is Cadence.RETROSPECTIVE else answers.rated
    for state, results in season.stages(method):
        outcome = checked(method.rate(state, results), state, results)
        forecast = answers.forecast(method.expected(state, results.withheld()), results)
        if isinstance(outcome, Solved):
            _tracked(outcome, len(state["rating"]))
        for what, column in [
            *_returned(outcome),
            ("forecast", forecast.expected),
            ("forecast of draws", forecast.draw),
        ]:
            if column is not None and column.dtype != np.float64:
                raise Violation(f"{what} is a column of {column.dtype}, not of float64")


def _returned(outcome: Rated | Solved) -> Iterator[tuple[str, Floats | None]]:
    """Yields every column that a call returned about its results, with its name."""
    if isinstance(outcome, Solved):
        yield "fitted", outcome.fitted
        return
    yield from {"expected": outcome.expected, "draw": outcome.draw, **outcome.after, **outcome.notes}.items()
    for label, change in {"change": outcome.change, **outcome.before}.items():
        for column in change if isinstance(change, tuple) else (change,):
            yield label, column


def _tracked(solved: Solved, players: int) -> None:
    track = solved.track
    if track is None:
        return
    n = len(track.player)
    if len(track.day) != n or "rating" not in track.columns:
        raise Violation(f"the track has {n} players, {len(track.day)} days and columns {', '.join(track.columns)}")
    if n and not 0 <= int(np.min(track.player)) <= int(np.max(track.player)) < players:
        raise Violation(f"the track names rows of players from {np.min(track.player)} to {np.max(track.player)}")
    for name, column in track.columns.items():
        if column.dtype != np.float64 or column.shape != (n,):
            raise Violation(f"track of {name} has shape {column.shape} and {column.dtype}, not {(n,)} and float64")


@law_of_seasons()
def no_games(method: Method, season: Season) -> None:
    """A call without results is accepted; with a continuous method it leaves all ratings as they were."""
    for stage in season.stages(method):
        nothing = stage.results.part(0, 0)
        outcome = method.rate(stage.state, nothing)
        rated = outcome.fitted if isinstance(outcome, Solved) else outcome.expected
        forecast = method.expected(stage.state, nothing.withheld()).expected
        if rated.shape != (0,) or forecast.shape != (0,):
            raise Violation(f"without results, {rated.size} and {forecast.size} expected scores are returned")
        if method.cadence is Cadence.CONTINUOUS:
            after = {name: outcome.state[name] for name in outcome.state.names}
            same_columns({name: stage.state[name] for name in after}, after, "after no results", season.who)
        elif np.isinf(outcome.state["rating"]).any():
            raise Violation("after no results a rating is infinite")
