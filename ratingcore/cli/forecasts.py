"""`ratingcore forecasts`: what was expected of every game before it was played."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.left_out import note_left_out
from ratingcore.cli.open_log import one_pool, position, reading
from ratingcore.cli.output import write


@click.command(
    "forecasts",
    cls=Command,
    examples=(
        "ratingcore forecasts club.db --method elo:k=24",
        "ratingcore forecasts club.db --pool rapid --through 2024-03-31 --format csv > forecasts.csv",
    ),
)
@options.log
@options.question
@options.form
def forecasts(
    log: str, pool: str | None, method: str, through: str | None, known_at: str | None, form: str | None
) -> None:
    """List what was expected of every game, and what it moved.

    A row a game in order of play: uid, played, a, b, score, rating_a, rating_b, expected, change_a, change_b, and
    draw where the method says how likely one was. Where sessions are rated, a row a player: uid, played, side,
    player, score, rating, expected, change, and ahead, the share of the other sides that the side is expected to
    leave behind, where the method says it. What the method lists beside the rating comes behind it, as it stood before
    the game: deviation_a and deviation_b, or deviation. Numbers are unrounded, but for tables. Results
    that the method cannot read are left out, and counted on stderr.
    """
    from ratingcore.explain import forecast_columns
    from ratingcore.explain import forecasts as forecast_rows
    from ratingcore.replay import Watch, foretold

    with reading(log) as engine:
        view = engine.view(one_pool(engine, pool), through, position(engine, known_at))
        replay = foretold(engine.registry.method(method), view, Watch())
        write(forecast_rows(replay, engine.log.uids), forecast_columns(replay), form, digits=4)
        note_left_out(replay.view)
