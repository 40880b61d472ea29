"""`ratingcore merge`: two names that are one player."""

from functools import partial

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake
from ratingcore.cli.correction import Correction, correcting_options


@click.command(
    "merge",
    cls=Command,
    examples=(
        'ratingcore merge club.db bo "bo (guest)" --dry-run --method elo:k=24',
        'ratingcore merge club.db bo "bo (guest)" --why "the same person" --by secretary',
        "ratingcore merge club.db --file merges.csv --dry-run",
    ),
)
@options.log
@click.argument("keep", required=False)
@click.argument("other", required=False)
@click.option("--file", metavar="FILE", help="A table with columns keep and other, in place of KEEP and OTHER.")
@correcting_options
def merge(log: str, keep: str | None, other: str | None, file: str | None, correction: Correction) -> None:
    """Count two names as one player.

    Every result of OTHER, past and to come, counts as one of KEEP, in every pool. The uid of the merge is printed;
    unmerge takes it back. Players who have met cannot be merged.

    The merges of a file are recorded in one batch, all or none, and taken back by their positions, which are told.
    """
    if (file is None) is (other is None):
        raise Mistake("expected KEEP and OTHER, or --file FILE", "names --similar tells names that may be one")
    if file is not None:
        _merge_all(log, file, correction)
        return
    assert keep is not None, "checked above: the second is there"
    assert other is not None, "checked above"
    with correction.opened(log) as engine:
        events = partial(engine.propose.merge, keep, other, **correction.words())
        what = f"the merge of {other} into {keep}"
        correction.make(engine, events, what, lambda made: f"to take it back, unmerge {made[0].uid}")


def _merge_all(log: str, file: str, correction: Correction) -> None:
    from ratingcore.importer.tables.short_tables import read_merges

    pairs = read_merges(file)
    words = correction.words()
    with correction.opened(log) as engine:
        events = partial(engine.propose.merge_all, pairs, **words)
        correction.make(engine, events, f"{len(pairs):,} merges", lambda made: f"unmerge {made[0].uid}", bulk=True)
