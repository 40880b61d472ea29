"""`ratingcore calendar`: the lists of a calendar that are due, published in one go."""

from collections import Counter
from typing import Any

import click

from ratingcore.plugin.commands import (
    Question,
    chosen,
    chosen_policy,
    command,
    correcting,
    note,
    note_far_days,
    options,
    question,
    write,
)
from ratingcore_calendar.calendar import MONTHS, publish_calendar


@command(
    "calendar",
    "ratingcore calendar club.db monthly --from 2024-01 --dry-run",
    "ratingcore calendar club.db quarterly --from 2024-01 --name 'Q %Y-%m'",
)
@options.log
@click.argument("calendar", type=click.Choice(tuple(MONTHS)))
@click.option("--from", "since", required=True, metavar="MONTH", help="The first month, such as 2024-01.")
@click.option(
    "--name",
    "pattern",
    default="%Y-%m",
    show_default=True,
    metavar="PATTERN",
    help="Form of the names of lists, by their day.",
)
@question("pool", "method", "through")
@options.policy
@click.option("--dry-run", is_flag=True, help="Show which lists are due, and publish nothing.")
def calendar(
    log: str, calendar: str, since: str, pattern: str, question: Question, dry_run: bool, **policy: Any
) -> None:
    """Publish all lists of a calendar that are due.

    A list is due for every period from --from on that has ended, if something was recorded during or after the period
    and no list of that name exists. So the same command can run every day. --through sets another last day. Columns:
    name, day, state (exists, published, or due on a trial), players.
    """
    with correcting(log) as engine:
        resolved = question.of(engine)
        note_far_days(engine, resolved)
        made = publish_calendar(
            engine, resolved.pool, calendar, since, pattern, resolved.method, until=resolved.through,
            policy=chosen_policy(engine, resolved, policy), dry_run=dry_run,
        )  # fmt: skip
    table = made.as_table()
    write(table, tuple(table.columns), chosen(None))
    states = Counter(table["state"])
    note(", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "no list is due")
