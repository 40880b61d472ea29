"""`ratingcore names`: the keys of players, and those that may be one person."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.open_log import reading
from ratingcore.cli.output import write


@click.command(
    "names",
    cls=Command,
    examples=(
        "ratingcore names club.db",
        "ratingcore names club.db --similar --format csv > merges.csv",
    ),
)
@options.log
@click.option(
    "--similar", is_flag=True,
    help='Names that differ by case, accents, blanks, or the order of "Surname, First" only.',
)  # fmt: skip
@options.form
def names(log: str, similar: bool, form: str | None) -> None:
    """List the keys of players.

    Columns: player, called (the name that people see). With --similar, pairs of keys: keep (with more results), other,
    and the results of each. Which of them are one person, only people can tell: take out the others, and give the table
    to merge --file.
    """
    with reading(log) as engine:
        if not similar:
            rows = ({"player": row["player"], "called": row.get("called")} for row in engine.players())
            write(rows, ("player", "called"), form)
            return
        pairs = engine.similar_names()
        write((pair._asdict() for pair in pairs), ("keep", "other", "results", "other_results"), form)
    if pairs:
        note("take out who is not one person, and merge the others: ratingcore merge LOG --file merges.csv")
    else:
        note("no two names differ in their spelling only")
