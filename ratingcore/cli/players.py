"""`ratingcore players`: records facts of players from files, or shows the known facts."""

from collections.abc import Iterator

import click

from ratingcore.cli import options
from ratingcore.cli.file_import import field_map, print_all, target
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import new_pool, reading
from ratingcore.events.values import Fact


@command(
    "players",
    "ratingcore players club.db members.csv --pool rapid --map player=id,called=name",
    "ratingcore players club.db",
    "ratingcore players club.db --format json",
)
@options.log
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option(
    "--pool", "-p", metavar="NAME", help="The pool whose methods read the facts; the log's only pool if left out."
)
@click.option("--map", "pairs", metavar="FIELD=COLUMN,...", help="Which columns hold the fields; overrides --mapping.")
@click.option("--mapping", metavar="FILE", help="A TOML file that maps columns to fields.")
@options.encoding
@click.option(
    "--at",
    callback=options.a_played_time,
    metavar="DAY",
    help="The day from which facts without a day of their own hold.",
)
@click.option("--dry-run", is_flag=True, help="Show what would happen, and write nothing.")
@options.form
def players(
    log: str, files: tuple[str, ...], pool: str | None, pairs: str | None, mapping: str | None,
    encoding: str | None, at: str | None, dry_run: bool, form: str,
) -> None:  # fmt: skip
    """Record facts of players, or show them.

    Files are tables with a header: a column player, and any of called, born, title, federation, club, sex; --map makes
    further columns facts too. A file is recorded as one batch; facts that are already known are not
    recorded again. Facts without a day hold for ever and replace earlier ones. Without FILE, the facts are listed:
    player, called, and every fact that is known of any player.
    """
    if not files:
        with reading(log) as engine:
            rows = list(engine.players(pool))
            fields = {field for row in rows for field in row} - {"player", "called"}
            columns = ("player", "called", *sorted(fields))
            write(_full(rows, columns), columns, form)
        return
    fields_map, into = field_map(pairs, mapping, {"encoding": encoding}), new_pool(log, pool)

    with target(log, dry_run) as engine:
        reports = (engine.import_players(file, into, fields_map, at=at, dry_run=dry_run) for file in files)
        print_all(reports, "json" if form == "json" else "text")


def _full(rows: list[dict[str, Fact]], columns: tuple[str, ...]) -> Iterator[dict[str, object]]:
    blank = dict.fromkeys(columns)
    return (blank | row for row in rows)
