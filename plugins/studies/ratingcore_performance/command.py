"""`ratingcore performance` and `performance-of`: the rating at which points were expected, of a log or of numbers."""

import re
from collections.abc import Sequence
from functools import partial

import click
import numpy as np

from ratingcore.plugin import Floats, Ints, Sides
from ratingcore.plugin.analysis import Replay, View, replay_with_forecasts
from ratingcore.plugin.commands import (
    Engine,
    Mistake,
    ResolvedQuestion,
    asking,
    command,
    completion,
    note,
    note_undeclared,
    options,
    write,
)
from ratingcore_performance.kinds import PERFORMANCES, RATIO_PERFORMANCES

COLUMNS = ("kind", "games", "opposition", "score", "rating", "status")
KINDS = ("linear", "table", "normal", "logistic", "true_logistic", "true_normal")
RATIO_KINDS = ("ratio", "weighted_opposition", "berkin")

_of_kind = click.option(
    "--kind", type=click.Choice((*KINDS, *RATIO_KINDS)), multiple=True,
    help="Kind of performance rating; the six in points if left out.",
)  # fmt: skip
_to_cap = click.option(
    "--cap", type=click.FloatRange(min=0), default=800.0, show_default=True,
    help="Points above the opposition for a perfect score, for the kinds normal and logistic.",
)  # fmt: skip


@command(
    "performance",
    "ratingcore performance club.db ann",
    "ratingcore performance club.db bo --pool rapid --method elo:k=24 --event Open --kind table",
    "ratingcore performance club.db cy --since 2024-03-01 --through 2024-03-31 --kind normal --cap 766 -f json",
    "ratingcore performance club.db ann --method berkin-change --kind berkin",
)
@asking()
@click.argument("player", shell_complete=completion.players)
@click.option("--since", "-s", callback=options.a_time, metavar="DAY", help="First day whose games count.")
@click.option("--event", "-e", metavar="NAME", help="Only games of one tournament, by the result field event.")
@_of_kind
@_to_cap
@options.form
def performance(
    engine: Engine,
    question: ResolvedQuestion,
    player: str,
    since: str | None,
    event: str | None,
    kind: tuple[str, ...],
    cap: float,
    form: str,
) -> None:
    """Show the performance of a player over a span or in an event.

    Columns: kind, games, opposition (mean rating of the opponents, each as it was before the game under the method),
    score, rating, status. A perfect score has no true performance rating: its status is unbounded and there is no
    rating; the other kinds give it a conventional one. Games against unrated opponents are left out, with a note.

    The kinds ratio (opposition times points won over points lost), weighted_opposition (opponents weighted by the
    points won against them) and berkin (the two together) are for ratings on a ratio scale, as --method berkin has.
    """
    method, view = engine.core.question(*question)
    row = view.row(engine.core.player_id(player))
    replay = replay_with_forecasts(method, view)
    chosen = _chosen(engine, replay, row, player, since, event)
    opponents, scores = _met(replay, row, chosen)
    opponents, scores = _rated(opponents, scores, player)
    note_undeclared(engine, question)
    _write(opponents, scores, kind, cap, form)


@command(
    "performance-of",
    "ratingcore performance-of 1800:3/10",
    "ratingcore performance-of 1850:0 1620:0 1190:1 --kind true_normal",
    "ratingcore performance-of 2100:6/6 --kind normal --cap 766 --format json",
)
@click.argument("results", metavar="RATING:POINTS[/GAMES]...", nargs=-1, required=True)
@_of_kind
@_to_cap
@options.form
def performance_of(results: tuple[str, ...], kind: tuple[str, ...], cap: float, form: str) -> None:
    """Calculate the performance rating of points made against given ratings.

    Each opponent is given with the points made against them, in one game if no number of games is given: 1800:3/10 is
    three points in ten games. Columns and kinds are those of ratingcore performance. No log is needed.
    """
    met = [_met_of(text) for text in results]
    opponents = np.repeat([rating for rating, _, _ in met], [games for _, _, games in met])
    scores = np.concatenate([np.clip(points - np.arange(games), 0.0, 1.0) for _, points, games in met])
    _write(opponents, scores, kind, cap, form)


