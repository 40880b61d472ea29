"""`ratingcore split`: two persons under one name."""

from functools import partial

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.correction import Correction, correcting_options


@click.command(
    "split",
    cls=Command,
    examples=(
        "ratingcore split club.db bo bo-junior --since 2024-03-05 --dry-run",
        'ratingcore split club.db bo bo-junior --since 2024-03-05 --why "father and son" --by secretary',
    ),
)
@options.log
@click.argument("player")
@click.argument("into")
@click.option(
    "--since",
    "-s",
    callback=options.a_played_time,
    required=True,
    metavar="DAY",
    help="First day that belongs to INTO.",
)
@click.option("--only", "pools", multiple=True, metavar="POOL", help="Only what was played in this pool; repeatable.")
@correcting_options
def split(log: str, player: str, into: str, since: str, pools: tuple[str, ...], correction: Correction) -> None:
    """Give INTO what PLAYER played from a day on.

    Results, sessions, seeds and descriptions are amended, in one batch; what counts for PLAYER by a merge goes along,
    and what was voided stays. INTO may be new to the log. The uids of the amendments are printed; voiding them
    takes the split back.
    """
    with correction.opened(log) as engine:
        events = partial(engine.propose.split, player, into, since, pools=pools or None, **correction.words())
        correction.make(engine, events, f"the split of {player}", lambda _: "to take it back, void what is printed")
