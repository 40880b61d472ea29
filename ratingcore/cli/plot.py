"""`ratingcore plot`: one picture as PNG or SVG: curves of players, calibration, distribution, health."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.new_file import must_be_new, new_file
from ratingcore.cli.open_log import one_pool, player_row, position, reading

if TYPE_CHECKING:
    from ratingcore.engine import Engine
    from ratingcore.methods import Method
    from ratingcore.report.style import Picture
    from ratingcore.tables import View

    Asked = Sequence[tuple[str, Method]]

KINDS = ("curves", "calibration", "distribution", "health")


@click.command(
    "plot",
    cls=Command,
    examples=(
        "ratingcore plot club.db curves ann bo --to curves.png",
        "ratingcore plot club.db calibration --method elo --method elo:k=40 > calibration.svg",
        "ratingcore plot club.db distribution --through 2024-03-31 --to march.svg",
        "ratingcore plot club.db health --pool rapid --method periodic --to health.png",
    ),
)
@options.log
@click.argument("kind", metavar="KIND", type=click.Choice(KINDS))
@click.argument("players", metavar="[PLAYER]...", nargs=-1)
@options.pool
@click.option(
    "--method", "-m", "methods", metavar="METHOD", multiple=True, default=("elo",), show_default="elo",
    help="A method with its parameters; each further one is a further panel.",
)  # fmt: skip
@options.through
@options.known_at
@click.option("--to", metavar="FILE", help="A new file, .png or .svg; without it, SVG goes to stdout.")
def plot(
    log: str,
    kind: str,
    players: tuple[str, ...],
    pool: str | None,
    methods: tuple[str, ...],
    through: str | None,
    known_at: str | None,
    to: str | None,
) -> None:
    """Draw one picture, a panel a method.

    KIND is curves (the ratings of players over time: those named, or the five with most games), calibration (mean score
    against forecast, each forecast made before its game), distribution (how many players stand where), or health
    (the level of ratings over time, activity, and how results tie the pool together).
    """
    from ratingcore.report.pictures import png, svg
    from ratingcore.report.style import see_installed

    _see_writable(to)
    see_installed()
    if players and kind != "curves":
        raise Mistake(f"players are named for curves only, and this is {kind}: {players[0]}", f"leave {players[0]} out")
    with reading(log) as engine:
        name = one_pool(engine, pool)
        asked = [(text, engine.registry.method(text)) for text in dict.fromkeys(methods)]
        view = engine.view(name, through, position(engine, known_at))
        pictures = _DRAWN[kind](engine, view, asked, players)
    if not pictures:
        raise Mistake(
            f"there is nothing to draw of pool {name} at this cut: {kind}", "the log command tells its results"
        )
    title = f"{name}: {kind}"
    if to is None:
        sys.stdout.write(svg(pictures, title) + "\n")
        return
    drawn = png(pictures, title) if to.lower().endswith(".png") else svg(pictures, title).encode()
    with new_file(to) as out:
        out.write(drawn)
    note(f"{to}: {'; '.join(picture.title for picture in pictures)}")


def _see_writable(to: str | None) -> None:
    """Checks before any work that the picture can be written where it is wanted."""
    if to is None:
        if sys.stdout.isatty():
            raise Mistake("a picture is nothing for a terminal", "name a file: --to picture.png")
    elif not to.lower().endswith((".png", ".svg")):
        raise Mistake(f"--to names neither a .png nor a .svg file: {to}", "name it by what it is to be: picture.svg")
    else:
        must_be_new(to)


def _curves(engine: "Engine", view: "View", asked: "Asked", players: Sequence[str]) -> "list[Picture]":
    from functools import partial

    from ratingcore.compare.curves import busiest, curves
    from ratingcore.compare.period_lists import watch
    from ratingcore.compare.played_games import Played
    from ratingcore.report.curves import curves as drawn
    from ratingcore.report.table import Table

    rows = [player_row(engine, view, player) for player in players] or busiest(Played.of(view))
    watches = {text: partial(watch, method, view) for text, method in asked}
    return drawn(Table("curves", "Ratings of players", curves(view, watches, rows)))


def _calibration(engine: "Engine", view: "View", asked: "Asked", players: Sequence[str]) -> "list[Picture]":
    from ratingcore.compare.common_games import ask
    from ratingcore.compare.reliability import reliability
    from ratingcore.compare.report import calibration
    from ratingcore.report.table import Table

    answers = ask(asked, view)
    for text, why in answers.left_out.items():
        note(f"left out: {text}: {why}")
    pictures = []
    for text, forecast in answers.forecasts.items():
        bins = reliability(answers.of(forecast.expected), answers.of(answers.played.score))
        columns = {"expected": bins.expected, "scored": bins.scored, "scored_low": bins.from_, "scored_high": bins.to}
        named = {"method": (text,) * len(bins.n), "games": bins.n, **columns}
        pictures += calibration(Table("reliability", "Calibration", named))
    return pictures


def _distribution(engine: "Engine", view: "View", asked: "Asked", players: Sequence[str]) -> "list[Picture]":
    import numpy as np

    from ratingcore.compare.curves import distributions
    from ratingcore.report.distributions import distributions as drawn
    from ratingcore.report.table import Table

    shown = {text: engine.standing(method, view) for text, method in asked}
    ratings = {
        text: np.asarray(method.show(shown[text].state, shown[text].at)["rating"], np.float64) for text, method in asked
    }
    return drawn(Table("distributions", "Distribution of ratings", distributions(ratings)))


def _health(engine: "Engine", view: "View", asked: "Asked", players: Sequence[str]) -> "list[Picture]":
    from functools import partial

    from ratingcore.compare.list_tables import Listed
    from ratingcore.compare.report import health

    listing = partial(engine.rating_list, view.pool, through=view.through, known_at=view.known_at)
    return health(Listed(dict(asked), view, asked[0][0], (), listing).tables()["health"])


_DRAWN = {"curves": _curves, "calibration": _calibration, "distribution": _distribution, "health": _health}
