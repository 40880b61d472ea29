"""`ratingcore import`: files of results, with a report of each."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, progress
from ratingcore.cli.file_import import fields_of, file_options, import_each, pool_of
from ratingcore.cli.open_log import new_pool

if TYPE_CHECKING:
    from ratingcore.engine import Engine
    from ratingcore.importer import ImportReport


@click.command(
    "import",
    cls=Command,
    examples=(
        "ratingcore import club.db games.csv --pool rapid --dry-run",
        "ratingcore import club.db games.csv --pool rapid",
        "ratingcore import club.db white-black.csv --pool rapid --map a=white,b=black,score=result,played=date",
        "ratingcore import club.db league.csv.gz more.jsonl --pool league --mapping mapping.toml --strict",
    ),
)
@options.log
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--reader", metavar="NAME", help="Read a foreign format, such as usebio; ratingcore readers lists them.")
@file_options
def import_(
    log: str, files: tuple[str, ...], pool: str | None, pairs: str | None, mapping: str | None,
    dry_run: bool, strict: bool, form: str, reader: str | None,
) -> None:  # fmt: skip
    """Append the games in files.

    A file is CSV with any delimiter, or JSON lines, plain or gzip. Fields of a game: a, b, score, played, and if
    there are any: order, uid, pool, points_a, points_b, home, event, round, season, ... Columns of these names
    need no mapping. Scores are 1-0, 1/2, W, 0.5 and the like, or follow from points_a and points_b.

    The log is made if it is missing. Importing a file again changes nothing. Rows that are no games (forfeits, byes)
    are counted as unrated. Rows that cannot be are refused, each with its reason, and the others are
    imported; then the exit code is 1. A row that the log has with another content is refused as changed, with both
    values: what is recorded stands until it is amended or voided.

    With --reader a file is of another format. A session that the log knows and that is issued again is
    corrected where it says otherwise now; the same file again changes nothing.
    """
    if reader is not None:
        _foreign(log, files, pool, reader, (pairs, mapping), dry_run, form)
        return
    from ratingcore.archives import read_results

    fields, pool = fields_of(pairs, mapping), pool_of(log, pool, pairs, mapping)
    for file in files:  # a file that cannot be read at all is reported before a log is made
        read_results(file, pool=pool, fields=fields)

    def run(engine: "Engine", file: str) -> "ImportReport":
        seen = progress(Path(file).name)
        return engine.import_results(file, pool, fields, dry_run=dry_run, strict=strict, progress=seen)

    import_each(log, files, dry_run, form, run)


def _foreign(
    log: str, files: tuple[str, ...], pool: str | None, reader: str, maps: tuple[str | None, ...], dry_run: bool,
    form: str,
) -> None:  # fmt: skip
    """Import files of a format that a plugin reads."""
    from ratingcore.corrections.foreign import events_of
    from ratingcore.registry import Registry

    readers = Registry.installed().readers
    if reader not in readers:
        raise Mistake(f"no reader named {reader}: installed are {', '.join(readers) or 'none'}", "ratingcore readers")
    if any(maps):
        raise Mistake("a reader knows its format: --map and --mapping are for CSV and JSON lines")
    pool = new_pool(log, pool)
    for file in files:
        events_of(reader, readers[reader], file)  # what cannot be read is refused before anything is imported
    import_each(
        log, files, dry_run, form, lambda engine, file: engine.import_foreign(file, reader, pool, dry_run=dry_run)
    )
