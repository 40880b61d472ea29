"""Explains one player's rating, from two replays and the log."""

from collections.abc import Mapping
from math import nan

import numpy as np
from attrs import evolve

from ratingcore.columns import View
from ratingcore.columns.games import Floats
from ratingcore.errors import BadCut
from ratingcore.events import When
from ratingcore.events.times import FIRST
from ratingcore.explain.attribution import MOST, attribute
from ratingcore.explain.contributions import contributions, listed, shares
from ratingcore.explain.correction_history import Causes, lasting
from ratingcore.explain.explanation import Explanation
from ratingcore.explain.history import cells_of
from ratingcore.explain.lines import ExplainedLine
from ratingcore.lists.player_names import called_by_key
from ratingcore.lists.policy import Cell, cell
from ratingcore.log import Log
from ratingcore.log.lookup import uids_at
from ratingcore.methods import Cadence, Method
from ratingcore.methods.rule_histories import Book
from ratingcore.methods.state import State
from ratingcore.methods.text import identity
from ratingcore.replay import Checkpoints, Replay, Watch, fold, replayed, stand
from ratingcore.replay.contract_check import readable_view, shown_by
from ratingcore.replay.fold import Standing


def explain(
    method: Method, view: View, checkpoints: Checkpoints, log: Log, player: str, since: When | None, refits: int = MOST
) -> Explanation:
    """Explains a player's rating at the cuts of a view; see `Engine.explain`.

    Parameters
    ----------
    checkpoints : Checkpoints
        Checkpoints of the pool.
    log : Log
        Log from which uids and corrections are read.

    Raises
    ------
    BadCut, UnknownName, MethodError
    """
    first = None if since is None or view.instant(since) <= FIRST else view.instant(since)
    if first is not None and first > view.through:
        raise BadCut("since", since, "lies after the last day that counts")
    causes, subject = Causes(log, view.book.key), view.book.number("player", player)
    view = readable_view(method, view)
    blank = Explanation(
        player, view.pool, identity(method), view.known_at, view.digest, first, view.through, None, None, (),
        causes=causes, subject=subject, called=called_by_key(view),
        left_out=tuple(view.unreadable.sentences(view.through)), zone=view.zone,
    )  # fmt: skip
    row = view.row_of(subject)
    if not 0 <= row < view.n_players:
        return blank
    replay = replayed(method, view, checkpoints, keep=True, since=first, watch=Watch(np.array([row])))
    earlier = None if first is None else stand(method, view.cut(first - 1), checkpoints)
    way = _retrospective if method.cadence is Cadence.RETROSPECTIVE else _forward
    explained = way(blank, replay, earlier, row, refits)
    positions = [line.position for line in explained.lines if line.position is not None]
    uids = dict(zip(positions, uids_at(log, positions), strict=True)) if positions else {}
    made = causes.between(0, view.known_at, positions, subject, others=False)
    return explained.named(uids, {position: lasting(some) for position, some in made.items()})


def _forward(blank: Explanation, replay: Replay, earlier: Standing | None, row: int, refits: int) -> Explanation:
    whole = replay
    if earlier is not None and replay.since is None:  # a method that cannot resume from a state
        steps = isinstance(replay.method, Book)  # only a replay that keeps moves has the results of all steps
        known = fold(replay.method, earlier.view, keep=steps)
        if not steps or known.moves is not None:  # without moves, every earlier step rated the whole pool
            whole = replay.beyond(known)
    lines = contributions(whole, row)
    return _closed(blank, lines, whole, earlier, row)


def _retrospective(blank: Explanation, replay: Replay, earlier: Standing | None, row: int, refits: int) -> Explanation:
    start = _rating(earlier, row, replay) if earlier is not None else float(replay.start[row])
    made = attribute(replay, row, FIRST if blank.since is None else blank.since, refits)
    lines = shares(replay, row, made, start, float(replay.state["rating"][row]))
    explained = _closed(blank, lines, evolve(replay, start=_put(replay.start, row, start)), earlier, row)
    return evolve(explained, attributed=True, together=made.word, refits=made.refits)


def _closed(
    blank: Explanation, lines: list[ExplainedLine], replay: Replay, earlier: Standing | None, row: int
) -> Explanation:
    """Adds the lines and the opening and closing ratings, as the lists show them, to an explanation."""
    method, start = replay.method, float(replay.start[row])
    opening = start if earlier is None else _listed(earlier, row, start)
    closing = _listed(replay, row, nan)
    listed(lines, opening, closing, start, (replay.at if blank.since is None else blank.since - 1, replay.at))
    begun = _at_first(replay, opening) if earlier is None else cells_of(earlier.method, earlier.state, row, earlier.at)
    return evolve(
        blank, opening=cell(opening), closing=cell(closing), lines=tuple(lines), opening_columns=begun,
        closing_columns=cells_of(method, replay.state, row, replay.at),
    )  # fmt: skip


def _at_first(replay: Replay, opening: float) -> Mapping[str, Cell]:
    """Returns the listed columns of a player who has not played.

    Empty if newcomers begin unrated, or if the method fits the whole pool at once.
    """
    method = replay.method
    if opening != opening or method.cadence is Cadence.RETROSPECTIVE:
        return {}
    return cells_of(method, State.start(method.columns(), players=1), 0, replay.at)


def _listed(replay: Replay | Standing, row: int, unseen: float) -> float:
    """Returns the rating that a list shows, unrounded."""
    rating = shown_by(replay.method, replay.state, replay.at)["rating"]
    return float(rating[row]) if row < len(rating) else unseen


def _rating(earlier: Standing, row: int, replay: Replay) -> float:
    rating = earlier.state["rating"]
    return float(rating[row]) if row < len(rating) else float(replay.start[row])


def _put(column: Floats, row: int, value: float) -> Floats:
    changed = column.copy()
    changed[row] = value
    return changed
