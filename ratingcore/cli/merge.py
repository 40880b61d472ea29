"""`ratingcore merge`: two names that are one player."""

from functools import partial

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.correction import Correction, correcting_options


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
@correcting_options
def merge(log: str, keep: str, other: str, correction: Correction) -> None:
    """Count two names as one player.

    Every result of OTHER, past and to come, counts as one of KEEP, in every pool. The uid of the merge is printed;
    unmerge takes it back. Players who have met cannot be merged.
    """
    with correction.opened(log) as engine:
        events = partial(engine.propose.merge, keep, other, **correction.words())
        what = f"the merge of {other} into {keep}"
        correction.make(engine, events, what, lambda made: f"to take it back, unmerge {made[0].uid}")
