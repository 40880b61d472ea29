"""`ratingcore explain`: why a player's rating is what it is, and why it is no longer what it was."""

from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note, say
from ratingcore.cli.open_log import one_pool, position, reading
from ratingcore.cli.output import chosen, write

if TYPE_CHECKING:
    from ratingcore.explain import Explanation, ExplanationDiff


@click.command(
    "explain",
    cls=Command,
    examples=(
        "ratingcore explain club.db ann",
        "ratingcore explain club.db ann --pool rapid --method elo:k=24 --since 2024-03-01 --through 2024-03-31",
        "ratingcore explain club.db ann --against 3",
        "ratingcore explain club.db bo --method berkin:prior_draws=1 --refits 50 --format json",
    ),
)
@options.log
@click.argument("player")
@options.question
@click.option(
    "--since", "-s", callback=options.a_time, metavar="DAY",
    help="First day whose results are lines; the opening rating is that of the list the day before.",
)  # fmt: skip
@click.option(
    "--against", "-a", metavar="CUT",
    help="Compare with the log as it was, a cut like --known-at: which lines differ, and which corrections made them.",
)  # fmt: skip
@click.option(
    "--refits", type=options.Count(2), default=200, show_default=True, metavar="N",
    help="How often a whole-pool method may be refitted; beyond that, own results are taken together.",
)  # fmt: skip
@options.form
def explain(
    log: str,
    player: str,
    pool: str | None,
    method: str,
    through: str | None,
    known_at: str | None,
    since: str | None,
    against: str | None,
    refits: int,
    form: str | None,
) -> None:
    """Explain a rating: where it stood, a line for everything that moved it, where it stands.

    The contributions of all lines and the opening rating add up to the closing rating, which is the rating of the list,
    unrounded. Columns: line (opening, result, seed, line with a label, others, closing), played, uid, opponent,
    partners, opposition (the opponents' rating before), score, expected, what else the method says of the result (k,
    boost), contribution, rating after; corrected says what became of the event, corrections, by and why are the
    uids, the actors and the reasons of these corrections.

    A whole-pool method is refitted before and with each of the player's results.

    With --against, only lines that differ: change (gone, new, changed), score and contribution before and now,
    and because: the corrections of the result that were recorded between the two, and follows where ratings before it
    moved.
    """
    with reading(log) as engine:
        where = one_pool(engine, pool)
        now = engine.explain(where, player, method, since, through, position(engine, known_at), refits=refits)
        if against is None:
            _write(now, form)
            return
        cut = position(engine, against, "--against")
        then = engine.explain(where, player, method, since, through, cut, refits=refits)
        _write(then.diff(now), form)


def _write(explained: "Explanation | ExplanationDiff", form: str | None) -> None:
    """Writes the rows, and what was asked: below a table, or on stderr with other formats."""
    if chosen(form) == "table":
        say("\n".join([*explained.table(), "", *explained.facts()]))
        return
    write(explained, explained.columns, form)
    note("\n".join(explained.facts()))
