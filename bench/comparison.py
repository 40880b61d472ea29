"""Six methods side by side against their bare loops: the compiled loop of each, once over the columns of all games."""

from bench.measure import Results, seconds
from bench.worlds import ColumnLog, view_of, world
from ratingcore.compare import Comparison
from ratingcore.compare.compare import compare
from ratingcore.compare.forecasts import forecast
from ratingcore.lists import RatingList
from ratingcore.methods import Method
from ratingcore.methods.state import State
from ratingcore.registry import Registry
from ratingcore.tables import View

_FORECASTS = "forecasts are kept, and looked at for what they owe to later games, which is most of it"

TEXTS = ("elo", "elo:k=40", "elo:curve=normal", "elo:period=month", "adaptive-k", "chess-bayes")


def run(results: Results, games: int) -> None:
    """Print what a comparison takes: scores, intervals and verdicts; then calibration and cohorts on top."""
    count = games // 5
    view = view_of(ColumnLog(world(count)))
    asked = [(text, Registry.installed().method(text)) for text in TEXTS]
    bare, scored, parted, forecasts = seconds(
        lambda: [_loop(method, view) for _, method in asked],
        lambda: _compared(asked, view),
        lambda: _looked_at(_compared(asked, view)),
        lambda: [forecast(method, view) for _, method in asked],
    )
    results.row(f"six methods compared, {count:,} games", scored / bare, "x loops", 3.0, note=_FORECASTS)
    print(f"  of that the forecasts alone: {forecasts / bare:.1f} x loops")
    print(f"  with calibration and four kinds of cohorts looked at: {parted / bare:.1f} x loops")


def _loop(method: Method, view: View) -> None:
    """The loop of a method alone: one call with all games, nothing kept and nothing planted."""
    method.rate(State.start(method.columns(), view.n_players), view.games(method.needs, method.name))


def _compared(asked: list[tuple[str, Method]], view: View) -> Comparison:
    return compare(asked, view, lambda method: _unlisted(), "bench", cohorts=("gap", "strength", "experience", "year"))


def _unlisted() -> RatingList:
    raise AssertionError("no list is looked at")


def _looked_at(found: Comparison) -> int:
    return len(found.reliability) + len(found.cohorts)