def _met_of(text: str) -> tuple[float, float, int]:
    """Rating of an opponent, the points made against them, and the games."""
    found = re.fullmatch(r"([-+]?[0-9.]+):([0-9.]+)(?:/0*([1-9][0-9]{0,3}))?", text.strip())
    try:
        rating, points, games = (float(found[1]), float(found[2]), int(found[3] or 1)) if found else (0.0, 1.0, 0)
    except ValueError:
        games = 0
    if not games or points > games:
        raise Mistake(f"expected RATING:POINTS/GAMES, found: {text}", "such as 1800:3/10, three points in ten games")
    return rating, points, games


def _write(opponents: Floats, scores: Floats, kind: tuple[str, ...], cap: float, form: str) -> None:
    ratios = {name: partial(made, opponents, scores) for name, made in RATIO_PERFORMANCES.items()}
    points = {name: partial(made, opponents, scores, cap) for name, made in PERFORMANCES.items()}
    performed = {name: (points | ratios)[name]() for name in kind or KINDS}
    rows = (
        {"kind": name, "games": made.games, "opposition": made.opposition, "score": made.score}
        | {"rating": made.rating if made.status in ("ok", "zero") else None, "status": made.status}
        for name, made in performed.items()
    )
    write(rows, COLUMNS, form, digits=4)


def _chosen(engine: Engine, replay: Replay, row: int, player: str, since: str | None, event: str | None) -> Ints:
    """Indices of the player's games in the span and in the event."""
    games = replay.results
    if isinstance(games, Sides):
        raise Mistake(
            f"{replay.method.name} reads sides, and performance ratings need games of two players",
            "choose a method that reads games: ratingcore methods lists them",
        )
    mine = np.flatnonzero((games.a == row) | (games.b == row))
    played = int(replay.view.played_counts()[row])
    if played > len(mine):
        note(f"note: left out, not rated by {replay.method.name} yet: {played - len(mine)} of {played} games")
    if since is not None:
        mine = mine[games.played[mine] >= replay.view.instant(since)]
    if event is not None:
        named = _events(engine, replay.view, games.position[mine].tolist())
        mine = mine[[name == event for name in named]]
        if not len(mine):
            events = sorted({name for name in named if name is not None})
            hint = f"the events of {player} are {', '.join(events)}" if events else "no game of these names its event"
            raise Mistake(f"{player} played no game in the event: {event}", hint)
    if not len(mine):
        raise Mistake(f"{player} played no game in this span", f"ratingcore player LOG {player} lists the games")
    return mine


def _events(engine: Engine, view: View, positions: Sequence[int]) -> list[str | None]:
    """The event of each game, after corrections."""
    read = map(view.timeline.corrections.read, engine.log.rows_at(positions))
    named = {row.position: row.facts.get("event") for row in read if row is not None}
    return [None if (name := named.get(at)) is None else str(name) for at in positions]


def _met(replay: Replay, row: int, chosen: Ints) -> tuple[Floats, Floats]:
    """Rating of each opponent just before the game, and the player's score."""
    games, before = replay.results, replay.rating_before
    first = games.a[chosen] == row  # type: ignore[union-attr]  # sides were refused when the games were chosen
    score = games.score[chosen]
    return np.where(first, before[1::2][chosen], before[0::2][chosen]), np.where(first, score, 1.0 - score)


def _rated(opponents: Floats, scores: Floats, player: str) -> tuple[Floats, Floats]:
    """The games against rated opponents."""
    rated = np.isfinite(opponents)
    if not rated.any():
        raise Mistake(f"{player} met no rated opponent in these games", "seed the opponents, or use another method")
    if not rated.all():
        note(f"note: left out, with an unrated opponent: {int((~rated).sum())} of {len(rated)} games")
    return opponents[rated], scores[rated]
