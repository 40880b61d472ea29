"""`ratingcore seed`: files of ratings that were given from outside, with a report of each."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import progress
from ratingcore.cli.file_import import fields_of, file_options, import_each
from ratingcore.cli.open_log import new_pool

if TYPE_CHECKING:
    from ratingcore.engine import Engine
    from ratingcore.importer import ImportReport


@click.command(
    "seed",
    cls=Command,
    examples=(
        "ratingcore seed club.db ratings.csv --pool rapid --at 2024-01-01",
        "ratingcore seed club.db teams.csv --pool league --map player=team,rating=elo,at=since",
    ),
)
@options.log
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@file_options
@click.option(
    "--at", callback=options.a_time, metavar="DAY", help="When the ratings were given, for rows that do not say."
)
def seed(
    log: str, files: tuple[str, ...], pool: str | None, pairs: str | None, mapping: str | None,
    dry_run: bool, strict: bool, form: str, at: str | None,
) -> None:  # fmt: skip
    """Append ratings that were given from outside.

    First ratings, or later ones by decree, from files like those of import. Fields of a seed: player, at (or played),
    and columns of the method by name: rating, deviation, volatility, counted, ... What a seed does not name stays
    as it was. A seed of a day counts before the games of that day.
    """
    from ratingcore.archives import read_seeds

    fields = fields_of(pairs, mapping)
    if pool is None and not (fields.pool or "pool" in fields.fields):
        pool = new_pool(log, pool)
    for file in files:
        read_seeds(file, pool=pool, fields=fields, at=at)

    def run(engine: "Engine", file: str) -> "ImportReport":
        seen = progress(Path(file).name)
        return engine.import_seeds(file, pool, fields, at, dry_run=dry_run, strict=strict, progress=seen)

    import_each(log, files, dry_run, form, run)
