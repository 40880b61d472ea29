"""Laws of book-keeping: everything that moves a rating is reported and aligned, and moves only those who played."""

import numpy as np

from ratingcore.columns import Games, View
from ratingcore.columns.games import Floats
from ratingcore.methods.contract import Change, Method, Rated, Solved
from ratingcore.replay import fold
from ratingcore.testing.law import CONTINUOUS, FORWARD, Violation, among, law_of_seasons, same, same_columns
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
    """Rating of every player, and the sum of their start and all reported changes; NaN for the unrated."""
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
    seeded = np.zeros(len(total), dtype=np.bool_)
    seeded[replay.sown.seeds.player] = True
    return replay.state["rating"], np.where(np.isnan(replay.start) & ~seeded, np.nan, total)


@law_of_seasons(CONTINUOUS)
def bystanders(method: Method, season: Season) -> None:
    """Only the players of a game move; of pairs, only the pair that met."""
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
    """What is returned is aligned with the results, in numbers of 64 bits."""
    names = [column.name for column in method.columns()]
    for stage in season.stages(method):
        outcome = method.rate(stage.state, stage.results)
        wanted = Solved if method.cadence.value == "retrospective" else Rated
        if not isinstance(outcome, wanted):
            raise Violation(f"rate returned {type(outcome).__name__}, not {wanted.__name__}")
        if sorted(outcome.state.names) != sorted(names):
            raise Violation(f"the state has columns {', '.join(outcome.state.names)}, not {', '.join(names)}")
        for name in names:
            _shaped(name, outcome.state[name], stage.state[name].shape)
        sides, n = stage.results.score.shape, len(stage.results)
        if isinstance(outcome, Solved):
            _shaped("fitted", outcome.fitted, sides)
            _tracked(outcome, len(stage.state["rating"]))
        else:
            _shaped("expected", outcome.expected, sides)
            _change("change", outcome.change, stage.results)
            for label, change in outcome.before.items():
                _change(f"before {label!r}", change, stage.results)
            for label, amount in outcome.after.items():
                _shaped(f"after {label!r}", amount, stage.state["rating"].shape)
            for name, note in outcome.notes.items():
                _shaped(f"note {name!r}", note, (n,))
            if outcome.draw is not None:
                _shaped("draw", outcome.draw, (n,))
        asked = method.expected(stage.state, stage.results.withheld())
        _shaped("forecast", asked.expected, sides)
        if asked.draw is not None:
            _shaped("forecast of draws", asked.draw, (n,))


def _shaped(what: str, column: object, shape: tuple[int, ...]) -> None:
    if not isinstance(column, np.ndarray) or column.dtype != np.float64:
        raise Violation(f"{what} is not a column of float64: {getattr(column, 'dtype', type(column).__name__)}")
    if column.shape != shape:
        raise Violation(f"{what} has shape {column.shape}, not {shape}")


def _change(what: str, change: Change, results: Results) -> None:
    if isinstance(results, Games):
        if not isinstance(change, tuple) or len(change) != 2:
            raise Violation(f"{what} is not a pair of columns, one of a and one of b")
        for side, column in zip("ab", change, strict=True):
            _shaped(f"{what} of {side}", column, results.score.shape)
    else:
        _shaped(what, change, results.player.shape)


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
        _shaped(f"track of {name}", column, (n,))


@law_of_seasons()
def no_games(method: Method, season: Season) -> None:
    """No results are accepted; a continuous method then moves nobody."""
    for stage in season.stages(method):
        nothing = stage.results.part(0, 0)
        outcome = method.rate(stage.state, nothing)
        rated = outcome.fitted if isinstance(outcome, Solved) else outcome.expected
        asked = method.expected(stage.state, nothing.withheld()).expected
        if rated.shape != (0,) or asked.shape != (0,):
            raise Violation(f"of no results {rated.size} and {asked.size} scores are expected")
        if method.cadence.value == "continuous":
            after = {name: outcome.state[name] for name in outcome.state.names}
            same_columns({name: stage.state[name] for name in after}, after, "after no results", season.who)
        elif np.isinf(outcome.state["rating"]).any():
            raise Violation("after no results a rating is infinite")
