"""`ratingcore expect`: forecasts one game or a series from two ratings, without a log."""

from collections.abc import Iterator

import click

from ratingcore.calculator import Prospect
from ratingcore.calculator import expect as ask
from ratingcore.cli import options
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.fields import pairs, typed_facts
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.explain.points_table import Worth
from ratingcore.registry import Registry

COLUMNS = ("method", "expected", "win", "draw", "loss")


@command(
    "expect",
    "ratingcore expect 1834 2179 --method elo:curve=normal",
    "ratingcore expect 1834 2179 --method elo --method elo:curve=normal,draw_band=20 --worth 3,1,0",
    "ratingcore expect 1834 2179 --method elo:curve=normal --games 10 --wins 3",
    "ratingcore expect 2650 2700 --method chess-bayes --a deviation=40 --b deviation=60 --games 12 --points 6.5",
    "ratingcore expect 1834 2179 --method elo:first_move=35 --field home=a --format json",
)
@click.argument("rating", type=float)
@click.argument("opponent", type=float)
@click.option(
    "--method", "-m", "methods", metavar="METHOD", multiple=True, default=("elo",), show_default="elo",
    help="A method with its parameters; repeat it for a row each.",
)  # fmt: skip
@click.option("--games", "-n", type=click.IntRange(1, 10_000), metavar="N", help="Number of games of a series.")
@click.option("--wins", type=options.Count(0), metavar="K", help="Number of wins in the series; all games if left out.")
@click.option("--points", type=float, metavar="P", help="Number of points in the series; a draw is half a point.")
@click.option(
    "--worth",
    callback=options.a_worth,
    metavar="W,D,L",
    help="Add the expected points if win, draw and loss are worth these.",
)
@click.option("--field", multiple=True, metavar="NAME=VALUE", help="A field of the game, such as home=a.")
@click.option("--a", "of_a", multiple=True, metavar="NAME=VALUE", help="A column or field of the player: deviation=80.")
@click.option("--b", "of_b", multiple=True, metavar="NAME=VALUE", help="A column or field of the opponent.")
@click.option(
    "--played",
    callback=options.a_time,
    metavar="DAY",
    help="Day of the game, for rules that change from a day on; the latest rule if left out.",
)
@options.form
def expect(
    rating: float,
    opponent: float,
    methods: tuple[str, ...],
    games: int | None,
    wins: int | None,
    points: float | None,
    worth: Worth | None,
    field: tuple[str, ...],
    of_a: tuple[str, ...],
    of_b: tuple[str, ...],
    played: str | None,
    form: str,
) -> None:
    """Calculate the expected score of a game between two ratings.

    Columns: method; expected (share of the point); chances of win, draw and loss where the method gives them; worth
    with --worth. --games adds games, wins or points, and the chances of exactly and of at least so many; the games are
    taken as independent. No log is needed. Methods that rate whole pools or sessions give no expected score.
    """
    _check_series(games, wins, points)
    registry = Registry.installed()
    given = {
        "fields": typed_facts(pairs(field)),
        "of_a": typed_facts(pairs(of_a)),
        "of_b": typed_facts(pairs(of_b)),
        "played": played,
    }
    prospects = {
        text: ask(rating, opponent, text, registry=registry, **given)  # type: ignore[arg-type]  # packed by name
        for text in dict.fromkeys(methods)
    }
    unit = "wins" if points is None else "points"
    count = wins if points is None else points
    rows = [
        _row(text, game) | ({"worth": game.worth(worth.win, worth.draw, worth.loss)} if worth else {}) | series
        for text, game in prospects.items()
        for series in _series(game, games, unit, count)
    ]
    drawless = [text for text, game in prospects.items() if game.draw is None]
    if drawless and (games or worth):
        note(f"note: every game counts as won or lost, since these methods forecast no draws: {', '.join(drawless)}")
    columns = (*COLUMNS, *(["worth"] if worth else []), *(["games", unit, "exactly", "at_least"] if games else []))
    write(rows, columns, form, digits=6)


def _check_series(games: int | None, wins: int | None, points: float | None) -> None:
    if wins is not None and points is not None:
        raise Mistake("--wins and --points exclude each other", "leave one of them out")
    if games is None and (wins is not None or points is not None):
        raise Mistake("--wins and --points need the number of games", "add --games N")


def _row(text: str, game: Prospect) -> dict[str, object]:
    return {"method": text, "expected": game.expected, "win": game.win, "draw": game.draw, "loss": game.loss}


def _series(game: Prospect, games: int | None, unit: str, count: float | None) -> Iterator[dict[str, object]]:
    """Yields the cells for one count, or for each possible count; one empty row if no series is asked for."""
    if games is None:
        yield {}
        return
    chances = game.wins(games) if unit == "wins" else game.points(games)
    at_least = chances.at_least
    for place in range(games + 1) if count is None else [chances.place(count)]:
        number = float(chances.count[place])
        yield {
            "games": games, unit: int(number) if unit == "wins" else number,
            "exactly": float(chances.exactly[place]), "at_least": float(at_least[place]),
        }  # fmt: skip
