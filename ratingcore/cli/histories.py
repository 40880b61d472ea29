"""Commands that show what moved ratings (player, explain, forecasts, impact), and the output of `--dry-run`."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice

import click
import numpy as np

from ratingcore.cli import completion, options
from ratingcore.cli.console import Mistake, note, say
from ratingcore.cli.files import write_page
from ratingcore.cli.options import command
from ratingcore.cli.output import write
from ratingcore.cli.question import (
    ResolvedQuestion,
    as_published,
    asking,
    cut_of,
    note_left_out,
    note_undeclared,
    reading,
)
from ratingcore.cli.sentences import in_brief, sentence
from ratingcore.engine import Engine
from ratingcore.errors import CannotSay
from ratingcore.events import DAY, Event, iso
from ratingcore.explain.explanation import Explanation, ExplanationDiff
from ratingcore.explain.forecasts import forecasts as forecast_rows
from ratingcore.explain.history import Line, heading, history, peaks
from ratingcore.explain.impact import COLUMNS as MOVED
from ratingcore.explain.impact import Impact
from ratingcore.lists import Published
from ratingcore.lists.player_names import called_by_key
from ratingcore.log.lookup import event_of, uids_at
from ratingcore.log.overlay import supposed_in
from ratingcore.methods import Cadence
from ratingcore.replay import Replay, Watch, extra_names, replay_with_forecasts
from ratingcore.replay.contract_check import readable_view

COLUMNS = ("played", "uid", "opponent", "score", "expected", "change", "rating")
_FEW = 10
"""Largest number of planned events that are printed."""


@command(
    "player",
    "ratingcore player club.db ann",
    "ratingcore player club.db ann --pool rapid --method elo:k=24 --since 2024-03-01 --through 2024-03-31",
    "ratingcore player club.db ann --last 10 --format json",
)
@asking()
@click.argument("player", shell_complete=completion.players)
@click.option(
    "--since",
    "-s",
    callback=options.a_time,
    metavar="DAY",
    help="First day shown; results of earlier days still count.",
)
@click.option("--last", type=options.Count(1), metavar="N", help="Show only the last N lines.")
@options.page
@options.form
def player(
    engine: Engine,
    question: ResolvedQuestion,
    player: str,
    since: str | None,
    last: int | None,
    page: str | None,
    language: str,
    form: str,
) -> None:
    """Show the history of a player, line by line.

    Columns: played, uid, opponent, score, expected, change, rating (after the line), and the method's further columns,
    such as a deviation; for a periodic method, as they are after the period of the line. A line that is not a game has
    a label in place of the opponent: a seed, a season carry-over, a rounding. The changes add up to the difference of
    any two ratings. The peak rating, its day, and results of the pool that the method cannot read are printed on
    stderr. A table leaves out the uids; ratingcore log --player shows them too.
    """
    if page is not None:
        write_page(engine, page, "player", player, *question, language=language)
        return
    rated, view = engine.core.question(*question)
    row = readable_view(rated, view).row(engine.core.player_id(player))
    replay = engine.core.replay(
        question.pool, rated, question.through, question.known_at, keep=True, watch=Watch(np.array([row]))
    )
    lines = history(replay, row, partial(uids_at, engine.log))
    shown: Iterable[Line] = (
        lines if since is None else [line for line in lines if line.played >= replay.view.instant(since)]
    )
    called = called_by_key(replay.view)
    latest = list(deque(shown, last))
    extra = [heading(name, (*COLUMNS, "called"), "after") for name in extra_names(replay.method)]
    names = (*COLUMNS[:3], *(["called"] if called else []), *COLUMNS[3:], *extra)
    columns = tuple(name for name in names if name != "uid" or form != "table")
    write(rows(latest, called, extra), columns, form, digits=4)
    if replay.track is None and replay.method.cadence is Cadence.RETROSPECTIVE:
        note(f"{replay.method.name} has no history of ratings; ratingcore explain shows how this rating came about")
    note_left_out(replay.view)
    if (key := replay.view.name(row)) in called:
        note(f"{key} is called {called[key]}")
    _note_peak(replay, row)
    note_undeclared(engine, question)


def _note_peak(replay: Replay, row: int) -> None:
    """Prints the player's highest rating and its day on stderr, if the method has a history of ratings."""
    with suppress(CannotSay):
        if peak := peaks(replay, np.array([row])).get(row):
            note(f"peak {peak.rating:.4f} on {iso(peak.at // DAY * DAY)}")


