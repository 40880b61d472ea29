"""`ratingcore superiority`: how likely players are to be stronger than each other, as a matrix."""

import click

from ratingcore.cli import completion, options
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import Asked, asking, note_undeclared
from ratingcore.engine import Engine

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
    help="How many from the top, if no PLAYER.",
)
@options.form
def superiority(engine: Engine, asked: Asked, players: tuple[str, ...], top: int, form: str) -> None:
    """Show how likely players are to be stronger than each other.

    A row a player, from the top of the list or in the order in which they are named: place, player, and a column for
    each other one, the likelihood that the player of the row is the stronger one. In a table columns are named by
    place, in other formats by player. Only methods with deviations say so, such as glicko or bradley-terry; whole-pool
    methods know how far two ratings are wrong together, and count it in.
    """
    listed = engine.rating_list(*asked)
    found = engine.superiority(listed, players or listed.player[:top])
    note_undeclared(engine, asked)
    by_place = form == "table"
    heads = [str(n) if by_place else f"over {name}" for n, name in enumerate(found.player, start=1)]
    rows = (
        {"place": n, "player": name} | dict(zip(heads, chances, strict=True))
        for n, (name, chances) in enumerate(zip(found.player, found.chance.tolist(), strict=True), start=1)
    )
    write(rows, ("place", "player", *heads), form, digits=3)
