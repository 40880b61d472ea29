"""`ratingcore seed`: imports ratings that were given from outside, and prints a report of each file."""

from itertools import chain
from pathlib import Path

import click
from attrs import evolve

from ratingcore.cli import options
from ratingcore.cli.console import note, progress
from ratingcore.cli.file_import import field_map, file_options, print_all, target
from ratingcore.cli.histories import preview
from ratingcore.cli.options import command
from ratingcore.cli.question import new_pool
from ratingcore.events import instant
from ratingcore.importer.file_choice import choose
from ratingcore.importer.files import import_files
from ratingcore.importer.inputs import Opening, source_at
from ratingcore.importer.reader_choice import InstalledReaders, named_options
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables import read_seeds
from ratingcore.importer.tables.players import unused_columns
from ratingcore.registry import Registry


@command(
    "seed",
    "ratingcore seed club.db ratings.csv --pool rapid --at 2024-01-01",
    "ratingcore seed club.db teams.csv --pool league --map player=team,rating=elo,at=since",
    "ratingcore seed club.db standard_oct26.txt --pool classical --reader fide-list",
)
@options.log
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--reader", metavar="NAME[:OPTION=VALUE,...]", help="Format of the files, such as fide-list; tables if left out."
)
@file_options
@options.encoding
@click.option("--decimal", metavar="SIGN", help="Decimal sign of a table, a point or a comma.")
@click.option(
    "--at", callback=options.a_time, metavar="DAY", help="Day on which the ratings were given, for rows without one."
)
def seed(
    log: str, files: tuple[str, ...], pool: str | None, pairs: str | None, mapping: str | None,
    dry_run: bool, strict: bool, form: str, at: str | None, reader: str | None,
    encoding: str | None, decimal: str | None,
) -> None:  # fmt: skip
    """Record ratings from another source.

    These are first ratings, or later ones by decree, from files like those of import. Fields of a seed: player, at (or
    played), and columns of the method by name, such as rating, deviation or volatility. Columns that a seed does not
    name do not change. A seed of a day counts before the games of that day.

    With --reader, the ratings in files of another format become seeds, for example those of a FIDE list; results in
    these files are imported too.
    """
    if reader is not None:
        _foreign(log, files, reader, new_pool(log, pool), dry_run, strict, form, at, encoding)
        return

    fields = field_map(pairs, mapping, {"encoding": encoding, "decimal": decimal}).in_pool(pool)
    if pool is None and not (fields.pool or "pool" in fields.fields):
        fields = evolve(fields, pool=new_pool(log, pool))  # for rows that name no pool
    for file in files:
        source = source_at(file, Registry.installed().sheets)
        read_seeds(source, pool=pool, fields=fields, at=at)
        if unused := unused_columns(source, pool=pool, fields=fields, at=at):
            note(f"{Path(file).name}: not used: {', '.join(unused)}; ratingcore players records facts of players")

    with target(log, dry_run) as engine:
        print_all(
            (
                engine.import_seeds(
                    file, pool, fields, at=at, dry_run=dry_run, strict=strict, progress=progress(Path(file).name)
                )
                for file in files
            ),
            form,
        )
        if dry_run:
            plans = (engine.plan.import_seeds(file, pool, fields, at=at) for file in files)
            if events := list(chain.from_iterable(plan.events for plan in plans)):
                preview(engine, events, "the seeds", fields.pool or pool, None, "table")


def _foreign(
    log: str, files: tuple[str, ...], reader: str, pool: str, dry_run: bool, strict: bool, form: str, at: str | None,
    encoding: str | None,
) -> None:  # fmt: skip
    """Imports ratings as seeds from files in a format that a plugin reads."""
    (name, texts), readers = named_options(reader), InstalledReaders(Registry.installed())
    choice = choose(files, readers, opening=Opening(encoding), reader=name, options=texts)
    played = None if at is None else instant(at)
    settings = Settings(pool=pool, played=played, seeds="all", dry_run=dry_run, strict=strict)
    with target(log, dry_run) as engine:
        print_all(import_files(engine.log, engine.registry.method, choice, settings), form, several=len(files) > 1)
