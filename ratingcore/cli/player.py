"""`ratingcore player`: everything that moved one player's rating."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.open_log import one_pool, position, reading
from ratingcore.cli.output import write

if TYPE_CHECKING:
    from ratingcore.engine import Engine
    from ratingcore.explain import Line
    from ratingcore.replay import Replay

COLUMNS = ("played", "uid", "opponent", "score", "expected", "change", "rating")


@click.command(
    "player",
    cls=Command,
    examples=(
        "ratingcore player club.db ann",
        "ratingcore player club.db ann --pool rapid --method elo:k=24 --since 2024-03-01 --through 2024-03-31",
        "ratingcore player club.db ann --last 10 --format json",
    ),
)
@options.log
@click.argument("player")
@options.question
@click.option(
    "--since", "-s", callback=options.a_time, metavar="DAY", help="First day shown; all days before it count."
)
@click.option("--last", type=options.Count(1), metavar="N", help="The last N lines only.")
@options.form
def player(
    log: str,
    player: str,
    pool: str | None,
    method: str,
    through: str | None,
    known_at: str | None,
    since: str | None,
    last: int | None,
    form: str | None,
) -> None:
    """Show the history of a player, line by line.

    Columns: played, uid, opponent, score, expected, change, rating (after the line). A line that is no game has its
    label in place of the opponent: a seed, a season carry-over, a rounding. The changes add up to
    the difference of any two ratings. The highest rating of all days and its day are told on stderr.
    """
    from ratingcore.events import instant
    from ratingcore.explain import history
    from ratingcore.lists.people import People

    with reading(log) as engine:
        replay = engine.replay(one_pool(engine, pool), method, through, position(engine, known_at), keep=True)
        row = replay.view.row(engine.player_id(player))
        lines = history(replay, row)
        shown: Iterable[Line] = lines if since is None else [line for line in lines if line.played >= instant(since)]
        called = People(replay.view.book).called_by_key(replay.view.called)
        chosen = list(deque(shown, last))
        columns = (*COLUMNS[:3], *(["called"] if called else []), *COLUMNS[3:])
        write(rows(engine, chosen, called), columns, form, digits=4)
        if (key := replay.view.name(row)) in called:
            note(f"{key} is called {called[key]}")
        _note_peak(replay, row)


def _note_peak(replay: "Replay", row: int) -> None:
    """Tells the player's highest rating, if the method knows of earlier ones and there is any."""
    import numpy as np

    from ratingcore.errors import CannotSay
    from ratingcore.events import DAY, iso
    from ratingcore.explain import peaks

    with suppress(CannotSay):
        if peak := peaks(replay, np.array([row])).get(row):
            note(f"peak {peak.rating:.4f} on {iso(peak.at // DAY * DAY)}")


def rows(engine: "Engine", lines: "list[Line]", called: Mapping[str, str] | None = None) -> Iterator[dict[str, Any]]:
    """Lines of a history as rows, with what the opponents of results are called."""
    from ratingcore.events import iso

    positions = [line.position for line in lines if line.position is not None]
    uid = dict(zip(positions, engine.log.uids(positions), strict=True)) if positions else {}
    for line in lines:
        event = None if line.position is None else uid[line.position]
        opponent = called.get(line.opponent) if called and line.score is not None else None
        yield line._asdict() | {"played": iso(line.played), "uid": event, "called": opponent}
