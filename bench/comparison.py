"""A comparison of six methods, against one bare call of each over the columns of all games."""

from bench.measure import Results, seconds
from bench.worlds import ColumnLog, view_of, world
from ratingcore.columns import View
from ratingcore.compare.comparison import Comparison, compare
from ratingcore.compare.forecasts import forecast
from ratingcore.lists import RatingList
from ratingcore.methods import Method
from ratingcore.methods.state import State
from ratingcore.registry import Registry

_FORECASTS = "most of the time goes to storing the forecasts and checking that none depends on later games"

TEXTS = ("elo", "elo:k=40", "elo:curve=normal", "elo:period=month", "adaptive-k", "chess-bayes")


def run(results: Results, games: int) -> None:
    """Print the time of a comparison with scores, intervals and verdicts; then with calibration and cohorts."""
    count = games // 5
    view = view_of(ColumnLog(world(count)))
    methods = [(text, Registry.installed().method(text)) for text in TEXTS]
    bare, scored, parted, forecasts = seconds(
        lambda: [_loop(method, view) for _, method in methods],
        lambda: _compared(methods, view),
        lambda: _tables(_compared(methods, view)),
        lambda: [forecast(method, view) for _, method in methods],
    )
    results.row(f"six methods compared, {count:,} games", scored / bare, "x loops", 3.0, note=_FORECASTS)
    print(f"  of that the forecasts alone: {forecasts / bare:.1f} x loops")
    print(f"  with calibration and four kinds of cohorts: {parted / bare:.1f} x loops")


def _loop(method: Method, view: View) -> None:
    """Rates all games in one call of a method, without seeds and without storing moves."""
    method.rate(State.start(method.columns(), view.n_players), view.games(method.needs, method.name))


def _compared(methods: list[tuple[str, Method]], view: View) -> Comparison:
    return compare(
        methods, view, lambda method: _unlisted(), "bench", cohorts=("gap", "strength", "experience", "year")
    )


def _unlisted() -> RatingList:
    raise AssertionError("no list is looked at")


def _tables(comparison: Comparison) -> int:
    """Makes the tables that a comparison makes only on demand."""
    return len(comparison.reliability) + len(comparison.cohorts)
