"""`ratingcore merge` and `ratingcore unmerge`: two names that are one person."""

from functools import partial
from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.dry_run import correct, foretell, opened

if TYPE_CHECKING:
    from ratingcore.engine import Engine
    from ratingcore.events import Row


@click.command(
    "merge",
    cls=Command,
    examples=(
        'ratingcore merge club.db bo "bo (guest)" --dry-run --method elo:k=24',
        'ratingcore merge club.db bo "bo (guest)" --why "the same person" --by secretary',
    ),
)
@options.log
@click.argument("keep")
@click.argument("other")
@options.saying
def merge(
    log: str, keep: str, other: str, why: str, by: str,
    own_uid: str | None, dry_run: bool, method: str, pool: str | None, form: str | None,
) -> None:  # fmt: skip
    """Count two names as one player.

    Every result of OTHER, past and to come, counts as one of KEEP, in every pool. The uid of the merge is printed;
    unmerge takes it back. Players who have met cannot be merged.
    """
    from ratingcore.events.values import new_uid

    said = {"why": why, "by": by, "own_uid": own_uid or new_uid()}
    with opened(log, dry_run) as engine:
        say = partial(engine.merging, keep, other, **said)
        if dry_run:
            foretell(engine, say(), f"the merge of {other} into {keep}", pool, method, form)
        else:
            correct(engine, say, lambda events: f"to take it back, unmerge {events[0].uid}")


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
@options.saying
def unmerge(
    log: str, names: tuple[str, ...], why: str, by: str,
    own_uid: str | None, dry_run: bool, method: str, pool: str | None, form: str | None,
) -> None:  # fmt: skip
    """Count a merge as never recorded.

    Name its uid, or the two players as they were merged.
    """
    from ratingcore.events.values import new_uid

    if len(names) > 2:
        raise Mistake(f"expected a uid or two players, found {len(names)} names", "put names with spaces in quotes")
    with opened(log, dry_run) as engine:
        again = None if own_uid is None else engine.log.find([own_uid]).get(own_uid)
        of = names[0] if len(names) == 1 else _uid_of(engine, *names, again=again)
        if again is None and _taken_back(engine, of):
            note(f"note: {of} counted as never recorded before; this unmerge is one more")
        say = partial(engine.unmerging, of, why=why, by=by, own_uid=own_uid or new_uid())
        if dry_run:
            foretell(engine, say(), f"taking back the merge {of}", pool, method, form)
        else:
            correct(engine, say, lambda events: f"{of} counts as never recorded")


def _taken_back(engine: "Engine", uid: str) -> bool:
    from ratingcore.events import CORRECTIONS
    from ratingcore.events.corrections import Corrections

    return engine.log.row_of(uid).position in Corrections.of(engine.log.rows(0, None, CORRECTIONS)).void


def _uid_of(engine: "Engine", keep: str, other: str, *, again: "Row | None") -> str:
    """Uid of the last merge of two players that was not taken back, unless by the unmerge that is said again."""
    from ratingcore.events import CORRECTIONS
    from ratingcore.events.corrections import Corrections

    players = engine.player_id(keep), engine.player_id(other)
    rows = list(engine.log.rows(0, None, CORRECTIONS))
    back = Corrections.of(rows).void
    for row in reversed(rows):
        mine = again is not None and again.ref == row.position
        if row.kind == "merge" and (row.a, row.b) == players and (mine or row.position not in back):
            return row.uid
    raise Mistake(f"{other} is not merged into {keep}", "ratingcore log LOG --kind merge lists the merges")
