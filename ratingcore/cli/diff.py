"""`ratingcore diff`: a published list compared with what is known now, with another list, or with a file of ratings."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, complain, note
from ratingcore.cli.exit_codes import FAILED
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
        "ratingcore diff club.db 2024-03 --against theirs.csv --map player=name,rating=elo",
        "ratingcore diff club.db 2024-03 --against standard_mar24.txt --reader fide-list --tolerance 0.5",
    ),
)
@options.log
@click.argument("name")
@click.argument("other", required=False)
@options.listed_pool
@options.known_at
@click.option("--against", "file", metavar="FILE", help="A file of ratings by others, of any format.")
@click.option("--reader", metavar="NAME[:OPTION=VALUE,...]", help="Format of the file; recognised if left out.")
@click.option("--map", "pairs", metavar="FIELD=COLUMN,...", help="Which columns of a table hold what.")
@click.option("--tolerance", type=click.FloatRange(min=0), help="Largest difference that counts as none.  [default: 0]")
@options.form
def diff(
    log: str, name: str, other: str | None, pool: str | None, known_at: str | None, file: str | None,
    reader: str | None, pairs: str | None, tolerance: float | None, form: str | None,
) -> None:  # fmt: skip
    """Compare a published list with what is known now, or with ratings that others published.

    The same question (pool, method, day, policy) is answered with today's log, or with --known-at at another
    cut; or OTHER names a second published list. Rows are the players whose rating differs, the largest change first:
    player, rank, new_rank, rating, new_rating, change.

    With --against, the list is compared with the ratings in a file: a list of a federation, or a table of player and
    rating. Rows are the players whose ratings differ by more than --tolerance, then those whom only one of the two
    rates: player, ours, theirs, difference. Ends with exit code 1 if a rating differs by more.
    """
    from ratingcore.lists.diff import COLUMNS

    if file is not None:
        if other is not None or known_at is not None:
            raise Mistake("--against, --known-at and a second list are different things to compare with", "name one")
        _against(log, name, pool, file, reader, pairs, tolerance or 0.0, form)
        return
    if reader is not None or pairs is not None or tolerance is not None:
        raise Mistake("--reader, --map and --tolerance are about a file", "name it: --against FILE")
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


def _against(
    log: str, name: str, pool: str | None, file: str, reader: str | None, pairs: str | None, tolerance: float,
    form: str | None,
) -> None:  # fmt: skip
    """Compares a list with the ratings in a file."""
    from ratingcore.importer.tables import FieldMap
    from ratingcore.lists.against import AGAINST

    fields = FieldMap() if pairs is None else FieldMap.parse(pairs)
    with reading(log) as engine:
        found = engine.against(name, file, reader, pool=pool, tolerance=tolerance, fields=fields)
    write(found, AGAINST, form)
    for row in found.unread:
        note(f"warning: not read: {row}")
    note(
        f"{name} against {file}: the rating of {len(found.apart)} of {players(found.both)} differs"
        f"{f' by more than {tolerance:g}' if tolerance else ''}; only in ours {len(found.only_ours)}, "
        f"only in theirs {len(found.only_theirs)}"
    )
    if not found.both:
        complain("no player is on both lists: they are compared by key, the id of a register or the name")
    if not found.holds:
        raise click.exceptions.Exit(FAILED)
