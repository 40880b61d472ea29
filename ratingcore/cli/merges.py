"""`ratingcore merge` and `ratingcore unmerge`: two names that are one person."""

from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.opening import correcting
from ratingcore.cli.telling import Mistake, note

if TYPE_CHECKING:
    from ratingcore.engine import Engine


@click.command(
    "merge",
    cls=Command,
    examples=('ratingcore merge club.db bo "bo (guest)" --why "the same person" --by secretary',),
)
@options.log
@click.argument("keep")
@click.argument("other")
@options.correction
def merge(log: str, keep: str, other: str, why: str, by: str) -> None:
    """Count two names as one player.

    Every result of OTHER, past and to come, counts as one of KEEP, in every pool. The uid of the merge is printed;
    unmerge takes it back. Players who have met cannot be merged.
    """
    with correcting(log) as engine:
        receipt = engine.merge(keep, other, why=why, by=by)
        uid = engine.log.uid(receipt.head.position)
    click.echo(uid)
    note(f"recorded at position {receipt.head.position}; to take it back, unmerge {uid}")


@click.command(
    "unmerge",
    cls=Command,
    examples=(
        'ratingcore unmerge club.db bo "bob" --why "two persons after all"',
        "ratingcore unmerge club.db m-1",
    ),
)
@options.log
@click.argument("names", metavar="UID | KEEP OTHER", nargs=-1, required=True)
@options.correction
def unmerge(log: str, names: tuple[str, ...], why: str, by: str) -> None:
    """Count a merge as never recorded.

    Name its uid, or the two players as they were merged.
    """
    if len(names) > 2:
        raise Mistake(f"expected a uid or two players, found {len(names)} names", "put names with spaces in quotes")
    with correcting(log) as engine:
        of = names[0] if len(names) == 1 else _uid_of(engine, *names)
        receipt = engine.unmerge(of, why=why, by=by)
        uid = engine.log.uid(receipt.head.position)
    click.echo(uid)
    note(f"recorded at position {receipt.head.position}; {of} counts as never recorded")


def _uid_of(engine: "Engine", keep: str, other: str) -> str:
    """Uid of the last merge of two players that was not taken back."""
    from ratingcore.events import CORRECTIONS
    from ratingcore.tables.corrections import Corrections

    players = engine.player_id(keep), engine.player_id(other)
    rows = list(engine.log.rows(0, None, CORRECTIONS))
    back = Corrections.of(rows).void
    for row in reversed(rows):
        if row.kind == "merge" and (row.a, row.b) == players and row.position not in back:
            return row.uid
    raise Mistake(f"{other} is not merged into {keep}", "ratingcore log LOG --kind merge lists the merges")
