"""`ratingcore backdate`: ratings under a new rule from today, from a past day or from the beginning of the log."""

from collections.abc import Iterator

import click
from attrs import evolve

from ratingcore.plugin.commands import (
    check_free,
    command,
    counting,
    cut_of,
    keep,
    note,
    options,
    reading,
    say,
    write,
)
from ratingcore_backdating.backdating import Backdating
from ratingcore_backdating.backdating import backdate as carried_out
from ratingcore_backdating.page import backdating_html
from ratingcore_backdating.plan import BackdatingPlan

SHORT = (
    "choice", "rated", "mean", "spread", "best", "moved_by", "newcomers", "risen", "fallen", "games", "better_by",
    "± 95 %",
)  # fmt: skip


@command(
    "backdate",
    "ratingcore backdate club.db plan.toml",
    "ratingcore backdate club.db plan.toml --html choices.html",
    "ratingcore backdate club.db plan.toml --csv choices --json choices.json --format csv > lists.csv",
)
@options.log
@click.argument("plan", metavar="PLAN")
@click.option("--html", metavar="FILE", help="Write a report with charts to a new file, complete in itself.")
@click.option("--json", "as_json", metavar="FILE", help="Write every number to a new JSON file.")
@click.option("--csv", "folder", metavar="FOLDER", help="Write each table to a CSV file in this folder.")
@options.form
def backdate(log: str, plan: str, html: str | None, as_json: str | None, folder: str | None, form: str) -> None:
    """Compare possible first days of a new rule; nothing is recorded.

    PLAN is a TOML file: old and new are methods; start is "today", "beginning", a day, or a list of them; pool is
    needed if the log has several. Optional are through and known_at (cuts), policy (who is listed, such as
    "min_games=5,active=12 months"), thresholds (ratings), grades (a table such as "fesa"), players (whose curves are
    drawn). From its day on, the new rule starts from the ratings of the old one.

    The table has one row per choice: the number of rated players; mean, spread and best of their ratings; moved_by, the
    mean distance of a rating from that of the old rule; newcomers, the same for players with fewer than ten results,
    who are left out of moved_by; risen and fallen, how often a player crosses a threshold or grade; better_by, how many
    nats per game its forecasts since the start are better. Other formats have the lists, unrounded.
    """
    check_free(as_json, folder=folder, html=html)
    parsed = BackdatingPlan.read(plan)
    with reading(log) as engine:
        if isinstance(parsed.known_at, str):
            parsed = evolve(parsed, known_at=cut_of(engine, parsed.known_at, parsed.where("known_at")))
        with counting("rated", f"of {len(parsed.start) + 1} ways") as progress:
            answer = carried_out(engine, parsed, progress)
        keep(answer, lambda: backdating_html(answer), html, as_json, folder)
        _show(answer, form)


def _show(answer: Backdating, form: str) -> None:
    left_out = [f"not scored: {row['choice']}: {row['why']}" for row in answer.left_out]
    anew = [
        f"not carried over: {row['column']}: {row['why']}; it begins with {row['begins_with']}"
        for row in answer.carried
        if not row["carried"]
    ]
    if form != "table":
        write(answer.lists, tuple(answer.lists.columns), form)
        note("\n".join([answer.answer, answer.measured, *left_out, *anew]))
        return
    say(f"{answer.answer}\n{answer.measured}\n")
    write(_short(answer), SHORT, form)
    facts = [f"{row['fact']}: {row['value']}" for row in answer.provenance]
    say("\n".join(["", *left_out, *anew, *facts]))


def _short(answer: Backdating) -> Iterator[dict[str, object]]:
    """Rows of the table: one a choice, rounded."""
    for row in answer.summary:
        better, low, high = row["better_by"], row["low"], row["high"]
        yield {
            **{name: _rounded(row[name]) for name in SHORT if name in row},
            "newcomers": _rounded(row["newcomers_moved_by"]),
            "better_by": None if better is None else f"{better:+.4f}",
            "± 95 %": None if low is None or high is None else f"{(float(str(high)) - float(str(low))) / 2:.4f}",
        }  # fmt: skip


def _rounded(cell: object) -> object:
    return round(cell, 1) if isinstance(cell, float) else cell
