"""`ratingcore list`: the rating list of a pool, with what it was made from."""

import sys
from itertools import islice

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.opening import one_pool, position, reading
from ratingcore.cli.rows import chosen, write
from ratingcore.cli.telling import note


@click.command(
    "list",
    cls=Command,
    examples=(
        "ratingcore list club.db",
        "ratingcore list club.db --pool rapid --method elo:k=24 --through 2024-03-31 --top 10",
        "ratingcore list club.db --through 2024-03-31 --known-at 2024-04-05",
        "ratingcore list club.db --known-at 4 --format csv > march.csv",
        "ratingcore list club.db --grades es_group",
    ),
)
@options.log
@options.question
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="The first N players only.")
@click.option(
    "--grades", metavar="TABLE",
    help="Add a column, what the ratings are called: egf, ru_go, fesa, fide_category, elo_class, ru_chess, es_group.",
)  # fmt: skip
@options.form
def show(
    log: str,
    pool: str | None,
    method: str,
    through: str | None,
    known_at: str | None,
    top: int | None,
    grades: str | None,
    form: str | None,
) -> None:
    """Rate a pool and list its players.

    Columns: rank, player, rating, games, the method's further columns, and the grade if it is asked for. Below a
    table (on stderr with other formats) stands what the list was made from: with the same log, everyone
    can make it again and compare the digests. Grades are no part of the digest.
    """
    with reading(log) as engine:
        made = engine.rating_list(one_pool(engine, pool), method, through, position(engine, known_at))
    listed = made if grades is None else made.with_grades(grades)
    write(islice(listed, top), listed.columns, form)
    facts = [*made.provenance.lines(), f"digest of the list {made.digest}"]
    if chosen(form) != "table":
        note("\n".join(facts))
        return
    left = len(made) - (top or len(made))
    cut = [f"... and {left} more"] if left > 0 else []
    sys.stdout.write("\n".join([*cut, "", *facts, ""]))
