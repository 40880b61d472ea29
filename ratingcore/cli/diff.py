"""`ratingcore diff`: a published list compared with what is known now, or with another list."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.open_log import position, reading
from ratingcore.cli.output import write
from ratingcore.cli.phrases import players


@click.command(
    "diff",
    cls=Command,
    examples=(
        "ratingcore diff club.db 2024-03",
        "ratingcore diff club.db 2024-03 --known-at 5",
        "ratingcore diff club.db 2024-03 2024-04",
    ),
)
@options.log
@click.argument("name")
@click.argument("other", required=False)
@options.listed_pool
@options.known_at
@options.form
def diff(log: str, name: str, other: str | None, pool: str | None, known_at: str | None, form: str | None) -> None:
    """Compare a published list with what is known now.

    The same question (pool, method, day, policy) is answered with today's log, or with --known-at at another
    cut; or OTHER names a second published list. Rows are the players whose rating differs, the largest change first:
    player, rank, new_rank, rating, new_rating, change.
    """
    from ratingcore.lists.diff import COLUMNS

    if other is not None and known_at is not None:
        raise Mistake("--known-at and a second list are two things to compare with", "name one of them")
    with reading(log) as engine:
        published = engine.find_list(name, pool)
        old = engine.published_list(published)
        if other is None:
            new = engine.restated(published, known_at=position(engine, known_at))
            against = f"as known at position {new.known_at}"
        else:
            new = engine.published_list(engine.find_list(other, pool))
            against = f"against {other}"
        differences = old.diff(new)
        write(differences, COLUMNS, form, rounded=differences.rounded_columns)
    moved = f"{len(differences)} of {players(len(differences) + differences.same)}"
    note(f"{name}, known at position {published.known_at}, {against}: the rating of {moved} differs")
