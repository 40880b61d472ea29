"""`ratingcore compare`: which method forecasts this archive best, with uncertainty."""

from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note, say
from ratingcore.cli.open_log import one_pool, position, reading
from ratingcore.cli.output import chosen, write
from ratingcore.cli.report_files import keep, see_free

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratingcore.compare import Comparison
    from ratingcore.report.table import Table

SHORT = ("method", "games", "log_loss", "95 %", "better_by", "± 95 %", "brier", "accuracy", "ece", "unrated")
SESSIONS = (
    "method", "sessions", "sides", "log_loss", "95 %", "better_by", "± 95 %", "brier", "rps", "winner", "unrated",
)  # fmt: skip
LEFT_OUT_BY = "left out by "
"""What the facts of a comparison begin with that tell which results a method could not read."""
COHORTS = ("gap", "strength", "experience", "year")


@click.command(
    "compare",
    cls=Command,
    examples=(
        "ratingcore compare club.db -m elo -m elo:k=40",
        "ratingcore compare club.db -m elo -m periodic -m chess-bayes --since 2024-03-04 --format csv > scores.csv",
        "ratingcore compare club.db -m elo -m elo:k=40 --csv tables --json comparison.json",
    ),
)
@options.log
@options.pool
@click.option(
    "--method", "-m", "methods", metavar="METHOD", multiple=True, required=True,
    help="A method with its parameters; give as many as are to be compared.",
)  # fmt: skip
@options.through
@options.known_at
@click.option(
    "--since", callback=options.a_time, metavar="DAY", help="Score the results from this day on; all are rated."
)
@click.option(
    "--burn-in", default="none", metavar="RULE",
    help="Leave games unscored while ratings settle: each(N) if a player has played fewer than N games before, "
    "games(N) the first N of the pool, days(N) those of the first N days.",
)  # fmt: skip
@click.option("--refit", metavar="PERIOD", help="How often retrospective methods are refitted; month unless said.")
@click.option(
    "--cohort", "-c", "cohorts", metavar="KIND", multiple=True,
    help="Score by gap, strength, experience, year, event, or a field of results or players; may be repeated; "
    f"{', '.join(COHORTS)} unless said.",
)  # fmt: skip
@click.option(
    "--player", "players", metavar="NAME", multiple=True,
    help="Follow the rating of a player; may be repeated; the five with most games unless said.",
)  # fmt: skip
@click.option("--reference", "-r", metavar="METHOD", help="Hold the others against this one; the first unless said.")
@click.option("--seed", type=options.Count(0), default=0, metavar="N", help="Of the bootstrap.")
@click.option("--html", metavar="FILE", help="Write a report with charts to a new file that needs no other.")
@click.option("--json", "as_json", metavar="FILE", help="Write every number to a new JSON file.")
@click.option("--csv", "folder", metavar="FOLDER", help="Write a CSV file a table into a folder.")
@options.form
def compare(
    log: str,
    pool: str | None,
    methods: tuple[str, ...],
    through: str | None,
    known_at: str | None,
    since: str | None,
    burn_in: str,
    refit: str | None,
    cohorts: tuple[str, ...],
    players: tuple[str, ...],
    reference: str | None,
    seed: int,
    html: str | None,
    as_json: str | None,
    folder: str | None,
    form: str | None,
) -> None:
    """Score the forecasts of several methods on the same results.

    Every forecast is made strictly before its result; retrospective methods are refitted at the beginning of every
    period of --refit. Games and sessions are scored each in their kind, those that every method can forecast. Tables
    are ranked by log loss. Columns: 95 %, the interval of the log loss; better_by, how many nats a game, or a session,
    a method is better than the reference; ± 95 %, half the width of that interval; unrated, how many games or sessions
    the method could not forecast.

    Of sessions, each of which counts as one: log_loss and brier of "one side comes in ahead of another", averaged over
    all pairs of sides, a tie being one half; rps, the ranked probability score of the places (Epstein 1969); winner,
    the log loss of who comes in first. Other formats have all columns, unrounded: of games, where there are any.
    """
    see_free(as_json, folder=folder, html=html)
    with reading(log) as engine:
        comparison = engine.compare(
            one_pool(engine, pool), methods, through, position(engine, known_at), since=since, burn_in=burn_in,
            refit=refit, cohorts=cohorts or COHORTS, players=players, reference=reference, seed=seed,
        )  # fmt: skip
        keep(comparison, lambda: _page(comparison), html, as_json, folder)
    _show(comparison, form)


def _page(comparison: "Comparison") -> str:
    from ratingcore.compare.report import report_html

    return report_html(comparison)


def _show(comparison: "Comparison", form: str | None) -> None:
    left_out = [f"left out: {row['method']}: {row['why']}" for row in comparison.left_out]
    kinds = ((comparison.scores, SHORT), (comparison.sessions, SESSIONS))
    scored = [(table, columns) for table, columns in kinds if len(table)]
    if chosen(form) != "table":
        table, _ = scored[0]
        write(table, tuple(table.columns), form)
        odd = [
            f"{row['fact']}: {row['value']}"
            for row in comparison.provenance
            if str(row["fact"]).startswith(LEFT_OUT_BY)
        ]
        note("\n".join([comparison.answer, *left_out, *odd]))
        return
    say(f"{comparison.answer}\n")
    for number, (table, columns) in enumerate(scored):
        if number:
            say("")
        write(_short(table, columns), columns, form)
    facts = [f"{row['fact']}: {row['value']}" for row in comparison.provenance]
    say("\n".join(["", *left_out, *facts]))


def _short(table: "Table", columns: "tuple[str, ...]") -> "Iterator[dict[str, object]]":
    """Rows of scores as the table shows them, rounded."""
    for row in table:
        better, low, high = row["better_by"], row["better_by_low"], row["better_by_high"]
        yield {
            **{name: _rounded(row[name]) for name in columns if name in row},
            "95 %": _between(row["log_loss_low"], row["log_loss_high"]),
            "better_by": None if better is None else f"{better:+.4f}",
            "± 95 %": None if low is None or high is None else f"{(float(high) - float(low)) / 2:.4f}",
        }


def _rounded(cell: object) -> object:
    return round(cell, 4) if isinstance(cell, float) else cell


def _between(low: object, high: object) -> str | None:
    return None if low is None or high is None else f"{low:.4f} to {high:.4f}"
