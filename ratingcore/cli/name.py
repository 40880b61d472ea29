"""`ratingcore name`: the names that people see beside the keys of players."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.file_import import import_each
from ratingcore.cli.open_log import correcting, reading


@click.command(
    "name",
    cls=Command,
    examples=(
        'ratingcore name club.db bo "Bo Lund"',
        "ratingcore name club.db --file names.csv --dry-run",
    ),
)
@options.log
@click.argument("key", required=False)
@click.argument("called", metavar="[SHOWN]", required=False)
@click.option("--file", metavar="FILE", help="A table with columns player and called, in place of KEY and SHOWN.")
@click.option("--at", callback=options.a_played_time, metavar="DAY", help="From when; the latest name stands.")
@click.option("--dry-run", is_flag=True, help="Say what would happen; write nothing.")
@options.own_uid
def name(
    log: str, key: str | None, called: str | None, file: str | None, at: str | None, dry_run: bool, own_uid: str | None
) -> None:  # fmt: skip
    """Show a player under another name.

    The key stays who the player is: results, ratings and digests are the same. Lists, histories and explanations show
    the name in a column beside the key, in every pool. It is kept like the key, so erase takes it away. Naming once
    more replaces the name; void takes it back.
    """
    if (file is None) is (key is None) or (key is not None and called is None):
        raise Mistake("expected KEY and SHOWN, or --file FILE", 'such as ratingcore name club.db bo "Bo Lund"')
    if file is not None:
        _name_all(log, file, at, dry_run)
        return
    assert key is not None and called is not None, "checked above"  # noqa: PT018  # one fact: both are given
    with reading(log) if dry_run else correcting(log) as engine:
        engine.player_id(key)
        if dry_run:
            from ratingcore.events.bounds import see_player

            note(f"would be recorded: {key} is called {see_player('called', called)}\nnothing was recorded")
            return
        receipt = engine.rename(key, called, at=at, own_uid=own_uid)
        if not receipt.accepted:
            note(f"{key} is called {called} already")
            return
        uid = engine.log.uid(receipt.head.position)
    click.echo(uid)
    note(f"recorded at position {receipt.head.position}; to take it back, void {uid}")


def _name_all(log: str, file: str, at: str | None, dry_run: bool) -> None:
    from ratingcore.importer.tables import FieldMap

    with reading(log) as engine:
        pools = engine.pools()
    if not pools:
        raise Mistake("the log holds no players yet", "ratingcore import brings results in, ratingcore players facts")
    import_each(
        log, (file,), dry_run, "text",
        lambda engine, file: engine.import_players(file, pools[0], FieldMap(), at, known=True, dry_run=dry_run),
    )  # fmt: skip
