"""`ratingcore diff` and `prove`: what was published held against what is known, and documents against the log."""

import sys
from pathlib import Path

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, complain, note
from ratingcore.cli.open_log import position, reading
from ratingcore.cli.output import write
from ratingcore.cli.published import players


@click.command(
    "diff",
    cls=Command,
    examples=(
        "ratingcore diff club.db 2024-03",
        "ratingcore diff club.db 2024-03 --known-at 5",
        "ratingcore diff club.db 2024-03 2024-04",
    ),
)
@options.log
@click.argument("name")
@click.argument("other", required=False)
@options.listed_pool
@options.known_at
@options.form
def diff(log: str, name: str, other: str | None, pool: str | None, known_at: str | None, form: str | None) -> None:
    """Compare a published list with what is known now.

    The same question (pool, method, day, policy) is answered with today's log, or with --known-at at another
    cut; or OTHER names a second published list. Rows are the players whose rating differs, the largest change first:
    player, rank, new_rank, rating, new_rating, change.
    """
    from ratingcore.lists.diff import COLUMNS

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
        found = old.diff(new)
        write(found, COLUMNS, form)
    moved = f"{len(found)} of {players(len(found) + found.same)}"
    note(f"{name}, known at position {published.known_at}, {against}: the rating of {moved} differs")


@click.command(
    "prove",
    cls=Command,
    examples=(
        "ratingcore prove list.json club.db",
        "ratingcore prove - club.db < list.json",
    ),
)
@click.argument("file")
@options.log
@options.form
def prove(file: str, log: str, form: str | None) -> None:
    """Recompute a list from its JSON document, and say what holds.

    FILE is what show --format json wrote; - reads stdin. Columns: check, holds (yes or no), told. Checked are: that
    the head it was made from is a part of the log, the method, the day, every row, the seal of the rows, the
    digest, and the name under which it was published. Ends with exit code 1 if anything fails.
    """
    try:
        text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (FileNotFoundError, IsADirectoryError) as error:
        why = "it is a folder" if isinstance(error, IsADirectoryError) else "there is no such file"
        raise Mistake(f"cannot read {file}: {why}", "the document comes first, then the log") from None
    with reading(log) as engine:
        proof = engine.prove(text)
    write(proof, ("check", "holds", "told"), form)
    for row in proof.different:
        note(str(row))
    if proof.unchecked:
        note(f"not checked: {', '.join(proof.unchecked)}")
    if not proof.holds:
        failed = ", ".join(check.what for check in proof.checks if not check.holds)
        complain(f"the document does not hold: {failed}")
        raise click.exceptions.Exit(1)
    note("the document holds")
