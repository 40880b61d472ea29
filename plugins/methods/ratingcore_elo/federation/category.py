"""`ratingcore category`: the category of a tournament, by the mean rating of its players."""

import click

from ratingcore.plugin.commands import Engine, ResolvedQuestion, asking, command, note, options, write
from ratingcore_elo.federation.grades import fide_category

COLUMNS = ("event", "first", "last", "results", "players", "rated", "mean", "category")


@command(
    "category",
    "ratingcore category club.db Open",
    "ratingcore category club.db Open --pool rapid --method elo:k=24 --women",
    "ratingcore category club.db Open --format json",
)
@asking()
@click.argument("event")
@click.option("--women", is_flag=True, help="The categories of women's tournaments, which begin 200 points lower.")
@options.form
def category(engine: Engine, question: ResolvedQuestion, event: str, women: bool, form: str) -> None:
    """Show the category of a tournament.

    EVENT is the value of the field event in its results. Columns: event, first and last (day of play), results,
    players, rated, mean (of the ratings of the rated players, each just before the player's first result in the event),
    category (1 for a mean of 2251 to 2275, and one more for every 25 points; none below).
    """
    tournament = engine.tournament(question.pool, event, question.method, question.through, question.known_at)
    if tournament.rated < len(tournament.player):
        players = zip(tournament.player, tournament.rating.tolist(), strict=True)
        unrated = [name for name, rating in players if rating != rating]
        note(f"note: the mean leaves out players without a rating: {', '.join(unrated)}")
    face = tournament.clock
    row = {
        "event": tournament.event, "first": face.iso(tournament.first), "last": face.iso(tournament.last),
        "results": tournament.results, "players": len(tournament.player),
        "rated": tournament.rated, "mean": tournament.mean,
        "category": fide_category(tournament.mean, women=women) if tournament.rated else None,
    }  # fmt: skip
    write([row], COLUMNS, form, digits=2)
