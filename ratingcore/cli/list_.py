"""`ratingcore list`: prints the rating list of a pool, and what it was made from."""

from datetime import datetime
from itertools import islice
from typing import Any, Literal

import click

from ratingcore.cli import completion, options
from ratingcore.cli.console import Mistake, note, say
from ratingcore.cli.files import write_page
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import (
    ResolvedQuestion,
    as_published,
    asking,
    chosen_policy,
    note_far_days,
    note_no_home,
    tell_apart,
)
from ratingcore.cli.sentences import in_brief
from ratingcore.engine import Engine
from ratingcore.explain.points_table import Worth
from ratingcore.lists import Published
from ratingcore.lists.cuts import read
from ratingcore.lists.published import LIST


@command(
    "list",
    "ratingcore list club.db",
    "ratingcore list club.db --pool rapid --method elo:k=24 --through 2024-03-31 --top 10",
    "ratingcore list club.db --through 2024-03-31 --known-at 4",
    "ratingcore list club.db --known-at 4 --format csv > march.csv",
    "ratingcore list club.db --show won,drawn,lost,last,peak",
    "ratingcore list club.db --where 'rating>=1500' --where 'games>1' --ranks listed",
    "ratingcore list club.db --show share --sort share",
    "ratingcore list club.db --grades es_group",
    "ratingcore list club.db --worth 3,1,0",
    "ratingcore list club.db --strict",
    "ratingcore list club.db --min-games 2 --active '12 months' --digits 0 --since 2024-03-04",
)
@asking()
@options.policy
@click.option(
    "--since",
    metavar="LIST",
    shell_complete=completion.lists,
    help="Add changes since a published list, or since the list as of a day.",
)
@click.option("--top", type=options.Count(1), metavar="N", help="List only the first N players.")
@click.option(
    "--grades", metavar="TABLE",
    help="Add a column with the grade of each rating, by a table of a plugin, such as egf, fesa, ru_chess "
    "or fide_category.",
)  # fmt: skip
@click.option(
    "--worth", callback=options.a_worth, metavar="W,D,L",
    help="Add the points of a league table with these points for a win, a draw and a loss.",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Refuse a pool with results that the method cannot read.")
@click.option(
    "--show", default="", metavar="NAME,...",
    help="Add columns: won, drawn, lost, share, opposition, performance, change, last, peak, deviation, "
    "born, federation, title, club, superiority, or another fact of players; full adds all that have"
    " values.",
)  # fmt: skip
@click.option(
    "--where",
    multiple=True,
    metavar="CONDITION",
    help="List only players who meet the condition: sex=w, 'born>=2005'; repeat it for several.",
)
@click.option("--sort", metavar="NAME", help="Sort by a column or fact, highest number first; -NAME for the reverse.")
@click.option(
    "--ranks", type=click.Choice(("all", "listed")), default="all",
    help="With --where: ranks among all players (the default), or among those listed.",
)  # fmt: skip
@options.exact
@options.page
@options.form
def list_(
    engine: Engine,
    question: ResolvedQuestion,
    top: int | None,
    grades: str | None,
    since: str | None,
    worth: Worth | None,
    strict: bool,
    show: str,
    where: tuple[str, ...],
    sort: str | None,
    ranks: Literal["all", "listed"],
    exact: bool,
    page: str | None,
    language: str,
    form: str,
    **policy: Any,
) -> None:
    """Rate a pool and list its players.

    Columns: rank, player, rating, games, the method's further columns, provisional, and the columns that options ask
    for: rank_before, rank_change (up is positive) and rating_change since another list, the columns of --show, points,
    the grade, and the unrounded numbers rating_exact, ..., which json and jsonl always have. The list ends with what it
    was made from, below a table and on stderr with other formats: anyone with the same log can make the list again and
    compare the digests. The digest covers all players, and none of the columns that options add.

    Columns of --show: share of the points; opposition (mean rating of the opponents at the time of the games);
    performance (the rating at which the method expects that share against that opposition; empty if all games were won
    or all lost); change (since the newest published list of an earlier day); last (day of the last result); peak
    and peak_at (its day); superiority (likelihood that the player is stronger than the next one on the list).
    """
    published = None if since is None else _published(engine, since, question.pool)
    if published is None:
        listing = chosen_policy(engine, question, policy)
    else:
        question, listing = as_published(engine, question, published, "--since", policy)
    note_far_days(engine, question)
    note_no_home(engine, question)
    made = engine.rating_list(*question, policy=listing, strict=strict)
    listed = made
    if published is not None:
        listed = made.since(engine.published_list(published))
    elif since is not None:
        method = engine.core.question(*question)[0]
        older = engine.rating_list(question.pool, method, since, made, policy=made.provenance.policy)
        listed = made.since(older)
    if show or worth or where or sort or ranks != "all":
        listed = engine.with_columns(listed, show, worth=worth, where=where, sort=sort, ranks=ranks)
    listed = listed if grades is None else listed.with_grades(engine.registry.grade(grades))
    if page is not None:
        write_page(engine, page, "list", listed, top, language=language)
        return
    listed = listed.with_exact() if exact or form in {"json", "jsonl"} else listed
    if listed.part:
        (say if form == "table" else note)(listed.part)
    write(islice(listed, top), listed.columns, form, rounded=listed.rounded_columns)
    facts = [*made.provenance.lines(brief=in_brief(engine.registry)), f"digest of the list {made.digest}"]
    if form != "table":
        note("\n".join(facts))
        return
    left = len(listed) - (top or len(listed))
    cut = [f"... and {left} more"] if left > 0 else []
    say("\n".join([*cut, "", *facts]))


def _published(engine: Engine, since: str, pool: str) -> Published | None:
    """Returns the published list that `--since` names; None if it gives a day."""
    if isinstance(read(since), datetime):
        tell_apart(engine, since, "a day")
        return None
    name = since.strip().removeprefix(LIST)
    if all(published.name != name for published in engine.published(pool)):
        raise Mistake(
            f"--since names neither a day nor a published list: {since}",
            "write days like 2024-03-31; ratingcore lists shows the names of lists",
        )
    return engine.core.published(name, pool)
