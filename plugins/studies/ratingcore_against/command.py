"""`ratingcore against`: a published list compared with the ratings that others published."""

import click

from ratingcore.plugin.analysis import FieldMap
from ratingcore.plugin.commands import FAILED, command, complain, completion, counted, note, options, reading, write
from ratingcore_against.against import COLUMNS
from ratingcore_against.against import against as compared


@command(
    "against",
    "ratingcore against club.db 2024-03 theirs.csv --map player=name,rating=elo",
    "ratingcore against club.db 2024-03 standard_mar24.txt --reader fide-list --tolerance 0.5",
)
@options.log
@click.argument("name", shell_complete=completion.lists)
@click.argument("file")
@options.listed_pool
@click.option("--reader", metavar="NAME[:OPTION=VALUE,...]", help="Format of the file; recognised if left out.")
@click.option("--map", "pairs", metavar="FIELD=COLUMN,...", help="The columns of a table that hold the fields.")
@click.option(
    "--tolerance", type=click.FloatRange(min=0), default=0.0, show_default=True,
    help="Largest difference that counts as equal.",
)  # fmt: skip
@options.form
def against(
    log: str, name: str, file: str, pool: str | None, reader: str | None, pairs: str | None, tolerance: float, form: str
) -> None:
    """Compare a published list with ratings that others published.

    FILE is a list of a federation, or a table of player and rating. Rows are the players whose ratings differ by more
    than --tolerance, then those who are on only one of the two lists: player, ours, theirs, difference. The exit code
    is 1 if a rating differs by more than --tolerance.
    """
    fields = FieldMap(where="--map") if pairs is None else FieldMap.parse(pairs, "--map")
    with reading(log) as engine:
        found = compared(engine, name, file, reader, pool=pool, tolerance=tolerance, fields=fields)
    write(found, COLUMNS, form)
    for row in found.unread:
        note(f"warning: not read: {row}")
    note(
        f"{name} against {file}: the rating of {len(found.apart)} of {counted(found.both, 'player')} differs"
        f"{f' by more than {tolerance:g}' if tolerance else ''}; only in ours {len(found.only_ours)}, "
        f"only in theirs {len(found.only_theirs)}"
    )
    if not found.both:
        complain("no player is on both lists: they are compared by key, the id of a register or the name")
    if not found.holds:
        raise click.exceptions.Exit(FAILED)
