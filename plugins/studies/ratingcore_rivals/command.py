"""Commands about two players or more: `ratingcore versus`, `ratingcore superiority` and `ratingcore order`."""

from itertools import groupby

import click

from ratingcore.plugin.analysis import Record
from ratingcore.plugin.commands import (
    Engine,
    ResolvedQuestion,
    asking,
    command,
    completion,
    note,
    note_undeclared,
    options,
    say,
    write,
    write_page,
)
from ratingcore_rivals.superiority import order as supported
from ratingcore_rivals.superiority import superiority as compared

COLUMNS = ("played", "uid", "score", "other_score", "expected", "rating", "other_rating", "change")


@command(
    "versus",
    "ratingcore versus club.db ann bo",
    "ratingcore versus club.db ann bo --pool rapid --method elo:k=24 --format csv",
    "ratingcore versus club.db ann bo --to meeting.html",
)
@asking()
@click.argument("player", shell_complete=completion.players)
@click.argument("other", shell_complete=completion.players)
@options.page
@options.form
def versus(
    engine: Engine, question: ResolvedQuestion, player: str, other: str, page: str | None, language: str, form: str
) -> None:
    """List the results of two players against each other.

    Columns: played, uid, score and other_score, expected (score of PLAYER, before the game), rating and other_rating
    (before the game), change (of PLAYER's rating by the game). The results by year and in all come last, with the
    expected score of their next game, which is left out with --through.
    """
    if page is not None:
        write_page(engine, page, "meeting", player, other, *question, language=language)
        return
    met = engine.forecasts(*question, between=(player, other))
    pool, method, through, known_at = question
    coming = engine.predict(pool, method, [(player, other)], None, known_at, after=False) if through is None else ()
    write(({name: getattr(one, name) for name in COLUMNS} for one in met.met), COLUMNS, form)
    by_year = groupby(met.met, key=lambda one: one.played[:4])
    years = [f"{year}: {Record.of(one.ahead for one in some)}" for year, some in by_year]
    every = f"{player} against {other}: {met.record}" if met.met else f"{player} and {other} have not met"
    lines = [*(years if len(years) > 1 else []), every]
    lines += [
        f"expected of their next game: {ahead.expected[0]:.3f}" for ahead in coming if ahead.expected[0] is not None
    ]
    write_lines = say if form == "table" else note
    write_lines("\n".join(lines))


TOP = 10
"""Players from the top who are compared where none is named."""


@command(
    "superiority",
    "ratingcore superiority club.db --method glicko",
    "ratingcore superiority club.db ann bo --method bradley-terry:prior_draws=1 --format csv",
)
@asking()
@click.argument("players", metavar="[PLAYER]...", nargs=-1, shell_complete=completion.players)
@click.option(
    "--top",
    type=options.Count(1),
    default=TOP,
    show_default=True,
    metavar="N",
    help="Number of players from the top, if no PLAYER is given.",
)
@options.form
def superiority(engine: Engine, question: ResolvedQuestion, players: tuple[str, ...], top: int, form: str) -> None:
    """Show how likely players are to be stronger than each other.

    One row per player, from the top of the list or in the order given: place, player, and one column for each other
    player, with the likelihood that the player of the row is the stronger one. Columns are headed by place in a table,
    and by player in other formats. Only methods with deviations give this, such as glicko or bradley-terry; whole-pool
    methods also account for the correlation of the errors of two ratings.
    """
    listed = engine.rating_list(*question)
    found = compared(engine, listed, players or listed.player[:top])
    note_undeclared(engine, question)
    by_place = form == "table"
    heads = [str(n) if by_place else f"over {name}" for n, name in enumerate(found.player, start=1)]
    rows = (
        {"place": n, "player": name} | dict(zip(heads, chances, strict=True))
        for n, (name, chances) in enumerate(zip(found.player, found.chance.tolist(), strict=True), start=1)
    )
    write(rows, ("place", "player", *heads), form, digits=3)


@command(
    "order",
    "ratingcore order arena.db --method bradley-terry",
    "ratingcore order arena.db --method bradley-terry:clusters=voter --level 0.9 --format csv",
)
@asking()
@click.option(
    "--level", type=float, default=0.95, show_default=True, metavar="SHARE",
    help="Probability that no pair is in the wrong order.",
)  # fmt: skip
@options.form
def order(engine: Engine, question: ResolvedQuestion, level: float, form: str) -> None:
    """Show how much of a list's order is certain from its results.

    One row per player: rank and rating on the list; first and last, the best and the worst place that the results
    allow; tier, 1 for the first player and everyone who cannot be distinguished from that one, 2 for the first of the
    others and everyone who cannot be distinguished from that one, and so on; ahead, True if the player is ahead of the
    next one beyond chance. All pairs are compared at once, by Tukey's studentized range: with probability --level, no
    two players are in the wrong order. The lines below give the result in a sentence for print, name a player without
    whose results another would be first (for whole-pool methods), and estimate how many more results would separate the
    next two. The method must have deviations.
    """
    listed = engine.rating_list(*question)
    found = supported(engine, listed, level)
    note_undeclared(engine, question)
    table = found.as_table().rounded(listed.digits.get("rating", 1))
    write(table, tuple(table.columns), form)
    (say if form == "table" else note)("\n".join(["", *found.lines()] if form == "table" else found.lines()))
