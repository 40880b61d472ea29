"""`ratingcore player`: everything that moved one player's rating."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.left_out import note_left_out
from ratingcore.cli.open_log import one_pool, position, reading
from ratingcore.cli.output import write

if TYPE_CHECKING:
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

    Columns: played, uid, opponent, score, expected, change, rating (after the line), and what the method lists beside
    the rating, such as a deviation: of a periodic method after the period of the line. A line that is no game has its
    label in place of the opponent: a seed, a season carry-over, a rounding. The changes add up to
    the difference of any two ratings. The highest rating of all days and its day are told on stderr, and results of the
    pool that the method cannot read.
    """
    import numpy as np

    from ratingcore.explain import history
    from ratingcore.explain.history import heading
    from ratingcore.lists.people import People
    from ratingcore.replay import Watch, names_beside
    from ratingcore.replay.readable_view import fitting

    with reading(log) as engine:
        where, cut = one_pool(engine, pool), position(engine, known_at)
        row = fitting(engine.registry.method(method), engine.view(where, through, cut)).row(engine.player_id(player))
        replay = engine.replay(where, method, through, cut, keep=True, watch=Watch(np.array([row])))
        lines = history(replay, row, engine.log.uids)
        shown: Iterable[Line] = (
            lines if since is None else [line for line in lines if line.played >= replay.view.instant(since)]
        )
        called = People(replay.view.book).called_by_key(replay.view.called)
        chosen = list(deque(shown, last))
        beside = [heading(name, (*COLUMNS, "called"), "after") for name in names_beside(replay.method)]
        columns = (*COLUMNS[:3], *(["called"] if called else []), *COLUMNS[3:], *beside)
        write(rows(chosen, called, beside), columns, form, digits=4)
        note_left_out(replay.view)
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


def rows(
    lines: "list[Line]", called: Mapping[str, str] | None = None, beside: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Lines of a history as rows, with what the opponents of results are called, and what is listed beside ratings."""
    from ratingcore.explain.history import heading

    for line in lines:
        opponent = called.get(line.opponent) if called and line.score is not None else None
        listed = {heading(name, (*COLUMNS, "called"), "after"): cell for name, cell in line.columns.items()}
        further = dict.fromkeys(beside) | listed
        yield line._asdict() | {"played": line.time, "uid": line.uid, "called": opponent} | further
