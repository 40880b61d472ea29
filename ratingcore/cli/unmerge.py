"""`ratingcore unmerge`: a merge that counts as never recorded."""

from functools import partial
from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.correction import Correction, correcting_options

if TYPE_CHECKING:
    from ratingcore.engine import Engine
    from ratingcore.events import Row


@click.command(
    "unmerge",
    cls=Command,
    examples=(
        "ratingcore unmerge club.db bo bob --dry-run",
        'ratingcore unmerge club.db bo "bob" --why "two persons after all"',
        "ratingcore unmerge club.db m-1",
    ),
)
@options.log
@click.argument("names", metavar="UID | KEEP OTHER", nargs=-1, required=True)
@correcting_options
def unmerge(log: str, names: tuple[str, ...], correction: Correction) -> None:
    """Count a merge as never recorded.

    Name its uid, or the two players as they were merged.
    """
    if len(names) > 2:
        raise Mistake(f"expected a uid or two players, found {len(names)} names", "put names with spaces in quotes")
    own = correction.own_uid
    with correction.opened(log) as engine:
        again = None if own is None else engine.log.find([own]).get(own)
        uid = names[0] if len(names) == 1 else _uid_of(engine, *names, again=again)
        if again is None and engine.log.row_of(uid).position in engine.log.corrections().void:
            note(f"note: {uid} counted as never recorded before; this unmerge is one more")
        events = partial(engine.propose.unmerge, uid, **correction.words())
        correction.make(engine, events, f"taking back the merge {uid}", lambda _: f"{uid} counts as never recorded")


def _uid_of(engine: "Engine", keep: str, other: str, *, again: "Row | None") -> str:
    """Uid of the last merge of two players that stands.

    `again` is the unmerge of the same uid if there is one in the log: the merge it took back is meant then, too.
    """
    players = engine.player_id(keep), engine.player_id(other)
    back = engine.log.corrections().void
    for row in reversed(list(engine.log.rows(0, None, ("merge",)))):
        mine = again is not None and again.ref == row.position
        if (row.a, row.b) == players and (mine or row.position not in back):
            return row.uid
    raise Mistake(f"{other} is not merged into {keep}", "ratingcore log LOG --kind merge lists the merges")
