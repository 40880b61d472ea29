"""`ratingcore catch-up`: brings tables of ratings and histories for readers of SQL up to date."""

import click
from attrs import asdict

from ratingcore.plugin import RatingCoreError
from ratingcore.plugin.commands import Mistake, command, complain, correcting, is_there, options, reading, shown, write
from ratingcore_sql_tables.catch_up import catch_up as brought

COLUMNS = ("pool", "method", "known_at", "players", "lines", "done")


@command(
    "catch-up",
    "ratingcore catch-up club.db --method elo:k=24",
    "ratingcore catch-up club.db",
    "ratingcore catch-up club.db --pool rapid -m elo -m berkin --to tables.db",
    "ratingcore catch-up club.db --to tables.db --format json",
)
@options.log
@click.option(
    "--pool", "-p", metavar="NAME", help="Only this pool; if left out, all pools that are kept, or all of the log."
)
@click.option(
    "--method", "-m", "methods", metavar="METHOD", multiple=True,
    help="Keep tables of this method from now on; repeatable. If left out, the tables that are kept are "
    "brought up to date.",
)  # fmt: skip
@click.option(
    "--to", metavar="FILE", help="The SQLite file of the tables, used for this log only; the log itself if left out."
)
@options.form
def catch_up(log: str, pool: str | None, methods: tuple[str, ...], to: str | None, form: str) -> None:
    """Keep tables of ratings that any SQLite tool can read.

    Tables: ratings_current (a row per player), rating_history (a row per result or other line of a player),
    rating_tables (which pools and methods are kept, and the head of the log that their rows belong to). Run it as often
    as you like, from cron too: only changes are written. To stop keeping a pool and method, delete its row from
    rating_tables.

    Columns of the report: pool, method, known_at (the position of the log), players, lines, done.
    """
    with reading(log) if to is not None and is_there(log) else correcting(log) as engine:
        for method in methods:  # a mistyped method is an error before anything is written
            engine.registry.method(method)
        failed: list[RatingCoreError] = []
        caught = [row for method in methods or (None,) for row in brought(engine, pool, method, to, failed=failed)]
        pools = engine.pools()
    if not pools:
        raise Mistake("the log has no results yet", "add some with ratingcore import or ratingcore record")
    if not caught and not failed:
        raise Mistake("no tables are kept yet", f"name a method: ratingcore catch-up {shown(log)} --method elo")
    write(map(asdict, caught), COLUMNS, form)
    for error in failed[1:]:
        complain(str(error), error.hint)
    if failed:
        raise failed[0]
