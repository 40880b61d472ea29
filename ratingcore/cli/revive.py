"""`ratingcore revive`: a voided event that counts again."""

from functools import partial

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.correction import Correction, correcting_options


@click.command(
    "revive",
    cls=Command,
    examples=(
        "ratingcore revive club.db g-1 --dry-run",
        'ratingcore revive club.db g-1 --why "it was played after all" --by secretary',
    ),
)
@options.log
@click.argument("uid")
@correcting_options
def revive(log: str, uid: str, correction: Correction) -> None:
    """Count a voided event again.

    Every void that stands against it is taken back, in one batch; of a merge, every unmerge. The uids of what is
    recorded are printed.
    """
    with correction.opened(log) as engine:
        events = partial(engine.propose.revive, uid, **correction.words())
        correction.make(engine, events, f"the revival of {uid}", lambda _: f"{uid} counts again")