def rows(
    lines: list[Line], called: Mapping[str, str] | None = None, extra: Sequence[str] = ()
) -> Iterator[dict[str, object]]:
    """Yields the lines of a history as rows, with opponents' names and the method's further columns."""
    for line in lines:
        opponent = called.get(line.opponent) if called and line.score is not None else None
        listed = {heading(name, (*COLUMNS, "called"), "after"): cell for name, cell in line.columns.items()}
        further = dict.fromkeys(extra) | listed
        yield line._asdict() | {"played": line.time, "uid": line.uid, "called": opponent} | further


@command(
    "explain",
    "ratingcore explain club.db ann",
    "ratingcore explain club.db ann --pool rapid --method elo:k=24 --since 2024-03-01 --through 2024-03-31",
    "ratingcore explain club.db ann --against 3",
    "ratingcore explain club.db bo --method berkin:prior_draws=1 --refits 50 --format json",
)
@asking()
@click.argument("player", shell_complete=completion.players)
@click.option(
    "--since", "-s", callback=options.a_time, metavar="DAY",
    help="First day whose results have a line; the opening rating is that of the list of the day before.",
)  # fmt: skip
@click.option(
    "--against", "-a", metavar="CUT",
    help="Compare with the log as it was at a cut like that of --known-at: the lines that differ, and the"
    " corrections behind them. For a published list, through its day.",
)  # fmt: skip
@click.option(
    "--refits", type=options.Count(2), default=200, show_default=True, metavar="N",
    help="How often a whole-pool method may be refitted; with more results than that, several share a line.",
)  # fmt: skip
@options.page
@options.form
def explain(
    engine: Engine,
    question: ResolvedQuestion,
    player: str,
    since: str | None,
    against: str | None,
    refits: int,
    page: str | None,
    language: str,
    form: str,
) -> None:
    """Explain a rating: its opening, a line for everything that moved it, and its closing.

    The opening rating and the contributions of all lines add up to the closing rating, which is the unrounded rating of
    the list. Columns: line (opening, result, seed, line with a label, others, closing), played, uid, opponent,
    partners, opposition (the opponents' rating before), score, expected, the method's own columns (k, boost),
    contribution, rating after; corrected (how the event was corrected), and corrections, by and why: the uids, the
    actors and the reasons of these corrections.

    A whole-pool method is refitted before and with each of the player's results.

    With --against, only lines that differ are shown: change (gone, new, changed), score and contribution before and
    now, and because: the corrections of the result that were recorded between the two cuts, or "follows" where earlier
    ratings changed. Against a published list, both sides use its method and its day, unless --through gives another. A
    page (--to) compares with that list, or else with the newest published list of this method.
    """
    cut = None if against is None else cut_of(engine, against, "--against")
    published = engine.core.list_of(cut, question.pool)
    if page is not None and cut is not None and published is None:
        raise Mistake(
            f"--to compares with a published list, which --against does not name: {against}",
            "leave out --against, or --to",
        )
    if published is not None:
        question, _ = as_published(engine, question, published, "--against")
        question = _of_its_day(engine, question, published)
    method = engine.core.question(*question)[0]

    def explained(known_at: str | None) -> Explanation:
        return engine.explain(question.pool, player, method, since, question.through, known_at, refits=refits)

    now = explained(question.known_at)
    if page is not None:
        of_list = "" if published is None else published.name
        write_page(engine, page, "explanation", now, method, of_list, language=language)
        return
    _write(engine, now if against is None else explained(cut).diff(now), form)
    note_undeclared(engine, question)


def _of_its_day(engine: Engine, question: ResolvedQuestion, published: Published) -> ResolvedQuestion:
    """Returns the question through the day of a published list, unless another day is given; prints a note on it."""
    if question.through is None:
        if published.cut is not None:
            cut, name = published.cut, published.name
            note(f"note: both sides count results through {cut}, as {name} does; --through sets another day")
        return question._replace(through=published.cut)
    if question.view(engine).through != published.through:
        scope = "everything played" if published.cut is None else f"results through {published.cut}"
        note(f"note: {published.name} counts {scope}; both sides here count results through {question.through}")
    return question


