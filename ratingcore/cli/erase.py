"""`ratingcore erase`: a person's name leaves the log for good."""

import sys

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note, say
from ratingcore.cli.open_log import correcting
from ratingcore.errors import UnknownName


@click.command(
    "erase",
    cls=Command,
    examples=(
        'ratingcore erase club.db "bo (guest)" --yes',
        "ratingcore erase club.db ann --also Annie --by secretary --yes",
    ),
)
@options.log
@click.argument("player")
@click.option(
    "--also", multiple=True, metavar="TEXT",
    help="Another spelling to look for in reasons, actors and sources, such as a surname; repeatable.",
)  # fmt: skip
@options.by
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
def erase(log: str, player: str, also: tuple[str, ...], by: str, yes: bool) -> None:
    """Erase a player's name for good.

    Results and ratings stay, every digest and published list stays valid, and "(erased N)" is shown in place of the
    name. Names that are merged with it go as well, and so do reasons, actors and sources that speak of the player, and
    sources that hold the digest of an imported file, as earlier versions wrote them. The
    file is written anew, so that no byte of the name is left in it; whoever is reading it meanwhile is waited for.

    Not erased are uids and further fields of events that hold the name (they are part of the digests, and are counted),
    and what is outside this file: old backups, old exports, tables in other files, your own tables.
    """
    begun = False
    with correcting(log) as engine:
        try:
            names = engine.known_as(player)
        except UnknownName:
            if not engine.log.uncleared():
                raise
            begun = True
            note("finishing an erasure that was begun before")
        else:
            _asked(names, yes)
        done = engine.erase(player, also=also, by=by)
    say(str(done))
    if not (begun or done.mentions):
        note("no uid confirms a guess at the name")
    note("old backups, old exports, and tables in other files still hold the name: they are yours to look after")
    note("a player of this name who is recorded from now on is somebody new")


def _asked(names: tuple[str, ...], yes: bool) -> None:
    """Asks on a terminal whether to erase; elsewhere `--yes` is required."""
    if yes:
        return
    who = " and ".join(names)
    if not _sits_there():
        raise Mistake(
            f"nobody is there to be asked whether to erase {who}", "it cannot be undone; if it is meant: --yes"
        )
    if not click.confirm(f"erase {who}? it cannot be undone", err=True):
        raise Mistake("nothing was erased")


def _sits_there() -> bool:
    return sys.stdin.isatty()
