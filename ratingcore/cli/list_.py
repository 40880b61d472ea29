"""`ratingcore list`: the rating list of a pool, with what it was made from."""

from datetime import datetime
from itertools import islice
from typing import Any

import click

from ratingcore.cli import options
from ratingcore.cli.console import Mistake, note, say
from ratingcore.cli.files import write_page
from ratingcore.cli.options import Command
from ratingcore.cli.output import chosen, write
from ratingcore.cli.question import Question, asked_as, note_far_days, policy_asked, question, reading, tell_apart
from ratingcore.cli.sentences import in_brief
from ratingcore.engine import Engine
from ratingcore.lists import Published
from ratingcore.lists.cuts import read
from ratingcore.lists.points_table import Worth
from ratingcore.lists.published import LIST


@click.command(
    "list",
    cls=Command,
    examples=(
        "ratingcore list club.db",
        "ratingcore list club.db --pool rapid --method elo:k=24 --through 2024-03-31 --top 10",
        "ratingcore list club.db --through 2024-03-31 --known-at 4",
        "ratingcore list club.db --known-at 4 --format csv > march.csv",
        "ratingcore list club.db --grades es_group --peak",
        "ratingcore list club.db --worth 3,1,0",
        "ratingcore list club.db --strict",
        "ratingcore list club.db --min-games 2 --active '12 months' --digits 0 --since 2024-03-04",
    ),
)
@options.log
@question()
@options.policy
@click.option("--since", metavar="LIST", help="Add changes since a published list, or since the list of a day.")
@click.option("--top", type=options.Count(1), metavar="N", help="The first N players only.")
@click.option(
    "--grades", metavar="TABLE",
    help="Add a column, what the ratings are called by a table of a plugin: egf, fesa, ru_chess, fide_category, ...",
)  # fmt: skip
@click.option(
    "--worth", callback=options.a_worth, metavar="W,D,L",
    help="Add the points of a league table in which win, draw and loss are worth these.",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Refuse a pool with results that the method cannot read.")
@click.option("--peak", is_flag=True, help="Add the highest rating that each player had up to then, and its day.")
@options.exact
@options.page
@options.form
def list_(
    log: str,
    question: Question,
    top: int | None,
    grades: str | None,
    since: str | None,
    worth: Worth | None,
    strict: bool,
    peak: bool,
    exact: bool,
    page: str | None,
    form: str | None,
    **policy: Any,
) -> None:
    """Rate a pool and list its players.

    Columns: rank, player, rating, games, the method's further columns, provisional, and what is asked for: rank_before,
    rank_change (up is positive) and rating_change since another list, peak and peak_at (its day), points, the grade,
    and rating_exact, ..., which json and jsonl always have: the numbers that the other columns round, in full. Below a
    table (on stderr with other formats) stands what the list was made from: with the same log, everyone can make it
    again and compare the digests. Changes, peaks, points, grades and exact numbers are no part of the digest.
    """
    with reading(log) as engine:
        asked = question.of(engine)
        published = None if since is None else _published(engine, since, asked.pool)
        if published is None:
            listing = policy_asked(engine, asked, policy)
        else:
            asked, listing = asked_as(engine, asked, published, "--since", policy)
        note_far_days(engine, asked)
        made = engine.rating_list(*asked, policy=listing, strict=strict)
        listed = made
        if published is not None:
            listed = made.since(engine.published_list(published))
        elif since is not None:
            method = engine.core.question(*asked)[0]
            older = engine.rating_list(asked.pool, method, since, made, policy=made.provenance.policy)
            listed = made.since(older)
        listed = engine.with_columns(listed, peaks=peak, worth=worth)
        listed = listed if grades is None else listed.with_grades(engine.registry.grade(grades))
        if page is not None:
            write_page(engine, page, "list", listed, top)
            return
    listed = listed.with_exact() if exact or chosen(form) in {"json", "jsonl"} else listed
    write(islice(listed, top), listed.columns, form, rounded=listed.rounded_columns)
    facts = [*in_brief(made.provenance.lines(), engine.registry), f"digest of the list {made.digest}"]
    if chosen(form) != "table":
        note("\n".join(facts))
        return
    left = len(made) - (top or len(made))
    cut = [f"... and {left} more"] if left > 0 else []
    say("\n".join([*cut, "", *facts]))


def _published(engine: Engine, since: str, pool: str) -> Published | None:
    """The published list that `--since` names; None if it names a day."""
    if isinstance(read(since), datetime):
        tell_apart(engine, since, "a day")
        return None
    name = since.strip().removeprefix(LIST)
    if all(published.name != name for published in engine.published(pool)):
        raise Mistake(
            f"--since names neither a day nor a published list: {since}",
            "write days like 2024-03-31; ratingcore lists tells the names of lists",
        )
    return engine.core.published(name, pool)