def _write(engine: Engine, explained: Explanation | ExplanationDiff, form: str) -> None:
    """Writes the rows, and the facts about them: below a table, or on stderr with other formats."""
    facts = explained.facts(brief=in_brief(engine.registry))
    if form == "table":
        columns, lines = explained.brief()
        write(lines, columns, form, spare=("uid", "because", "new_contribution"))
        say("\n".join(["", *facts]))
        return
    write(explained, explained.columns, form)
    note("\n".join(facts))


@command(
    "forecasts",
    "ratingcore forecasts club.db --method elo:k=24",
    "ratingcore forecasts club.db --pool rapid --through 2024-03-31 --format csv > forecasts.csv",
)
@asking()
@options.form
def forecasts(engine: Engine, question: ResolvedQuestion, form: str) -> None:
    """List the forecast of every game, and the rating change that it caused.

    One row per game in order of play: uid, played, a, b, score, rating_a, rating_b, expected, change_a, change_b, and
    draw where the method gives the chance of one. In pools with sessions, one row per player: uid, played, side,
    player, score, rating, expected, change, and ahead, the expected share of the other sides that finish behind, where
    the method gives it. The method's further columns follow, as they were before the game: deviation_a and deviation_b,
    or deviation. Numbers are unrounded except in tables, which also leave out the uids. Results that the method cannot
    read are left out, and counted on stderr.
    """
    replay = replay_with_forecasts(*engine.core.question(*question), Watch())
    table = forecast_rows(replay, partial(uids_at, engine.log))
    write(table, tuple(name for name in table.columns if name != "uid" or form != "table"), form, digits=4)
    note_left_out(replay.view)
    note_undeclared(engine, question)


@command(
    "impact",
    "ratingcore impact club.db g-1",
    "ratingcore impact club.db g-1 --pool rapid --method elo:k=24 --through 2024-03-31 --top 10",
)
@options.log
@click.argument("uid")
@options.concerned_pool
@options.method
@options.through
@click.option("--top", type=options.Count(1), metavar="N", help="Show only the N players with the largest changes.")
@options.form
def impact(
    log: str, uid: str, pool: str | None, method: str | None, through: str | None, top: int | None, form: str
) -> None:
    """Show who moved, and by how much, because of one event.

    The event is a result, a seed, a description, or a correction. The command compares the ratings that are known now
    with those without the event. Columns: player, rank_without, rank_with, rating_without, rating_with (both as
    listed), change (unrounded). The largest change comes first; the number, sum and mean of the changes come last.
    """
    with reading(log) as engine:
        made = engine.impact(uid, pool, method, through)
        write_impact(engine, made, form, top)
        _note_undeclared(engine, made, method, through)


def preview(
    engine: Engine, events: Sequence[Event], what: str, pool: str | None, method: str | None, form: str
) -> None:
    """Prints the planned events, and the players whose ratings would move.

    Parameters
    ----------
    what : str
        Name of the events in messages, such as "the void of g-1".
    """
    trial = engine.what_if(events)
    supposed = [event for _, event in trial.events(trial.log.head.position - supposed_in(trial.log))]
    for event in supposed[:_FEW]:
        note(f"would be recorded: {sentence(event, partial(event_of, trial.log))}")
    if len(supposed) > _FEW:
        note(f"... and {len(supposed) - _FEW} more")
    made = engine.impact(events, pool, method, what=what)
    write_impact(engine, made, form)
    _note_undeclared(trial, made, method)
    note("nothing was recorded")


def write_impact(engine: Engine, impact: Impact, form: str, top: int | None = None) -> None:
    """Prints the players whose ratings moved, with number, sum and mean on stderr."""
    write(islice(impact, top), MOVED, form, digits=4)
    left = len(impact) - (top or len(impact))
    cut = [f"... and {left} more"] if left > 0 else []
    note("\n".join([*cut, *impact.lines(in_brief(engine.registry))]))


def _note_undeclared(engine: Engine, impact: Impact, method: str | None, through: str | None = None) -> None:
    if impact.at is not None:
        note_undeclared(engine, ResolvedQuestion(impact.pool, method, through, None))
