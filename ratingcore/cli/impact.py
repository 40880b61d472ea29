"""`ratingcore impact`: who moved, and by how much, because of one event."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.dry_run import write_impact
from ratingcore.cli.open_log import reading


@click.command(
    "impact",
    cls=Command,
    examples=(
        "ratingcore impact club.db g-1",
        "ratingcore impact club.db g-1 --pool rapid --method elo:k=24 --through 2024-03-31 --top 10",
    ),
)
@options.log
@click.argument("uid")
@options.concerned_pool
@options.method
@options.through
@click.option("--top", type=options.Count(1), metavar="N", help="The N players whom it moved most only.")
@options.form
def impact(
    log: str, uid: str, pool: str | None, method: str, through: str | None, top: int | None, form: str | None
) -> None:
    """Show who moved, and by how much, because of one event.

    Ratings as they are known now beside those without the event: a result, a seed, a description, or a correction.
    Columns: player, rank_without, rank_with, rating_without, rating_with (both as listed), change (unrounded). The
    largest change comes first; below stand number, sum and mean.
    """
    with reading(log) as engine:
        write_impact(engine.impact(uid, pool, method, through), form, top)
